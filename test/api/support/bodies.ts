// Bodies around the IVR schema, as text: valid ones, and valid ones with a few things done to them. As text, because
// repeated members, 1e400 and halves of surrogate pairs do not survive JSON.stringify.
import fc from 'fast-check';

type Member = readonly [name: string, raw: string];
type Mutation = (members: readonly Member[]) => Member[];

const raw = (value: unknown): string => JSON.stringify(value);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/);
const count = (max: number) =>
  fc
    .tuple(fc.integer({ min: 0, max }), fc.nat(2))
    .map(([value, form]) => (form === 0 ? raw(value) : raw(form === 1 ? String(value) : `0${value}`)));
const bars = fc.constantFrom('||', '|');
const recording = fc.oneof(
  fc.tuple(bars, id).map(([bar, word]) => raw(`recording${bar}${word}`)),
  id.map(raw),
  fc.nat().map(raw),
);
const destination = (kinds: readonly string[]) =>
  fc.tuple(fc.constantFrom(...kinds), bars, id).map(([kind, bar, word]) => raw(kind + bar + word));
const option = fc.oneof(
  fc.stringMatching(/^[0-9*#]{1,6}$/).map(raw),
  fc.integer({ min: 0, max: 999_999 }).map(raw),
);
const template = fc.oneof(fc.constantFrom('""', '"0"', '0', 'null'), id.map(raw), fc.nat().map(raw));
const words = (maxLength: number) => fc.string({ unit: 'grapheme', minLength: 0, maxLength });

/** Options of a menu, at most. */
const MOST = 4;

function valid(kinds: readonly string[]): fc.Arbitrary<Member[]> {
  const options = fc.uniqueArray(option, {
    minLength: 1,
    maxLength: MOST,
    selector: (item) => item.replaceAll('"', ''),
  });
  const destinations = fc.array(destination(kinds), { minLength: MOST, maxLength: MOST });
  const fields = fc.record({
    name: words(20).map((text) => raw(`n${text}`)),
    description: words(60).map(raw),
    recording,
    timeout: count(600),
    incorrect_count: count(20),
    invalid_recording: recording,
    invalid_destination: destination(kinds),
    timeout_retry_recording: recording,
    timeout_recording: recording,
    timeout_destination: destination(kinds),
    timeout_tries: count(20),
  });
  const list = (items: readonly string[]): string => `[${items.join(',')}]`;
  const templates = fc.array(template, { maxLength: MOST });
  return fc
    .tuple(fields, options, destinations, templates)
    .map(([all, keys, ways, sms]) => [
      ...Object.entries(all),
      ['option', list(keys)],
      ['destination', list(ways.slice(0, keys.length))],
      ['sms_template', list(sms.slice(0, keys.length))],
    ]);
}

/** Values at and beyond every edge, and of every wrong type. */
const EDGES = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-1',
    '1.5',
    '5.0',
    '1e2',
    '1e400',
    '-1e400',
    '20',
    '21',
    '600',
    '601',
  ],
  ...[
    '9007199254740993',
    '""',
    '"0"',
    '" "',
    '"600"',
    '"601"',
    '"-1"',
    '"1e1"',
    '" 5"',
    '"5.0"',
    '"٣"',
    '"007"',
  ],
  ...[
    '"recording||"',
    '"recording|||a"',
    '"recording||a|b"',
    '"Recording||a"',
    '"extension||1"',
    '"|1"',
    '"||1"',
  ],
  ...['"extension|1"', '"extension"', '"number||1"', '"nonsense||1"', '"extension|| 1"', '"extension||1\\n"'],
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"a\\nb"',
    '"\\u0085"',
    '"\\ufeff"',
    '"*#"',
    '"12a"',
  ],
  ...['[]', '{}', '[[]]', '[null]', '[1,1]', '["1",1]', '["1","2"]', '[{}]', '["1","01"]', '{"length":1}'],
  ...[1, 64, 65, 100, 101, 1000, 1001].map((length) => raw('x'.repeat(length))),
  ...[100, 101].map((length) => raw('😀'.repeat(length))),
  ...[raw(` ${'x'.repeat(100)} `), raw(' '.repeat(1001)), raw(`recording||${'x'.repeat(64)}`)],
  ...[raw(`extension||${'x'.repeat(65)}`), raw(Array.from({ length: 51 }, (_, at) => at))],
  ...[raw(Array.from({ length: 51 }, () => 'extension||1')), nested(31), nested(32), nested(500)],
  '{"__proto__":{"name":"x"}}',
];
const edge = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5_000, max: 60_000 }).map((length) => raw('y'.repeat(length))) },
);

const NAMES = [
  ...[
    'name',
    'description',
    'recording',
    'timeout',
    'option',
    'destination',
    'incorrect_count',
    'invalid_recording',
  ],
  ...[
    'invalid_destination',
    'timeout_retry_recording',
    'timeout_recording',
    'timeout_destination',
    'timeout_tries',
  ],
  ...['timeout_retries', 'recording_invalid', 'sms_template'],
];
const EXTRA = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'account_id',
  'version',
  '',
  'problem',
  'näme',
  'NAME',
];
const name = fc.constantFrom(...NAMES);

/** One item of a list, given as text, replaced. What an earlier mutation made of it may be no list, or no JSON at all. */
function withItem(list: string, at: number, item: string): string {
  let items: unknown;
  try {
    items = JSON.parse(list);
  } catch {
    return `[${item}]`;
  }
  if (!Array.isArray(items) || items.length === 0) return `[${item}]`;
  return `[${items.map((one, index) => (index === at % items.length ? item : raw(one))).join(',')}]`;
}

function mutation(kinds: readonly string[]): fc.Arbitrary<Mutation> {
  const lists = fc.constantFrom('option', 'destination', 'sms_template');
  const items = fc.oneof(edge, option, destination(kinds), template);
  return fc.oneof(
    fc.tuple(name, edge).map(
      ([field, value]): Mutation =>
        (all) =>
          all.some(([one]) => one === field)
            ? all.map(([one, was]): Member => [one, one === field ? value : was])
            : [...all, [field, value]],
    ),
    name.map(
      (field): Mutation =>
        (all) =>
          all.filter(([one]) => one !== field),
    ),
    fc.tuple(name, edge).map(
      ([field, value]): Mutation =>
        (all) => [...all, [field, value]],
    ),
    fc.tuple(name, edge).map(
      ([field, value]): Mutation =>
        (all) => [[field, value], ...all],
    ),
    fc.tuple(fc.constantFrom(...EXTRA), edge).map(
      ([field, value]): Mutation =>
        (all) => [...all, [field, value]],
    ),
    fc.tuple(lists, fc.nat(10), items).map(
      ([field, at, item]): Mutation =>
        (all) =>
          all.map(([one, was]): Member => [one, one === field ? withItem(was, at, item) : was]),
    ),
    // Numbers as text and text as numbers, where that may be the same.
    name.map(
      (field): Mutation =>
        (all) =>
          all.map(
            ([one, was]): Member => [
              one,
              one !== field ? was : /^"\d+"$/.test(was) ? was.slice(1, -1) : raw(was),
            ],
          ),
    ),
    fc.tuple(name, recording).map(
      ([field, value]): Mutation =>
        (all) => [...all, [field, value]],
    ),
  );
}

const written = (members: readonly Member[]): string =>
  `{${members.map(([field, value]) => `${raw(field)}:${value}`).join(',')}}`;

/** The body as text. One in fifty is damaged below the level of JSON. */
export function ivrBody(kinds: readonly string[]): fc.Arbitrary<string> {
  const mutations = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 7, arbitrary: fc.array(mutation(kinds), { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(mutation(kinds), { minLength: 3, maxLength: 8 }) },
  );
  const damage = fc.tuple(
    fc.nat(49),
    fc.nat(2000),
    fc.constantFrom('', ',', '}', '\u0000', 'NaN', "'", '[', '\\'),
  );
  return fc.tuple(valid(kinds), mutations, damage).map(([members, changes, [chance, at, what]]) => {
    const text = written(changes.reduce((all, change) => change(all), members));
    const place = at % text.length;
    // Half of a pair cannot be written as UTF-8; escaped ones are among the edges.
    return chance === 0 ? (text.slice(0, place) + what + text.slice(place + 1)).toWellFormed() : text;
  });
}

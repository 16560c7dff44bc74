// Rules for the whole tree that neither the compiler nor the linter checks (sizes.test.ts has those of sizes): comments, sockets, names that were given up, a changelog without doubles.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const files = ['src', 'console/src', 'client', 'bench', 'bin', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|js)$/.test(name))
    .map((name) => join(folder, name)),
);
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const isTest = (path: string): boolean => /\.(?:test|contract)\.ts$|\/testing\/|^test\//.test(path);

test('no comment begins with "Of …" or "Null: …": it names the thing and says what it does', () => {
  const begins = files.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) =>
        /(?:\/\*\*|\/\/|^\s*\*) (?:Of [a-z]|Null: )/.test(line) ? [`${path}:${index + 1}`] : [],
      ),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(begins).toEqual([]);
});

/** Its commands run one at a time, in an order of their own. */
const IN_TURN = ['test/calls/documents.test.ts'];

test('expect.poll, which is for one test at a time, is not used where tests run concurrently', () => {
  const polling = files
    .filter(
      (path) => path.endsWith('.test.ts') && !IN_TURN.includes(path) && path !== 'test/house-rules.test.ts',
    )
    .filter((path) => /\.concurrent\b/.test(textOf(path)) && /expect\s*\.poll\(/.test(textOf(path)));
  expect(polling).toEqual([]);
});

/** Where sockets may be opened; ARCHITECTURE.md has the same table. Everything else is given one, or asks one of these. */
const SOCKETS: readonly string[] = [
  'src/api/http/', // fastify listens
  'src/bots/', // WebSockets of voice bots
  'src/cli/doctor/', // looks whether the service's ports are free
  'src/media/sockets/',
  'src/media/webrtc/', // the bridge to the process of browser legs
  'src/nodes/node-client.ts',
  'src/nodes/node-probe.ts',
  'src/notifications/mail-delivery.ts',
  'src/safe-fetch/',
  'src/service/checks/', // looks whether ports are free
  'src/sharing/postgres/',
  'src/sip/capture/',
  'src/sip/transports/',
  'src/sms/smpp/',
  'src/sms/http/',
  'src/tracing/exporter.ts',
  'src/sound-store/s3/',
  'src/storage/inspect.ts', // doctor asks whether the database is reachable
  'src/storage/postgres/',
];
const OPENS_SOCKET = [
  /import \{[^}]*\b(?:connect|createServer|createSocket|request|get|Agent)\b[^}]*\} from 'node:(?:net|dgram|tls|http|https|http2)'/,
  /from '(?:pg|nodemailer|ws|fastify)'|import\('(?:pg|nodemailer|ws|koffi)'\)/,
  /(?<![.\w])fetch\(/,
];
const onlyTypes = (text: string): string =>
  text.replace(/^import type .*$/gm, '').replace(/\btype \w+( as \w+)?/g, '');

test('sockets are opened only where the table says', () => {
  const opening = files
    .filter((path) => /^src\/.*\.ts$/.test(path) && !isTest(path))
    .filter((path) => OPENS_SOCKET.some((expression) => expression.test(onlyTypes(textOf(path)))));
  expect(opening.filter((path) => !SOCKETS.some((allowed) => path.startsWith(allowed)))).toEqual([]);
  // A row that no file needs any more goes.
  expect(SOCKETS.filter((allowed) => !opening.some((path) => path.startsWith(allowed)))).toEqual([]);
});

/** getaddrinfo of names that the operator chose; a tenant's or a caller's would stop all look-ups of the process (T73). */
const GETADDRINFO: readonly string[] = [
  'src/sip/capture/hep.ts',
  'src/sip/transports/listen.ts',
  'src/telephony/softphone/softphone-ports.ts',
];

test('getaddrinfo is asked for names of the operator alone', () => {
  const asking = files.filter(
    (path) =>
      path.startsWith('src/') &&
      !isTest(path) &&
      /import (?:\{[^}]*\blookup\b[^}]*\}|\w+|\* as \w+) from 'node:dns/.test(textOf(path)),
  );
  expect(asking).toEqual(GETADDRINFO);
});

/** Words of a private vocabulary; the field has others for these things. */
const GIVEN_UP = new RegExp(
  [
    'Exchange(?!d\\b|s\\b| of\\b)',
    '\\w*[nN]ewsDesk|NewsFeed|Announcer|\\bnotices/',
    '\\b(?:Line|Hands|Desk|Ear|Tape|Studio|Told|Texter|Shelf|Workshop|Captures?|ServerPlace)\\b(?=[;,(<>{\\]) ])',
    '\\b(?:goOut|cameBack)\\b|\\bTelephoneSide\\b|\\btelephonesOf\\b',
    '#tell\\w*|\\b(?:tell|told)[A-Z]\\w*|\\b(?:const|let|readonly) told\\b|\\.told\\b|\\bplaceOf\\b|\\bNOBODY\\b',
    'session-manners|calls/(?:exchange|line|desk|news|texter|captures)\\b|recordings/(?:shelf|workshop)\\b',
  ].join('|'),
);

test('names that were given up do not return', () => {
  const found = files
    .filter((path) => /^(?:src|console|client|bench|bin)\//.test(path))
    .flatMap((path) =>
      textOf(path)
        .split('\n')
        .map((line, index) => ({ at: `${path}:${index + 1}`, line: line.trim() })),
    )
    // Prose may begin a sentence with any of these words.
    .filter(({ line }) => !/^(?:\/\/|\/?\*)|^['"`]|words\//.test(line) && GIVEN_UP.test(line));
  expect(found).toEqual([]);
});

test('callers wait in a queue, in what they hear and in the documents: never “in line”', () => {
  const documents = readdirSync(join(root, 'docs'), { encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  expect(documents.length).toBeGreaterThan(20);
  const said = ['bin/make-sounds.js', 'README.md', ...documents].filter((path) =>
    /\bin line\b/i.test(textOf(path)),
  );
  expect(said).toEqual([]);
});

test('nothing that users read runs a package by its name from a registry (T81)', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
    ...readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yml'))
      .map((name) => join('.github', name)),
    ...files.filter((path) => path.startsWith('src/') || path.startsWith('console/src/')),
  ];
  const strangers =
    /npx (?:-y )?dialtree|npm (?:install|i) (?:-g|--global) dialtree|"npx",\s*"args": \["(?:-y", ")?dialtree/;
  expect('run `npx dialtree serve`').toMatch(strangers);
  const named = pages.filter((path) => !path.includes('own-command') && strangers.test(textOf(path)));
  expect(named).toEqual([]);
});

/** A test option, not what a gateway answers: those are words. */
const SECOND_ATTEMPT = /\bretry\s*:\s*(?:\d|[A-Z]|\{\s*count\b|process\b)|(?<=--)retry\b/;

test.each([
  ["it('is', { retry: 2 }, () => {});", true],
  ["describe('all', { retry: { count: 2 } }, () => {});", true],
  ["it('is', { timeout: 9, retry: RETRIES }, () => {});", true],
  ["retry: process.env['CI'] ? 1 : 0", true],
  ['npx vitest run --retry 2', true],
  ["[302, {}, { retry: 'HTTP 302', afterMs: 0 }]", false],
  ['recordings: { retry: { hz: 1_555, ms: 200 } }', false],
])('%s is a second attempt: %s', (text, is) => {
  expect(SECOND_ATTEMPT.test(text)).toBe(is);
});

test('no test gets a second attempt: a test that is not decided by the code is mended or removed', async () => {
  const configs = readdirSync(root).filter((name) => /^vitest\..*ts$/.test(name));
  expect(configs.length).toBeGreaterThan(7);
  for (const name of configs) {
    const { default: config } = (await import(join(root, name))) as { default: unknown };
    expect(JSON.stringify(config), name).not.toContain('"retry":');
  }
  const commands = ['package.json', '.ci/run', '.ci/full', '.ci/new-user'];
  const repeating = [...commands, ...configs, ...files.filter((path) => path !== 'test/house-rules.test.ts')]
    .filter((path) => !/^(?:src|console)\//.test(path) || isTest(path))
    .filter((path) => SECOND_ATTEMPT.test(textOf(path)));
  expect(repeating).toEqual([]);
});

const CLOCK = String.raw`(?:performance\.now|Date\.now|hrtime(?:\.bigint)?|cpuUsage)\(`;
const COMPARED = String.raw`\.toBe(?:Less|Greater)Than|\.toBeCloseTo`;

/** What helpers of test/ measure: `heardByAll` gives gaps as text alone. */
const MEASURED = /\b(?:longestGapMs|p99GapMs|gapMs|responseMs|setUpMs|latenciesMs|tookMs)\b/;

/** What a test decides by a clock: elapsed or processor time that is compared with a bound. The time-outs of waits are no such thing. */
function timedIn(text: string): string[] {
  const found: string[] = text.match(/\b(?:cpuUsage|fastestMs)\b/g) ?? [];
  // A difference, and what is made of it, by the name that it is given.
  const difference = new RegExp(String.raw`${CLOCK}[^;]{0,40}\)\s*-|-\s*(?:\w+\()?(?:process\.)?${CLOCK}`);
  const names = new Set<string>();
  const isMadeOf = (given: string): boolean =>
    [...names].some((name) => new RegExp(String.raw`(?:[^\w.]|\.{3})${name}\b`).test(given));
  // Functions that give it are found after what they are used for.
  for (let known = -1; known < names.size; ) {
    known = names.size;
    for (const [statement, name = ''] of text.matchAll(/\b(?:const|let)? *(\w+) = [^;]*;/g)) {
      // The moment before now is a moment: new Date(Date.now() - 60_000).
      const elapsed = difference.test(statement) && !/now\(\) - (?:[\d_]+|[A-Z])/.test(statement);
      const [, value = ''] = /^[^=]*= (.*)$/s.exec(statement) ?? [];
      const made = isMadeOf(` ${value}`) || MEASURED.test(value);
      const isFunction = /^(?:async )?(?:\([^)]*\)|\w+)(?:: [\w<>[\]| ]+)? =>/.test(value);
      if ((elapsed || made) && !isFunction) names.add(name);
    }
    const pushed = text.matchAll(new RegExp(String.raw`(\w+)\.push\([^;]*${CLOCK}\)\s*-`, 'g'));
    for (const [, name = ''] of pushed) names.add(name);
    for (const { 0: given, index } of text.matchAll(/\breturn [^;{]*;/g)) {
      if (!difference.test(given) && !isMadeOf(given)) continue;
      const [, name] =
        [...text.slice(0, index).matchAll(/\b(?:function|const) (\w+)(?: = (?:async )?)?[(<]/g)].at(-1) ?? [];
      if (name) names.add(name);
    }
  }
  const isElapsed = (given: string): boolean =>
    difference.test(given) || isMadeOf(given) || MEASURED.test(given);
  // Compared here, on either side.
  const expected = new RegExp(String.raw`\bexpect\([^;]*?(?:${COMPARED})[^;]*;`, 'g');
  found.push(...(text.match(expected) ?? []).filter(isElapsed));
  return found;
}

test.each([
  ['const startMs = performance.now(); work(); expect(performance.now() - startMs).toBeLessThan(100);', 1],
  [
    'const before = Date.now();\nawait wait();\nconst tookMs = Date.now() - before;\nexpect(tookMs).toBeGreaterThan(9);',
    1,
  ],
  ['const ms = performance.now() - began;\nconst each = ms / 300;\nexpect(each, text).toBeLessThan(2);', 1],
  ['best = Math.min(best, performance.now() - began);\nexpect(best).toBeLessThan(300);', 1],
  ['times.push(performance.now() - startedMs);\nexpect(Math.min(...times)).toBeLessThan(9);', 1],
  ['expect(Math.abs(atMs - Date.now())).toBeLessThan(5_000);', 1],
  ['const talkedMs = performance.now() - began;\nexpect(record.talk_ms).toBeLessThan(talkedMs + 200);', 1],
  [
    'async function timed() {\nconst took = performance.now() - began;\nreturn took;\n}\nconst ms = await timed();\nexpect(ms).toBeLessThan(9);',
    1,
  ],
  ['const { gaps, gapMs } = heardByAll(callers);\nexpect(gapMs).toBeLessThan(60);', 1],
  ['expect(quantile(result.responseMs, 0.99)).toBeLessThan(40);', 1],
  [
    'const took = performance.now() - began;\nfigure("T1", took + " ms");\nexpect(rows).toBeGreaterThan(3);',
    0,
  ],
  ['const { cpuUsage } = process;', 1],
  ['const left = 60_000 - spent; expect(left).toBeLessThan(9);', 0],
  ['const long = new Date(Date.now() - 60_000); expect(rows.length).toBeGreaterThan(1);', 0],
  ['await expect.poll(() => frames, { timeout: 2_000 }).toBeGreaterThan(20);', 0],
  [
    'await peer.until("a pause", () => performance.now() - pausedMs >= 100); expect(count).toBeLessThan(3);',
    0,
  ],
])('%s decides by a clock: %i', (text, count) => {
  expect(timedIn(text)).toHaveLength(count);
});

/** Bounds that grow with the time that passed: no machine is too slow for them. */
const GROWING: Readonly<Record<string, number>> = {
  'test/attacks/tokens.test.ts': 1, // requests that pass at a rate
  'test/nodes/death.test.ts': 1, // a call does not last longer than its node
};

/** Left over: what a query waits beside a migration. */
const STILL_TIMED: Readonly<Record<string, number>> = { 'test/nodes/migrations.test.ts': 2 };

test('no test is decided by a clock: work is counted (test/support/work.ts), timers are faked, figures are printed', () => {
  const tests = files.filter(
    (path) => /\.(?:test|contract)\.tsx?$/.test(path) && !/^test\/pages\//.test(path),
  );
  expect(tests.length).toBeGreaterThan(700);
  const timed = tests
    .filter((path) => path !== 'test/house-rules.test.ts')
    .map((path) => ({ path, found: timedIn(textOf(path)) }))
    .filter(({ path, found }) => found.length > (GROWING[path] ?? STILL_TIMED[path] ?? 0));
  expect(timed).toEqual([]);
});

test('the changelog says a thing once: no two of its lines begin alike', () => {
  const beginnings = textOf('CHANGELOG.md')
    .split('\n')
    .filter((line) => line.length > 60)
    .map((line) => line.slice(0, 60));
  expect(beginnings.length).toBeGreaterThan(300);
  expect(beginnings.filter((one, at) => beginnings.indexOf(one) !== at)).toEqual([]);
});

// Elements, and schemas of the OpenAPI document in words and tables. Text goes into the page as text only, never as markup.
const LISTED_VALUES = 10;

/** The OpenAPI document, once it has been read. */
export const api = {};

export const at = (id) => document.getElementById(id);

/** An element: "tag.class", then attributes if any (functions listen), then children; null is left out. */
export function el(name, ...given) {
  const [tag, ...classes] = name.split('.');
  const attributes = given[0]?.constructor === Object ? given.shift() : {};
  const made = document.createElement(tag);
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else made.setAttribute(key, value);
  }
  made.append(...given.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

/** Descriptions are Markdown with code, emphasis and links to our own pages; these become elements, everything else is text. */
export function inline(text) {
  return text.split(/(\[[^\]]*\]\(\/docs[^)\s]*\)|`[^`]+`|\*\w+\*)/).map((part, index) => {
    if (index % 2 === 0) return part;
    const [, label, page] = /^\[(.*)\]\(\/(.*)\)$/.exec(part) ?? [];
    if (page !== undefined) return el('a', { href: page }, inline(label));
    return part[0] === '`' ? el('code', part.slice(1, -1)) : el('em', part.slice(1, -1));
  });
}

/** Long names and paths break where their parts end, not in the middle of a word. */
export const breakable = (text) => text.split(/(?<=[/_.-])(?=\w|\{)/).flatMap((part) => [part, el('wbr')]);
/** A value such as "-name" is one word, although a browser would break it after the minus. */
const whole = (text) => text.split(/( )/).map((word) => (word[0] === '-' ? el('span.keep', word) : word));
export const unique = (values) => [...new Set(values)];
const either = (words) =>
  unique(words)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');

// ---- Schemas in words ----

const WORDS = { string: 'text', integer: 'whole number', boolean: 'true or false' };
const WORDS_MANY = { string: 'texts', integer: 'whole numbers', number: 'numbers', object: 'objects' };

function resolve(schema = {}) {
  if (!schema.$ref) return schema;
  const keys = schema.$ref.slice(2).split('/');
  return { name: keys.at(-1), ...keys.reduce((node, key) => node?.[key], api) };
}

/** The alternatives of a schema, without the nesting that generated unions have. */
export function alternatives(schema) {
  const { anyOf, oneOf = anyOf, type, ...rest } = resolve(schema);
  if (oneOf) return oneOf.flatMap((one) => alternatives({ description: rest.description, ...one }));
  return [type].flat().map((one) => ({ ...rest, type: one }));
}

function enumInWords(values) {
  if (values.every((one) => typeof one === 'boolean')) return 'true or false';
  if (values.length > LISTED_VALUES) return `one of ${values.length} values`;
  const plain = values.every((one) => typeof one === 'string');
  return `one of ${(plain ? values : values.map((one) => JSON.stringify(one))).join(', ')}`;
}

function oneTypeInWords(schema) {
  const { type, minimum, maximum } = schema;
  if (schema.const !== undefined) return `always ${schema.const}`;
  if (schema.enum) return enumInWords(schema.enum);
  if (schema.format === 'date-time') return 'date and time';
  if (type === 'array') {
    const items = alternatives(schema.items).map((one) => one.name ?? WORDS_MANY[one.type] ?? one.type);
    return `list of ${either(items)}`;
  }
  const word = schema.name ?? WORDS[type] ?? type ?? 'anything';
  return type === 'integer' && maximum !== undefined ? `${word} from ${minimum} to ${maximum}` : word;
}

const typeInWords = (schema) => either(alternatives(schema).map(oneTypeInWords));

function about(schema) {
  const all = alternatives(schema);
  const said = all.find((one) => one.description)?.description;
  const pattern = all.find((one) => one.pattern)?.pattern;
  if (said || !pattern) return said ? inline(said) : [];
  return ['text matches ', el('code', pattern)];
}

/** What the type cannot say: a description, how long a list may be, and the values of a long choice. */
function notes({ schema, description }) {
  const all = alternatives(schema);
  const list = all.find((one) => one.type === 'array');
  const own = description ? inline(description) : about(schema);
  const each = list && own.length === 0 ? about(list.items) : [];
  const lines = [own, each.length > 0 ? ['each: ', each] : []];
  if (list?.maxItems) lines.push([`${list.minItems ?? 0} to ${list.maxItems} entries`]);
  const values = all.find((one) => one.enum?.length > LISTED_VALUES)?.enum;
  if (values) lines.push([el('details', el('summary', 'The values'), el('code', values.join(', ')))]);
  return lines.filter((line) => line.length > 0).map((line) => el('div', line));
}

/** The fields of an object, those of nested objects and lists under dotted names. */
export function fieldsOf(schema, prefix = '', seen = []) {
  const { properties = {}, required = [], items } = resolve(schema);
  if (schema.$ref && seen.includes(schema.$ref)) return [];
  const path = [...seen, schema.$ref];
  if (items) return fieldsOf(items, `${prefix}[]`, path);
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix ? `${prefix}.${key}` : key;
    const row = { name, schema: field, required: required.includes(key) };
    return [row, ...alternatives(field).flatMap((one) => fieldsOf(one, name, path))];
  });
}

// A narrow page lays rows out as blocks, which would take a table's meaning away: the roles say it again.
export function fieldTable(label, rows) {
  const place = rows.some((row) => row.in);
  const cell = (kind, ...content) => el(`td.${kind}`, { role: 'cell' }, content);
  const body = rows.map((row) => [
    el('th', { role: 'rowheader', scope: 'row' }, el('code', breakable(row.name))),
    place ? cell('in', row.in) : null,
    cell('type', whole(typeInWords(row.schema))),
    row.required ? cell('must', 'required') : cell('may', 'optional'),
    cell('about', notes(row)),
  ]);
  const titles = ['Name', ...(place ? ['In'] : []), 'Type', 'Required', 'Description'];
  const head = titles.map((title) => el('th', { role: 'columnheader', scope: 'col' }, title));
  const tr = (cells) => el('tr', { role: 'row' }, cells);
  return el('table', { role: 'table', 'aria-label': label }, [
    el('thead', { role: 'rowgroup' }, tr(head)),
    el('tbody', { role: 'rowgroup' }, body.map(tr)),
  ]);
}

export function answerItem([status, given]) {
  const answer = resolve(given);
  if (status === 'default' || status >= 400) {
    const which = status === 'default' ? 'other 4xx, 5xx' : status;
    return el('li', el('b.status.bad', which), ' ', inline(answer.description));
  }
  const [type, { schema } = {}] = Object.entries(answer.content ?? {})[0] ?? [];
  const headers = Object.keys(answer.headers ?? {}).join(', ');
  const rows = schema ? fieldsOf(schema) : [];
  const title = `${resolve(schema).name ?? 'The body'}: ${rows.length} fields`;
  return el('li', [
    el('b.status.good', status),
    ` ${answer.description}`,
    type ? el('span.soft', ` · ${type}`) : null,
    headers ? el('div.soft', `Headers: ${headers}`) : null,
    rows.length > 0 ? el('details', el('summary', title), fieldTable('Fields of the answer', rows)) : null,
  ]);
}

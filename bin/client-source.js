// The client's types, as text: JSON Schema as our OpenAPI document uses it → TypeScript.

const HEAD = `// Made from the OpenAPI document by \`npm run openapi\`: do not edit.
// biome-ignore-all format: it is made
`;

export function clientSource(document) {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${nameOf(name)} = ${typeOf(schema)};\n`,
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // The operation itself is there under its present path.
      .filter(([, { operationId }]) => !operationId.endsWith('AtFormerPath'))
      .map(([method, operation]) => describe(method.toUpperCase(), path, operation)),
  );
  const types = operations.map(
    ({ id, summary, deprecated, params, query, body, answer }) =>
      `  /** ${summary}.${deprecated ? '\n   * @deprecated' : ''} */\n` +
      `  ${id}: { params: ${params}; query: ${query}; body: ${body}; answer: ${answer.type}${answer.record ? `; record: ${answer.record}` : ''} };\n`,
  );
  const table = operations.map(
    ({ id, method, path, answer }) =>
      `  ${id}: { method: '${method}', path: '${path}', answer: '${answer.read}'${answer.record ? ', record: true' : ''} },\n`,
  );
  return (
    `${HEAD}\n${schemas.join('')}\n` +
    `export interface Page<Item> { data: Item[]; next_cursor: string | null }\n\n` +
    '/** A record, with what is shown once in the answer that made it. */\n' +
    `export type Shown<Answer, Item> = Item & Omit<Answer, 'Success' | 'Message' | keyof Item>;\n\n` +
    `export interface Operations {\n${types.join('')}}\n\n` +
    `export const OPERATIONS = {\n${table.join('')}} as const;\n`
  );
}

function describe(method, path, operation) {
  const { parameters, requestBody, responses, operationId: id, summary, deprecated } = operation;
  const inside = (where) => parameters.filter((one) => one.in === where);
  const params = inside('path').map(({ name }) => `${name}: string`);
  // Numbers and flags may be given as such: they are written into the address either way.
  const query = inside('query').map(({ name, schema }) => `${key(name)}?: ${typeOf(schema)}`);
  return {
    id,
    method,
    path,
    summary: summary.replaceAll('*/', '* /'),
    deprecated,
    params: params.length > 0 ? `{ ${params.join('; ')} }` : 'never',
    query: query.length > 0 ? `{ ${query.join('; ')} }` : 'never',
    body: bodyOf(requestBody),
    answer: answerOf(responses),
  };
}

function bodyOf(requestBody) {
  if (!requestBody) return 'never';
  const types = Object.entries(requestBody.content).map(([type, { schema }]) =>
    type.endsWith('json') ? typeOf(schema ?? {}) : 'FormData',
  );
  return [...new Set(types)].join(' | ');
}

function answerOf(responses) {
  const [, success] =
    Object.entries(responses).find(([status]) => status === '200' || status === '201') ?? [];
  const [[type, content] = []] = Object.entries(success?.content ?? {});
  // The record is what Prefer: return=representation gets.
  const [plain, record] = success?.headers?.['Preference-Applied'] ? content.schema.anyOf.map(typeOf) : [];
  if (record) return { type: plain, read: 'json', record: `Shown<${plain}, ${record}>` };
  if (type === 'application/json' && content.schema) return { type: typeOf(content.schema), read: 'json' };
  if (type === 'application/json') return { type: 'unknown', read: 'json' };
  if (type === 'text/html' || type === 'text/plain' || type === 'text/javascript')
    return { type: 'string', read: 'text' };
  // Audio, exports and events are read as they come.
  return { type: 'Response', read: 'response' };
}

/** A type of this name would hide JavaScript's own. */
const nameOf = (name) => (name === 'Number' ? 'DialledNumber' : name);

const key = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

export function typeOf(schema) {
  if (schema.$ref) return nameOf(schema.$ref.split('/').at(-1));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return union(alternatives.map(typeOf));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

const union = (types) => [...new Set(types)].join(' | ');

function objectOf({ properties, required = [], additionalProperties }) {
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
  const members = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  // One of the page's own shape has a name, which reads better in an editor.
  if (members.length === 2 && properties.next_cursor && properties.data?.items)
    return `Page<${typeOf(properties.data.items)}>`;
  return `{ ${members.join('; ')} }`;
}

// Puts the catalogue of meanings into the schemas. A schema's own description says the form of a value, such as how long a text may
// be; the catalogue says what the value means. In the document the meaning comes first.
import type { Field, JsonSchema } from '../../kinds/field.ts';

/** By schema, then by path: nested members are `a.b`, of lists `a[].b`. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Nodes = Readonly<Record<string, JsonSchema>>;

/** `lookUp` finds the sentence of a path such as `legs[].role`. */
export function described(
  schema: JsonSchema,
  lookUp: (path: string) => string | undefined,
  path = '',
): JsonSchema {
  const inner = (node: unknown, at: string) => described(node as JsonSchema, lookUp, at);
  const { properties, items, anyOf, additionalProperties } = schema as {
    properties?: Nodes;
    items?: JsonSchema;
    anyOf?: readonly JsonSchema[];
    additionalProperties?: unknown;
  };
  const members = Object.entries(properties ?? {}).map(([name, node]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [name, withMeaning(inner(node, at), lookUp(at))];
  });
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(members) } : {}),
    ...(items ? { items: inner(items, `${path}[]`) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((node) => inner(node, path)) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: inner(additionalProperties, `${path}{}`) }
      : {}),
  };
}

export function withMeaning(schema: JsonSchema, meaning: string | undefined): JsonSchema {
  if (meaning === undefined) return schema;
  const { own, rest } = withoutDescription(schema);
  const form = own.slice(Math.min(...FORMS.map((each) => own.search(each)).filter((at) => at >= 0)));
  return { ...rest, description: form === '' ? meaning : `${meaning} ${sentence(form)}` };
}

/** Its default as a sentence, where the field has one that can be written in a word. */
export function defaultOf({ absent }: Field<unknown>): string {
  const value = absent?.();
  const isWord =
    typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '');
  return isWord ? ` Default: \`${value}\`.` : '';
}

function sentence(form: string): string {
  const words = form.replace(/\.$/, '').replace(/^\S+\|\|<id>/, 'Form: `$&`');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** How the fields in schemas/ describe the form of a value; what stands before that is another word for the meaning. */
const FORMS = [
  /\b\d{1,9} to [\d,]{1,12} (?:characters|keys|digits)/,
  /up to \d|a number of \d|one key|mon to sun|<kind>\|\|/,
  /\ban? (?:whole number|date such|time such|country code|IANA|time zone|host name|IP address|telephone number)/,
  /\b[a-z]{1,20}\|\|<id>/,
];

/** The description of the schema, or of the first of its alternatives; and the schema without that. */
function withoutDescription(schema: JsonSchema): { own: string; rest: JsonSchema } {
  const { description, ...rest } = schema as { description?: string };
  if (description !== undefined) return { own: description, rest };
  const [first, ...others] = (schema['anyOf'] as readonly JsonSchema[] | undefined) ?? [];
  if (!first) return { own: '', rest: schema };
  const found = withoutDescription(first);
  return { own: found.own, rest: { ...schema, anyOf: [found.rest, ...others] } };
}

// The bodies of requests as named schemas: generated clients have names for them.

import { type Fields, inputSchema, type JsonSchema, patchSchema } from '../../kinds/field.ts';
import type { Route } from '../route.ts';
import { IVR_BODY } from '../schemas/ivr.ts';

export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Bodies by the fields they are made of: the operation that is listed first names them. */
export class Bodies {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly fields = new Map<string, Fields>();
  readonly #names = new Map<Fields, string>();

  json(route: Route, fields: Fields): JsonSchema {
    const name = this.#nameOf(route, fields);
    const { properties, ...schema } = inputSchema(fields) as { properties: Record<string, JsonSchema> };
    const members = Object.entries(properties).map(([member, node]) => [
      member,
      node === IVR_BODY.input ? schemaRef('IvrInput') : node,
    ]);
    this.schemas[name] ??= { ...schema, properties: Object.fromEntries(members) };
    return schemaRef(name);
  }

  /** The same fields, each of which may be left out. */
  patch(route: Route, fields: Fields): JsonSchema {
    const name = this.#nameOf(route, fields).replace(/Input$/, 'Patch');
    this.schemas[name] = patchSchema(fields);
    return schemaRef(name);
  }

  /** The same fields with a file. */
  form(route: Route, fields: Fields): JsonSchema {
    const name = this.#nameOf(route, fields).replace(/Input$/, 'Form');
    const { properties } = inputSchema(fields) as { properties: Record<string, JsonSchema> };
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    this.schemas[name] = { type: 'object', properties: { file, ...properties } };
    return schemaRef(name);
  }

  #nameOf(route: Route, fields: Fields): string {
    const first = this.#names.get(fields);
    if (first !== undefined) return first;
    const noun = route.id.replace(/^(create|put|patch)/, '');
    // An id can be chosen for a new record alone.
    const isNew = route.id.startsWith('create') && 'id' in fields;
    const name = `${isNew ? 'New' : ''}${noun.charAt(0).toUpperCase()}${noun.slice(1)}Input`;
    this.#names.set(fields, name);
    this.fields.set(name, fields);
    return name;
  }
}

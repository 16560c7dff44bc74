// The fields of a kind, as the OpenAPI document of the service describes them.

import { operationOn } from '../kinds/lists.ts';
import type { Ask } from './ask.ts';
import type { ToolKindName } from './kinds.ts';
import type { ToolResult } from './tool.ts';

type Json = { readonly [name: string]: unknown };
interface Content {
  readonly schema: Json;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': Content } };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** Schemas refer to each other only so deep. */
const MAX_DEPTH = 12;

export async function describeKind(kind: ToolKindName, ask: Ask): Promise<ToolResult> {
  const answer = await ask('openApi');
  if (!answer.ok) return answer;
  const document = answer.value as Document;
  const id = operationOn('create', kind);
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id);
  const content = operation?.requestBody?.content['application/json'];
  return {
    ok: true,
    value: { kind, schema: inlined(content?.schema, document, 0), example: content?.example },
  };
}

/** With what it refers to in place. */
function inlined(value: unknown, document: Document, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((each) => inlined(each, document, depth + 1));
  const { $ref } = value as { readonly $ref?: string };
  if (typeof $ref === 'string')
    return inlined(document.components.schemas[$ref.split('/').at(-1) ?? ''], document, depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, inlined(each, document, depth + 1)]),
  );
}

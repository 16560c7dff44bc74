// The OpenAPI document as tests use it: its operations one by one, and whether an answer is one it promises.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Scope } from '../../../src/domain/account.ts';
import { call, type Json } from '../../support/service.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: object;
  readonly example?: string;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Whether it needs a token, and with which scope; undefined: with any. */
  readonly guarded: boolean;
  readonly scope: Scope | undefined;
  /** Whether a token with the scope draft may do it as well. */
  readonly orDraft: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: object; readonly example?: unknown };
  /** Whether the same fields may come as a form, with a file. */
  readonly upload: boolean;
  readonly statuses: readonly string[];
}

export async function fetchDocument(url: string): Promise<Json> {
  const { status, json } = await call(url, 'GET', '/openapi.json', { token: null });
  if (status !== 200) throw new Error(`GET /openapi.json answered ${status}.`);
  return json;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => {
      const content = resolved(document, operation.requestBody?.content['application/json']);
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        guarded: operation.security.length > 0,
        scope: operation.security[0]?.token[0],
        orDraft: operation.security[1]?.token[0] === 'draft',
        parameters: operation.parameters,
        ...(content ? { body: content } : {}),
        upload: operation.requestBody?.content['multipart/form-data'] !== undefined,
        statuses: Object.keys(operation.responses),
      };
    }),
  );
}

/** Bodies are named schemas of the document. */
function resolved(document: Json, content: Json): Json {
  const name = content?.schema?.$ref?.split('/').at(-1);
  return name === undefined
    ? content
    : { ...content, schema: inlined(document, document.components.schemas[name]) };
}

/** The schema with those that it refers to in place, so that it stands alone. */
function inlined(document: Json, schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return inlined(document, document.components.schemas[schema.$ref.split('/').at(-1)]);
  if (Array.isArray(schema)) return schema.map((each) => inlined(document, each));
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlined(document, value)]));
}

/** The path with every placeholder filled from the values. */
export function fill(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing is given for {${name}} of ${path}.`);
    return encodeURIComponent(value);
  });
}

export function makeAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, inlineRefs: false });
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  return ajv;
}

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** For one operation and one answer: null when the document promises such an answer, else what differs. */
export type AnswerCheck = (operationId: string, answer: Answered) => string | null;

/** The body of a request that takes none is a failure that no row of the route table can have. */
const UNWANTED_BODY = /^(?:body_\w+|content_type_unsupported|upload_malformed)$/;

/** A failure's description has its codes. */
function isNamed(description: string, text: string): boolean {
  const { Code: code } = JSON.parse(text) as { Code: string };
  return description.includes(`[\`${code}\`]`) || UNWANTED_BODY.test(code);
}

export function answerCheck(document: Json): AnswerCheck {
  const ajv = makeAjv();
  // The one word around the schemas that is OpenAPI's; inside them strictness stays.
  ajv.addKeyword('components');
  ajv.addSchema({ $id: 'openapi', components: document.components });
  const compiled = new Map<object, ValidateFunction>();
  const validatorFor = (schema: object): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
    compiled.set(schema, made);
    return made;
  };
  const byId = new Map<string, Json>();
  for (const methods of Object.values<Json>(document.paths)) {
    for (const operation of Object.values<Json>(methods)) byId.set(operation.operationId, operation);
  }
  const resolve = (node: Json): Json =>
    node.$ref
      ? node.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, key: string) => at[key], document)
      : node;

  return (operationId, { status, contentType, text }) => {
    const { responses } = byId.get(operationId);
    // The default is the failure: it stands for no success that the document forgot.
    const promised = responses[status] ?? (status >= 400 ? responses.default : undefined);
    if (!promised) return `the status ${status} is not in the document`;
    const { content, description } = resolve(promised);
    if (status >= 400 && !isNamed(description, text))
      return `the document does not name this failure: ${text}`;
    const type = contentType.split(';')[0] ?? '';
    if (!content) return text === '' ? null : 'the document promises no body';
    if (!content[type]) return `the content type ${type} is not in the document`;
    const { schema } = content[type];
    if (!schema) return null;
    const validate = validatorFor(schema);
    return validate(JSON.parse(text)) ? null : ajv.errorsText(validate.errors);
  };
}

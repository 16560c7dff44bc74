// A row of the route table, and the six rows of a collection.

import type { Scope } from '../domain/account.ts';
import type { OperationId } from '../domain/roles.ts';
import type { KindRecord } from '../kinds/define-kind.ts';
import { type Fields, optional } from '../kinds/field.ts';
import { FIELDS } from '../kinds/fields.ts';
import {
  DRAFTED_KINDS,
  KINDS,
  listOperation,
  operationOn,
  pathKey,
  RECORD_KINDS,
  type RecordKind,
  TESTED_KINDS,
  type VersionedKind,
  versionsOperation,
} from '../kinds/lists.ts';
import { RECORDS } from '../kinds/records.ts';
import { CHOSEN_ID } from '../kinds/reference-fields.ts';
import { TESTS_QUERY } from './calls/test-gate.ts';
import type { ApiRequest, Handler } from './http/handler.ts';
import { PAGE_QUERY } from './http/page.ts';
import { type Collection, reading, replacing } from './records/collection.ts';
import { COLLECTIONS } from './records/collections.ts';
import { creating } from './records/creation.ts';
import { deleting } from './records/deletion.ts';
import { listing, SEARCH_QUERY } from './records/listing.ts';
import { patching } from './records/patching.ts';
import { FORCE_QUERY } from './records/referrers.ts';
import { listingVersions, restoring } from './records/versions.ts';
import { type ResponseDoc, responses } from './responses.ts';

interface RouteRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A path of former versions that goes on working (former-paths.ts). */
  readonly formerly?: string;
  readonly handler: Handler;
  /** The operationId, unique: domain/roles.ts says which roles may carry it out. */
  readonly id: OperationId | `${OperationId}AtFormerPath`;
  readonly summary: string;
  readonly responses: readonly ResponseDoc[];
  /** The fields of the body. In a PATCH each may be left out, and null sets it to its default. */
  readonly body?: Fields;
  /** What is wrong with a body as a whole, for a request that is refused for its names; without it, `body` alone says. */
  readonly check?: (body: ApiRequest['body']['value']) => object;
  /** Names that it does not know are ignored: the specification's two operations. */
  readonly tolerant?: true;
  readonly example?: object;
  /** Whether the same fields may come as multipart/form-data, with a file, or the file alone as audio/…. */
  readonly upload?: true;
  readonly query?: Fields;
  /** Pages of other origins may ask, within what the handler allows (calls/phone-session.ts). */
  readonly cors?: true;
  /** A page and its files: not a part of the API, and not in its document. */
  readonly unlisted?: true;
  readonly deprecated?: true;
  /** Needs the scope write, or draft: what a token with draft alone changes by it goes into the draft. */
  readonly orDraft?: true;
  /** Headers that are understood beside those of every request. */
  readonly headers?: readonly (
    | 'Idempotency-Key'
    | 'If-Match'
    | 'If-None-Match'
    | 'Last-Event-ID'
    | 'Range'
    | 'Dialtree-Account'
    | 'Prefer'
  )[];
}

/** What a token must be allowed to do for it (docs/tokens.md); `any`: every token may. Open: needs no token. */
type Guard =
  | { readonly scope: Scope | 'any'; readonly open?: never }
  | { readonly open: true; readonly scope?: never };

export type Route = RouteRow & Guard;

/** What differs from the row of every other collection. */
type Row = Partial<Omit<RouteRow, 'id' | 'method' | 'path'>>;

export interface CollectionRows {
  /** Absent: the fields of the kind. */
  readonly body?: Fields;
  readonly upload?: true;
  readonly list?: Row;
  /** False: it has a row of its own. */
  readonly create?: Row | false;
  readonly read?: Row;
  readonly replace?: Row;
  /** Made from the row of PUT, but for what is said here. */
  readonly patch?: Row;
  readonly delete?: Row;
}

/** The six rows of a kind of record: list, create, read, replace, change, delete. */
export function collection<K extends RecordKind>(kind: K, rows: CollectionRows = {}): Route[] {
  const of: Collection<K> = COLLECTIONS[kind];
  const { schema } = KINDS[kind];
  const own = rows.read?.responses?.[0]?.schema;
  const shown = own ?? (of.showsWarnings ? `${schema}WithWarnings` : schema);
  return rowsOf(of, rows, shown).map((row) => ({
    ...row,
    ...(DRAFTED_KINDS.has(kind) && row.scope === 'write' ? { orDraft: true as const } : {}),
    ...(TESTED_KINDS.has(kind) && row.scope === 'write' ? { query: { ...row.query, ...TESTS_QUERY } } : {}),
    handler: row.path.endsWith('}') ? resolved(of, row.handler) : row.handler,
    responses: ['POST', 'PUT', 'PATCH'].includes(row.method)
      ? row.responses.map((response) => ({ ...response, record: shown }))
      : row.responses,
  }));
}

function rowsOf<K extends RecordKind>(of: Collection<K>, rows: CollectionRows, shown: string): Route[] {
  const { kind } = of;
  const { body = FIELDS[kind], upload } = rows;
  const { example, replacement = example }: KindRecord = RECORDS[kind];
  const { noun, nouns, schema, path, listPath, versioned } = KINDS[kind];
  const aRecord = withArticle(noun);
  const { created, written, list, record, unchanged } = responses;
  const one = `${path}/{${pathKey(kind)}}`;
  const sent = { body, check: of.read, example, ...(upload ? { upload } : {}) };
  const query = { ...(of.matches ? SEARCH_QUERY : PAGE_QUERY), ...of.filters };
  const { handler: put = replacing(of), summary: _, ...replaced } = rows.replace ?? {};
  const newBody = of.key ? body : { id: optional(of.idField ?? CHOSEN_ID, null), ...body };
  const create: Route = {
    method: 'POST',
    scope: 'write',
    path,
    id: operationOn('create', kind),
    summary: `Create ${aRecord}`,
    handler: creating(of),
    ...sent,
    body: newBody,
    headers: ['Idempotency-Key', 'Prefer'],
    responses: [created('Created')],
    ...rows.create,
  };
  return [
    {
      method: 'GET',
      scope: 'read',
      path: listPath,
      id: listOperation(kind),
      summary: `List ${nouns} in pages`,
      handler: listing(of),
      query,
      responses: [list(schema)],
      ...rows.list,
    },
    ...(rows.create === false ? [] : [create]),
    {
      method: 'GET',
      scope: 'read',
      path: one,
      id: operationOn('get', kind),
      summary: `Read ${aRecord}`,
      handler: reading(of),
      headers: ['If-None-Match'],
      responses: [record(shown), unchanged],
      ...rows.read,
    },
    {
      method: 'PUT',
      scope: 'write',
      path: one,
      id: operationOn('put', kind),
      summary: `Replace ${aRecord}${versioned ? '; the former version is kept' : ''}`,
      handler: put,
      ...sent,
      headers: ['If-Match', 'Prefer'],
      responses: [written()],
      example: replacement,
      ...rows.replace,
    },
    {
      method: 'PATCH',
      scope: 'write',
      path: one,
      id: operationOn('patch', kind),
      summary: `Change the fields of ${aRecord} that are sent; null sets one to its default`,
      handler: patching(of, put),
      body,
      headers: ['If-Match', 'Prefer'],
      responses: [written()],
      ...replaced,
      example: firstMember(replacement),
      ...rows.patch,
    },
    {
      method: 'DELETE',
      scope: 'write',
      path: one,
      id: operationOn('delete', kind),
      summary: `Delete ${aRecord} that nothing points to`,
      handler: deleting(of),
      query: FORCE_QUERY,
      headers: ['If-Match'],
      responses: [written('Deleted')],
      ...rows.delete,
    },
  ];
}

/** The two rows of former versions. */
export function versions<K extends VersionedKind>(kind: K, listSummary?: string): Route[] {
  // The cast holds: K is one of the kinds, whose collections the compiler does not tell apart here.
  const of = COLLECTIONS[kind] as unknown as Collection<K>;
  const { noun, schema, path } = KINDS[kind];
  const shown = of.showsWarnings ? `${schema}WithWarnings` : schema;
  return [
    {
      method: 'GET',
      path: `${path}/{id}/versions`,
      scope: 'read',
      id: versionsOperation(kind),
      summary: listSummary ?? `List the versions of ${withArticle(noun)}, newest first`,
      handler: listingVersions(of),
      query: PAGE_QUERY,
      responses: [responses.list(schema)],
    },
    {
      method: 'POST',
      path: `${path}/{id}/restore/{version}`,
      scope: 'write',
      id: operationOn('restore', kind),
      summary: 'Make a former version the newest',
      handler: restoring(of),
      query: TESTS_QUERY,
      headers: ['If-Match', 'Prefer'],
      responses: [responses.written('Done', shown)],
    },
  ];
}

/** With the collections of kinds that none of the rows serves. */
export function withOtherKinds(routes: readonly Route[]): readonly Route[] {
  const served = new Set(routes.map(({ path }) => path));
  const others = RECORD_KINDS.filter((kind) => !served.has(KINDS[kind].listPath));
  return [...routes, ...others.flatMap((kind) => collection(kind))];
}

/** Where the path may name a record by more than its id. */
function resolved<K extends RecordKind>({ resolve }: Collection<K>, handler: Handler): Handler {
  if (!resolve) return handler;
  return async (request, context) => {
    const id = await resolve(request, context);
    return handler({ ...request, params: { ...request.params, id } }, context);
  };
}

const withArticle = (noun: string): string => `${/^([aeiou]|IVR|SMS)/.test(noun) ? 'an' : 'a'} ${noun}`;

const firstMember = (example: object): object => Object.fromEntries(Object.entries(example).slice(0, 1));

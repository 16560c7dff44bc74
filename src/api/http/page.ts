// Lists in pages: `limit` and an opaque `cursor`; the answer has the next cursor and a Link (RFC 8288). A page is bounded by
// bytes, too (threat T37).

import { type Fields, optional, type RecordOf, readFields, text, wholeNumber } from '../../kinds/field.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import type { ApiRequest, ApiResponse } from './handler.ts';

/** JSON of one page; a page of records that are larger than usual has fewer of them. */
export const MAX_PAGE_BYTES = 1024 * 1024;

export const PAGE_QUERY = {
  limit: optional(wholeNumber(1, 500), 50),
  cursor: optional(text({ min: 1, max: 500, description: 'next_cursor of the page before' }), ''),
} as const;

/** Query parameters, read like the fields of a body. Repeated ones count as a fault. */
export function readQuery<F extends Fields>(
  fields: F,
  request: Pick<ApiRequest, 'query'>,
): RecordOf<F> | Problem {
  const faults = new Faults();
  const record = readFields(fields, request.query, faults, 'query');
  return faults.list.length > 0 ? faults.toProblem('query_invalid') : record;
}

export function encodeCursor(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position in a cursor, or a Problem: a cursor is input like any other. */
export function decodeCursor(cursor: string): (string | number)[] | Problem {
  if (cursor === '') return [];
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(position) && position.every(isPart)) return position;
  } catch {
    // Not JSON: the same answer as below.
  }
  const faults = new Faults();
  faults.add('/cursor', 'cursor_malformed', 'cursor must be the next_cursor of the page before.');
  return faults.toProblem('query_invalid');
}

/** NUL is in no id, and PostgreSQL cannot be asked for it. */
const isPart = (part: unknown): part is string | number =>
  typeof part === 'number' || (typeof part === 'string' && !part.includes('\0'));

export interface PageOf<Row> {
  /** As many as the page may have, and one more where there are more. */
  readonly rows: readonly Row[];
  readonly limit: number;
  /** What readers see of it, or the JSON of that. */
  describe(row: Row): object | string;
  position(row: Row): readonly (string | number)[];
  /** Where the list goes on behind these rows, when they are not all. */
  readonly rest?: readonly (string | number)[] | null;
  /** Further members of the response, beside the rows. */
  readonly members?: object;
}

/** Ends at `limit` rows or before MAX_PAGE_BYTES, whichever comes first, but has at least one row. */
export function pageResponse<Row>(
  request: Pick<ApiRequest, 'query'>,
  path: string,
  { rows, limit, describe, position, rest = null, members = {} }: PageOf<Row>,
): ApiResponse {
  const texts: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (texts.length === limit) break;
    const described = describe(row);
    const text = typeof described === 'string' ? described : JSON.stringify(described);
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_PAGE_BYTES && texts.length > 0) break;
    texts.push(text);
  }
  const last = rows.length > texts.length ? rows[texts.length - 1] : undefined;
  const next = last === undefined ? rest : position(last);
  const cursor = next === null ? null : encodeCursor(next);
  return {
    status: 200,
    headers: cursor === null ? {} : { link: linkTo(request, path, cursor) },
    bytes: `{"data":[${texts.join(',')}],${JSON.stringify({ next_cursor: cursor, ...members }).slice(1)}`,
  };
}

function linkTo(request: Pick<ApiRequest, 'query'>, path: string, cursor: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query))
    if (typeof value === 'string') query.set(name, value);
  query.set('cursor', cursor);
  return `<${path}?${query}>; rel="next"`;
}

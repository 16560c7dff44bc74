// Lists in pages: `limit` and an opaque `cursor`; the answer carries the next cursor and a Link (RFC 8288).
import { Faults, type Problem } from '../../domain/problem.ts';
import { type Fields, optional, type RecordOf, readFields, text, wholeNumber } from '../schemas/field.ts';
import type { ApiRequest, ApiResponse } from './handler.ts';

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
  const record = readFields(fields, request.query, faults);
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

export function pageResponse(
  request: Pick<ApiRequest, 'query'>,
  path: string,
  data: readonly unknown[],
  nextCursor: string | null,
): ApiResponse {
  const headers: Record<string, string> = {};
  if (nextCursor !== null) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query))
      if (typeof value === 'string') query.set(name, value);
    query.set('cursor', nextCursor);
    headers['link'] = `<${path}?${query}>; rel="next"`;
  }
  return { status: 200, headers, json: { data, next_cursor: nextCursor } };
}

// The list of a kind of record: in pages, with the search and the filters that its Collection has.

import { Numbering } from '../../domain/numbering.ts';
import { readRow } from '../../domain/row.ts';
import { optional, text } from '../../kinds/field.ts';
import { KINDS, type RecordKind } from '../../kinds/lists.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { RecordData } from '../../kinds/record-data.ts';
import type { Page, StoredRow } from '../../storage/ports/records.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { decodeCursor, MAX_PAGE_BYTES, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { LARGE } from '../http/turns.ts';
import { type Collection, describeRecord, hiddenIn } from './collection.ts';

export const SEARCH_QUERY = {
  ...PAGE_QUERY,
  q: optional(text({ min: 1, max: 100, description: 'part of what the list shows' }), null),
} as const;

/** A parameter that a list does not have is ignored, as everywhere. */
const UNSEARCHED_QUERY = { ...PAGE_QUERY, q: { ...SEARCH_QUERY.q, read: () => null } } as const;

/** Rows that are looked through at once for a search. */
const SEARCHED = 500;
/** JSON that one search looks through; then the page is short and its cursor goes on from there. */
const MAX_SEARCHED_BYTES = 4 * MAX_PAGE_BYTES;

export function listing<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const query = readQuery(of.matches ? SEARCH_QUERY : UNSEARCHED_QUERY, request);
    if (isProblem(query)) return query;
    const filters = readQuery(of.filters ?? {}, request);
    if (isProblem(filters)) return filters;
    const needle = query.q?.trim().toLowerCase() ?? null;
    const numbering = new Numbering(request.account.settings);
    const part = needle === null ? '' : numbering.part(needle);
    const isWanted = (data: RecordData[K]): boolean =>
      (needle === null || of.matches?.(data, needle, part) === true) &&
      (of.fits?.(data, filters, numbering) ?? true);
    const isWhole = needle === null && Object.values(filters).every((value) => value === null);
    const cursor = decodeCursor(query.cursor);
    if (isProblem(cursor)) return cursor;
    const page = { ...listOf(of, request), afterId: String(cursor[0] ?? ''), maxBytes: MAX_PAGE_BYTES };
    const limit = query.limit + 1;
    const { found, rest } = isWhole
      ? { found: await context.storage.listRecords({ ...page, limit }), rest: null }
      : await search(of, isWanted, context, page, limit);
    return pageResponse(request, KINDS[of.kind].listPath, {
      rows: await writtenRecords(of, found, request, context),
      limit: query.limit,
      describe: ({ json }) => json,
      position: ({ id }) => [id],
      rest,
    });
  };
}

/** As readers see them. Large ones are written one per turn, so that other requests are answered in between. */
export async function writtenRecords<K extends RecordKind>(
  of: Collection<K>,
  rows: readonly StoredRow[],
  request: ApiRequest,
  context: ApiContext,
): Promise<Pick<StoredRow, 'id' | 'version' | 'json'>[]> {
  const hidden = await hiddenIn(of, request, context);
  const written: Pick<StoredRow, 'id' | 'version' | 'json'>[] = [];
  for (const row of rows) {
    if (row.json.length > LARGE) await context.turns.next(request.account.id);
    const json = JSON.stringify(describeRecord(of, readRow(of.kind, row), request.nowMs, hidden));
    written.push({ id: row.id, version: row.version, json });
  }
  return written;
}

/** Looked through part by part: most searches end within the first rows, and one that does not is short and goes on. */
async function search<K extends RecordKind>(
  of: Collection<K>,
  isWanted: (data: RecordData[K]) => boolean,
  context: ApiContext,
  page: Omit<Page, 'limit'>,
  limit: number,
): Promise<{ found: StoredRow[]; rest: [id: string] | null }> {
  const found: StoredRow[] = [];
  let bytes = 0;
  for (let { afterId } = page; found.length < limit; ) {
    const rows = await context.storage.listRecords({ ...page, afterId, limit: SEARCHED });
    const last = rows.at(-1);
    if (!last) break;
    if (bytes > 0) await context.turns.next(page.accountId);
    found.push(...rows.filter((row) => isWanted(readRow(of.kind, row).data)));
    bytes += rows.reduce((sum, { json }) => sum + json.length, 0);
    afterId = last.id;
    if (bytes >= MAX_SEARCHED_BYTES) return { found: found.slice(0, limit), rest: [afterId] };
  }
  return { found: found.slice(0, limit), rest: null };
}

function listOf<K extends RecordKind>(
  { kind }: Collection<K>,
  request: ApiRequest,
): { accountId: string; kind: RecordKind } {
  return { accountId: request.account.id, kind };
}

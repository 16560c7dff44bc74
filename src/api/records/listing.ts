// The list of a kind of record: in pages, with the search and the filters that its Collection has.
import type { RecordData, RecordKind } from '../../domain/kinds.ts';
import { isProblem } from '../../domain/problem.ts';
import type { StoredRecord } from '../../domain/record.ts';
import { readRow } from '../../domain/row.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { decodeCursor, encodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { optional, text } from '../schemas/field.ts';
import { type Collection, describeRecord } from './collection.ts';

export const SEARCH_QUERY = {
  ...PAGE_QUERY,
  q: optional(text({ min: 1, max: 100, description: 'part of what the list shows' }), null),
} as const;

/** A parameter that a list does not have is ignored, as everywhere. */
const UNSEARCHED_QUERY = { ...PAGE_QUERY, q: { ...SEARCH_QUERY.q, read: () => null } } as const;

/** Rows that are looked through at once for a search. */
const SEARCHED = 500;
export function listing<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const query = readQuery(of.matches ? SEARCH_QUERY : UNSEARCHED_QUERY, request);
    if (isProblem(query)) return query;
    const filters = readQuery(of.filters ?? {}, request);
    if (isProblem(filters)) return filters;
    const needle = query.q?.trim().toLowerCase() ?? null;
    const isWanted = (data: RecordData[K]): boolean =>
      (needle === null || of.matches?.(data, needle) === true) && (of.fits?.(data, filters) ?? true);
    const isWhole = needle === null && Object.values(filters).every((value) => value === null);
    const position = decodeCursor(query.cursor);
    if (isProblem(position)) return position;
    const afterId = String(position[0] ?? '');
    const limit = query.limit + 1;
    const records = isWhole
      ? (await context.storage.listRecords({ ...listOf(of, request), afterId, limit })).map((row) =>
          readRow(of.kind, row),
        )
      : await search(of, isWanted, request, context, { afterId, limit });
    const page = records.slice(0, query.limit);
    const last = records.length > query.limit ? page.at(-1) : undefined;
    const data = page.map((record) => describeRecord(of, record, request.nowMs));
    return pageResponse(request, of.listPath, data, last ? encodeCursor([last.id]) : null);
  };
}

/** Kinds that can be searched are few enough to be looked through; most searches end within the first rows. */
async function search<K extends RecordKind>(
  of: Collection<K>,
  isWanted: (data: RecordData[K]) => boolean,
  request: ApiRequest,
  context: ApiContext,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<StoredRecord<RecordData[K]>[]> {
  const found: StoredRecord<RecordData[K]>[] = [];
  for (let from = afterId; found.length < limit; ) {
    const rows = await context.storage.listRecords({
      ...listOf(of, request),
      afterId: from,
      limit: SEARCHED,
    });
    found.push(...rows.map((row) => readRow(of.kind, row)).filter(({ data }) => isWanted(data)));
    const last = rows.at(-1);
    if (rows.length < SEARCHED || !last) break;
    from = last.id;
  }
  return found.slice(0, limit);
}

function listOf<K extends RecordKind>(
  { kind }: Collection<K>,
  request: ApiRequest,
): { accountId: string; kind: RecordKind } {
  return { accountId: request.account.id, kind };
}

// Deleted records: listed, restored with their former id, or erased for good. They are kept for KEEP_DELETED_DAYS.

import { mayDo } from '../../domain/roles.ts';
import { readData } from '../../domain/row.ts';
import { uniqueKeys } from '../../domain/unique-keys.ts';
import { oneOf, optional } from '../../kinds/field.ts';
import { KINDS, operationOn, RECORD_KINDS, type RecordKind } from '../../kinds/lists.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { KEEP_DELETED_DAYS } from '../../kinds/record.ts';
import { deletedId } from '../../statistics/deleted-names.ts';
import type { DeletedRow, RestoreResult } from '../../storage/ports/deleted-records.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { decodeCursor, MAX_PAGE_BYTES, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { object, string, time } from '../schemas/output.ts';
import { atHead, type Collection, checkData, describeCreated, refusalOf } from './collection.ts';
import { COLLECTIONS } from './collections.ts';
import { reached } from './quotas.ts';
import { inWords } from './warnings.ts';

const DAY_MS = 86_400_000;

export const DELETED_QUERY = {
  ...PAGE_QUERY,
  kind: optional(oneOf(RECORD_KINDS, 'only records of this kind'), null),
} as const;

export const DELETED_SCHEMAS = {
  DeletedRecord: object({
    id: { ...string, description: 'of the deletion: what restore and erase take' },
    kind: { enum: RECORD_KINDS },
    record_id: { ...string, description: 'the id that the record had, and has again when it is restored' },
    name: string,
    version: { type: 'integer', minimum: 1 },
    deleted_at: time,
    deleted_by: string,
    kept_until: time,
  }),
  Restored: object({
    Success: { const: true },
    Message: string,
    kind: { enum: RECORD_KINDS },
    record_id: string,
  }),
} as const;

/** Who may delete a record of a kind may see that it was deleted, restore it and erase it. */
export const mayDelete = ({ user }: ApiRequest, kind: RecordKind): boolean =>
  mayDo(user?.role ?? null, operationOn('delete', kind));

const UNKNOWN = problem('record_unknown', 'There is no deleted record with this id.');

export const listDeletedRecords: Handler = async (request, context) => {
  const query = readQuery(DELETED_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const { kind, limit } = query;
  const rows = await context.storage.listDeleted({
    accountId: request.account.id,
    kinds: RECORD_KINDS.filter((one) => (kind === null || one === kind) && mayDelete(request, one)),
    ...(place.length > 0 ? { beforeId: String(place[0]) } : {}),
    limit: limit + 1,
    maxBytes: MAX_PAGE_BYTES,
  });
  return pageResponse(request, '/v1/deleted_records', {
    rows,
    limit,
    describe,
    position: ({ id }) => [id],
  });
};

function describe(row: DeletedRow): object {
  const data = JSON.parse(row.json) as Readonly<Record<string, unknown>>;
  return {
    id: row.id,
    kind: row.kind,
    record_id: deletedId(row),
    name: String(data['name'] ?? data['number'] ?? deletedId(row)),
    version: row.version,
    deleted_at: new Date(row.deletedAtMs).toISOString(),
    deleted_by: row.deletedBy,
    kept_until: new Date(row.deletedAtMs + KEEP_DELETED_DAYS * DAY_MS).toISOString(),
  };
}

export const restoreDeletedRecord: Handler = async (request, context) => {
  const row = await context.storage.getDeleted(addressIn(request));
  return row && mayDelete(request, row.kind)
    ? restore(COLLECTIONS[row.kind], row, request, context)
    : UNKNOWN;
};

const addressIn = ({ account, params }: ApiRequest) => ({ accountId: account.id, id: params['id'] ?? '' });

async function restore<K extends RecordKind>(
  of: Collection<K>,
  row: DeletedRow,
  request: ApiRequest,
  context: ApiContext,
): Promise<ApiResponse | Problem> {
  const data = readData(of.kind, row.json);
  const checked = await checkData(of, data, request, context, row.recordId);
  if (isProblem(checked)) return checked;
  const refusal = await context.quotas.refuseRecord(request.account);
  if (refusal) return refusal;
  const most = of.most?.(request.account.limits);
  const result = await context.storage.restoreDeleted({
    ...addressIn(request),
    ...uniqueKeys(of.kind, row.recordId, data),
    ...(most === undefined ? {} : { most }),
    atMs: request.nowMs,
  });
  if (result.outcome !== 'restored') return notRestored(of.kind, result, most);
  const { key } = describeCreated(of, row.recordId, data);
  return done(200, inWords(`${atHead(of.kind)} restored`, checked.warnings), {
    headers: { location: `${KINDS[of.kind].path}/${key}` },
    members: { kind: of.kind, record_id: deletedId(row) },
  });
}

function notRestored(
  kind: RecordKind,
  result: Exclude<RestoreResult, { outcome: 'restored' }>,
  most: number | undefined,
): Problem {
  if (result.outcome === 'unknown') return UNKNOWN;
  if (result.outcome === 'too_many') return reached(`${KINDS[kind].noun}s`, `${most}`);
  return refusalOf(kind, result);
}

export const eraseDeletedRecord: Handler = async (request, context) => {
  const row = await context.storage.getDeleted(addressIn(request));
  if (!row || !mayDelete(request, row.kind)) return UNKNOWN;
  const { dropped } = await context.storage.dropDeleted(addressIn(request));
  return dropped ? done(200, 'Deleted for good.') : UNKNOWN;
};

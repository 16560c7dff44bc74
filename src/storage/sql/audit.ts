// The SQL for the audit: who changed what, written in the same transaction as the change. An entry is never changed.
import { firstIdAt, newId } from '../../domain/id.ts';
import { differenceOf, type MemberChange } from '../../domain/record-difference.ts';
import type { AuditEntry, ByActor, NewAuditEntry } from '../ports/audit.ts';
import { integer, integerOrNull, json, text, textOrNull } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  id: 'text',
  at: 'bigint',
  actor_id: 'text',
  actor_name: 'text',
  request_id: 'text',
  action: 'text',
  kind: 'text',
  record_id: 'text',
  version: 'bigint',
  record_name: 'text',
  user_id: 'text',
  difference: 'text',
} as const;

interface Changed extends ByActor {
  readonly accountId: string;
  readonly kind: string;
  readonly id: string;
  /** The JSON of a record: its name is in it. */
  readonly json?: string;
  /** The JSON before an update. */
  readonly formerJson?: string;
}

function rowOf(entry: NewAuditEntry, version: number | null): SqlValue[] {
  const { accountId, action, kind, recordId, recordName = null, before, after, by } = entry;
  const { id: actorId, name, requestId, atMs, userId = null } = by;
  const changes = before || after ? differenceOf(before ?? {}, after ?? {}) : [];
  return [
    accountId,
    newId(atMs),
    atMs,
    actorId,
    name,
    requestId,
    action,
    kind,
    recordId,
    version,
    recordName,
    userId,
    changes.length > 0 ? JSON.stringify(changes) : null,
  ];
}

/** The name is the first member of most kinds: then the rest of the text is not parsed. */
const NAME_FIRST = /^\{"(?:name|number)":("(?:[^"\\]|\\.)*")/;

/** What people call the record: its name or its number. */
function nameIn(json: string): string | null {
  const [, first] = NAME_FIRST.exec(json) ?? [];
  if (first !== undefined) return JSON.parse(first);
  const { name, number }: Readonly<Record<string, unknown>> = JSON.parse(json);
  return typeof name === 'string' ? name : typeof number === 'string' ? number : null;
}

/** One statement for all of them. A change without an actor writes no entry. */
export async function writeAudit(
  tx: Tx,
  changes: readonly Changed[],
  action: 'create' | 'update' | 'delete' | 'restore' | 'erase',
  version: number | null,
): Promise<void> {
  const rows: SqlValue[][] = [];
  for (const { accountId, kind, id, json, formerJson, by } of changes) {
    if (!by) continue;
    const recordName = json === undefined ? null : nameIn(json);
    const difference =
      json === undefined || formerJson === undefined
        ? {}
        : { before: JSON.parse(formerJson) as object, after: JSON.parse(json) as object };
    rows.push(rowOf({ accountId, action, kind, recordId: id, recordName, ...difference, by }, version));
  }
  if (rows.length > 0) await tx.insert('audit', COLUMNS, rows);
}

export const addAudit: Operation<'addAudit'> = async (tx, entry) => {
  await tx.insert('audit', COLUMNS, [rowOf(entry, null)]);
};

export const listAudit: Operation<'listAudit'> = async (tx, page) => {
  const values: SqlValue[] = [page.accountId];
  const conditions = ['account_id = $1'];
  const require = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  require('kind =', page.kind);
  require('record_id =', page.recordId);
  require('at >=', page.fromMs);
  // The same condition on the primary key: older entries are not read.
  require('id >=', page.fromMs === undefined ? undefined : firstIdAt(page.fromMs));
  require('at <', page.toMs);
  require('id <', page.beforeId);
  values.push(page.limit);
  const rows = await tx.all(
    `SELECT ${Object.keys(COLUMNS).join(', ')} FROM audit WHERE ${conditions.join(' AND ')}
     ORDER BY id DESC LIMIT $${values.length}`,
    values,
  );
  return rows.map(toEntry);
};

function toEntry(row: SqlRow): AuditEntry {
  return {
    id: text(row['id']),
    atMs: integer(row['at']),
    actorId: text(row['actor_id']),
    actorName: text(row['actor_name']),
    requestId: text(row['request_id']),
    action: text(row['action']),
    kind: text(row['kind']),
    recordId: text(row['record_id']),
    recordName: textOrNull(row['record_name']),
    version: integerOrNull(row['version']),
    userId: textOrNull(row['user_id']),
    changes: row['difference'] == null ? null : json<MemberChange[]>(row['difference']),
  };
}

/** A clock that was set back makes ids later than their time, by this much at most. */
const CLOCK_MS = 86_400_000;

/** Ids sort by time: the oldest entries of an account are the first in its primary key, and the others are not read. */
export const forgetAudit: Operation<'forgetAudit'> = async (tx, { accountId, beforeMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM audit WHERE (account_id, id) IN
       (SELECT account_id, id FROM audit WHERE account_id = $1 AND at < $2 AND id < $4 ORDER BY id LIMIT $3)`,
    [accountId, beforeMs, limit, firstIdAt(beforeMs + CLOCK_MS)],
  );
  return { forgotten };
};

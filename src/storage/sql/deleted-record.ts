// The SQL for deleted records. record.ts keeps one in the transaction of its deletion; record-restore.ts brings it back.
import { newId } from '../../domain/id.ts';
import type { RecordKind } from '../../kinds/lists.ts';
import { type DeletedRow, MAX_DELETED } from '../ports/deleted-records.ts';
import type { RecordDeletion, StoredRow } from '../ports/records.ts';
import { writeAudit } from './audit.ts';
import { integer, text, word } from './columns.ts';
import type { Operation } from './operation.ts';
import { readPage } from './page.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  id: 'text',
  kind: 'text',
  record_id: 'text',
  version: 'bigint',
  created_at: 'bigint',
  deleted_at: 'bigint',
  deleted_by: 'text',
  json: 'text',
} as const;
const REST = 'id, kind, record_id, version, created_at, deleted_at, deleted_by';
const HERE = 'account_id = $1 AND id = $2';

function toRow(row: SqlRow): DeletedRow {
  return {
    id: text(row['id']),
    kind: word<RecordKind>(row['kind']),
    recordId: text(row['record_id']),
    version: integer(row['version']),
    createdAtMs: integer(row['created_at']),
    deletedAtMs: integer(row['deleted_at']),
    deletedBy: text(row['deleted_by']),
    json: text(row['json']),
  };
}

/** A deletion without an actor is none of a person: nothing is kept of it. */
export async function keepDeleted(
  tx: Tx,
  { accountId, kind, by }: RecordDeletion,
  row: StoredRow,
): Promise<void> {
  if (!by) return;
  const { id, version, createdAtMs, json } = row;
  await tx.insert('deleted_records', COLUMNS, [
    [accountId, newId(by.atMs), kind, id, version, createdAtMs, by.atMs, by.name, json],
  ]);
  await tx.run(
    `DELETE FROM deleted_records WHERE account_id = $1 AND id <= (SELECT id FROM deleted_records
       WHERE account_id = $1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_DELETED})`,
    [accountId],
  );
}

export const listDeleted: Operation<'listDeleted'> = async (tx, page) => {
  const values: SqlValue[] = [page.accountId];
  const conditions = ['account_id = $1'];
  const require = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  if (page.kinds) {
    if (page.kinds.length === 0) return [];
    conditions.push(`kind IN (${page.kinds.map((_, index) => `$${values.length + index + 1}`).join(', ')})`);
    values.push(...page.kinds);
  }
  require('id <', page.beforeId);
  const rows = await readPage(page, (json, limit) =>
    tx.all(
      `SELECT ${REST}, ${json} FROM deleted_records WHERE ${conditions.join(' AND ')}
       ORDER BY id DESC LIMIT $${values.length + 1}`,
      [...values, limit],
    ),
  );
  return rows.map(toRow);
};

export const getDeleted: Operation<'getDeleted'> = async (tx, { accountId, id }) => {
  const [row] = await tx.all(`SELECT ${REST}, json FROM deleted_records WHERE ${HERE}`, [accountId, id]);
  return row ? toRow(row) : null;
};

export const dropDeleted: Operation<'dropDeleted'> = async (tx, { accountId, id, by }) => {
  const row = await getDeleted(tx, { accountId, id });
  if (!row) return { dropped: false };
  const changed = await tx.run(`DELETE FROM deleted_records WHERE ${HERE}`, [accountId, id]);
  const { kind, recordId, json } = row;
  if (changed > 0)
    await writeAudit(tx, [{ accountId, kind, id: recordId, json, ...(by ? { by } : {}) }], 'erase', null);
  return { dropped: changed > 0 };
};

export const forgetDeleted: Operation<'forgetDeleted'> = async (tx, { beforeMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM deleted_records WHERE (account_id, id) IN
       (SELECT account_id, id FROM deleted_records WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2)`,
    [beforeMs, limit],
  );
  return { forgotten };
};

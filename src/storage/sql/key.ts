// The SQL for unique keys of records, for those that records gave up, and for numbers of a series.
import { lastingKeys } from '../../domain/unique-keys.ts';
import type { ByActor } from '../ports/audit.ts';
import type { RecordAddress, UniqueKey } from '../ports/records.ts';
import { integer, text } from './columns.ts';
import type { Operation } from './operation.ts';
import type { Tx } from './tx.ts';

const KEY_COLUMNS = { account_id: 'text', kind: 'text', name: 'text', value: 'text', id: 'text' } as const;
const FORMER_COLUMNS = { ...KEY_COLUMNS, at: 'bigint' } as const;
const KEY = 'account_id = $1 AND kind = $2 AND name = $3 AND value = $4';
/** Former keys of one kind and account; beyond them the earliest are forgotten. A series does not go back to those. */
const MAX_FORMER = 100_000;

interface Refused {
  readonly outcome: 'key_taken' | 'key_retired';
  readonly key: UniqueKey;
}

export async function takeKeys(
  tx: Tx,
  { accountId, kind, id }: RecordAddress,
  keys: readonly UniqueKey[],
): Promise<Refused | null> {
  for (const key of keys) {
    const made = await tx.insert(
      'record_keys',
      KEY_COLUMNS,
      [[accountId, kind, key.name, key.value, id]],
      'ON CONFLICT DO NOTHING RETURNING id',
    );
    if (made.length === 0) return { outcome: 'key_taken', key };
    if (!lastingKeys(kind).includes(key.name)) continue;
    const [former] = await tx.all(`SELECT id FROM former_keys WHERE ${KEY}`, [
      accountId,
      kind,
      key.name,
      key.value,
    ]);
    if (former && former['id'] !== id) return { outcome: 'key_retired', key };
  }
  return null;
}

/** Retires the record's lasting keys that are not among `kept`: they are never given again. */
export async function retireKeys(
  tx: Tx,
  { accountId, kind, id, by }: RecordAddress & ByActor,
  kept: readonly UniqueKey[],
): Promise<void> {
  const lasting = lastingKeys(kind);
  if (lasting.length === 0) return;
  const present = await tx.all(
    'SELECT name, value FROM record_keys WHERE account_id = $1 AND kind = $2 AND id = $3',
    [accountId, kind, id],
  );
  const given = present
    .map(({ name, value }) => ({ name: text(name), value: text(value) }))
    .filter(({ name }) => lasting.includes(name))
    .filter((key) => !kept.some(({ name, value }) => name === key.name && value === key.value));
  if (given.length === 0) return;
  const rows = given.map(({ name, value }) => [accountId, kind, name, value, id, by?.atMs ?? 0]);
  await tx.insert('former_keys', FORMER_COLUMNS, rows, 'ON CONFLICT DO NOTHING');
  await tx.run(
    `DELETE FROM former_keys WHERE account_id = $1 AND kind = $2 AND at < (SELECT at FROM former_keys
       WHERE account_id = $1 AND kind = $2 ORDER BY at DESC LIMIT 1 OFFSET ${MAX_FORMER})`,
    [accountId, kind],
  );
}

export const takeNumber: Operation<'takeNumber'> = async (tx, { accountId, kind, name, from }) => {
  const series = `${kind}.${name}`;
  await tx.run(
    'INSERT INTO counters (account_id, series, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [accountId, series, from - 1],
  );
  const [counter] = await tx.all(
    'UPDATE counters SET value = value + 1 WHERE account_id = $1 AND series = $2 RETURNING value',
    [accountId, series],
  );
  let value = integer(counter?.['value']);
  const isTaken = async (): Promise<boolean> => {
    const key = [accountId, kind, name, String(value)];
    const rows = await tx.all(
      `SELECT id FROM record_keys WHERE ${KEY} UNION ALL SELECT id FROM former_keys WHERE ${KEY}`,
      key,
    );
    return rows.length > 0;
  };
  // Terminates: there are finitely many keys, and each step passes one.
  while (await isTaken()) value += 1;
  await tx.run('UPDATE counters SET value = $3 WHERE account_id = $1 AND series = $2', [
    accountId,
    series,
    value,
  ]);
  return value;
};

// The SQL for records of every kind: kinds differ in their JSON, not in how they are stored.
import { limitsOf } from '../../domain/account-limits.ts';
import { readData } from '../../domain/row.ts';
import { takenAddress } from '../../domain/trunk-addresses.ts';
import { type RecordKind, VERSIONED_KINDS } from '../../kinds/lists.ts';
import { KEPT_EVERY, MAX_VERSIONS, WHOLE_VERSIONS } from '../../kinds/record.ts';
import type { CreateResult, NewRecord, RecordAddress, StoredRow, UpdateResult } from '../ports/records.ts';
import { forgetPresence } from './agent-presence.ts';
import { writeAudit } from './audit.ts';
import { claimAnswers } from './claim.ts';
import { integer, json, text, word } from './columns.ts';
import { keepDeleted } from './deleted-record.ts';
import { retireKeys, takeKeys } from './key.ts';
import type { Operation } from './operation.ts';
import { readPage } from './page.ts';
import { raise, raiseRecords } from './revision.ts';
import { RollBack, type SqlRow, type SqlValue, type Tx } from './tx.ts';

export const RECORD_COLUMNS = {
  account_id: 'text',
  kind: 'text',
  id: 'text',
  version: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
  json: 'text',
} as const;
const SELECT = 'SELECT id, version, created_at, updated_at, json FROM records';
const HERE = 'account_id = $1 AND kind = $2 AND id = $3';

const here = ({ accountId, kind, id }: RecordAddress): SqlValue[] => [accountId, kind, id];

function toRow(row: SqlRow): StoredRow {
  return {
    id: text(row['id']),
    version: integer(row['version']),
    createdAtMs: integer(row['created_at']),
    updatedAtMs: integer(row['updated_at']),
    json: text(row['json']),
  };
}

/** Many creations by a handful of statements. None may have unique keys: one that fails would fail the rest. */
export async function createRecords(tx: Tx, inputs: readonly NewRecord[]): Promise<CreateResult[]> {
  const earlier = await claimAnswers(tx, inputs);
  const fresh = earlier.size === 0 ? inputs : inputs.filter((input) => !earlier.has(input));
  if (fresh.length > 0) await insertRecords(tx, fresh);
  return inputs.map((input) => {
    const claim = earlier.get(input);
    return claim
      ? { outcome: 'claimed_before', bodyHash: claim.bodyHash, answer: claim.answer }
      : { outcome: 'created' };
  });
}

export const createRecord: Operation<'createRecord'> = async (tx, input) => {
  const claim = (await claimAnswers(tx, [input])).get(input);
  if (claim) return { outcome: 'claimed_before', bodyHash: claim.bodyHash, answer: claim.answer };
  const taken = await takeKeys(tx, input, input.keys ?? []);
  if (taken) throw new RollBack<CreateResult>(taken);
  const network = await takenNetwork(tx, input);
  if (network !== null) throw new RollBack<CreateResult>({ outcome: 'network_taken', network });
  if (!(await insertRecords(tx, [input]))) {
    const key = { name: 'id', value: input.id };
    throw new RollBack<CreateResult>({ outcome: 'key_taken', key });
  }
  if (await tooMany(tx, input)) throw new RollBack<CreateResult>({ outcome: 'too_many' });
  return { outcome: 'created' };
};

/** After the insertion, whose raise() has locked the account's row: creations at once count each other. */
export async function tooMany(
  tx: Tx,
  { accountId, kind, most }: Pick<NewRecord, 'accountId' | 'kind'> & { readonly most?: number | undefined },
): Promise<boolean> {
  if (most === undefined) return false;
  const [row] = await tx.all('SELECT count(*) AS many FROM records WHERE account_id = $1 AND kind = $2', [
    accountId,
    kind,
  ]);
  return integer(row?.['many']) > most;
}

/** False: a chosen id is taken, and nothing was inserted. */
async function insertRecords(tx: Tx, inputs: readonly NewRecord[]): Promise<boolean> {
  const isChosen = inputs.some((input) => input.isChosen);
  const inserted = await tx.insert(
    'records',
    RECORD_COLUMNS,
    inputs.map(({ accountId, kind, id, atMs, json }) => [accountId, kind, id, 1, atMs, atMs, json]),
    ...(isChosen ? ['ON CONFLICT DO NOTHING RETURNING id'] : []),
  );
  if (isChosen && inserted.length === 0) return false;
  await writeAudit(tx, inputs, 'create', 1);
  await raiseRecords(tx, inputs);
  return true;
}

/**
 * Networks overlap without being equal, so a unique key cannot keep them apart: writes of networks are serialized by the row that
 * raise() locks, and each compares its own with all others. CROSS JOIN: SQLite then finds trunks by the primary key, account by
 * account, where it would read all records.
 */
export async function takenNetwork(
  tx: Tx,
  { accountId, networks = [] }: { readonly accountId: string; readonly networks?: readonly string[] },
): Promise<string | null> {
  if (networks.length === 0) return null;
  await raise(tx, 'networks');
  const rows = await tx.all(
    `SELECT records.account_id AS owner, records.json AS json, accounts.limits AS limits
     FROM accounts CROSS JOIN records
     WHERE records.account_id = accounts.id AND records.kind = 'trunk' AND accounts.id <> $1`,
    [accountId],
  );
  const others = rows.map((row) => ({
    accountId: text(row['owner']),
    addresses: readData('trunk', text(row['json'])).addresses,
    limits: limitsOf(json(row['limits'] ?? '{}')),
  }));
  return takenAddress(networks, others);
}

export const updateRecord: Operation<'updateRecord'> = async (tx, input) => {
  const version = await versionOf(tx, input);
  if (version === null) return { outcome: 'unknown' };
  if (input.expectedVersion !== undefined && input.expectedVersion !== version)
    return { outcome: 'version_changed', version };
  if (input.keys) {
    await retireKeys(tx, input, input.keys);
    await tx.run(`DELETE FROM record_keys WHERE ${HERE}`, here(input));
    const taken = await takeKeys(tx, input, input.keys);
    if (taken) throw new RollBack<UpdateResult>(taken);
  }
  const network = await takenNetwork(tx, input);
  if (network !== null) throw new RollBack<UpdateResult>({ outcome: 'network_taken', network });
  if (VERSIONED_KINDS.has(input.kind)) await keepVersion(tx, input, version);
  const former = input.by ? await getRecord(tx, input) : null;
  // The version in the condition: of two updates at once on two nodes, one changes no row and reports it.
  const changed = await tx.run(
    `UPDATE records SET version = $4, updated_at = $5, json = $6 WHERE ${HERE} AND version = $7`,
    [...here(input), version + 1, input.atMs, input.json, version],
  );
  if (changed === 0) throw new RollBack<UpdateResult>({ outcome: 'version_changed', version });
  await writeAudit(tx, [former ? { ...input, formerJson: former.json } : input], 'update', version + 1);
  await raiseRecords(tx, [input]);
  return { outcome: 'updated', version: version + 1 };
};

async function keepVersion(tx: Tx, address: RecordAddress, version: number): Promise<void> {
  await tx.run(
    `INSERT INTO record_versions (account_id, kind, id, version, created_at, updated_at, json)
     SELECT account_id, kind, id, version, created_at, updated_at, json FROM records WHERE ${HERE}`,
    here(address),
  );
  await tx.run(
    `DELETE FROM record_versions WHERE ${HERE}
     AND (version <= $4 OR (version <= $5 AND version % ${KEPT_EVERY} <> 0))`,
    [...here(address), version - MAX_VERSIONS, version - WHOLE_VERSIONS],
  );
}

export const deleteRecord: Operation<'deleteRecord'> = async (tx, input) => {
  const version = await versionOf(tx, input);
  if (version === null) return { outcome: 'unknown' };
  if (input.expectedVersion !== undefined && input.expectedVersion !== version)
    return { outcome: 'version_changed', version };
  const row = await getRecord(tx, input);
  const json = row?.json;
  if (row) await keepDeleted(tx, input, row);
  await retireKeys(tx, input, []);
  for (const table of ['record_keys', 'record_versions', 'records']) {
    await tx.run(`DELETE FROM ${table} WHERE ${HERE}`, here(input));
  }
  if (input.kind === 'agent' && json !== undefined) await forgetPresence(tx, input.accountId, json);
  await writeAudit(tx, [{ ...input, ...(json === undefined ? {} : { json }) }], 'delete', null);
  await raiseRecords(tx, [input]);
  return { outcome: 'deleted' };
};

/** Locks the row where the database can (SQLite has one writer at a time anyway). */
async function versionOf(tx: Tx, address: RecordAddress): Promise<number | null> {
  const [row] = await tx.all(
    `UPDATE records SET version = version WHERE ${HERE} RETURNING version`,
    here(address),
  );
  return row ? integer(row['version']) : null;
}

export const getRecord: Operation<'getRecord'> = async (tx, address) => {
  const [row] = await tx.all(`${SELECT} WHERE ${HERE}`, here(address));
  return row ? toRow(row) : null;
};

export const findRecordId: Operation<'findRecordId'> = async (tx, { accountId, kind, id, key }) => {
  const [row] = await tx.all(
    `SELECT id, 0 AS place FROM records WHERE ${HERE}
     UNION ALL SELECT id, 1 AS place FROM record_keys
     WHERE account_id = $1 AND kind = $2 AND name = $4 AND value = $5
     ORDER BY place LIMIT 1`,
    [accountId, kind, id, key.name, key.value],
  );
  return row ? text(row['id']) : null;
};

const MANY = 128;

export const getRecords: Operation<'getRecords'> = async (tx, { accountId, kind, ids }) => {
  const rows: SqlRow[] = [];
  const marks = Array.from({ length: MANY }, (_, index) => `$${index + 3}`).join(', ');
  for (let from = 0; from < ids.length; from += MANY) {
    // Padded with repetitions, so that one prepared statement serves every count.
    const asked = Array.from({ length: MANY }, (_, index) => ids[from + index] ?? ids[from] ?? '');
    rows.push(
      ...(await tx.all(`${SELECT} WHERE account_id = $1 AND kind = $2 AND id IN (${marks})`, [
        accountId,
        kind,
        ...asked,
      ])),
    );
  }
  return rows.map(toRow);
};

export const listRecords: Operation<'listRecords'> = async (tx, page) => {
  const rows = await readPage(page, (json, limit) =>
    tx.all(
      `SELECT id, version, created_at, updated_at, ${json} FROM records
       WHERE account_id = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4`,
      [page.accountId, page.kind, page.afterId, limit],
    ),
  );
  return rows.map(toRow);
};

export const listStamps: Operation<'listStamps'> = async (tx, { accountId, kinds }) => {
  const marks = kinds.map((_, index) => `$${index + 2}`).join(', ');
  const rows = await tx.all(
    `SELECT kind, id, version FROM records WHERE account_id = $1 AND kind IN (${marks})`,
    [accountId, ...kinds],
  );
  return rows.map((row) => ({
    kind: word<RecordKind>(row['kind']),
    id: text(row['id']),
    version: integer(row['version']),
  }));
};

export const listVersions: Operation<'listVersions'> = async (tx, input) => {
  const rows = await readPage(input, (json, limit) => {
    const select = `SELECT id, version, created_at, updated_at, ${json}`;
    return tx.all(
      `${select} FROM records WHERE ${HERE} AND version < $4
       UNION ALL ${select} FROM record_versions WHERE ${HERE} AND version < $4
       ORDER BY version DESC LIMIT $5`,
      [...here(input), input.beforeVersion, limit],
    );
  });
  return rows.map(toRow);
};

export const getVersion: Operation<'getVersion'> = async (tx, input) => {
  const [row] = await listVersions(tx, { ...input, beforeVersion: input.version + 1, limit: 1 });
  return row?.version === input.version ? row : null;
};

export const findReferrers: Operation<'findReferrers'> = async (tx, { accountId, reference, limit }) => {
  // A reference stands between quotes in JSON text, and a quote inside a text is escaped: so this finds whole values.
  // Whether the value is a reference or a name, the caller decides: it knows the record.
  // A pattern would need its wildcards escaped ("_" is allowed in ids), hence replace(), which both databases have.
  const rows = await tx.all(
    `SELECT kind, id, json FROM records WHERE account_id = $1 AND length(replace(json, $2, '')) < length(json)
     ORDER BY kind, id LIMIT $3`,
    [accountId, JSON.stringify(reference), limit],
  );
  return rows.map((row) => ({
    kind: word<RecordKind>(row['kind']),
    id: text(row['id']),
    json: text(row['json']),
  }));
};

export const recordedSounds: Operation<'recordedSounds'> = async (tx, accountId) => {
  const found = new Set<string>();
  // A deleted recording can be restored: its sound stays as long.
  for (const table of ['records', 'record_versions', 'deleted_records']) {
    const rows = await tx.all(`SELECT json FROM ${table} WHERE account_id = $1 AND kind = 'recording'`, [
      accountId,
    ]);
    for (const row of rows) found.add(String(json<{ sha256: unknown }>(row['json']).sha256));
  }
  return [...found];
};

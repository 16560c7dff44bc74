// A PostgreSQL database as rows, over one connection of our own: pg_dump may be missing, or of another version than the server.
import pg from 'pg';
import { type LedgerRow, tablesOf } from '../migrations/ledger.ts';
import type { DatabaseRestore, DatabaseSnapshot, RestoreAttempt, TableRow } from '../ports/snapshot.ts';
import { loadPrompt } from '../ports/whole-prompt.ts';
import { readPrompt } from '../sql/prompt.ts';
import type { Columns, SqlValue } from '../sql/tx.ts';
import { StorageError } from '../storage.ts';
import { toStorageError } from './errors.ts';
import { migrate } from './migrate.ts';
import { overClient } from './tx.ts';

const BATCH = 200;
const CONNECT_MS = 10_000;
/** Tables with rows in a database that no account was ever made in. */
const MADE_AT_ONCE: ReadonlySet<string> = new Set(['migrations', 'installation', 'revisions']);

/** Before the id, in a comment of the table of accounts. */
const RESTORED = 'Restored from backup ';

/** Statements take as long as the tables are large. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  // Reported by the statement that fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SET statement_timeout = 0');
    await client.query('SET idle_in_transaction_session_timeout = 0');
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw toStorageError(error);
  }
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageError(error);
  }
}

export async function postgresSnapshot(url: string): Promise<DatabaseSnapshot> {
  const client = await connect(url);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: ledger } = await client.query<LedgerRow & pg.QueryResultRow>('SELECT * FROM migrations');
    const tables = new Map<string, Columns>();
    for (const table of ['migrations', ...tablesOf().keys()]) {
      const columns = await columnsOf(client, table);
      if (Object.keys(columns).length > 0) tables.set(table, columns);
    }
    return {
      ledger,
      tables,
      count: (table) => asked(() => countOf(client, table)),
      rows: (table) => rowsOf(client, table, tables.get(table) ?? {}),
      release: () => asked(async () => void (await client.query('COMMIT'))),
      hasRecording: (accountId, id) =>
        asked(async () => {
          const sql = 'SELECT 1 FROM captures WHERE account_id = $1 AND id = $2';
          return (await client.query(sql, [accountId, id])).rowCount !== 0;
        }),
      prompt: (sha256) =>
        asked(() => loadPrompt({ readPrompt: (input) => readPrompt(overClient(client), input) }, sha256)),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw toStorageError(error);
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<Columns> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name, type === 'bigint' ? 'bigint' : 'text']));
}

async function countOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`);
  return Number(rows[0]?.count);
}

async function* rowsOf(client: pg.Client, table: string, columns: Columns) {
  const names = Object.keys(columns);
  await asked(() =>
    client.query(`DECLARE dump NO SCROLL CURSOR FOR SELECT ${names.join(', ')} FROM ${table}`),
  );
  for (;;) {
    const { rows } = await asked(() =>
      client.query<SqlValue[]>({ text: `FETCH ${BATCH} FROM dump`, rowMode: 'array' }),
    );
    if (rows.length === 0) break;
    // The driver gives a bigint as text.
    yield rows.map(
      (row): TableRow =>
        row.map((value, index) =>
          value !== null && columns[names[index] ?? ''] === 'bigint' ? Number(value) : value,
        ),
    );
  }
  await asked(() => client.query('CLOSE dump'));
}

/** Tables that are not there yet count as empty. */
async function checkEmpty(client: pg.Client): Promise<void> {
  for (const table of tablesOf().keys()) {
    if (MADE_AT_ONCE.has(table)) continue;
    const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
      table,
    ]);
    if (rows[0]?.found && (await client.query(`SELECT 1 FROM ${table} LIMIT 1`)).rowCount !== 0)
      throw new StorageError('unavailable', `The PostgreSQL database is not empty: ${table} has rows.`);
  }
}

/** The restore that filled the database. A comment of a table belongs to the transaction as rows do, and is in no backup. */
async function restoreIn(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ comment: string | null }>(
    "SELECT obj_description(to_regclass('accounts'), 'pg_class') AS comment",
  );
  return rows[0]?.comment?.replace(RESTORED, '') ?? null;
}

/**
 * Makes the schema in an empty database. One with rows may be that of a running service of another version: it stays as it is.
 * False: the restore `id` has filled it.
 */
async function makeSchema(url: string, id: string): Promise<boolean> {
  const client = await connect(url);
  try {
    if ((await asked(() => restoreIn(client))) === id) return false;
    await asked(() => checkEmpty(client));
  } finally {
    await client.end();
  }
  await asked(() => migrate(url));
  return true;
}

/** The schema first; then all rows in one transaction. Null if the restore `id` has filled it. */
export async function restorePostgres(
  url: string,
  { id }: Pick<RestoreAttempt, 'id'>,
): Promise<DatabaseRestore | null> {
  if (!(await makeSchema(url, id))) return null;
  const client = await connect(url);
  try {
    await client.query('BEGIN');
    // A service that starts meanwhile waits, and finds the accounts of the backup.
    await client.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
    await checkEmpty(client);
    for (const table of MADE_AT_ONCE) await client.query(`DELETE FROM ${table}`);
    await client.query(`COMMENT ON TABLE accounts IS ${client.escapeLiteral(RESTORED + id)}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw toStorageError(error);
  }
  const { insert } = overClient(client);
  return {
    insert: (table, columns, rows) => asked(async () => void (await insert(table, columns, rows))),
    count: (table) => asked(() => countOf(client, table)),
    commit: () =>
      asked(async () => {
        await client.query('COMMIT');
        await client.end();
      }),
    // Without its transaction nothing remains.
    abort: () => client.end(),
  };
}

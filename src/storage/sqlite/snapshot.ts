// The embedded database as rows. A read transaction of the write-ahead log sees one moment and delays no writer.
import { existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LedgerRow, tablesOf } from '../migrations/ledger.ts';
import type { DatabaseRestore, DatabaseSnapshot, RestoreAttempt, TableRow } from '../ports/snapshot.ts';
import { loadPrompt } from '../ports/whole-prompt.ts';
import { readPrompt } from '../sql/prompt.ts';
import type { Columns } from '../sql/tx.ts';
import { StorageError } from '../storage.ts';
import { type Connection, openConnection } from './connection.ts';
import { migrate } from './migrate.ts';
import { DATABASE_FILE } from './sqlite.ts';

const BATCH = 200;
const PARTS = ['', '-wal', '-shm'] as const;

export async function sqliteSnapshot(dataDir: string): Promise<DatabaseSnapshot> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new StorageError('unavailable', `There is no database ${file}.`);
  const connection = openConnection(file, 'reader');
  const { tx, execute } = connection;
  try {
    checkWhole(connection);
    execute('BEGIN');
    // The first read fixes the moment.
    const ledger: LedgerRow[] = tx.all('SELECT * FROM migrations');
    const tables = new Map(
      ['migrations', ...tablesOf().keys()]
        .map((table) => [table, columnsOf(connection, table)] as const)
        .filter(([, columns]) => Object.keys(columns).length > 0),
    );
    return {
      ledger,
      tables,
      count: async (table) => countOf(connection, table),
      rows: (table) => rowsOf(connection, table, Object.keys(tables.get(table) ?? {})),
      release: async () => execute('COMMIT'),
      hasRecording: async (accountId, id) =>
        tx.all('SELECT 1 AS found FROM captures WHERE account_id = $1 AND id = $2', [accountId, id]).length >
        0,
      prompt: (sha256) => loadPrompt({ readPrompt: (input) => readPrompt(tx, input) }, sha256),
      close: async () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function checkWhole({ tx }: Connection): void {
  const [found] = tx.all('PRAGMA integrity_check(1)');
  const verdict = String(Object.values(found ?? {})[0] ?? 'ok');
  if (verdict !== 'ok') throw new StorageError('unavailable', `The database is damaged: ${verdict}`);
}

function columnsOf({ tx }: Connection, table: string): Columns {
  const rows = tx.all('SELECT name, type FROM pragma_table_info($1)', [table]);
  return Object.fromEntries(
    rows.map(({ name, type }) => [String(name), type === 'BIGINT' ? 'bigint' : 'text']),
  );
}

const countOf = ({ tx }: Connection, table: string): number =>
  Number(tx.all(`SELECT count(*) AS count FROM ${table}`)[0]?.['count']);

async function* rowsOf(connection: Connection, table: string, columns: readonly string[]) {
  let batch: TableRow[] = [];
  for (const row of connection.each(`SELECT ${columns.join(', ')} FROM ${table}`)) {
    batch.push(columns.map((name) => row[name] ?? null));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Filled under another name, which is given up at the end. A database that an interrupted restore left is replaced. */
export async function restoreSqlite(
  dataDir: string,
  { isAgain }: Pick<RestoreAttempt, 'isAgain'>,
): Promise<DatabaseRestore> {
  const whole = join(dataDir, DATABASE_FILE);
  const file = `${whole}.restoring`;
  if (existsSync(whole) && !isAgain)
    throw new StorageError('unavailable', `There is a database ${whole} already.`);
  const discard = (): void => {
    for (const part of PARTS) rmSync(file + part, { force: true });
  };
  discard();
  const connection = openConnection(file, 'writer');
  const { tx, execute } = connection;
  // It counts from its new name on, and is synced before.
  execute('PRAGMA synchronous = OFF');
  await migrate(connection);
  await tx.run('DELETE FROM migrations');
  return {
    async insert(table, columns, rows) {
      execute('BEGIN IMMEDIATE');
      await tx.insert(table, columns, rows);
      execute('COMMIT');
    },
    count: async (table) => countOf(connection, table),
    async commit() {
      checkWhole(connection);
      connection.close();
      await synced(file);
      for (const part of ['-wal', '-shm']) rmSync(whole + part, { force: true });
      await rename(file, whole);
      for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
      if (process.platform !== 'win32') await synced(dirname(whole));
    },
    async abort() {
      connection.close();
      discard();
    },
  };
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}

// Inspects the database without changing it (openSqlite and openPostgres migrate the schema). For `doctor`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import { type LedgerRow, reviewLedger, startRefusalOf } from './migrations/ledger.ts';
import { MIGRATIONS } from './migrations/migrations.ts';
import { openConnection } from './sqlite/connection.ts';

export interface DatabaseLook {
  /** Migrations that this program has and the database has not. */
  readonly missingSteps: number;
  readonly steps: number;
  /** Why a start refuses it; null: it does not. */
  readonly refused: string | null;
  /** A setting that loses writes in a power cut; null: none. */
  readonly unsafe: string | null;
}

/** Null if there is no database yet. Throws the database's error when it cannot be read. */
export function inspectSqlite(dataDir: string): DatabaseLook | null {
  const file = join(dataDir, 'dialtree.sqlite');
  if (!existsSync(file)) return null;
  const { tx, close } = openConnection(file, 'reader');
  try {
    const [check] = tx.all('PRAGMA quick_check(1)');
    const verdict = String(Object.values(check ?? {})[0] ?? 'ok');
    if (verdict !== 'ok') throw new Error(`the file is damaged: ${verdict}`);
    const [mode] = tx.all('PRAGMA journal_mode');
    const isWal = mode?.['journal_mode'] === 'wal';
    return {
      ...compared(tx.all('SELECT * FROM migrations')),
      unsafe: isWal ? null : 'it has no write-ahead log',
    };
  } finally {
    close();
  }
}

/** Null if the database has no tables of ours yet. */
export async function inspectPostgres(url: string): Promise<DatabaseLook | null> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ ledger: string | null }>(
      "SELECT to_regclass('migrations') AS ledger",
    );
    if (tables[0]?.ledger === null) return null;
    const { rows } = await client.query<LedgerRow & QueryResultRow>('SELECT * FROM migrations');
    const { rows: settings } = await client.query<{ fsync: string; commit: string }>(
      "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
    );
    const { fsync, commit } = settings[0] ?? { fsync: '', commit: '' };
    const isUnsafe = fsync !== 'on' || commit === 'off';
    return {
      ...compared(rows),
      unsafe: isUnsafe ? `its fsync is ${fsync} and its synchronous_commit is ${commit}` : null,
    };
  } finally {
    await client.end();
  }
}

function compared(rows: readonly LedgerRow[]): Omit<DatabaseLook, 'unsafe'> {
  const review = reviewLedger(rows);
  return {
    steps: MIGRATIONS.length,
    missingSteps: review.missing.length,
    refused: startRefusalOf(review),
  };
}

// Each migration and its row in the ledger are one transaction. The row is inserted first: of several nodes that start at
// once, one inserts it, and the others wait for its primary key and then find it.
import type { Pool } from 'pg';
import { LEDGER, MIGRATIONS } from '../migrations/migrations.ts';

/** Ids must sort by bytes, as in SQLite, whatever the collation of the database. */
const inBytes = (sql: string): string =>
  // WITHOUT ROWID is SQLite's alone: tables whose columns are all in the key are stored once.
  sql.replaceAll(' TEXT', ' TEXT COLLATE "C"').replaceAll(' WITHOUT ROWID', '');
const UNIQUE_VIOLATION = '23505';
const MAX_ATTEMPTS = 10;

export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await makeLedger((sql) => client.query(sql));
    for (const { version, name, sql } of MIGRATIONS) {
      const done = await client.query('SELECT 1 FROM migrations WHERE version = $1', [version]);
      if (done.rowCount) continue;
      await client.query('BEGIN');
      const recorded = await client.query(
        'INSERT INTO migrations VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [version, name, Date.now()],
      );
      if (recorded.rowCount) await client.query(inBytes(sql));
      await client.query('COMMIT');
    }
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** CREATE TABLE IF NOT EXISTS, run twice at the same moment, fails on a unique index of the system catalogue; a retry finds the table. */
async function makeLedger(query: (sql: string) => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await query(inBytes(LEDGER));
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

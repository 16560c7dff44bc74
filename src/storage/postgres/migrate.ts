// Each step and its entry in the ledger are one transaction. The entry goes in first: of several nodes that start at
// once one makes it, and the others wait at the primary key and then find it made.
import type { Pool } from 'pg';
import { LEDGER, MIGRATIONS } from '../migrations/migrations.ts';

/** Ids must sort by their bytes, as in SQLite, whatever the language of the database. */
const inBytes = (sql: string): string =>
  // What is all key needs no second copy of itself; PostgreSQL has no such tables.
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

/** CREATE TABLE IF NOT EXISTS, run twice at the same moment, fails on a system catalogue's key; the next try sees it. */
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

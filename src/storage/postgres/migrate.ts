// Each migration and its row in the ledger are one transaction. The row is inserted first: of several nodes that start at
// once, one inserts it, and the others wait for its primary key and then find it.
import type { Pool, PoolClient } from 'pg';
import {
  ADD_TO_LEDGER,
  addedColumn,
  checkLedger,
  checksumOf,
  FORGET_STEP,
  LEDGER,
  reviewLedger,
} from '../migrations/ledger.ts';

const UNIQUE_VIOLATION = '23505';
const MAX_ATTEMPTS = 10;

/** Ids must sort by bytes, as in SQLite, whatever the collation of the database. */
const inBytes = (sql: string): string =>
  // WITHOUT ROWID is SQLite's alone: tables whose columns are all in the key are stored once.
  sql.replaceAll(' TEXT', ' TEXT COLLATE "C"').replaceAll(' WITHOUT ROWID', '');

export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    for (const sql of LEDGER) await makeLedger(client, sql);
    const { rows } = await client.query('SELECT version, name, checksum FROM migrations');
    const review = reviewLedger(rows);
    checkLedger(review);
    for (const { version, name } of review.renumbered) await client.query(FORGET_STEP, [version, name]);
    for (const step of review.missing) {
      const { version, name, sql } = step;
      await client.query('BEGIN');
      const recorded = await client.query(ADD_TO_LEDGER, [version, name, Date.now(), checksumOf(step)]);
      if (recorded.rowCount) await apply(client, sql);
      await client.query('COMMIT');
    }
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** A column that exists is looked up first: ALTER TABLE would wait for every query on the table. */
async function apply(client: PoolClient, sql: string): Promise<void> {
  const added = addedColumn(sql);
  const found =
    added &&
    (await client.query(
      'SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped',
      [added.table, added.column],
    ));
  if (!found?.rowCount) await client.query(inBytes(sql.replace('ADD COLUMN', 'ADD COLUMN IF NOT EXISTS')));
}

/** CREATE TABLE IF NOT EXISTS, run twice at the same moment, fails on a unique index of the system catalogue; a retry finds the table. */
async function makeLedger(client: PoolClient, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await apply(client, sql);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

// Each migration and its row in the ledger are one transaction: a process killed in the middle leaves neither. In a new file all of
// them are one, so that a first start syncs to disk once instead of once per step.
// BEGIN IMMEDIATE takes the file's write lock, so several processes that start at once run each step once.
import {
  ADD_TO_LEDGER,
  addedColumn,
  checkLedger,
  FORGET_STEP,
  LEDGER,
  ledgerRow,
  reviewLedger,
} from '../migrations/ledger.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';
import type { Connection } from './connection.ts';

export async function migrate(connection: Connection): Promise<void> {
  const { tx, execute } = connection;
  makeLedger(connection);
  const review = reviewLedger(tx.all('SELECT version, name, checksum, expands FROM migrations'));
  checkLedger(review);
  for (const { version, name } of review.renumbered) await tx.run(FORGET_STEP, [version, name]);
  const isNew = review.missing.length === MIGRATIONS.length;
  for (const steps of isNew ? [review.missing] : review.missing.map((step) => [step])) {
    execute('BEGIN IMMEDIATE');
    for (const step of steps) {
      const recorded = await tx.run(ADD_TO_LEDGER, ledgerRow(step));
      if (recorded > 0) apply(connection, step.sql);
    }
    execute('COMMIT');
  }
}

/** A start that has nothing to add writes nothing: the disk may be full. */
function makeLedger(connection: Connection): void {
  if (columnIsThere(connection, 'migrations', 'expands')) return;
  connection.execute('BEGIN IMMEDIATE');
  for (const sql of LEDGER) apply(connection, sql);
  connection.execute('COMMIT');
}

function columnIsThere({ tx }: Connection, table: string, column: string): boolean {
  const sql = 'SELECT 1 AS found FROM pragma_table_info($1) WHERE name = $2';
  return tx.all(sql, [table, column]).length > 0;
}

/** SQLite has no ADD COLUMN IF NOT EXISTS. */
function apply(connection: Connection, sql: string): void {
  const added = addedColumn(sql);
  if (!added || !columnIsThere(connection, added.table, added.column)) connection.execute(sql);
}

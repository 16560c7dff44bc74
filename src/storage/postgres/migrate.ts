// Each migration and its row in the ledger are one transaction. The row is inserted first: of several nodes that start at
// once, one inserts it, and the others wait for its primary key and then find it.
// Other nodes serve meanwhile (docs/decisions/0017): no step waits for a lock in front of their queries for longer than
// LOCK_WAIT_MS, and an index on a table with rows is built beside their writes.
import pg from 'pg';
import {
  ADD_TO_LEDGER,
  addedColumn,
  checkLedger,
  createdIndex,
  FORGET_STEP,
  LEDGER,
  ledgerRow,
  reviewLedger,
} from '../migrations/ledger.ts';
import type { Migration } from '../migrations/migration.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';
import { StorageError } from '../storage.ts';

const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const CONNECT_MS = 3000;
/** Queries of others that come while a step waits for its lock wait behind it. */
const LOCK_WAIT_MS = 100;
const RETRY_MS = 400;
/** A backup or a report may hold its locks for minutes. */
const GIVE_UP_MS = 10 * 60_000;
const MAX_COLLISIONS = 10;
/** A smaller table is indexed in a few ms. */
const SMALL_TABLE_BYTES = 1024 * 1024;
/** The key of pg_advisory_xact_lock: one node builds an index. */
const INDEX_LOCK = 3_425_741_177;

/** Ids must sort by bytes, as in SQLite, whatever the collation of the database. */
const inBytes = (sql: string): string =>
  // WITHOUT ROWID is SQLite's alone: tables whose columns are all in the key are stored once.
  sql.replaceAll(' TEXT', ' TEXT COLLATE "C"').replaceAll(' WITHOUT ROWID', '');

export async function migrate(url: string, steps: readonly Migration[] = MIGRATIONS): Promise<void> {
  const client = await connect(url);
  try {
    for (const sql of LEDGER) await inTransaction(client, sql, () => apply(client, sql));
    const { rows } = await client.query('SELECT version, name, checksum, expands FROM migrations');
    const review = reviewLedger(rows, steps);
    checkLedger(review);
    for (const { version, name } of review.renumbered) await client.query(FORGET_STEP, [version, name]);
    for (const step of review.missing) {
      const index = createdIndex(step.sql);
      if (index && (await isLarge(client, index.table))) await buildBeside(url, client, step, index.name);
      else await runStep(client, step);
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Without the time-outs of the pool's connections: a step takes as long as its table is large. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  // Reported by the statement that fails.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function runStep(client: pg.Client, step: Migration): Promise<void> {
  return inTransaction(client, `step ${step.version} (${step.name})`, async () => {
    const recorded = await client.query(ADD_TO_LEDGER, ledgerRow(step));
    if (recorded.rowCount) await apply(client, step.sql);
  });
}

/** Again after a lock that others hold, and after CREATE TABLE IF NOT EXISTS of two nodes at one moment. */
async function inTransaction(client: pg.Client, what: string, work: () => Promise<void>): Promise<void> {
  let collisions = 0;
  await retrying(what, async () => {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await work();
      await client.query('COMMIT');
      return true;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      const code = (error as { code?: string }).code ?? '';
      if (code === UNIQUE_VIOLATION) collisions += 1;
      else if (code !== LOCK_NOT_AVAILABLE) throw error;
      if (collisions === MAX_COLLISIONS) throw error;
      return false;
    }
  });
}

async function retrying(what: string, attempt: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await attempt())) {
    if (performance.now() - startedMs > GIVE_UP_MS)
      throw new StorageError(
        'unavailable',
        `Other transactions have held locks for ten minutes that ${what} of the schema needs. End them (pg_stat_activity), or start later.`,
      );
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** A column that exists is looked up first: ALTER TABLE would wait for every query on the table. */
async function apply(client: pg.Client, sql: string): Promise<void> {
  const added = addedColumn(sql);
  const found =
    added &&
    (await client.query(
      'SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped',
      [added.table, added.column],
    ));
  if (!found?.rowCount) await client.query(inBytes(sql.replace('ADD COLUMN', 'ADD COLUMN IF NOT EXISTS')));
}

async function isLarge(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ bytes: string | null }>(
    'SELECT pg_relation_size(to_regclass($1)) AS bytes',
    [table],
  );
  return Number(rows[0]?.bytes ?? 0) > SMALL_TABLE_BYTES;
}

/**
 * CREATE INDEX CONCURRENTLY runs in no transaction and leaves an invalid index when it is interrupted. A second connection holds
 * the lock meanwhile. The lock is tried, never waited for: the build waits for every older statement, so also for a waiting one.
 */
async function buildBeside(url: string, client: pg.Client, step: Migration, index: string): Promise<void> {
  const holder = await connect(url);
  try {
    await retrying(`step ${step.version} (${step.name})`, async () => {
      await holder.query('BEGIN');
      await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      const { rows } = await holder.query(`SELECT pg_try_advisory_xact_lock(${INDEX_LOCK}) AS locked`);
      if (rows[0]?.locked) return true;
      await holder.query('ROLLBACK');
      return false;
    });
    const invalid = await client.query(
      'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
      [index],
    );
    if (invalid.rowCount) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    await client.query(step.sql.replace('INDEX', 'INDEX CONCURRENTLY'));
    await client.query(ADD_TO_LEDGER, ledgerRow(step));
    await holder.query('COMMIT');
  } finally {
    await holder.end().catch(() => undefined);
  }
}

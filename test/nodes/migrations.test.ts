// What a start that migrates does to nodes that serve on the same database.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Migration } from '../../src/storage/migrations/migration.ts';
import { MIGRATIONS } from '../../src/storage/migrations/migrations.ts';
import { migrate } from '../../src/storage/postgres/migrate.ts';
import { type PostgresServer, postgresMissing, query, startPostgres } from '../support/postgres.ts';
import { report } from './support/report.ts';

const COLUMN: Migration = {
  version: 9001,
  name: 'a column',
  sql: 'ALTER TABLE calls ADD COLUMN colour TEXT',
};
const INDEX: Migration = {
  version: 9002,
  name: 'an index',
  sql: 'CREATE INDEX IF NOT EXISTS calls_by_caller_of_test ON calls (account_id, caller)',
};
/** As long as an index over a very large table takes. */
const SLOW: Migration = { version: 9003, name: 'a slow step', sql: 'SELECT pg_sleep(4.5)' };

async function run(url: string, ...more: readonly Migration[]): Promise<void> {
  await migrate(url, [...MIGRATIONS, ...more]);
}

/** The longest time that a query of another node took while `work` ran, in ms. */
async function longestMeanwhile(url: string, sql: string, work: Promise<void>): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let longestMs = 0;
  let isRunning = true;
  const ended = work.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    const startedMs = performance.now();
    await client.query(sql);
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await client.end();
  await ended;
  return longestMs;
}

const ADD_CALLS = `INSERT INTO calls (account_id, id, started_at, ended_at, direction, caller, dialled, entry,
    end_code, cause, ring_ms, talk_ms, json)
  SELECT 'default', 'call-' || n || '-' || random(), n, n, 'inbound', '555' || n, '100', '', 'hangup', 16, 0, 0, repeat('x', 200)`;
const ADD_CALL = `${ADD_CALLS} FROM generate_series(1, 1) AS n`;

describe.skipIf(postgresMissing())('a migration beside nodes that serve', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.newDatabase();
    await run(url);
    await query(url, `${ADD_CALLS} FROM generate_series(1, 100000) AS n`);
  });
  afterAll(() => server?.remove());

  it('waits for a long transaction, such as a backup, and lets others read meanwhile', async () => {
    const backup = new pg.Client({ connectionString: url });
    await backup.connect();
    await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await backup.query('SELECT count(*) FROM calls WHERE 1 = 0');
    const migrating = run(url, COLUMN);
    setTimeout(() => void backup.query('COMMIT').then(() => backup.end()), 2500);
    const longestMs = await longestMeanwhile(url, 'SELECT id FROM calls LIMIT 1', migrating);
    report(
      `migration: ALTER TABLE behind a transaction of 2.5 s: others waited at most ${Math.round(longestMs)} ms`,
    );
    // Behind the transaction it would be 2.5 s.
    expect(longestMs).toBeLessThan(1_500);
  });

  it('builds an index without blocking writes', async () => {
    const index = () =>
      query(url, "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('calls_by_caller_of_test')");
    await run(url, COLUMN);
    const writer = new pg.Client({ connectionString: url });
    await writer.connect();
    let building: Promise<number>;
    const startedMs = performance.now();
    try {
      await writer.query('BEGIN');
      await writer.query(ADD_CALL);
      building = longestMeanwhile(url, ADD_CALL, run(url, COLUMN, INDEX));
      // Built beside writes it is there, waits for this writer, and lets others write. Others see no index of a build that blocks them.
      await expect.poll(index).toEqual([{ indisvalid: false }]);
      await query(url, ADD_CALL);
      expect(await index()).toEqual([{ indisvalid: false }]);
    } finally {
      await writer.end();
    }
    const longestMs = await building;
    const builtMs = performance.now() - startedMs;
    report(
      `migration: index of 100,000 calls: built in ${Math.round(builtMs)} ms, an insert took at most ${Math.round(longestMs)} ms`,
    );
    expect(await index()).toEqual([{ indisvalid: true }]);
  });

  it('may take longer than a query of a request may', async () => {
    await run(url, COLUMN, INDEX, SLOW);
    expect(await query(url, 'SELECT name FROM migrations WHERE version = 9003')).toHaveLength(1);
  });

  it('is done once by nodes that start together, also where an earlier attempt left an invalid index', async () => {
    await query(url, "DELETE FROM migrations WHERE name = 'an index'");
    await query(
      url,
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'calls_by_caller_of_test'::regclass",
    );
    await Promise.all([1, 2, 3].map(() => run(url, COLUMN, INDEX, SLOW)));
    const [index] = await query(
      url,
      "SELECT indisvalid FROM pg_index WHERE indexrelid = 'calls_by_caller_of_test'::regclass",
    );
    expect(index).toEqual({ indisvalid: true });
  });
});

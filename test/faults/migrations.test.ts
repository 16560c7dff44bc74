// R20: starts that are killed in the middle of the migrations, and several that run them at the same moment.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/storage/migrations/migrations.ts';
import { menu } from '../support/payload.ts';
import { type PostgresServer, postgresMissing, query, startPostgres } from '../support/postgres.ts';
import { call, type Service, spawnDialtree, startService, TOKEN } from '../support/service.ts';
import { between, ROUNDS, report, sleep } from './support/rounds.ts';
import { integrityOf, readRows, sqliteFile } from './support/sqlite-file.ts';

/** From the first trace of a database to the last step: killing within it meets the steps. */
const WINDOW_MS = 60;
const VERSIONS = MIGRATIONS.map(({ version }) => version);
const TABLES = MIGRATIONS.flatMap(({ sql }) => /CREATE TABLE IF NOT EXISTS (\w+)/.exec(sql)?.[1] ?? []);
const LEDGER = 'SELECT version FROM migrations ORDER BY version';

interface Target {
  readonly env: Record<string, string>;
  /** Whether the first start has begun to write. */
  begun(): Promise<boolean> | boolean;
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

const folders: string[] = [];
const services: Service[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  folders.push(folder);
  return folder;
};
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.remove()));
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function onSqlite(): Target {
  const folder = newFolder();
  return {
    env: { DATA_DIR: folder },
    begun: () => existsSync(sqliteFile(folder)),
    rows: async (sql) => readRows(folder, sql),
  };
}

async function onPostgres(server: PostgresServer): Promise<Target> {
  const url = await server.newDatabase();
  return {
    env: { DATA_DIR: newFolder(), DATABASE_URL: url },
    begun: async () =>
      (await query(url, "SELECT to_regclass('migrations') AS ledger"))[0]?.['ledger'] !== null,
    rows: (sql) => query(url, sql),
  };
}

async function start(env: Record<string, string>): Promise<Service> {
  const service = await startService({ env, dataDir: env['DATA_DIR'] ?? newFolder() });
  services.push(service);
  return service;
}

/** Every step once, every table there, one account, and it works. */
async function expectWhole(target: Target, running: readonly Service[]): Promise<void> {
  expect((await target.rows(LEDGER)).map(({ version }) => Number(version))).toEqual(VERSIONS);
  for (const table of TABLES) await target.rows(`SELECT * FROM ${table} LIMIT 1`);
  expect(await target.rows('SELECT id FROM accounts')).toEqual([{ id: 'default' }]);
  for (const [index, { url }] of running.entries()) {
    expect((await call(url, 'GET', '/readyz')).status).toBe(200);
    const name = `made on node ${index}`;
    const created = await call(url, 'POST', '/v1/ivr', { body: menu({ name }) });
    expect(created.status, created.text).toBe(201);
    // What one node stored the others read.
    for (const other of running) {
      const read = await call(other.url, 'GET', created.headers.get('location') ?? '');
      expect(read.json.name).toBe(name);
    }
  }
}

async function startAndKill(target: Target, afterMs: number): Promise<void> {
  const child = spawnDialtree(['serve'], {
    env: { PORT: '0', ACCESS_TOKEN: TOKEN, DEMO: 'off', ...target.env },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (let tries = 0; tries < 5000 && child.exitCode === null && !(await target.begun()); tries++)
    await sleep(1);
  await sleep(afterMs);
  child.kill('SIGKILL');
  await ended;
}

async function killInTheMiddle(name: string, make: () => Promise<Target> | Target): Promise<void> {
  let begun = 0;
  let inTheMiddle = 0;
  const killOneByOne = async (): Promise<void> => {
    while (begun++ < ROUNDS) {
      const target = await make();
      await startAndKill(target, between(0, WINDOW_MS));
      const done = await target.rows(LEDGER).catch(() => []);
      if (done.length < VERSIONS.length) inTheMiddle += 1;
      const service = await start(target.env);
      await expectWhole(target, [service]);
      if (name === 'SQLite') expect(integrityOf(service.dataDir)).toBe('ok');
      await service.stop('SIGKILL');
    }
  };
  await Promise.all([killOneByOne(), killOneByOne()]);
  report(
    `migrations ${name}: ${ROUNDS} first starts killed, ${inTheMiddle} with steps left to do; all complete at the next`,
  );
  expect(inTheMiddle, 'no kill met the middle of the migrations').toBeGreaterThan(0);
}

describe('on SQLite', () => {
  it(`completes the schema at the next start after ${ROUNDS} starts killed in the middle`, async () => {
    await killInTheMiddle('SQLite', onSqlite);
  });

  /** One of them serves the folder; the others name it. */
  async function startThree(env: Record<string, string>): Promise<Service> {
    const three = await Promise.allSettled([start(env), start(env), start(env)]);
    const running = three.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = three.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused).toHaveLength(2);
    // The name is written a moment after the lock is taken.
    for (const why of refused)
      expect(why).toMatch(/DATA_DIR \S+ is in use by (the Dialtree process \d+|another Dialtree process)/);
    return running[0] as Service;
  }

  it('runs each step once and makes one account when three processes start at the same moment', async () => {
    const target = onSqlite();
    await expectWhole(target, [await startThree(target.env)]);
  });

  it('keeps the one token that works in its file when three processes start at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const dataDir = newFolder();
      const { url } = await startThree({ DATA_DIR: dataDir, ACCESS_TOKEN: '' });
      const token = readFileSync(join(dataDir, 'access-token'), 'utf8').trim();
      expect((await call(url, 'GET', '/v1/agents', { token })).status).toBe(200);
    }
  });
});

describe.skipIf(postgresMissing())('on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it(`completes the schema at the next start after ${ROUNDS} starts killed in the middle`, async () => {
    await killInTheMiddle('PostgreSQL', () => onPostgres(server));
  });

  it('runs each step once and makes one account when four services start at the same moment', async () => {
    const target = await onPostgres(server);
    const running = await Promise.all(
      Array.from({ length: 4 }, (_, index) => start({ ...target.env, NODE_ID: `node-${index}` })),
    );
    await expectWhole(target, running);
  });
});

// R27: the program starts on data that earlier commits of this repository wrote, and refuses what a newer or another program
// wrote. data/<commit>.<database>.sql.gz are dumps of databases that the programs of those commits made: the demonstration, an
// agent, a department, a trunk, a menu, a webhook (where there were any) and a call.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/storage/migrations/migrations.ts';
import { figure } from '../support/figure.ts';
import { menu } from '../support/payload.ts';
import { sipAddress } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { type PostgresServer, postgresMissing, query, startPostgres } from '../support/postgres.ts';
import { call, runProcess, type Service, startService } from '../support/service.ts';
import { waitUntil } from './support/rounds.ts';
import { sqliteFile } from './support/sqlite-file.ts';

const COMMITS = {
  d486c48: '12 steps, before voicemail, SMS and webhooks',
  c124315: 'steps under the numbers of that day',
  '66cef11': 'an outbox without failures',
  '934110d': '38 steps, without checksums',
};
const TONE_HZ = 700;
const FORMER_EID = '100042';

interface Target {
  readonly env: Record<string, string>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
}
type Row = Record<string, unknown>;

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

function dumpOf(commit: string, database: string): string {
  const file = new URL(`data/${commit}.${database}.sql.gz`, import.meta.url);
  return gunzipSync(readFileSync(file)).toString('utf8');
}

function onSqlite(commit: string | null): Target {
  const folder = newFolder();
  const use = <T>(work: (database: DatabaseSyncInstance) => T): T => {
    const database = new DatabaseSync(sqliteFile(folder), { timeout: 5000 });
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  if (commit !== null) use((database) => database.exec(dumpOf(commit, 'sqlite')));
  return {
    env: { DATA_DIR: folder },
    rows: async (sql) => use((database) => database.prepare(sql).all() as Row[]),
  };
}

async function onPostgres(server: PostgresServer, commit: string | null): Promise<Target> {
  const url = await server.newDatabase();
  if (commit !== null) await query(url, dumpOf(commit, 'postgres'));
  return { env: { DATA_DIR: newFolder(), DATABASE_URL: url }, rows: (sql) => query(url, sql) };
}

/** The key that the webhooks' secrets in the dumps are sealed with. */
const SECRET_KEY = '5'.repeat(64);

async function start({ env }: Target): Promise<Service> {
  const service = await startService({
    env: { SIP: 'on', SIP_PORT: '0', SECRET_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', ...env },
    dataDir: env['DATA_DIR'] ?? '',
  });
  services.push(service);
  return service;
}

const readiness = async (service: Service): Promise<number> =>
  (await call(service.url, 'GET', '/readyz')).status;

/** The dumps have no sound files: every recording becomes a tone, under the hash of its content. */
async function placeSounds({ env, rows }: Target, records: readonly Row[]): Promise<void> {
  const folder = join(env['DATA_DIR'] ?? '', 'recordings');
  mkdirSync(folder, { recursive: true });
  const tone = toneWav(TONE_HZ, 2000);
  const hash = createHash('sha256').update(tone).digest('hex');
  writeFileSync(join(folder, `${hash}.wav`), tone);
  for (const { json } of records.filter(({ kind }) => kind === 'recording')) {
    const { sha256 } = JSON.parse(String(json)) as { sha256: string };
    await rows(`UPDATE records SET json = replace(json, '${sha256}', '${hash}') WHERE kind = 'recording'`);
  }
}

function pathOf({ kind, id, json }: Row): string {
  if (kind === 'agent') return `/v1/agent/${JSON.parse(String(json)).eid}`;
  return `/v1/${kind}/${id}`;
}

async function readAll({ url }: Service, records: readonly Row[], calls: readonly Row[]): Promise<void> {
  for (const record of records) {
    const read = await call(url, 'GET', pathOf(record));
    expect(read.status, `${pathOf(record)}: ${read.text}`).toBe(200);
    expect(read.json.name).toBe(JSON.parse(String(record['json'])).name);
  }
  for (const { id } of calls) expect((await call(url, 'GET', `/v1/call/records/${id}`)).status).toBe(200);
  const lists = [
    'agents',
    'ivrs',
    'departments',
    'numbers',
    'trunks',
    'recordings',
    'webhooks',
    'audit',
    'sms',
  ]
    .concat(
      'voicemails',
      'call/recordings',
      'call/records',
      'call/records?agent=100001',
      'tokens',
      'settings',
    )
    .concat('statistics?from=2026-11-01T00:00:00Z&to=2026-11-20T00:00:00Z&by=day', 'live_calls', 'lint');
  for (const list of lists) {
    const read = await call(url, 'GET', `/v1/${list}`);
    expect(read.status, `${list}: ${read.text}`).toBe(200);
  }
}

async function hearTheMenu(service: Service): Promise<void> {
  const phone = await Phone.open({ user: '5550001', server: sipAddress(service) });
  try {
    const talk = await (await phone.call('100')).answered();
    await talk.hears(TONE_HZ, { forMs: 200 });
    await talk.hangUp();
  } finally {
    phone.close();
  }
}

/** A new menu, a delivery of a webhook (its receiver refuses the connection) and the record of the call just made. */
async function write({ url }: Service, callsBefore: number): Promise<void> {
  expect((await call(url, 'POST', '/v1/ivr', { body: menu() })).status).toBe(201);
  const webhook = { name: 'after', url: 'http://127.0.0.1:9/none', events: ['call.ended'] };
  const made = await call(url, 'POST', '/v1/webhook', { body: webhook });
  expect(made.status, made.text).toBe(201);
  const { id } = made.json;
  expect((await call(url, 'POST', `/v1/webhook/${id}/test`)).status).toBeLessThan(300);
  const tried = async () =>
    (await call(url, 'GET', `/v1/webhook/${id}/deliveries`)).json.data[0]?.error !== null;
  await waitUntil('a delivery that failed', tried, 60_000);
  const recorded = async () =>
    (await call(url, 'GET', '/v1/call/records')).json.data.length === callsBefore + 1;
  await waitUntil('the record of the call', recorded, 60_000);
}

async function formerEidStaysFormer({ url }: Service): Promise<void> {
  const chosen = await call(url, 'POST', '/v1/agent', { body: { name: 'Heir', eid: FORMER_EID } });
  expect([chosen.status, chosen.json.Code]).toEqual([409, 'key_retired']);
  const made = await call(url, 'POST', '/v1/agent', { body: { name: 'Next' } });
  expect(Number(made.json.eid)).toBe(Number(FORMER_EID) + 1);
}

async function upgrade(commit: string, database: string, target: Target): Promise<void> {
  const records = await target.rows('SELECT kind, id, json FROM records');
  const calls = await target.rows('SELECT id FROM calls');
  expect(records.length).toBeGreaterThan(10);
  expect(calls).toHaveLength(1);
  await placeSounds(target, records);
  // The calls that a deleted agent had answered are all that is left of it.
  await target.rows(
    `INSERT INTO answered_calls (account_id, eid, calls) SELECT id, '${FORMER_EID}', 3 FROM accounts`,
  );
  const startedMs = performance.now();
  const service = await start(target);
  const tookMs = Math.round(performance.now() - startedMs);
  expect(await readiness(service)).toBe(200);
  await readAll(service, records, calls);
  await hearTheMenu(service);
  await write(service, calls.length);
  await formerEidStaysFormer(service);
  const ledger = await target.rows('SELECT version, name FROM migrations ORDER BY version');
  expect(ledger.map(({ version, name }) => `${version} ${name}`)).toEqual(
    MIGRATIONS.map(({ version, name }) => `${version} ${name}`),
  );
  expect(service.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  expect(await service.stop()).toBe(0);
  const again = await start(target);
  expect(await readiness(again)).toBe(200);
  figure('R27', `${database}, data of ${commit}: ${records.length} records read, started in ${tookMs} ms`);
}

/** The line that a refused start prints. */
async function refusal({ env }: Target): Promise<string> {
  const { code, err } = await runProcess(['serve'], { env: { PORT: '0', DEMO: 'off', ...env } });
  expect(code).toBe(1);
  return err;
}

async function refusesOthers(target: Target): Promise<void> {
  await (await start(target)).stop();
  await target.rows(
    "INSERT INTO migrations (version, name, applied_at) VALUES (9000, 'calls on the moon', 1)",
  );
  expect(await refusal(target)).toContain('with step 9000 (calls on the moon) of its schema');
  await target.rows('DELETE FROM migrations WHERE version = 9000');
  const [outbox] = await target.rows("SELECT checksum FROM migrations WHERE name = 'outbox'");
  await target.rows("UPDATE migrations SET checksum = 'edited' WHERE name = 'outbox'");
  expect(await refusal(target)).toContain('another text of step 23 (outbox) of its schema');
  await target.rows(`UPDATE migrations SET checksum = '${outbox?.['checksum']}' WHERE name = 'outbox'`);
  expect(await readiness(await start(target))).toBe(200);
}

async function noticesMissingColumn(target: Target): Promise<void> {
  const service = await start(target);
  expect(await readiness(service)).toBe(200);
  await target.rows('ALTER TABLE outbox RENAME COLUMN failures TO lost');
  const red = await call(service.url, 'GET', '/readyz');
  expect(red.status).toBe(503);
  await waitUntil(
    'the column in the log',
    () => service.log.some((line) => line.includes('failures')),
    60_000,
  );
  await target.rows('ALTER TABLE outbox RENAME COLUMN lost TO failures');
  await waitUntil('/readyz green', async () => (await readiness(service)) === 200, 60_000);
}

function suite(database: string, make: (commit: string | null) => Promise<Target> | Target): void {
  for (const [commit, what] of Object.entries(COMMITS))
    it(`R27: ${database}: data of ${commit} (${what}) is read, called and written`, async () => {
      await upgrade(commit, database, await make(commit));
    });

  it(`R27: ${database}: a newer database and an edited step are refused by name`, async () => {
    await refusesOthers(await make(null));
  });

  it(`R27: ${database}: a column that is missing turns readiness red, and green when it is back`, async () => {
    await noticesMissingColumn(await make(null));
  });
}

suite('SQLite', onSqlite);

describe.skipIf(postgresMissing())('on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  suite('PostgreSQL', (commit) => onPostgres(server, commit));
});

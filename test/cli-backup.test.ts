// A whole service as a backup, on both databases and from one to the other, taken while it runs.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { restoreBackup } from '../src/backup/restore.ts';
import { openPostgres } from '../src/storage/postgres/postgres.ts';
import { restorePostgres } from '../src/storage/postgres/snapshot.ts';
import { restoreSqlite } from '../src/storage/sqlite/snapshot.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../src/storage/storage.ts';
import { storeCallRecording } from './support/call-recording-rows.ts';
import { type Database, onBothDatabases } from './support/databases.ts';
import { fillEveryKind } from './support/every-kind.ts';
import { menu } from './support/payload.ts';
import { call, runDialtree, type Service, startService } from './support/service.ts';
import { allFiles, allRows } from './support/whole-service.ts';

// Each restores into a database of its own.
vi.setConfig({ testTimeout: 90_000 });

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const archives = new Map<Database['name'], string>();

/** The schema, the times that a start writes, and the heartbeat of a node. */
const VOLATILE = ['migrations', 'tokens', 'revisions', 'nodes', 'leases', 'node_counts', 'record_changes'];

onBothDatabases((database) => {
  let env: Record<string, string>;
  let dataDir: string;
  let service: Service;
  let storage: Storage;
  let accountId: string;
  const archive = join(folder, `${database.name}.tar`);
  const dialtree = (...words: string[]) => runDialtree(words, { env });
  const restored = async (file = archive): Promise<Record<string, string>> => {
    const there = await database.environment();
    const { code, err } = await runDialtree(['restore', file], { env: there });
    expect([code, err]).toEqual([0, expect.stringContaining('The service is as it was at ')]);
    return there;
  };

  beforeAll(async () => {
    env = await database.environment();
    dataDir = env['DATA_DIR'] ?? '';
    service = await startService({ env: { ...env, DEMO: 'on' } });
    await fillEveryKind(service.url);
    const { DATABASE_URL: url } = env;
    storage = url === undefined ? await openSqlite(dataDir) : await openPostgres({ url });
    accountId = (await storage.listAccounts())[0]?.id ?? '';
    for (const kind of ['voicemail', 'call'] as const)
      for (let index = 0; index < 5; index += 1)
        await storeCallRecording(storage, dataDir, { accountId, id: `${kind}-${index}`, kind });
  });
  afterAll(async () => {
    await storage?.close();
    await service?.remove();
  });

  it('a backup of a running service is whole, for its owner alone, and never overwritten', async () => {
    // Under a name that could be known: readable by all, and a link.
    const trap = `${archive}.part`;
    writeFileSync(trap, '', { mode: 0o666 });
    const victim = join(folder, `victim-${database.name}`);
    symlinkSync(victim, `${trap}.rows`);
    const { code, out, err } = await dialtree('backup', archive);
    expect([code, out]).toEqual([0, `${archive}\n`]);
    expect([statSync(trap).size, existsSync(victim)]).toEqual([0, false]);
    expect(err).toMatch(/\d+ rows of \d+ tables, \d+ files, [\d.]+ MB; read back and compared\.\n$/);
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    expect((await dialtree('backup', archive)).code).toBe(1);
    const dangling = join(folder, `dangling-${database.name}.tar`);
    symlinkSync(victim, dangling);
    expect((await dialtree('backup', dangling)).code).toBe(1);
    for (const file of [trap, `${trap}.rows`, dangling]) rmSync(file);
    expect(readdirSync(folder).filter((name) => name.startsWith(`${database.name}.tar.`))).toEqual([]);
    archives.set(database.name, archive);
  });

  it('restored it has every row and every file, and its service answers the same token', async () => {
    const there = await restored();
    const [before, after] = [await allRows(env), await allRows(there)];
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [table, rows] of Object.entries(before))
      if (!VOLATILE.includes(table)) expect([table, after[table]]).toEqual([table, rows]);
    expect(after['tokens']?.length).toBe(before['tokens']?.length);
    expect(allFiles(there['DATA_DIR'] ?? '')).toEqual(allFiles(dataDir));
    const other = await startService({ env: there });
    try {
      for (const path of ['/v1/ivrs', '/v1/agents', '/v1/trunks', '/v1/voicemails', '/v1/settings'])
        expect((await call(other.url, 'GET', path)).text).toBe((await call(service.url, 'GET', path)).text);
      // The sealed password can be opened: no warning says otherwise.
      expect((await call(other.url, 'GET', '/v1/trunks')).text).not.toContain('password-sealed');
    } finally {
      await other.stop();
    }
  });

  it('into a folder: a name by date; leftovers of a killed one go after a day', async () => {
    const backups = join(folder, `backups-${database.name}`);
    mkdirSync(backups);
    const { out } = await dialtree('backup', backups);
    expect(out).toMatch(/\/dialtree-\d{4}-\d\d-\d\dT\d{6}Z\.tar\n$/);
    expect(readdirSync(backups)).toHaveLength(1);
  });

  it('what is deleted while it is copied is left out with its row; what is missing otherwise is named', async () => {
    const file = (id: string): string => join(dataDir, 'captures', accountId, `${id}.wav`);
    // Deleted by retention between the rows and the files: the row is gone too.
    rmSync(file('call-0'));
    const lost = readFileSync(file('voicemail-0'));
    rmSync(file('voicemail-0'));
    await storage.deleteCallRecording({ accountId, kind: 'call', id: 'call-0' });
    const second = join(folder, `second-${database.name}.tar`);
    const { code, err } = await dialtree('backup', second);
    expect(code).toBe(3);
    expect(err).toContain(
      `Missing in DATA_DIR, though the database refers to them (1):\n  captures/${accountId}/voicemail-0.wav\n`,
    );
    writeFileSync(file('voicemail-0'), lost);
    const rows = (await allRows(await restored(second)))['captures'] ?? [];
    expect([rows.length, rows.some((row) => row.includes('call-0'))]).toEqual([9, false]);
  });

  it('while records and recordings come and go, every row of a backup has its file', async () => {
    let isOver = false;
    const churn = (async () => {
      for (let round = 0; !isOver; round += 1) {
        const id = `churn-${round}`;
        await storeCallRecording(storage, dataDir, { accountId, id, kind: 'call' });
        if (round % 2 === 0) {
          rmSync(join(dataDir, 'captures', accountId, `${id}.wav`));
          await storage.deleteCallRecording({ accountId, kind: 'call', id });
        }
        await call(service.url, 'POST', '/v1/ivr', { body: menu({ name: `Churn ${round}` }) });
      }
    })();
    const third = join(folder, `third-${database.name}.tar`);
    const { code, err } = await dialtree('backup', third);
    isOver = true;
    await churn;
    expect([code, err]).toEqual([0, expect.stringContaining('read back and compared')]);
    const there = await restored(third);
    const rows = (await allRows(there))['captures'] ?? [];
    const files = new Set(Object.keys(allFiles(there['DATA_DIR'] ?? '')));
    const without = rows
      .map((row) => JSON.parse(row))
      .filter(({ account_id, id }) => !files.has(`captures/${account_id}/${id}.wav`));
    expect(without).toEqual([]);
  });

  it('a restore refuses what is not empty, and changes nothing', async () => {
    const before = [allFiles(dataDir), (await allRows(env))['records']];
    const { code, err } = await dialtree('restore', archive);
    expect([code, err]).toEqual([1, expect.stringContaining(`DATA_DIR ${dataDir} is not empty (it has `)]);
    if (env['DATABASE_URL'] !== undefined) {
      const elsewhere = { ...env, DATA_DIR: mkdtempSync(join(folder, 'empty-')) };
      // As an older version has it: it must not be upgraded.
      const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
      await client.connect();
      await client.query('DELETE FROM migrations WHERE version = (SELECT max(version) FROM migrations)');
      const steps = await client.query('SELECT version FROM migrations');
      const other = await runDialtree(['restore', archive], { env: elsewhere });
      expect((await client.query('SELECT version FROM migrations')).rows).toEqual(steps.rows);
      await client.end();
      expect([other.code, other.err]).toEqual([
        1,
        expect.stringContaining('The PostgreSQL database is not empty'),
      ]);
      expect(existsSync(join(elsewhere.DATA_DIR, 'restore-unfinished'))).toBe(false);
    }
    expect([allFiles(dataDir), (await allRows(env))['records']]).toEqual(before);
  });

  it('a restore that is killed after its rows are stored is finished by the next; one that is refused deletes nothing', async () => {
    const there = await database.environment();
    const [into = '', url] = [there['DATA_DIR'], there['DATABASE_URL']];
    const killed = restoreBackup(archive, {
      dataDir: into,
      secretKey: undefined,
      lock: () => ({ release: () => undefined }),
      progress: () => undefined,
      storesPrompts: url !== undefined,
      store: null,
      openDatabase: async (attempt) => {
        const opened = await (url === undefined
          ? restoreSqlite(into, attempt)
          : restorePostgres(url, attempt));
        const commit = async () => {
          await opened?.commit();
          throw new Error('killed');
        };
        return opened && { ...opened, commit };
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const whole = allFiles(into);
    expect(Object.keys(whole)).toContain('secret.key');
    if (url !== undefined) {
      // Another service's database, and another backup: the rows are not those of the mark.
      const foreign = { ...there, DATABASE_URL: env['DATABASE_URL'] ?? '' };
      const second = join(folder, `second-${database.name}.tar`);
      for (const [file, other] of [
        [archive, foreign],
        [second, there],
      ] as const) {
        const { code, err } = await runDialtree(['restore', file], { env: other });
        expect([code, err]).toEqual([1, expect.stringContaining('The PostgreSQL database is not empty')]);
        expect([allFiles(into), existsSync(join(into, 'restore-unfinished'))]).toEqual([whole, true]);
      }
    }
    const { code, err } = await runDialtree(['restore', archive], { env: there });
    expect([code, err]).toEqual([0, expect.stringContaining('The service is as it was at ')]);
    expect([allFiles(into), existsSync(join(into, 'restore-unfinished'))]).toEqual([whole, false]);
    expect((await allRows(there))['captures']).toHaveLength(10);
  });

  it('a restore refuses a damaged, a cut and a newer backup, and another SECRET_KEY', async () => {
    const there = await database.environment();
    const refused = async (
      change: (bytes: Buffer) => Buffer,
      more: Record<string, string> = {},
    ): Promise<string> => {
      const file = join(folder, 'changed.tar');
      writeFileSync(file, change(readFileSync(archive)));
      const { code, err } = await runDialtree(['restore', file], { env: { ...there, ...more } });
      expect([code, readdirSync(there['DATA_DIR'] ?? '')]).toEqual([1, []]);
      return err;
    };
    const text = (from: string, to: string) => (bytes: Buffer) =>
      Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
    expect(await refused(text('Where we are', 'Where we bre'))).toMatch(
      /database\/records-000001\.jsonl of the backup is damaged/,
    );
    expect(await refused((bytes) => bytes.subarray(0, bytes.length / 2))).toContain('cut off');
    expect(await refused((bytes) => bytes.subarray(0, bytes.indexOf('manifest.json')))).toContain('cut off');
    expect(await refused(text('"name": "what tokens are for"', '"name": "what tokens are FOR"'))).toContain(
      'a newer version of Dialtree wrote this database, with step 70 (what tokens are FOR)',
    );
    expect(await refused((bytes) => bytes, { SECRET_KEY: '3'.repeat(64) })).toContain(
      'SECRET_KEY is not the key of the backup',
    );
  });
});

it('a backup of one database restores into the other', async () => {
  const [sqlite, postgres] = [archives.get('SQLite'), archives.get('PostgreSQL')];
  if (sqlite === undefined || postgres === undefined) return;
  const copy = join(folder, 'copy.tar');
  copyFileSync(postgres, copy);
  const there = { DATA_DIR: mkdtempSync(join(folder, 'crossed-')) };
  expect((await runDialtree(['restore', copy], { env: there })).code).toBe(0);
  const service = await startService({ env: there });
  try {
    expect((await call(service.url, 'GET', '/v1/agents')).status).toBe(200);
  } finally {
    await service.stop();
  }
});

// Any account with records of every kind: export and import, and backup and restore, keep every field, on both databases.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeBackup } from '../src/backup/backup.ts';
import { restoreBackup } from '../src/backup/restore.ts';
import { askLocally } from '../src/cli/account-api.ts';
import { type AccountContent, accountContent } from '../src/cli/account-content.ts';
import { exportAccount } from '../src/cli/export.ts';
import { importFile } from '../src/cli/import.ts';
import { localSecrets } from '../src/cli/local-secrets.ts';
import { type Config, readConfig } from '../src/config/config.ts';
import { DEFAULT_SETTINGS } from '../src/domain/account.ts';
import { uniqueKeys } from '../src/domain/unique-keys.ts';
import type { AccountRecords } from '../src/import-export/export-file.ts';
import { openSecret } from '../src/import-export/testing/import-context.ts';
import { RECORD_KINDS } from '../src/kinds/lists.ts';
import type { RecordData } from '../src/kinds/record-data.ts';
import { makeToken } from '../src/kit/credentials.ts';
import { writeWav } from '../src/media/audio/wav.ts';
import { databaseName, openEmptyDatabase, openSnapshot } from '../src/service/open-snapshot.ts';
import { openStorage } from '../src/service/open-storage.ts';
import type { Storage } from '../src/storage/storage.ts';
import { anyAccount, oddName } from './support/any-account.ts';
import { onBothDatabases } from './support/databases.ts';
import { allFiles, allRows } from './support/whole-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const RUNS = 4;
const WAV = writeWav(Buffer.alloc(80, 0x55));
const SHA256 = createHash('sha256').update(WAV).digest('hex');

function configOf(env: Record<string, string>): Config {
  const config = readConfig(env);
  if ('faults' in config) throw new Error(config.faults.join());
  return config;
}

async function newAccount(storage: Storage, id: string, ring_seconds = 33): Promise<void> {
  const { token } = makeToken(id, 'first', 0);
  await storage.createAccount({
    account: { id, name: id, createdAtMs: 0, settings: { ...DEFAULT_SETTINGS, ring_seconds } },
    token,
  });
}

async function localAccount(storage: Storage, id: string, config: Config) {
  const account = (await storage.listAccounts()).find((each) => each.id === id);
  if (!account) throw new Error(id);
  return { storage, account, config };
}

async function onAccount<T>(
  storage: Storage,
  id: string,
  config: Config,
  work: (account: AccountContent) => Promise<T>,
): Promise<T> {
  const local = await localAccount(storage, id, config);
  return askLocally(local, (dialtree) => work(accountContent(dialtree, localSecrets(local))));
}

/** As the API would have stored them, with secrets sealed for good. */
async function fill(
  storage: Storage,
  accountId: string,
  config: Config,
  records: AccountRecords,
  run: number,
): Promise<void> {
  const target = localSecrets(await localAccount(storage, accountId, config));
  await target.putSound(SHA256, WAV);
  for (const kind of RECORD_KINDS)
    for (const { id, data } of records[kind]) {
      const sealed = (text: unknown): unknown => {
        const secret = kind === 'trunk' || kind === 'webhook' ? openSecret(kind, id, String(text)) : null;
        return secret === null || (kind !== 'trunk' && kind !== 'webhook')
          ? text
          : target.seal(kind, id, secret);
      };
      const stored = JSON.parse(JSON.stringify(data), (name, value) =>
        name.startsWith('sealed_') ? sealed(value) : ownNetwork(value, run),
      );
      const whole = kind === 'recording' ? { ...stored, sha256: SHA256, duration_ms: 10 } : stored;
      const keys = uniqueKeys(kind, id, whole as RecordData[typeof kind]);
      const { outcome } = await storage.createRecord({
        accountId,
        kind,
        id,
        atMs: 0,
        json: JSON.stringify(whole),
        ...keys,
      });
      expect(outcome).toBe('created');
    }
}

/** No two accounts of an installation share one. */
const ownNetwork = (value: unknown, run: number): unknown =>
  value === '192.0.2.0/28' ? `192.0.${run}.0/28` : value;

/** With secrets opened, since sealing is never the same twice. */
async function contentOf(source: AccountContent): Promise<object> {
  const records = await source.records();
  const kinds = RECORD_KINDS.map((kind) => [
    kind,
    records[kind].map(({ id, data }) => {
      const opened = (name: string, value: unknown): unknown =>
        name.startsWith('sealed_') && value !== null && (kind === 'trunk' || kind === 'webhook')
          ? source.open(kind, id, String(value))
          : value;
      return { id, data: JSON.parse(JSON.stringify(data), opened) };
    }),
  ]);
  return { settings: await source.settings(), ...Object.fromEntries(kinds) };
}

beforeAll(() => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
});
afterAll(() => void vi.restoreAllMocks());

onBothDatabases((database) => {
  let here: Config;
  let there: Config;
  let runs = 0;
  beforeAll(async () => {
    here = configOf(await database.environment());
    there = configOf(await database.environment());
  });

  it('export and import make any account the same: every record of every kind, the settings, the sounds', async () => {
    const [storage, other] = [await openStorage(here), await openStorage(there)];
    await fc.assert(
      fc.asyncProperty(anyAccount(oddName), async (records) => {
        const id = `account-${++runs}`;
        const out = join(folder, `${database.name}-${id}.tar`);
        await newAccount(storage, id);
        await newAccount(other, id, 25);
        await fill(storage, id, here, records, runs);
        const options = { id: undefined, out, secrets: 'with', withoutSounds: false } as const;
        const before = await onAccount(storage, id, here, async (source) => {
          expect(await exportAccount(source, options)).toBe(0);
          return contentOf(source);
        });
        await onAccount(other, id, there, async (target) => {
          expect(await importFile(target, out, { dryRun: false, skipTests: true })).toBe(0);
          expect(await contentOf(target)).toEqual(withoutLost(before));
        });
      }),
      { numRuns: RUNS },
    );
    await Promise.all([storage.close(), other.close()]);
    expect(allFiles(there.dataDir)[`recordings/${SHA256}.wav`]).toBe(SHA256);
  });

  it('backup and restore keep all of it: every row of every table, every file', async () => {
    const restored = configOf(await database.environment());
    const snapshot = await openSnapshot(here);
    const { dataDir, secretKey } = here;
    const file = join(folder, `${database.name}.backup`);
    const progress = (): void => undefined;
    await makeBackup(file, {
      snapshot,
      database: databaseName(here),
      dataDir,
      storeAt: () => null,
      secretKey,
      version: '0',
      nowMs: 0,
      progress,
    });
    await snapshot.close();
    await restoreBackup(file, {
      dataDir: restored.dataDir,
      secretKey,
      lock: () => ({ release: () => undefined }),
      openDatabase: (attempt) => openEmptyDatabase(restored, attempt),
      storesPrompts: restored.databaseUrl !== undefined,
      store: null,
      progress,
    });
    // What caches read, which begin anew.
    const kept = { ...(await allRows(environmentOf(here))), record_changes: [] };
    expect(await allRows(environmentOf(restored))).toEqual(kept);
    expect(allFiles(restored.dataDir)).toEqual(allFiles(dataDir));
  });
});

function environmentOf({ dataDir, databaseUrl }: Config): Record<string, string> {
  return { DATA_DIR: dataDir, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
}

/** An agent's team and time group that do not exist are not in an export. */
function withoutLost(account: object): object {
  const { agent, team, timegroup, ...rest } = account as Record<
    string,
    { id: string; data: Record<string, unknown> }[]
  >;
  const has = (all: { id: string }[] | undefined, id: unknown): boolean =>
    all?.some((one) => one.id === String(id)) ?? false;
  const kept = (agent ?? []).map(({ id, data }) => ({
    id,
    data: {
      ...data,
      team_id: has(team, data['team_id']) ? data['team_id'] : null,
      timegroup_id: has(timegroup, data['timegroup_id']) ? data['timegroup_id'] : null,
    },
  }));
  return { ...rest, agent: kept, team, timegroup };
}

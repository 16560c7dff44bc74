import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Installation } from '../storage/ports/installation.ts';
import type { Storage } from '../storage/storage.ts';
import { checkDatabaseIsThere, checkInstallation } from './installation.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-installation-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mark = (): string => readFileSync(join(folder, 'installation'), 'utf8');

function database(stored: Installation | null, accounts = 0): Storage {
  let now = stored;
  return {
    getInstallation: async () => now,
    makeInstallation: async (made: Installation) => {
      now ??= made;
      return now;
    },
    listAccounts: async () => Array.from({ length: accounts }, () => ({})),
  } as unknown as Storage;
}

const check = (storage: Storage): Promise<void> =>
  checkInstallation(folder, 'the database', storage, (error) => {
    throw error;
  });

it('a new folder and a new database get one id, which later starts accept', async () => {
  checkDatabaseIsThere(folder, 'x.sqlite');
  const storage = database(null);
  await check(storage);
  const { id } = (await storage.getInstallation()) ?? { id: '' };
  expect(mark()).toMatch(new RegExp(`^${id} \\d{4}-`));
  await check(storage);
});

it('a folder without mark takes that of its database: of an earlier version, or of another node', async () => {
  await check(database({ id: 'known', createdAtMs: 0 }));
  expect(mark()).toBe('known 1970-01-01T00:00:00.000Z\n');
});

it('a database of before the mark takes that of the folder, an empty one is refused', async () => {
  writeFileSync(join(folder, 'installation'), 'known 1970-01-01T00:00:00.000Z\n');
  const restored = database(null, 1);
  await check(restored);
  expect(await restored.getInstallation()).toEqual({ id: 'known', createdAtMs: 0 });
  await expect(check(database(null))).rejects.toThrow(/held an account .*known.* the database is empty/);
  await expect(check(database({ id: 'other', createdAtMs: 0 }, 1))).rejects.toThrow(/another installation/);
});

it('a damaged mark is neither ignored nor replaced', async () => {
  writeFileSync(join(folder, 'installation'), '');
  await expect(check(database({ id: 'known', createdAtMs: 0 }))).rejects.toThrow(/damaged/);
  expect(mark()).toBe('');
});

it.each(['installation', 'access-token', 'secret.key', 'captures'])(
  'a folder with %s and without database is refused, and stays as it is',
  (name) => {
    if (name === 'captures') mkdirSync(join(folder, name));
    else writeFileSync(join(folder, name), 'known 1970-01-01T00:00:00.000Z\n');
    expect(() => checkDatabaseIsThere(folder, 'x.sqlite')).toThrow(
      new RegExp(`held an account.* x.sqlite is missing.*Restore.*${name} first`),
    );
    expect(existsSync(join(folder, 'x.sqlite'))).toBe(false);
  },
);

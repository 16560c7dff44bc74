// A backup of a service whose recorded sound is in a store, restored into another store and into a data folder.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { storeCallRecording } from '../../test/support/call-recording-rows.ts';
import { FolderStore } from '../sound-store/folder/folder-store.ts';
import type { SoundStore } from '../sound-store/sound-store.ts';
import { restoreSqlite, sqliteSnapshot } from '../storage/sqlite/snapshot.ts';
import { openSqlite } from '../storage/sqlite/sqlite.ts';
import { makeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

const root = mkdtempSync(join(tmpdir(), 'dialtree-backup-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const progress = (): void => undefined;
const folder = (name: string): string => {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  return path;
};
const filesOf = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wav'));

it('sound of a store is in the backup, and goes where the restore wants it', async () => {
  const [dataDir, elsewhere] = [folder('data'), folder('elsewhere')];
  const store = new FolderStore(folder('store'));
  const storage = await openSqlite(dataDir);
  await storeCallRecording(storage, dataDir, { accountId: 'a', id: 'here' });
  await storeCallRecording(storage, elsewhere, { accountId: 'a', id: 'stored', place: 'folder' });
  await storeCallRecording(storage, elsewhere, { accountId: 'a', id: 'other', place: 'node:other' });
  await store.put('a/stored.wav', join(elsewhere, 'captures/a/stored.wav'));
  await storage.close();
  const snapshot = await sqliteSnapshot(dataDir);
  const file = join(root, 'backup.tar');
  const manifest = await makeBackup(file, {
    snapshot,
    database: 'SQLite',
    dataDir,
    storeAt: (place) => (place === store.place ? store : null),
    secretKey: undefined,
    version: '0',
    nowMs: 0,
    progress,
  });
  await snapshot.close();
  // What nodes hold while they run has no meaning in another database.
  const names = Object.keys(manifest.tables);
  expect(names).toEqual(
    expect.arrayContaining(['accounts', 'calls', 'bindings', 'allowances', 'agent_states']),
  );
  expect(
    names.filter((name) => /^(nodes|leases|live_calls|slots|agent_claims|queue_callers)$/.test(name)),
  ).toEqual([]);
  expect(manifest.missing).toEqual({ count: 1, names: ['captures/a/other.wav'], nodes: ['other'] });

  const restored = async (name: string, into: SoundStore | null) => {
    const there = folder(name);
    await restoreBackup(file, {
      dataDir: there,
      secretKey: undefined,
      lock: () => ({ release: () => undefined }),
      openDatabase: (attempt) => restoreSqlite(there, attempt),
      storesPrompts: false,
      store: into,
      progress,
    });
    const opened = await openSqlite(there);
    const rows = await opened.listCallRecordings({ accountId: 'a', kind: 'voicemail', limit: 10 });
    await opened.close();
    return { files: filesOf(there).toSorted(), places: rows.map(({ id, place }) => [id, place]).toSorted() };
  };
  expect(await restored('one', null)).toEqual({
    files: ['captures/a/here.wav', 'captures/a/stored.wav'],
    places: ['here', 'other', 'stored'].map((id) => [id, null]),
  });
  const second = folder('second store');
  expect(await restored('two', new FolderStore(second))).toEqual({
    files: [],
    places: ['here', 'other', 'stored'].map((id) => [id, 'folder']),
  });
  expect(filesOf(second).toSorted()).toEqual(['a/here.wav', 'a/stored.wav']);
  expect(readFileSync(join(second, 'a/stored.wav'))).toEqual(
    readFileSync(join(elsewhere, 'captures/a/stored.wav')),
  );
});

// A command reads the database in its own thread, while a service writes it.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Storage, StorageError } from '../storage.ts';
import { DATABASE_FILE, openSqlite } from './sqlite.ts';

let folder: string;
let service: Storage;
let command: Storage;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  service = await openSqlite(folder);
  command = await openSqlite(folder, undefined, 'this thread');
});
afterEach(async () => {
  await command.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const menu = (id: string) => ({ accountId: 'a', kind: 'ivr' as const, id, atMs: 1, json: '{}' });
const page = { accountId: 'a', kind: 'ivr' as const, afterId: '', limit: 1000 };
const ids = async (storage: Storage) => (await storage.listRecords(page)).map(({ id }) => id);

it('what either writes the other reads at once', async () => {
  await service.createRecord(menu('1'));
  expect(await ids(command)).toEqual(['1']);
  await command.createRecord(menu('2'));
  expect(await ids(command)).toEqual(['1', '2']);
  expect(await ids(service)).toEqual(['1', '2']);
  expect(await command.revisions(['records:a'])).toEqual(await service.revisions(['records:a']));
  await command.probe();
});

it('a damaged file is a fault of the database, said with its name', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    ...menu(String(index).padStart(4, '0')),
    json: JSON.stringify('x'.repeat(2000)),
  }));
  await Promise.all(many.map((each) => service.createRecord(each)));
  await command.close();
  await service.close();
  // Past the first pages, which opening reads: the schema and the first rows.
  const file = openSync(join(folder, DATABASE_FILE), 'r+');
  writeSync(file, Buffer.alloc(500_000, 0xff), 0, 500_000, 1_500_000);
  closeSync(file);
  command = await openSqlite(folder, undefined, 'this thread');
  const failed = await command.listRecords(page).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StorageError);
  expect((failed as StorageError).message).toContain(DATABASE_FILE);
  service = await openSqlite(folder);
});

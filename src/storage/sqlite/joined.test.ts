// Two clients of one writer: what two threads of a service are to the database.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { DATABASE_FILE, joinSqlite, openSqlite, type SqliteStorage } from './sqlite.ts';

let folder: string;
let owner: SqliteStorage;
let joined: Storage;

async function open(): Promise<void> {
  owner = await openSqlite(folder);
  const { port1, port2 } = new MessageChannel();
  joined = await joinSqlite(owner.share(port1).sqlite, port2);
}
async function close(): Promise<void> {
  await joined.close();
  await owner.close();
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  await open();
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const menu = (id: string) => ({ accountId: 'a', kind: 'ivr' as const, id, atMs: 1, json: '{}' });
const ids = async (storage: Storage): Promise<string[]> =>
  (await storage.listRecords({ accountId: 'a', kind: 'ivr', afterId: '', limit: 1000 })).map(({ id }) => id);

describe('a database that two threads share', () => {
  it('what either writes the other reads, and revisions rise for both', async () => {
    const before = await owner.revisions(['records:a']);
    await joined.createRecord(menu('1'));
    await owner.createRecord(menu('2'));
    expect(await ids(owner)).toEqual(['1', '2']);
    expect(await ids(joined)).toEqual(['1', '2']);
    const after = await owner.revisions(['records:a']);
    expect(after[0]).toBeGreaterThan(before[0] ?? 0);
    expect(await joined.revisions(['records:a'])).toEqual(after);
  });

  it('many writes of both at once all succeed, each side in its own order', async () => {
    const writes = Array.from({ length: 600 }, (_, index) =>
      (index % 2 ? owner : joined).createRecord(menu(String(index).padStart(4, '0'))),
    );
    const outcomes = await Promise.all(writes);
    expect(outcomes.every(({ outcome }) => outcome === 'created')).toBe(true);
    expect(await ids(owner)).toHaveLength(600);
  });

  it('a long queue of one side delays a write of the other by one group, not by the queue', async () => {
    let done = 0;
    const queue = Array.from({ length: 5_000 }, (_, index) =>
      joined.createRecord(menu(`q${index}`)).then(() => {
        done += 1;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    await owner.createRecord(menu('first'));
    expect(done).toBeLessThan(2_000);
    await Promise.all(queue);
  });

  it('an account that has its share of waiting writes on one side may write on the other', async () => {
    const queue = Array.from({ length: 5_001 }, (_, index) =>
      joined.createRecord(menu(`q${index}`)).catch((error: Error) => error.message),
    );
    await expect(owner.createRecord(menu('other'))).resolves.toEqual({ outcome: 'created' });
    expect(await queue.at(-1)).toMatch(/Too many writes/);
    await Promise.all(queue);
  });

  it('after a corrupt page the writer is opened anew, for both', async () => {
    await owner.createRecord(menu('1'));
    // All pages in the file, none in the write-ahead log or in a cache.
    await close();
    const file = join(folder, DATABASE_FILE);
    const whole = join(folder, 'whole');
    const garbled = join(folder, 'garbled');
    copyFileSync(file, whole);
    writeFileSync(garbled, Buffer.from(readFileSync(file)).fill(0xa5, 8192));
    await open();
    // Another process writes the file: this one would lose its locks by closing it.
    execFileSync('cp', [garbled, file]);
    await expect(joined.createRecord(menu('2'))).rejects.toThrow(/malformed/);
    execFileSync('cp', [whole, file]);
    const works = async (storage: Storage, id: string): Promise<string> =>
      storage.createRecord(menu(id)).then(
        ({ outcome }) => outcome,
        (error: Error) => error.message,
      );
    await expect.poll(() => works(owner, '3')).toBe('created');
    await expect.poll(() => works(joined, '4')).toBe('created');
  });
});

// Sound files whose content a database shares: two folders as two nodes have them, on one storage.
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashOfSound } from '../storage/ports/whole-prompt.ts';
import { openSqlite } from '../storage/sqlite/sqlite.ts';
import type { Storage } from '../storage/storage.ts';
import { withMethods } from '../storage/testing/with-methods.ts';
import { PromptFiles, type PromptFilesParts } from './prompt-files.ts';

const root = mkdtempSync(join(tmpdir(), 'dialtree-prompts-'));
let storage: Storage;
let said: string[];
beforeAll(async () => {
  storage = await openSqlite(root);
});
beforeEach(() => {
  said = [];
});
afterAll(async () => {
  await storage.close();
  rmSync(root, { recursive: true, force: true });
});

let made = 0;
function node(changes: Partial<PromptFilesParts> = {}) {
  const folder = mkdtempSync(join(root, 'node-'));
  const files = new PromptFiles({
    folder,
    shared: storage,
    failed: (_error, what) => void said.push(what),
    ...changes,
  });
  /** A sound of this length that no other test has, in the folder. */
  const file = (bytes = 1_000): string => {
    made += 1;
    const wav = Buffer.alloc(bytes, made);
    wav.writeUInt32LE(made, 0);
    const sha256 = hashOfSound(wav);
    writeFileSync(join(folder, `${sha256}.wav`), wav);
    return sha256;
  };
  const age = (sha256: string, ms: number): void => {
    const then = new Date(Date.now() - ms);
    utimesSync(join(folder, `${sha256}.wav`), then, then);
  };
  return { files, folder, file, age, names: () => readdirSync(folder) };
}

describe('prompt files on a shared database', () => {
  it('a sound that one node shares is read by another, once from the database', async () => {
    const [a, b] = [node(), node()];
    const sha256 = a.file(1_000_000);
    expect(await b.files.forCall(sha256)).toBeNull();
    await a.files.share(sha256);
    const reading = vi.spyOn(storage, 'readPrompt');
    const [first, second] = await Promise.all([b.files.forCall(sha256), b.files.path(sha256)]);
    const stored = readFileSync(join(a.folder, `${sha256}.wav`));
    expect(first?.equals(stored)).toBe(true);
    expect(readFileSync(second ?? '').equals(stored)).toBe(true);
    expect(await b.files.forCall(sha256)).toHaveLength(1_000_000);
    expect(reading).toHaveBeenCalledTimes(1);
    reading.mockRestore();
    expect(b.names()).toEqual([`${sha256}.wav`]);
  });

  it('a damaged file is noticed and fetched again', async () => {
    const a = node();
    const sha256 = a.file();
    await a.files.share(sha256);
    expect(await a.files.path(sha256)).not.toBeNull();
    writeFileSync(join(a.folder, `${sha256}.wav`), 'damaged');
    expect(readFileSync((await a.files.path(sha256)) ?? '')).toHaveLength(1_000);
    writeFileSync(join(a.folder, `${sha256}.wav`), 'damaged');
    expect(await a.files.forCall(sha256)).toHaveLength(1_000);
    expect(said).toEqual(Array(2).fill('recording file damaged; fetching it again'));
  });

  it('a call does not wait for a database that does not answer', async () => {
    vi.useFakeTimers();
    try {
      const stuck = node({
        shared: withMethods(storage, { readPrompt: () => new Promise(() => undefined) }),
      });
      const reading = stuck.files.forCall('0'.repeat(64));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await reading).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('what routes refer to is fetched before it is played, up to the bound', async () => {
    const [a, b, small] = [node(), node(), node({ maxBytes: 1_500 })];
    const sounds = [a.file(), a.file(), a.file()];
    for (const sha256 of sounds) await a.files.share(sha256);
    b.files.prefetch(sounds);
    small.files.prefetch(sounds);
    await vi.waitFor(() => expect(b.names()).toHaveLength(3));
    await vi.waitFor(() => expect(small.names()).toHaveLength(2));
    expect(await small.files.forCall(sounds[2] ?? '')).toHaveLength(1_000);
  });

  it('the folder goes below its bound, the oldest first, and never what the database lacks', async () => {
    const a = node({ maxBytes: 2_500 });
    const [only, oldest, newer, inUse] = [a.file(), a.file(), a.file(), a.file()];
    for (const sha256 of [oldest, newer, inUse]) await a.files.share(sha256);
    for (const [index, sha256] of [only, oldest, newer].entries()) a.age(sha256, (10 - index) * 3_600_000);
    expect(await a.files.trim(Date.now())).toBe(2);
    expect(a.names().toSorted()).toEqual([`${only}.wav`, `${inUse}.wav`].toSorted());
    expect(await a.files.forCall(oldest)).toHaveLength(1_000);
  });

  it('files of an earlier version are shared when records refer to them, if they are whole', async () => {
    const a = node();
    const [used, unused, damaged] = [a.file(), a.file(), a.file()];
    writeFileSync(join(a.folder, `${damaged}.wav`), 'damaged');
    const all = new Set([used, damaged, 'f'.repeat(64)]);
    expect(await a.files.shareAll(all)).toBe(1);
    expect(await a.files.shareAll(all)).toBe(0);
    expect(await storage.storedPrompts([used, unused, damaged])).toEqual([used]);
  });

  it('the database forgets what no record refers to, an hour after that was seen', async () => {
    const a = node();
    const [used, unused] = [a.file(), a.file()];
    for (const sha256 of [used, unused]) await a.files.share(sha256);
    const forgetting = vi.spyOn(storage, 'forgetPrompts');
    const all = (await storage.listPrompts({ after: '', limit: 200 })).map(({ sha256 }) => sha256);
    const others = new Set(all.filter((sha256) => sha256 !== unused));
    for (let sweep = 0; sweep < 2; sweep++) expect(await a.files.forgetUnused(others)).toBe(0);
    expect(forgetting).toHaveBeenLastCalledWith({ sha256s: [unused], graceMs: 3_600_000 });
    forgetting.mockImplementation((input) => {
      forgetting.mockRestore();
      return storage.forgetPrompts({ ...input, graceMs: -5_000 });
    });
    expect(await a.files.forgetUnused(others)).toBe(1);
    expect(await storage.storedPrompts([used, unused])).toEqual([used]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LostSounds, MAX_LOOKS } from './lost-sounds.ts';
import { PromptFiles } from './prompt-files.ts';

const hashOf = (index: number): string => index.toString(16).padStart(64, '0');

it('a sound whose file is missing or has no samples is lost, and is not when its file is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sounds-'));
  const files = new PromptFiles({ folder, shared: null, failed: () => undefined });
  const sounds = new LostSounds((some) => files.lost(some));
  const [whole, empty, gone] = [hashOf(1), hashOf(2), hashOf(3)];
  const write = (sha256: string, bytes: number): void =>
    writeFileSync(files.pathOf(sha256), Buffer.alloc(bytes));
  write(whole, 60);
  write(empty, 44);
  try {
    expect([...(await sounds.among([whole, empty, gone], 0))]).toEqual([empty, gone]);
    write(gone, 60);
    expect([...(await sounds.among([whole, empty, gone], 5_000))]).toEqual([empty]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('one question looks at some, the next at the others, and none twice in a minute', async () => {
  const looked: string[] = [];
  const sounds = new LostSounds(async (some) => {
    looked.push(...some);
    return some.filter((sha256) => sha256 === hashOf(MAX_LOOKS + 5));
  });
  const all = Array.from({ length: MAX_LOOKS + 10 }, (_, index) => hashOf(index));
  expect((await sounds.among(all, 0)).size).toBe(0);
  expect(looked).toHaveLength(MAX_LOOKS);
  expect([...(await sounds.among(all, 1))]).toEqual([hashOf(MAX_LOOKS + 5)]);
  expect(new Set(looked).size).toBe(MAX_LOOKS + 10);
  await sounds.among(all, 1_000);
  expect(looked).toHaveLength(MAX_LOOKS + 10);
  await sounds.among(all, 61_000);
  expect(looked).toHaveLength(2 * MAX_LOOKS + 10);
});

import { closeSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DOORBELL_WORDS, ORDERS, removeDoorbell, ring, SLEEPS, WAKER } from './doorbell.ts';

describe('the doorbell of a media worker', () => {
  const words = new Int32Array(new SharedArrayBuffer(DOORBELL_WORDS * 4));
  let folder: string;
  let fd: number;
  const written = (): number => fstatSync(fd).size;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'doorbell-'));
    fd = openSync(join(folder, 'waker'), 'w');
    words.fill(0);
    words[WAKER] = fd + 1;
  });

  afterEach(() => {
    if (words[WAKER] !== 0) closeSync(fd);
    rmSync(folder, { recursive: true });
  });

  it('writes to the descriptor once for a worker that sleeps, and counts every order', () => {
    words[SLEEPS] = 1;
    ring(words);
    ring(words);
    expect(written()).toBe(8);
    expect([words[ORDERS], words[SLEEPS]]).toEqual([2, 0]);
  });

  it('writes nothing for a worker that is awake', () => {
    ring(words);
    expect(written()).toBe(0);
    expect([words[ORDERS], words[SLEEPS]]).toEqual([1, 0]);
  });

  it('closes the descriptor when it is removed, and does so once', () => {
    removeDoorbell(words);
    expect(written).toThrow(/EBADF/);
    expect(() => removeDoorbell(words)).not.toThrow();
  });
});

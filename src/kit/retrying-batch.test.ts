import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import { type BatchOptions, RetryingBatch } from './retrying-batch.ts';

let clock: VirtualClock;
let writes: number[][];
let failures: number;
let isBroken: boolean;
/** Ends the write that hangs. */
let release: (() => void) | null;
let hangs: boolean;

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await settled();
}

beforeEach(() => {
  clock = new VirtualClock();
  writes = [];
  failures = 0;
  isBroken = false;
  release = null;
  hangs = false;
});

function batchOf(changes: Partial<BatchOptions<number>> = {}): RetryingBatch<number> {
  return new RetryingBatch<number>({
    clock,
    size: 3,
    waitMs: 20,
    retryMs: 1000,
    write: async (items) => {
      if (hangs)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      if (isBroken) throw new Error('away');
      writes.push([...items]);
    },
    failed: () => {
      failures += 1;
    },
    ...changes,
  });
}

describe('a batch', () => {
  it('writes items together, in order, so many at once, the next at once when there are enough', async () => {
    const batch = batchOf();
    for (let item = 1; item <= 7; item++) batch.add(item);
    expect(writes).toEqual([]);
    await pass(20);
    expect(writes).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    await pass(20);
    expect(writes.at(-1)).toEqual([7]);
    expect([batch.waiting, clock.running]).toEqual([0, 0]);
  });

  it('without a wait writes at the end of the same turn, and starts no timer', async () => {
    const batch = batchOf({ waitMs: 0 });
    batch.add(1);
    batch.add(2);
    expect([writes, clock.running]).toEqual([[], 0]);
    await settled();
    expect(writes).toEqual([[1, 2]]);
  });

  it('keeps what is not written and tries again after the back-off, not sooner because of new items', async () => {
    isBroken = true;
    const batch = batchOf();
    batch.add(1);
    await pass(20);
    batch.add(2);
    isBroken = false;
    await pass(980);
    expect([failures, writes]).toEqual([1, []]);
    await pass(20);
    expect(writes).toEqual([[1, 2]]);
  });

  it('runs one write at a time, and writes afterwards what came meanwhile', async () => {
    hangs = true;
    const batch = batchOf();
    batch.add(1);
    await pass(20);
    batch.add(2);
    await pass(500);
    hangs = false;
    release?.();
    await settled();
    expect(writes).toEqual([[1]]);
    await pass(20);
    expect(writes).toEqual([[1], [2]]);
  });

  it('loses only what is dropped, also when it drops items that are being written', async () => {
    hangs = true;
    const batch = batchOf();
    for (const item of [1, 2, 3, 4, 5]) batch.add(item);
    await pass(20);
    expect(batch.dropOldest(2)).toEqual([1, 2]);
    hangs = false;
    release?.();
    await settled();
    await pass(20);
    expect(writes).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(batch.waiting).toBe(0);
  });

  it('drops items that wait behind those that are being written', async () => {
    hangs = true;
    const batch = batchOf();
    for (const item of [1, 2, 3, 4, 5]) batch.add(item);
    await pass(20);
    expect(batch.dropOldest(4)).toEqual([1, 2, 3, 4]);
    hangs = false;
    release?.();
    await settled();
    await pass(20);
    expect(writes.flat()).toEqual([1, 2, 3, 5]);
  });

  it('asks for late items when it could write, also during a write, and waits for nothing where there are none', async () => {
    let late = [1, 2];
    const take = (): number[] => {
      const taken = late;
      late = [];
      return taken;
    };
    const batch = batchOf({ late: { count: () => late.length, take } });
    batch.schedule();
    expect(batch.waiting).toBe(2);
    hangs = true;
    await pass(20);
    late = [3];
    batch.schedule();
    await pass(20);
    expect([late, batch.items]).toEqual([[], [1, 2, 3]]);
    hangs = false;
    release?.();
    await settled();
    await pass(20);
    expect(writes).toEqual([[1, 2], [3]]);
    batch.schedule();
    await pass(20);
    expect([writes.length, clock.running]).toEqual([2, 0]);
  });

  it('writes everything in a flush, which gives up at the first failure; a closed one starts nothing', async () => {
    const batch = batchOf();
    for (let item = 1; item <= 7; item++) batch.add(item);
    await batch.flush();
    expect(writes.flat()).toHaveLength(7);
    isBroken = true;
    batch.add(8);
    await batch.flush();
    expect([failures, batch.waiting]).toEqual([1, 1]);
    batch.close();
    expect(clock.running).toBe(0);
  });
});

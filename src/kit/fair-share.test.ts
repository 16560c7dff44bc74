import { describe, expect, it } from 'vitest';
import { FairGate, FairPool, FairQueue } from './fair-share.ts';

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);
const granted = (pool: FairPool, account: string, count: number): number =>
  times(count, () => pool.take(account)).filter((release) => release !== null).length;

describe('FairPool (T40)', () => {
  it('gives one account no more than its share', () => {
    const pool = new FairPool({ total: 4, perAccount: 2 });
    expect(granted(pool, 'a', 5)).toBe(2);
    expect(granted(pool, 'b', 5)).toBe(2);
    expect(pool.take('c')).toBeNull();
    expect(pool.inUse).toBe(4);
  });

  it('keeps reserved slots for accounts that hold none', () => {
    const pool = new FairPool({ total: 8, perAccount: 4, reserved: 2 });
    expect(granted(pool, 'a', 8) + granted(pool, 'b', 8)).toBe(6);
    expect(granted(pool, 'c', 8)).toBe(1);
    expect(granted(pool, 'd', 8)).toBe(1);
    expect(pool.take('e')).toBeNull();
  });

  it('a released slot is free at once, and releasing it again changes nothing', () => {
    const pool = new FairPool({ total: 2, perAccount: 1 });
    const release = pool.take('a');
    expect(pool.take('a')).toBeNull();
    release?.();
    release?.();
    expect(pool.inUse).toBe(0);
    expect(granted(pool, 'a', 2)).toBe(1);
    expect(granted(pool, 'b', 2)).toBe(1);
  });
});

describe('FairQueue (T40)', () => {
  it('accounts take turns, the items of one stay in their order', () => {
    const queue = new FairQueue<string>({ total: 10, perAccount: 5 });
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
    queue.push('b', 'b1');
    expect(queue.shift()).toBe('a1');
    queue.push('c', 'c1');
    expect(times(5, () => queue.shift())).toEqual(['b1', 'a2', 'c1', 'a3', undefined]);
    expect(queue.length).toBe(0);
  });

  it('passes over accounts that are busy', () => {
    const queue = new FairQueue<string>({ total: 10, perAccount: 5 });
    queue.push('a', 'a1');
    queue.push('b', 'b1');
    expect(queue.shift((account) => account === 'a')).toBe('b1');
    expect(queue.shift((account) => account === 'a')).toBeUndefined();
    expect(queue.shift()).toBe('a1');
  });

  it('refuses what exceeds the share of the account or the queue', () => {
    const queue = new FairQueue<number>({ total: 3, perAccount: 2 });
    expect(times(3, () => queue.push('a', 1))).toEqual([true, true, false]);
    expect(times(2, () => queue.push('b', 1))).toEqual([true, false]);
    queue.shift();
    expect(queue.push('a', 1)).toBe(true);
  });
});

describe('FairGate (T40)', () => {
  const shares = { total: 2, perAccount: 1 };
  const gate = (waitMs = 10_000) =>
    new FairGate(shares, { total: 4, perAccount: 2 }, waitMs, () => new Error('full'));
  const held = () => {
    let release = (): void => undefined;
    const work = new Promise<void>((resolve) => {
      release = resolve;
    });
    return { work: () => work, release };
  };

  it('runs what has a slot at once, and the rest in turns', async () => {
    const one = gate();
    const [first, done] = [held(), [] as string[]];
    const running = one.run('a', first.work);
    const waiting = ['a2', 'a3'].map((id) => one.run('a', async () => void done.push(id)));
    await one.run('b', async () => void done.push('b1'));
    expect(done).toEqual(['b1']);
    await expect(one.run('a', async () => undefined)).rejects.toThrow('full');
    first.release();
    await Promise.all([running, ...waiting]);
    expect(done).toEqual(['b1', 'a2', 'a3']);
  });

  it('refuses what has waited too long, and never runs it', async () => {
    const one = gate(5);
    const first = held();
    const running = one.run('a', first.work);
    let late = false;
    await expect(
      one.run('a', async () => {
        late = true;
      }),
    ).rejects.toThrow('full');
    first.release();
    await running;
    expect(await one.run('a', async () => 'next')).toBe('next');
    expect(late).toBe(false);
  });

  it('a slot is free again after work that fails', async () => {
    const one = gate();
    await expect(one.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await one.run('a', async () => 'next')).toBe('next');
  });
});

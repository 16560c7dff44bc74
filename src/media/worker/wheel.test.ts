import { describe, expect, it } from 'vitest';
import { PortPool } from '../sockets/port-pool.ts';
import type { Sockets } from '../sockets/sockets.ts';
import { Wheel } from './wheel.ts';

/** When each item was visited, with a look at the clock every `stepMs`. */
function visits(wheel: Wheel<string>, fromMs: number, toMs: number, stepMs: number): number[] {
  const times: number[] = [];
  for (let nowMs = fromMs; nowMs < toMs; nowMs += stepMs) wheel.turn(nowMs, () => times.push(nowMs));
  return times;
}

describe('the wheel', () => {
  it('visits every 20 ms, without an error that adds up', () => {
    const wheel = new Wheel<string>(0);
    wheel.add(7, 'one');
    const times = visits(wheel, 0, 60_000, 1.3);
    expect(times).toHaveLength(3_000);
    expect(times.every((timeMs, index) => timeMs - (7 + index * 20) < 1.31)).toBe(true);
  });

  it('visits what must not wait for 20 ms every 4 ms, until it is stopped', () => {
    const wheel = new Wheel<string>(0);
    const stop = wheel.addOften('buffer');
    expect(visits(wheel, 0, 20, 1)).toEqual([0, 4, 8, 12, 16]);
    expect(wheel.nextVisitMs).toBe(20);
    stop();
    expect(visits(wheel, 20, 60, 1)).toEqual([]);
  });

  it('spreads streams over its slots', () => {
    const wheel = new Wheel<number>(0);
    const slots = Array.from({ length: 40 }, (_, item) => {
      const slot = wheel.emptiest(0);
      wheel.add(slot, item);
      return slot;
    });
    for (let slot = 0; slot < 20; slot++) expect(slots.filter((other) => other === slot)).toHaveLength(2);
  });

  it('gives a new stream no slot that is overdue, so that its first two visits are 20 ms apart', () => {
    const wheel = new Wheel<string>(0);
    wheel.add(0, 'old');
    wheel.turn(0, () => {});
    // Looked at again when the only occupied slot is due.
    wheel.add(wheel.emptiest(20), 'new');
    const times: number[] = [];
    for (let nowMs = 20; nowMs < 60; nowMs++)
      wheel.turn(nowMs, (item) => {
        if (item === 'new') times.push(nowMs);
      });
    expect(times).toEqual([21, 41]);
  });

  it('knows when the next visit is due', () => {
    const wheel = new Wheel<string>(100);
    wheel.add(7, 'one');
    expect(wheel.nextVisitMs).toBe(107);
    wheel.turn(107, () => {});
    expect([wheel.dueMs, wheel.nextVisitMs]).toEqual([108, 127]);
  });

  it('can be turned for four slots at once, always the same four', () => {
    const wheel = new Wheel<string>(0);
    expect(wheel.groupDueMs).toBe(3);
    wheel.turn(0.5, () => {});
    expect(wheel.groupDueMs).toBe(3);
    wheel.turn(3, () => {});
    expect(wheel.groupDueMs).toBe(7);
    wheel.turn(4.2, () => {});
    expect(wheel.groupDueMs).toBe(7);
  });

  it('makes up for a short stall only', () => {
    const wheel = new Wheel<string>(0);
    wheel.add(0, 'one');
    expect(visits(wheel, 60, 61, 1)).toHaveLength(4);
    expect(visits(wheel, 10_000, 10_001, 1)).toHaveLength(5);
  });

  it('makes up for nothing after it stood empty', () => {
    const wheel = new Wheel<string>(0);
    wheel.restart(10_000);
    wheel.add(wheel.emptiest(10_000), 'one');
    expect(visits(wheel, 10_000, 10_001, 1)).toHaveLength(1);
  });
});

describe('the port pool', () => {
  function poolOf(count: number, taken: readonly number[] = []) {
    const open = new Set<number>();
    const drained: number[] = [];
    const ready: number[] = [];
    const sockets = {
      bind(port: number, done: (socket: number | null) => void): void {
        if (!taken.includes(port)) open.add(port);
        done(open.has(port) ? port : null);
      },
      close: (socket: number) => void open.delete(socket),
      drain: (socket: number) => void drained.push(socket),
    };
    const pool = new PortPool(sockets as Sockets, { from: 10_000, to: 10_000 + count * 2 - 1 }, ({ index }) =>
      ready.push(index),
    );
    return { pool, open, ready, drained };
  }
  const tendAll = (pool: PortPool, nowMs: number): void => {
    for (let turns = 0; turns < 200 && pool.tend(nowMs) === 1; turns++);
  };

  it('makes pairs ahead of need, and more as they are taken', () => {
    const { pool, ready } = poolOf(1_000);
    tendAll(pool, 0);
    expect(ready).toHaveLength(384);
    for (let count = 0; count < 50; count++) pool.take(ready[count] ?? -1);
    tendAll(pool, 0);
    expect(ready).toHaveLength(434);
  });

  it('keeps a pair in quarantine, drains it, and offers it again', () => {
    const { pool, ready, drained, open } = poolOf(1);
    tendAll(pool, 0);
    for (let round = 0; round < 100; round++) {
      const pair = pool.take(ready.at(-1) ?? -1);
      pool.giveBack(pair, round * 1_000);
      pool.tend(round * 1_000 + 10);
      expect(ready).toHaveLength(round + 1);
      pool.tend(round * 1_000 + 30);
      expect(ready).toHaveLength(round + 2);
    }
    expect(open.size).toBe(2);
    expect(drained).toHaveLength(200);
  });

  it('passes over a pair of which one port is taken, and holds neither', () => {
    const { pool, ready, open } = poolOf(3, [10_003]);
    tendAll(pool, 0);
    expect(ready).toHaveLength(2);
    expect([...open].sort()).toEqual([10_000, 10_001, 10_004, 10_005]);
  });
});

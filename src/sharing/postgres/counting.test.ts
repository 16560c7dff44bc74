import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, postgresMissing, startPostgres } from '../../../test/support/postgres.ts';
import { openPostgres } from '../../storage/postgres/postgres.ts';
import type { Storage } from '../../storage/storage.ts';
import { allowanceContract } from '../ports/allowance.contract.ts';
import { DAY_MS } from '../ports/allowance.ts';
import { slotsContract } from '../ports/slots.contract.ts';
import { PostgresAllowance } from './allowance.ts';
import { openSharedDatabase, type SharedDatabase } from './database.ts';
import { PostgresNodeCounts } from './node-counts.ts';
import { PostgresSlots } from './slots.ts';

const nothing = (): void => undefined;

describe.skipIf(postgresMissing())('what is counted over all nodes', () => {
  let server: PostgresServer;
  let storage: Storage;
  let database: SharedDatabase;
  const closing: { close(): void }[] = [];
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' });
    const url = await server.newDatabase();
    storage = await openPostgres({ url });
    database = openSharedDatabase({ url, onConnectionError: nothing, failed: nothing });
  });
  afterAll(async () => {
    for (const each of closing) each.close();
    await database?.close();
    await storage?.close();
    await server?.remove();
  });

  const countsOf = (node: string): PostgresNodeCounts => {
    const counts = new PostgresNodeCounts({ database, node, failed: nothing });
    closing.push(counts);
    return counts;
  };
  const slotsOf = (node: string, failed: (error: unknown) => void = nothing): PostgresSlots => {
    const slots = new PostgresSlots({ database, node, counts: countsOf(node), failed });
    closing.push(slots);
    return slots;
  };
  const stored = async (node: string): Promise<number> =>
    (await database.query('SELECT id FROM slots WHERE node = $1', [node])).length;
  const totalOf = async (key: string): Promise<number> =>
    Number((await database.query('SELECT used FROM slot_totals WHERE key = $1', [key]))[0]?.['used'] ?? 0);

  describe('slots', () => {
    let slots: PostgresSlots;
    beforeAll(() => {
      slots = slotsOf('a');
    });
    slotsContract(() => slots);

    it('two nodes that ask at once hold no more than the limit together', async () => {
      const [one, other] = [slotsOf('b1'), slotsOf('b2')];
      const limits = [
        { key: 'both', most: 10 },
        { key: 'more', most: 100 },
      ];
      const asked = Array.from({ length: 60 }, (_, call) =>
        (call % 2 ? one : other).acquire(call % 3 ? limits : [...limits].reverse(), `call-${call}`),
      );
      const taken = (await Promise.all(asked)).filter((release) => release !== null);
      expect(taken.length).toBe(10);
      expect([await totalOf('both'), await totalOf('more')]).toEqual([10, 10]);
      for (const release of taken) release();
      await expect.poll(() => totalOf('both')).toBe(0);
      expect((await stored('b1')) + (await stored('b2'))).toBe(0);
    });

    it('the slots of a node that died are free, and it holds them again if it was only slow', async () => {
      const [one, other] = [slotsOf('c1'), slotsOf('c2')];
      const limits = [{ key: 'slow', most: 1 }];
      const release = await one.acquire(limits, 'call-1');
      expect(release).not.toBeNull();
      expect(await other.acquire(limits, 'call-2')).toBeNull();
      await other.nodeDied('c1');
      expect(await totalOf('slow')).toBe(0);
      await one.reconcile();
      expect(await totalOf('slow')).toBe(1);
      expect(await other.acquire(limits, 'call-3')).toBeNull();
      release?.();
      await expect.poll(() => other.acquire(limits, 'call-4')).not.toBeNull();
    });

    it('what an earlier run of the node left behind is freed at its start', async () => {
      const before = slotsOf('d');
      await before.acquire([{ key: 'left', most: 1 }], 'call-1');
      before.close();
      const after = slotsOf('d');
      await expect.poll(() => after.acquire([{ key: 'left', most: 1 }], 'call-2')).not.toBeNull();
    });

    it('while the database is away what the node knows decides, and what it granted is counted afterwards', async () => {
      let failures = 0;
      const slots = slotsOf('e', () => void failures++);
      const limits = [{ key: 'away', most: 2 }];
      await server.stop('immediate');
      const first = await slots.acquire(limits, 'call-1');
      expect(first).not.toBeNull();
      expect(await slots.acquire(limits, 'call-2')).not.toBeNull();
      expect(await slots.acquire(limits, 'call-3')).toBeNull();
      expect(failures).toBeGreaterThan(0);
      await server.start();
      await expect
        .poll(async () => {
          await slots.reconcile();
          return totalOf('away').catch(() => -1);
        })
        .toBe(2);
      first?.();
      await expect.poll(() => totalOf('away')).toBe(1);
    });
  });

  describe('counts of other nodes', () => {
    it('each node sees the sum of the others, and a dead one is left out', async () => {
      const [a, b, c] = ['x1', 'x2', 'x3'].map(countsOf) as [
        PostgresNodeCounts,
        PostgresNodeCounts,
        PostgresNodeCounts,
      ];
      a.set('account 1', 3);
      b.set('account 1', 4);
      b.set('account 2', 1);
      await Promise.all([a.exchange(), b.exchange()]);
      await c.exchange();
      expect([c.others('account 1'), c.others('account 2'), c.others('account 3')]).toEqual([7, 1, 0]);
      await a.exchange();
      expect(a.others('account 1')).toBe(4);
      b.set('account 1', 0);
      await b.exchange();
      await a.exchange();
      expect(a.others('account 1')).toBe(0);
      await c.nodeDied('x2');
      await c.exchange();
      expect(c.others('account 2')).toBe(0);
      // It lives.
      await b.claimAgain();
      await c.exchange();
      expect(c.others('account 2')).toBe(1);
    });
  });

  describe('allowances', () => {
    allowanceContract(
      (terms) => new PostgresAllowance(terms, { database, nowMs: Date.now, failed: nothing }),
    );

    it('nodes that take at once take no more than the limit together', async () => {
      const terms = { name: 'together', most: 10, periodMs: DAY_MS };
      const nodes = [0, 1, 2].map(
        () => new PostgresAllowance(terms, { database, nowMs: Date.now, failed: nothing }),
      );
      const taken = await Promise.all(
        Array.from({ length: 45 }, (_, index) => nodes[index % 3]?.take('one')),
      );
      expect(taken.filter(Boolean).length).toBe(10);
    });
  });
});

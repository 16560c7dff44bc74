// What every database must do with Idempotency-Keys.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { type Opened, record } from './opened.contract.ts';

export function claimContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('idempotency', () => {
    const claim = (key: string, bodyHash = 'h', answer = 'first') => ({
      route: 'POST /v1/ivr',
      key,
      bodyHash,
      answer,
    });

    it('a key can be claimed by a request that creates no record, and released', async () => {
      const act = { accountId: 'idem-act', atMs: 1, idempotency: claim('call') };
      expect(await storage.claim(act)).toEqual({ outcome: 'created' });
      expect(await storage.claim({ ...act, idempotency: claim('call', 'other', 'second') })).toEqual({
        outcome: 'claimed_before',
        bodyHash: 'h',
        answer: 'first',
      });
      const { route, key } = act.idempotency;
      await storage.dropClaim({ accountId: 'other account', route, key });
      expect(await storage.findClaim({ accountId: 'idem-act', route, key })).toEqual(act.idempotency);
      await storage.dropClaim({ accountId: 'idem-act', route, key });
      expect(await storage.findClaim({ accountId: 'idem-act', route, key })).toBeNull();
    });

    it('a claimed key gives the first answer and creates nothing more', async () => {
      const first = record({ accountId: 'idem', idempotency: claim('k1') });
      expect(await storage.createRecord(first)).toEqual({ outcome: 'created' });
      const second = record({ accountId: 'idem', idempotency: claim('k1', 'other', 'second') });
      expect(await storage.createRecord(second)).toEqual({
        outcome: 'claimed_before',
        bodyHash: 'h',
        answer: 'first',
      });
      expect(await storage.getRecord(second)).toBeNull();
      expect(await storage.findClaim({ accountId: 'idem', route: 'POST /v1/ivr', key: 'k1' })).toEqual(
        claim('k1'),
      );
    });

    it('of many with one key at once, from two connections, one creates', async () => {
      const other = await opened().another();
      const many = Array.from({ length: 40 }, (_, index) =>
        record({ accountId: 'idem-race', idempotency: claim('k', 'h', `${index}`) }),
      );
      const results = await Promise.all(
        many.map((one, index) => (index % 2 ? storage : other).createRecord(one)),
      );
      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(
        await storage.listRecords({ accountId: 'idem-race', kind: 'ivr', afterId: '', limit: 100 }),
      ).toHaveLength(1);
      await other.close();
    });

    it('the same key is free in another account and on another route', async () => {
      await storage.createRecord(record({ accountId: 'i1', idempotency: claim('same') }));
      expect(await storage.createRecord(record({ accountId: 'i2', idempotency: claim('same') }))).toEqual({
        outcome: 'created',
      });
      const route = { ...claim('same'), route: 'POST /v1/team' };
      expect(await storage.createRecord(record({ accountId: 'i1', idempotency: route }))).toEqual({
        outcome: 'created',
      });
    });

    it('a creation refused for its unique key does not keep its claim', async () => {
      const keys = [{ name: 'eid', value: 'claimed' }];
      await storage.createRecord(record({ accountId: 'ik', kind: 'agent', keys }));
      await storage.createRecord(record({ accountId: 'ik', kind: 'agent', keys, idempotency: claim('k') }));
      expect(await storage.findClaim({ accountId: 'ik', route: 'POST /v1/ivr', key: 'k' })).toBeNull();
    });

    it('old claims are deleted in batches, recent ones stay', async () => {
      for (let index = 0; index < 5; index++) {
        await storage.createRecord(
          record({ accountId: 'old', atMs: -1000 + index, idempotency: claim(`k${index}`) }),
        );
      }
      expect(await storage.forgetClaims({ beforeMs: 0, limit: 3 })).toEqual({ forgotten: 3 });
      expect(await storage.forgetClaims({ beforeMs: 0, limit: 3 })).toEqual({ forgotten: 2 });
      expect(await storage.findClaim({ accountId: 'i1', route: 'POST /v1/ivr', key: 'same' })).not.toBeNull();
    });
  });
}

// What every database must do with the networks of trunks: an address belongs to one account (docs/threat-model.md T38).
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { type Opened, record, token } from './opened.contract.ts';

export function networkContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  const trunk = (accountId: string, ...networks: string[]) => {
    const json = JSON.stringify({ addresses: networks });
    return record({ accountId, kind: 'trunk', json, keys: [], networks });
  };

  describe('networks of trunks', () => {
    beforeAll(async () => {
      for (const id of ['net-a', 'net-b']) {
        const account = { id, name: id, createdAtMs: 9, settings: {} };
        await storage.createAccount({ account, token: token(`token of ${id}`, id) });
      }
    });

    it('that overlap those of another account refuse the whole creation, and name the address', async () => {
      const first = trunk('net-a', '203.0.113.0/28');
      expect(await storage.createRecord(first)).toEqual({ outcome: 'created' });
      expect(await storage.createRecord(trunk('net-a', '203.0.113.1'))).toEqual({ outcome: 'created' });
      const second = trunk('net-b', '198.51.100.1', '203.0.113.0/24');
      expect(await storage.createRecord(second)).toEqual({
        outcome: 'network_taken',
        network: '203.0.113.0/24',
      });
      expect(await storage.getRecord(second)).toBeNull();
      expect(await storage.createRecord(trunk('net-b', '203.0.113.16'))).toEqual({ outcome: 'created' });
    });

    it('that a change would take leave the trunk as it was, and are free when the other gives them up', async () => {
      const one = trunk('net-a', '192.0.2.1');
      const two = trunk('net-b', '192.0.2.2');
      for (const each of [one, two]) await storage.createRecord(each);
      const taking = { ...two, json: one.json, networks: ['192.0.2.0/30'] };
      expect(await storage.updateRecord(taking)).toEqual({
        outcome: 'network_taken',
        network: '192.0.2.0/30',
      });
      expect(await storage.getRecord(two)).toMatchObject({ version: 1, json: two.json });
      expect(await storage.updateRecord({ ...two, networks: ['192.0.2.2'] })).toMatchObject({ version: 2 });
      await storage.deleteRecord(one);
      expect(await storage.updateRecord(taking)).toMatchObject({ outcome: 'updated' });
    });

    it('that the other account may not have take nothing from anyone', async () => {
      await storage.createRecord(trunk('net-b', '127.0.0.0/8', '100.0.0.0/8'));
      for (const network of ['127.0.0.1', '100.1.2.3'])
        expect(await storage.createRecord(trunk('net-a', network))).toEqual({ outcome: 'created' });
    });

    it('of so many trunks as an account may have: one more is not created, also of many at once', async () => {
      const account = { id: 'net-c', name: 'net-c', createdAtMs: 9, settings: {} };
      await storage.createAccount({ account, token: token('token of net-c', 'net-c') });
      const other = await opened().another();
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 ? storage : other).createRecord({ ...trunk('net-c', '192.0.2.99'), most: 3 }),
        ),
      );
      const created = results.filter(({ outcome }) => outcome === 'created');
      expect([created.length, results.filter(({ outcome }) => outcome === 'too_many').length]).toEqual([
        3, 7,
      ]);
      await other.close();
    });

    it('of many that overlap, written at once by two accounts over two connections, those of one stay', async () => {
      const other = await opened().another();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2
            ? storage.createRecord(trunk('net-a', `198.51.100.${index}`))
            : other.createRecord(trunk('net-b', '198.51.100.0/24')),
        ),
      );
      const made = results.flatMap(({ outcome }, index) => (outcome === 'created' ? [index % 2] : []));
      expect(made.length).toBeGreaterThanOrEqual(10);
      expect(new Set(made).size).toBe(1);
      await other.close();
    });
  });
}

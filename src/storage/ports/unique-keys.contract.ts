// What every database must do with the unique keys of records, and with numbers of a series.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { type Opened, record } from './opened.contract.ts';

export function uniqueKeyContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('unique keys', () => {
    const agent = (eid: string, intercom: string, accountId = 'keys') =>
      record({
        accountId,
        kind: 'agent',
        keys: [
          { name: 'eid', value: eid },
          { name: 'intercom', value: intercom },
        ],
      });

    it('a taken key refuses the whole creation, and names it', async () => {
      await storage.createRecord(agent('e1', '1'));
      const second = agent('e2', '1');
      expect(await storage.createRecord(second)).toEqual({
        outcome: 'key_taken',
        key: { name: 'intercom', value: '1' },
      });
      expect(await storage.getRecord(second)).toBeNull();
      expect(await storage.createRecord(agent('e2', '2'))).toEqual({ outcome: 'created' });
    });

    it('the same key in another account is free', async () => {
      await storage.createRecord(agent('e9', '9'));
      expect(await storage.createRecord(agent('e9', '9', 'other'))).toEqual({ outcome: 'created' });
    });

    it('an update moves keys, and one that takes a foreign key changes nothing', async () => {
      const [one, two] = [agent('m1', '21'), agent('m2', '22')];
      await storage.createRecord(one);
      await storage.createRecord(two);
      const stolen = await storage.updateRecord({ ...two, keys: one.keys ?? [] });
      expect(stolen).toMatchObject({ outcome: 'key_taken' });
      expect((await storage.getRecord(two))?.version).toBe(1);
      expect(await storage.updateRecord({ ...one, keys: [{ name: 'eid', value: 'm9' }] })).toMatchObject({
        outcome: 'updated',
      });
      expect(await storage.createRecord(agent('m1', '23'))).toEqual({ outcome: 'created' });
    });

    it('of many creations with one key, from two connections, one succeeds', async () => {
      const other = await opened().another();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? storage : other).createRecord(agent('race', `r${index}`)),
        ),
      );
      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      await other.close();
    });

    it('numbers of a series rise, skip what was taken by hand, and are never given twice', async () => {
      const take = () =>
        storage.takeNumber({ accountId: 'series', kind: 'agent', name: 'intercom', from: 1001 });
      expect(await take()).toBe(1001);
      await storage.createRecord(agent('s', '1002', 'series'));
      expect(await take()).toBe(1003);
      const many = await Promise.all(Array.from({ length: 30 }, take));
      expect(new Set(many).size).toBe(30);
    });
  });
}

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
      expect(await storage.createRecord(agent('m3', '21'))).toEqual({ outcome: 'created' });
    });

    it('an eid that was given up belongs to its record alone; an intercom number is free again', async () => {
      const [gone, moved] = [agent('f1', '31', 'former'), agent('f2', '32', 'former')];
      await storage.createRecord(gone);
      await storage.createRecord(moved);
      await storage.deleteRecord(gone);
      await storage.updateRecord({ ...moved, keys: agent('f3', '32', 'former').keys ?? [] });
      for (const eid of ['f1', 'f2']) {
        const again = agent(eid, '31', 'former');
        const refused = { outcome: 'key_retired', key: { name: 'eid', value: eid } };
        expect(await storage.createRecord(again)).toEqual(refused);
        expect(await storage.getRecord(again)).toBeNull();
      }
      expect(await storage.updateRecord({ ...moved, keys: moved.keys ?? [] })).toMatchObject({
        outcome: 'updated',
      });
      expect(await storage.createRecord(agent('f4', '31', 'former'))).toEqual({ outcome: 'created' });
      expect(await storage.createRecord(agent('f1', '31', 'formerly'))).toEqual({ outcome: 'created' });
    });

    it('a series passes over a number that was chosen by hand and given up', async () => {
      const chosen = agent('501', '51', 'passed');
      await storage.createRecord(chosen);
      await storage.deleteRecord(chosen);
      expect(await storage.takeNumber({ accountId: 'passed', kind: 'agent', name: 'eid', from: 501 })).toBe(
        502,
      );
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

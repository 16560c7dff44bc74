// What every database must do with revisions.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { type Opened, record, token } from './opened.contract.ts';

export function revisionContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('revisions', () => {
    it('a revision rises with every change of its topic, seen from another connection, and with no other', async () => {
      const other = await opened().another();
      const now = () => other.revisions(['access', 'directory:rev', 'records:rev', 'records:none']);
      const [access = 0, directory = 0, records = 0, none] = await now();
      expect(none).toBe(0);
      await storage.createRecord(record({ accountId: 'rev', kind: 'ivr' }));
      expect(await now()).toEqual([access, directory, records + 1, 0]);
      await storage.createRecord(record({ accountId: 'rev', kind: 'agent' }));
      expect(await now()).toEqual([access, directory + 1, records + 2, 0]);
      await storage.createToken({ token: token('t9') });
      expect(await now()).toEqual([access + 1, directory + 1, records + 2, 0]);
      await other.close();
    });

    it('revisions of many topics are answered in their order', async () => {
      const topics = Array.from({ length: 100 }, (_, index) => `directory:topic${index}` as const);
      await storage.createRecord(record({ accountId: 'topic42', kind: 'team' }));
      const revisions = await storage.revisions(topics);
      expect(revisions.indexOf(1)).toBe(42);
      expect(revisions).toHaveLength(100);
    });
  });
}

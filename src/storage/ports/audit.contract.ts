// What every database must do with the audit.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { type Opened, record } from './opened.contract.ts';

export function auditContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('the audit', () => {
    const by = { id: 't', name: 'a token', requestId: 'r', atMs: 1_000 };
    const accountId = 'audited';

    it('has an entry for every change that names an actor, and none for a change that failed', async () => {
      const one = record({ accountId, kind: 'ivr', by });
      await storage.createRecord(one);
      await storage.updateRecord({ ...one, by: { ...by, atMs: 2_000 } });
      await storage.updateRecord({ ...one, expectedVersion: 1, by });
      await storage.deleteRecord({ ...one, by: { ...by, atMs: 3_000 } });
      await storage.deleteRecord({ ...one, by });
      await storage.createRecord(record({ accountId, kind: 'ivr' }));
      const entries = await storage.listAudit({ accountId, recordId: one.id, limit: 10 });
      expect(entries.map(({ action, version, atMs }) => [action, version, atMs])).toEqual([
        ['delete', null, 3_000],
        ['update', 2, 2_000],
        ['create', 1, 1_000],
      ]);
      expect(await storage.listAudit({ accountId, limit: 10 })).toHaveLength(3);
      expect(await storage.listAudit({ accountId: 'another', limit: 10 })).toEqual([]);
    });

    it('keeps the name that the record had, wherever it stands in the text', async () => {
      const named = (json: string) => ({ ...record({ accountId: 'named', kind: 'ivr', by }), json });
      const texts = [
        '{"name":"A \\"quoted\\" name","agents":[]}',
        '{"agents":[{"name":"not it"}],"name":"last"}',
        '{"number":"+15550100"}',
        '{"title":"none"}',
      ];
      for (const text of texts) {
        const one = named(text);
        await storage.createRecord(one);
        await storage.updateRecord({ ...one, json: '{"name":"now"}' });
        await storage.deleteRecord(one);
      }
      const entries = await storage.listAudit({ accountId: 'named', limit: 20 });
      const names = (action: string) =>
        entries.filter((entry) => entry.action === action).map(({ recordName }) => recordName);
      expect(names('create').sort()).toEqual(['+15550100', 'A "quoted" name', 'last', null]);
      expect(names('delete')).toEqual(['now', 'now', 'now', 'now']);
    });

    it('is deleted in batches, the oldest first', async () => {
      const nowMs = Date.now();
      for (const atMs of [nowMs - 20, nowMs - 10, nowMs])
        await storage.addAudit({
          accountId: 'old',
          action: 'x',
          kind: 'call',
          recordId: 'c',
          by: { ...by, atMs },
        });
      expect(await storage.forgetAudit({ accountId: 'old', beforeMs: nowMs, limit: 1 })).toEqual({
        forgotten: 1,
      });
      expect(await storage.forgetAudit({ accountId: 'old', beforeMs: nowMs, limit: 5 })).toEqual({
        forgotten: 1,
      });
      expect((await storage.listAudit({ accountId: 'old', limit: 5 })).map(({ atMs }) => atMs)).toEqual([
        nowMs,
      ]);
    });
  });
}

// What every database must do with deleted records.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { MAX_DELETED } from './deleted-records.ts';
import { type Opened, record } from './opened.contract.ts';

export function deletedRecordContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('deleted records', () => {
    const by = { id: 't', name: 'a token', requestId: 'r', atMs: 1_000 };
    const list = (accountId: string) => storage.listDeleted({ accountId, limit: 10 });

    it('come back under their id as the next version, with their keys, and only once', async () => {
      const accountId = 'restored';
      const keys = [{ name: 'eid', value: '7' }];
      const one = record({ accountId, kind: 'agent', keys, json: '{"name":"Asha","eid":"7"}' });
      await storage.createRecord(one);
      await storage.updateRecord({ ...one, json: '{"name":"Asha R.","eid":"7"}' });
      const before = await storage.revisions([`records:${accountId}`, `directory:${accountId}`]);
      await storage.deleteRecord({ ...one, by });
      const [deleted] = await list(accountId);
      expect(deleted).toMatchObject({
        kind: 'agent',
        recordId: one.id,
        version: 2,
        deletedAtMs: 1_000,
        deletedBy: 'a token',
        json: '{"name":"Asha R.","eid":"7"}',
      });
      const address = { accountId, id: deleted?.id ?? '' };
      expect(await storage.getDeleted({ ...address, accountId: 'another' })).toBeNull();
      const restoring = { ...address, keys, atMs: 2_000, by: { ...by, atMs: 2_000 } };
      expect(await storage.restoreDeleted({ ...restoring, accountId: 'another' })).toEqual({
        outcome: 'unknown',
      });
      const both = await Promise.all([storage.restoreDeleted(restoring), storage.restoreDeleted(restoring)]);
      expect(both.map(({ outcome }) => outcome).sort()).toEqual(['restored', 'unknown']);
      expect(await storage.getRecord(one)).toMatchObject({
        version: 3,
        createdAtMs: 1_000,
        updatedAtMs: 2_000,
      });
      expect(await list(accountId)).toEqual([]);
      const after = await storage.revisions([`records:${accountId}`, `directory:${accountId}`]);
      expect(after).toEqual(before.map((revision) => revision + 2));
      const [entry] = await storage.listAudit({ accountId, limit: 1 });
      expect(entry).toMatchObject({ action: 'restore', version: 3, recordName: 'Asha R.' });
      // The key is its own again.
      const other = record({ accountId, kind: 'agent', keys });
      expect(await storage.createRecord(other)).toMatchObject({ outcome: 'key_taken' });
    });

    it('stay deleted where another record has the key, the id or the room since', async () => {
      const accountId = 'refused';
      const keys = [{ name: 'number', value: '100' }];
      const one = record({ accountId, kind: 'number', keys, json: '{"number":"100"}' });
      await storage.createRecord(one);
      await storage.deleteRecord({ ...one, by });
      const other = record({ accountId, kind: 'number', keys });
      await storage.createRecord(other);
      const [deleted] = await list(accountId);
      const restoring = { accountId, id: deleted?.id ?? '', keys, atMs: 2_000 };
      expect(await storage.restoreDeleted(restoring)).toEqual({ outcome: 'key_taken', key: keys[0] });
      await storage.deleteRecord(other);
      expect(await storage.restoreDeleted({ ...restoring, most: 0 })).toEqual({ outcome: 'too_many' });
      await storage.createRecord({ ...one, keys: [], isChosen: true });
      expect(await storage.restoreDeleted(restoring)).toMatchObject({ key: { name: 'id', value: one.id } });
      expect(await list(accountId)).toHaveLength(1);
      expect(await storage.getRecord(one)).toMatchObject({ version: 1 });
    });

    it('keep the sounds that their recordings name, until they are erased', async () => {
      const accountId = 'sounding';
      const one = record({ accountId, kind: 'recording', json: '{"name":"x","sha256":"abc"}' });
      await storage.createRecord(one);
      await storage.deleteRecord({ ...one, by });
      expect(await storage.recordedSounds(accountId)).toEqual(['abc']);
      const [deleted] = await list(accountId);
      const address = { accountId, id: deleted?.id ?? '' };
      expect(await storage.dropDeleted({ ...address, accountId: 'another', by })).toEqual({ dropped: false });
      expect(await storage.dropDeleted({ ...address, by })).toEqual({ dropped: true });
      expect(await storage.dropDeleted({ ...address, by })).toEqual({ dropped: false });
      expect(await storage.recordedSounds(accountId)).toEqual([]);
      expect((await storage.listAudit({ accountId, limit: 1 }))[0]).toMatchObject({ action: 'erase' });
    });

    it('are listed newest first, by kind and in pages, and forgotten by age and number', async () => {
      const accountId = 'listed';
      const nowMs = Date.now();
      const ids: string[] = [];
      for (const [index, kind] of (['ivr', 'team', 'ivr'] as const).entries()) {
        const one = record({ accountId, kind });
        ids.push(one.id);
        await storage.createRecord(one);
        await storage.deleteRecord({ ...one, by: { ...by, atMs: nowMs - 3_000 + index * 1_000 } });
      }
      const all = await list(accountId);
      expect(all.map(({ recordId }) => recordId)).toEqual(ids.toReversed());
      const menus = await storage.listDeleted({ accountId, kinds: ['ivr'], limit: 10 });
      expect(menus.map(({ recordId }) => recordId)).toEqual([ids[2], ids[0]]);
      expect(await storage.listDeleted({ accountId, kinds: [], limit: 10 })).toEqual([]);
      const rest = await storage.listDeleted({ accountId, beforeId: all[0]?.id ?? '', limit: 1 });
      expect(rest.map(({ recordId }) => recordId)).toEqual([ids[1]]);
      const forget = { beforeMs: nowMs - 1_500, limit: 100 };
      expect((await storage.forgetDeleted(forget)).forgotten).toBeGreaterThanOrEqual(2);
      expect((await list(accountId)).map(({ recordId }) => recordId)).toEqual([ids[2]]);
      expect(MAX_DELETED).toBe(1_000);
    });

    it('are not kept of a deletion that no person made', async () => {
      const one = record({ accountId: 'silent' });
      await storage.createRecord(one);
      await storage.deleteRecord(one);
      expect(await list('silent')).toEqual([]);
    });
  });
}

// What every database must do with records, their versions and references.
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../domain/id.ts';
import type { Storage } from '../storage.ts';
import { type Opened, record } from './opened.contract.ts';

export function recordContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('records', () => {
    it('a created record is read back with version 1 and its times', async () => {
      const one = record({ json: '{"name":"Ünïcode 😀 \\"quoted\\""}' });
      expect(await storage.createRecord(one)).toEqual({ outcome: 'created' });
      expect(await storage.getRecord(one)).toEqual({
        id: one.id,
        version: 1,
        createdAtMs: 1000,
        updatedAtMs: 1000,
        json: one.json,
      });
    });

    it('a record of another account or kind is not found', async () => {
      const one = record();
      await storage.createRecord(one);
      expect(await storage.getRecord({ ...one, accountId: 'b' })).toBeNull();
      expect(await storage.getRecord({ ...one, kind: 'agent' })).toBeNull();
    });

    it('an id that the client chose is given once, also among creations at once', async () => {
      const chosen = record({ accountId: 'choice', id: 'mine', isChosen: true });
      const made = Array.from({ length: 8 }, () => record({ accountId: 'choice' }));
      const outcomes = await Promise.all([
        storage.createRecord(made[0] ?? chosen),
        storage.createRecord(chosen),
        ...made.slice(1).map((one) => storage.createRecord(one)),
        storage.createRecord({ ...chosen, json: '{"other":1}' }),
      ]);
      const taken = { outcome: 'key_taken', key: { name: 'id', value: 'mine' } };
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(9);
      expect(outcomes).toContainEqual(taken);
      expect(await storage.createRecord(chosen)).toEqual(taken);
      expect((await storage.getRecord(chosen))?.version).toBe(1);
      // What was refused left nothing behind: its key is free, and the id again after a deletion.
      const keyed = { ...chosen, keys: [{ name: 'number', value: '1' }] };
      expect(await storage.createRecord(keyed)).toEqual(taken);
      expect(await storage.createRecord({ ...keyed, id: 'next' })).toEqual({ outcome: 'created' });
      await storage.deleteRecord(chosen);
      expect(await storage.createRecord(chosen)).toEqual({ outcome: 'created' });
    });

    it('a record is found by its id, else by a unique key', async () => {
      const key = { name: 'number', value: '200' };
      const one = record({ accountId: 'named', kind: 'number', keys: [key] });
      await storage.createRecord(one);
      const find = (id: string, more: object = {}) =>
        storage.findRecordId({
          accountId: 'named',
          kind: 'number',
          id,
          key: { name: 'number', value: id },
          ...more,
        });
      expect(await find('200')).toBe(one.id);
      expect(await find(one.id)).toBe(one.id);
      expect(await find('201')).toBeNull();
      expect(await find('200', { accountId: 'other' })).toBeNull();
      expect(await find('200', { kind: 'team' })).toBeNull();
      await storage.createRecord(record({ accountId: 'named', kind: 'number', id: '200', isChosen: true }));
      expect(await find('200')).toBe('200');
    });

    it('a thousand creations at once are all kept', async () => {
      const many = Array.from({ length: 1000 }, () => record({ accountId: 'many' }));
      const results = await Promise.all(many.map((one) => storage.createRecord(one)));
      expect(results.every(({ outcome }) => outcome === 'created')).toBe(true);
      const rows = await storage.listRecords({ accountId: 'many', kind: 'ivr', afterId: '', limit: 2000 });
      expect(rows.map(({ id }) => id)).toEqual(many.map(({ id }) => id).sort());
    });

    it('a list goes on after an id and stops at its limit, in the order of bytes', async () => {
      for (const id of ['a', 'B', '_', '1', 'b', 'a-b', 'ab'])
        await storage.createRecord(record({ accountId: 'sorted', id }));
      const ids = async (afterId: string, limit: number) =>
        (await storage.listRecords({ accountId: 'sorted', kind: 'ivr', afterId, limit })).map(({ id }) => id);
      expect(await ids('', 10)).toEqual(['1', 'B', '_', 'a', 'a-b', 'ab', 'b']);
      expect(await ids('_', 2)).toEqual(['a', 'a-b']);
    });

    it('T37: a page ends after so many bytes, with one row more that shows that there are more', async () => {
      const text = (bytes: number) => JSON.stringify('ä'.repeat((bytes - 2) / 2));
      const accountId = 'bytes';
      for (const [id, bytes] of [
        ['a', 400],
        ['b', 400],
        ['c', 400],
        ['d', 4000],
        ['e', 400],
      ] as const)
        await storage.createRecord(record({ accountId, id, json: text(bytes) }));
      const ids = async (afterId: string, maxBytes: number, limit = 10) =>
        (await storage.listRecords({ accountId, kind: 'ivr', afterId, limit, maxBytes }))
          .map(({ id }) => id)
          .join('');
      expect(await ids('', 800)).toBe('abc');
      expect(await ids('', 799)).toBe('ab');
      expect(await ids('', 1)).toBe('ab');
      expect(await ids('', 800, 2)).toBe('ab');
      expect(await ids('c', 1000)).toBe('de');
      expect(await ids('d', 1)).toBe('e');
      expect(await ids('', 100_000)).toBe('abcde');
      expect(await ids('e', 1)).toBe('');
    });

    it('stamps name every record of the account with its version', async () => {
      const [one, two] = [record({ accountId: 'stamps' }), record({ accountId: 'stamps', kind: 'team' })];
      await storage.createRecord(one);
      await storage.createRecord(two);
      await storage.updateRecord(one);
      const stamps = await storage.listStamps({ accountId: 'stamps', kinds: ['ivr', 'team'] });
      expect(stamps.sort((a, b) => a.kind.localeCompare(b.kind))).toEqual([
        { kind: 'ivr', id: one.id, version: 2 },
        { kind: 'team', id: two.id, version: 1 },
      ]);
    });

    it('changes since a revision are named, deletions too, of one account', async () => {
      const accountId = 'changed';
      const other = await opened().another();
      const since = (revision: number, limit = 10) =>
        other.recordChanges({ accountId, since: revision, limit });
      expect(await since(0)).toEqual({ revision: 0, changes: [] });
      const [one, two] = [record({ accountId, id: 'one' }), record({ accountId, id: 'two', kind: 'team' })];
      await storage.createRecord(one);
      await storage.createRecord(two);
      await storage.createRecord(record({ accountId: 'not changed' }));
      const { revision } = await since(0);
      expect(await since(-1)).toEqual({ revision, changes: null });
      expect(await since(revision)).toEqual({ revision, changes: [] });
      await storage.updateRecord(one);
      await storage.deleteRecord(two);
      const changes = [
        { kind: 'ivr', id: 'one' },
        { kind: 'team', id: 'two' },
      ];
      expect(await since(revision)).toEqual({ revision: revision + 2, changes });
      expect((await since(revision + 1)).changes).toEqual(changes.slice(1));
      expect((await since(revision, 1)).changes).toBeNull();
      // A change that failed is none.
      await storage.updateRecord({ ...one, expectedVersion: 9 });
      expect((await since(revision + 2)).changes).toEqual([]);
      await other.close();
    });

    it('many are read at once, those that there are', async () => {
      const many = Array.from({ length: 300 }, () => record({ accountId: 'at-once' }));
      await Promise.all(many.map((one) => storage.createRecord(one)));
      const ids = [...many.map(({ id }) => id), 'unknown'];
      const rows = await storage.getRecords({ accountId: 'at-once', kind: 'ivr', ids });
      expect(rows.map(({ id }) => id).sort()).toEqual(many.map(({ id }) => id).sort());
      expect(await storage.getRecords({ accountId: 'at-once', kind: 'ivr', ids: [] })).toEqual([]);
    });

    it('former versions of other kinds than IVRs are not kept', async () => {
      const one = record({ kind: 'agent' });
      await storage.createRecord(one);
      await storage.updateRecord(one);
      expect(await storage.listVersions({ ...one, beforeVersion: 100, limit: 10 })).toMatchObject([
        { version: 2 },
      ]);
    });

    it('a second connection sees a write that the first has finished', async () => {
      const other = await opened().another();
      const one = record();
      await storage.createRecord(one);
      expect(await other.getRecord(one)).not.toBeNull();
      await other.close();
    });
  });

  describe('updates', () => {
    it('an update raises the version and keeps the former one', async () => {
      const one = record();
      await storage.createRecord(one);
      expect(await storage.updateRecord({ ...one, json: '{"name":"y"}', atMs: 2000 })).toEqual({
        outcome: 'updated',
        version: 2,
      });
      const row = await storage.getRecord(one);
      expect(row).toMatchObject({ version: 2, createdAtMs: 1000, updatedAtMs: 2000, json: '{"name":"y"}' });
      const versions = await storage.listVersions({ ...one, beforeVersion: 100, limit: 10 });
      expect(versions.map(({ version, json }) => [version, json])).toEqual([
        [2, '{"name":"y"}'],
        [1, '{"name":"x"}'],
      ]);
      expect(await storage.getVersion({ ...one, version: 1 })).toMatchObject({
        version: 1,
        json: '{"name":"x"}',
      });
      const page = { ...one, beforeVersion: 100, limit: 10 };
      expect(await storage.listVersions({ ...page, maxBytes: 100 })).toEqual(versions);
      await storage.updateRecord({ ...one, json: '{"name":"z"}', atMs: 3000 });
      expect((await storage.listVersions({ ...page, maxBytes: 1 })).map(({ version }) => version)).toEqual([
        3, 2,
      ]);
      expect(await storage.getVersion({ ...one, version: 4 })).toBeNull();
      expect(
        (await storage.listVersions({ ...one, beforeVersion: 2, limit: 10 })).map(({ version }) => version),
      ).toEqual([1]);
    });

    it('an update that expects another version changes nothing', async () => {
      const one = record();
      await storage.createRecord(one);
      const result = await storage.updateRecord({ ...one, json: '{"name":"lost"}', expectedVersion: 7 });
      expect(result).toEqual({ outcome: 'version_changed', version: 1 });
      expect(await storage.getRecord(one)).toMatchObject({ version: 1, json: one.json });
    });

    it('of many updates that expect the same version one wins', async () => {
      const one = record();
      await storage.createRecord(one);
      const other = await opened().another();
      const updates = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? storage : other).updateRecord({
          ...one,
          json: `{"name":"${index}"}`,
          expectedVersion: 1,
        }),
      );
      const results = await Promise.all(updates);
      expect(results.filter(({ outcome }) => outcome === 'updated')).toHaveLength(1);
      expect(results.filter(({ outcome }) => outcome === 'version_changed')).toHaveLength(19);
      await other.close();
    });

    it('updates without an expectation all count, also from two connections', async () => {
      const one = record();
      await storage.createRecord(one);
      const other = await opened().another();
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? storage : other).updateRecord({ ...one, atMs: index }),
        ),
      );
      expect((await storage.getRecord(one))?.version).toBe(21);
      expect(await storage.listVersions({ ...one, beforeVersion: 100, limit: 100 })).toHaveLength(21);
      await other.close();
    });

    it('keeps the last hundred former versions, and each tenth of those before (T76)', async () => {
      const one = record({ kind: 'ivr' });
      await storage.createRecord(one);
      for (let at = 2; at <= 251; at++) await storage.updateRecord({ ...one, atMs: at });
      const kept = (await storage.listVersions({ ...one, beforeVersion: 1_000, limit: 1_000 })).map(
        ({ version }) => version,
      );
      const whole = Array.from({ length: 101 }, (_, at) => 251 - at);
      const tenths = Array.from({ length: 15 }, (_, at) => 150 - 10 * at);
      expect(kept).toEqual([...whole, ...tenths]);
      expect(await storage.getVersion({ ...one, version: 149 })).toBeNull();
    });

    it('updating or deleting a record that does not exist is reported', async () => {
      expect(await storage.updateRecord(record())).toEqual({ outcome: 'unknown' });
      expect(await storage.deleteRecord(record())).toEqual({ outcome: 'unknown' });
    });

    it('a deletion removes the record, its versions and its keys', async () => {
      const one = record({ kind: 'agent', keys: [{ name: 'intercom', value: 'gone' }] });
      await storage.createRecord(one);
      await storage.updateRecord({ ...one, atMs: 2 });
      expect(await storage.deleteRecord({ ...one, expectedVersion: 1 })).toEqual({
        outcome: 'version_changed',
        version: 2,
      });
      expect(await storage.deleteRecord(one)).toEqual({ outcome: 'deleted' });
      expect(await storage.getRecord(one)).toBeNull();
      expect(await storage.listVersions({ ...one, beforeVersion: 100, limit: 10 })).toEqual([]);
      expect(await storage.createRecord({ ...one, id: newId(1) })).toEqual({ outcome: 'created' });
    });
  });

  describe('sounds of recordings', () => {
    it('are those of the present and of former versions, each once, of one account and of recordings alone', async () => {
      const sounds = (accountId: string) => storage.recordedSounds(accountId).then((all) => all.toSorted());
      const one = record({ accountId: 'sounds', kind: 'recording', json: '{"sha256":"a"}' });
      await storage.createRecord(one);
      await storage.createRecord(record({ accountId: 'sounds', kind: 'recording', json: '{"sha256":"a"}' }));
      await storage.createRecord(record({ accountId: 'sounds', kind: 'ivr', json: '{"sha256":"no"}' }));
      await storage.createRecord(record({ accountId: 'other', kind: 'recording', json: '{"sha256":"c"}' }));
      await storage.updateRecord({ ...one, json: '{"sha256":"b"}' });
      expect(await sounds('sounds')).toEqual(['a', 'b']);
      await storage.deleteRecord(one);
      expect(await sounds('sounds')).toEqual(['a']);
      expect(await sounds('unknown')).toEqual([]);
    });
  });

  describe('who points to a record', () => {
    it('exactly the records of the account that hold the reference are found', async () => {
      const pointing = record({ accountId: 'refs', json: '{"destination":["extension||1","extension||2"]}' });
      await storage.createRecord(pointing);
      await storage.createRecord(
        record({ accountId: 'refs', json: '{"destination":["extension||12"],"d":"\\"extension||1\\""}' }),
      );
      await storage.createRecord(
        record({ accountId: 'elsewhere', json: '{"destination":["extension||1"]}' }),
      );
      const found = await storage.findReferrers({ accountId: 'refs', reference: 'extension||1', limit: 10 });
      expect(found).toEqual([{ kind: 'ivr', id: pointing.id, json: pointing.json }]);
      await storage.createRecord({ ...pointing, id: newId(2) });
      expect(
        await storage.findReferrers({ accountId: 'refs', reference: 'extension||1', limit: 1 }),
      ).toHaveLength(1);
    });

    it('a wildcard of SQL in an id is only itself', async () => {
      await storage.createRecord(record({ accountId: 'wild', json: '{"r":"recording||a_b"}' }));
      await storage.createRecord(record({ accountId: 'wild', json: '{"r":"recording||axb"}' }));
      expect(
        await storage.findReferrers({ accountId: 'wild', reference: 'recording||a_b', limit: 10 }),
      ).toHaveLength(1);
    });
  });
}

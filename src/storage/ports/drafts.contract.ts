// What every database must do with drafts and their publications.
import { describe, expect, it } from 'vitest';
import { newId } from '../../domain/id.ts';
import type { DraftChange, PublishedChange } from './drafts.ts';
import { type Opened, record } from './opened.contract.ts';

export function draftContract(opened: () => Opened): void {
  const by = { id: 't1', name: 'Asha', requestId: 'r1', atMs: 5_000 };
  const save = (accountId: string, change: Partial<DraftChange> & Pick<DraftChange, 'id'>) =>
    opened().storage.saveDraft({
      accountId,
      kind: 'ivr',
      baseVersion: null,
      json: '{"name":"New"}',
      edits: 0,
      atMs: 2_000,
      editorId: 't1',
      editorName: 'Asha',
      most: 3,
      mostBytes: 1_000,
      ...change,
    });
  const publish = (
    accountId: string,
    changes: readonly PublishedChange[],
    more: { edits?: readonly number[]; rollsBack?: string; id?: string; most?: number } = {},
  ) =>
    opened().storage.publish({
      accountId,
      id: more.id ?? newId(Date.now()),
      atMs: 3_000,
      reason: 'because',
      publisherId: 't1',
      publisherName: 'Asha',
      rollsBack: more.rollsBack ?? null,
      changes,
      most: more.most ?? 10,
      by,
      ...(more.edits ? { edits: more.edits } : {}),
    });
  const read = (accountId: string, id: string, kind: 'ivr' | 'number' = 'ivr') =>
    opened().storage.getRecord({ accountId, kind, id });

  describe('a draft', () => {
    it('holds each record once, with who changed it last, and of two changes at once the first', async () => {
      const { storage } = opened();
      expect(await save('d1', { id: 'a' })).toBe('saved');
      expect(await save('d1', { id: 'a' })).toBe('changed');
      expect(await save('d1', { id: 'a', edits: 1, json: '{"name":"Newer"}', editorName: 'Ben' })).toBe(
        'saved',
      );
      expect(await save('d1', { id: 'a', edits: 1 })).toBe('changed');
      expect(await storage.listDraft({ accountId: 'd1' })).toMatchObject([
        { kind: 'ivr', id: 'a', baseVersion: null, json: '{"name":"Newer"}', edits: 2, editorName: 'Ben' },
      ]);
      expect(await storage.listDraft({ accountId: 'other' })).toEqual([]);
    });

    it('has a limit, and is dropped record by record or as a whole', async () => {
      const { storage } = opened();
      for (const id of ['a', 'b', 'c']) expect(await save('d2', { id })).toBe('saved');
      expect(await save('d2', { id: 'd' })).toBe('too_many');
      expect(await storage.dropDraft({ accountId: 'd2', only: { kind: 'ivr', id: 'b' } })).toEqual({
        dropped: 1,
      });
      expect(await save('d2', { id: 'd', json: null, baseVersion: 1 })).toBe('saved');
      expect((await storage.listDraft({ accountId: 'd2' })).map(({ id, json }) => [id, json])).toEqual([
        ['a', '{"name":"New"}'],
        ['c', '{"name":"New"}'],
        ['d', null],
      ]);
      expect(await storage.dropDraft({ accountId: 'd2' })).toEqual({ dropped: 3 });
    });
  });

  describe('the bytes of a draft', () => {
    it('have a limit, for new records as for changed ones; deletions are always taken', async () => {
      const { storage } = opened();
      const large = (size: number) => JSON.stringify({ name: 'x'.repeat(size) });
      expect(await save('d3', { id: 'a', json: large(600) })).toBe('saved');
      expect(await save('d3', { id: 'b', json: large(600) })).toBe('too_many');
      expect(await save('d3', { id: 'b', json: large(10) })).toBe('saved');
      expect(await save('d3', { id: 'b', edits: 1, json: large(600) })).toBe('too_many');
      // Two bytes each: it is bytes that count, not characters.
      expect(await save('d3', { id: 'b', edits: 1, json: large(10).replaceAll('x', 'ü'.repeat(30)) })).toBe(
        'too_many',
      );
      expect(await save('d3', { id: 'b', edits: 1, json: large(100) })).toBe('saved');
      expect(await save('d3', { id: 'c', json: null, baseVersion: 1 })).toBe('saved');
      const [a, b] = await storage.listDraft({ accountId: 'd3' });
      expect([a?.json, b?.json]).toEqual([large(600), large(100)]);
    });

    it('are read only of the records that are asked for', async () => {
      const { storage } = opened();
      await save('d4', { id: 'a' });
      await save('d4', { id: 'b' });
      await save('d4', { id: 'b', kind: 'room' });
      const ids = async (input: { kind?: 'ivr' | 'room'; ids?: string[] }) =>
        (await storage.listDraft({ accountId: 'd4', ...input })).map(({ kind, id }) => `${kind} ${id}`);
      expect(await ids({ kind: 'ivr' })).toEqual(['ivr a', 'ivr b']);
      expect(await ids({ kind: 'room' })).toEqual(['room b']);
      expect(await ids({ kind: 'ivr', ids: ['b', 'none'] })).toEqual(['ivr b']);
      expect(await ids({ kind: 'ivr', ids: [] })).toEqual([]);
    });
  });

  describe('a publication', () => {
    it('creates, changes and deletes in one transaction, empties the draft, and is written down', async () => {
      const { storage } = opened();
      await storage.createRecord(record({ accountId: 'p1', id: 'old', json: '{"name":"Old"}' }));
      await storage.createRecord(record({ accountId: 'p1', id: 'gone', json: '{"name":"Gone"}' }));
      await save('p1', { id: 'new' });
      await save('p1', { id: 'old', baseVersion: 1, json: '{"name":"Changed"}' });
      await save('p1', { id: 'gone', baseVersion: 1, json: null });
      const entries = await storage.listDraft({ accountId: 'p1' });
      const edits = entries.map((entry) => entry.edits);
      expect(await publish('p1', entries, { edits, id: 'first' })).toEqual({ outcome: 'published' });
      expect(await read('p1', 'new')).toMatchObject({ version: 1, json: '{"name":"New"}' });
      expect(await read('p1', 'old')).toMatchObject({ version: 2, json: '{"name":"Changed"}' });
      expect(await read('p1', 'gone')).toBeNull();
      expect(await storage.listDraft({ accountId: 'p1' })).toEqual([]);
      const [made] = await storage.listPublications({ accountId: 'p1', limit: 5 });
      expect(made).toMatchObject({
        id: 'first',
        reason: 'because',
        publisherName: 'Asha',
        rolledBackBy: null,
      });
      expect(made?.summary.map(({ id, name, action }) => [id, name, action]).sort()).toEqual([
        ['gone', 'Gone', 'delete'],
        ['new', 'New', 'create'],
        ['old', 'Changed', 'update'],
      ]);
      const audit = await storage.listAudit({ accountId: 'p1', limit: 10 });
      expect(
        audit
          .filter(({ actorName }) => actorName === 'Asha')
          .map(({ action }) => action)
          .sort(),
      ).toEqual(['create', 'delete', 'update']);
    });

    it('writes nothing where a record was changed, deleted or made meanwhile, and names it', async () => {
      const { storage } = opened();
      const old = record({ accountId: 'p2', id: 'old', json: '{"name":"Old"}' });
      await storage.createRecord(old);
      await storage.updateRecord({ ...old, json: '{"name":"By another"}' });
      const fine = { kind: 'ivr', id: 'fine', baseVersion: null, json: '{"name":"Fine"}' } as const;
      const stale = { kind: 'ivr', id: 'old', baseVersion: 1, json: '{"name":"Mine"}' } as const;
      const conflict = { outcome: 'conflict', kind: 'ivr', id: 'old' };
      expect(await publish('p2', [fine, stale])).toEqual({ ...conflict, why: 'changed' });
      expect(await publish('p2', [fine, { ...stale, json: null }])).toEqual({ ...conflict, why: 'changed' });
      expect(await publish('p2', [fine, { ...stale, baseVersion: null }])).toEqual({
        ...conflict,
        why: 'exists',
      });
      await storage.deleteRecord(old);
      expect(await publish('p2', [fine, stale])).toEqual({ ...conflict, why: 'deleted' });
      expect(await read('p2', 'fine')).toBeNull();
      expect(await storage.listPublications({ accountId: 'p2', limit: 5 })).toEqual([]);
    });

    it('is refused where the draft was changed since it was read', async () => {
      await save('p3', { id: 'a' });
      const changes = [{ kind: 'ivr', id: 'a', baseVersion: null, json: '{"name":"New"}' }] as const;
      await save('p3', { id: 'a', edits: 1, json: '{"name":"Newer"}' });
      expect(await publish('p3', changes, { edits: [1] })).toMatchObject({ why: 'draft_changed' });
      expect(await read('p3', 'a')).toBeNull();
    });

    it('moves a number from one record to another, and refuses one that is taken', async () => {
      const { storage } = opened();
      const keys = [{ name: 'number', value: '100' }];
      const number = { accountId: 'p4', kind: 'number', atMs: 1, json: '{"number":"100"}', keys } as const;
      await storage.createRecord({ ...number, id: 'one' });
      const other = { kind: 'number', id: 'two', baseVersion: null, json: '{"number":"100"}', keys } as const;
      expect(await publish('p4', [other])).toMatchObject({ why: 'key_taken', id: 'two' });
      const gone = { kind: 'number', id: 'one', baseVersion: 1, json: null } as const;
      expect(await publish('p4', [other, gone])).toEqual({ outcome: 'published' });
      expect(await read('p4', 'two', 'number')).toMatchObject({ version: 1 });
    });

    it('is rolled back once, from what it replaced', async () => {
      const { storage } = opened();
      await storage.createRecord(record({ accountId: 'p5', id: 'old', json: '{"name":"Old"}' }));
      const change = { kind: 'ivr', id: 'old', baseVersion: 1, json: '{"name":"Changed"}' } as const;
      await publish('p5', [change], { id: 'first' });
      const replaced = await storage.publishedChanges({ accountId: 'p5', id: 'first' });
      expect(replaced).toEqual([
        { kind: 'ivr', id: 'old', before: '{"name":"Old"}', after: '{"name":"Changed"}', version: 2 },
      ]);
      const back = { kind: 'ivr', id: 'old', baseVersion: 2, json: '{"name":"Old"}' } as const;
      expect(await publish('p5', [back], { id: 'second', rollsBack: 'first' })).toEqual({
        outcome: 'published',
      });
      expect(await read('p5', 'old')).toMatchObject({ version: 3, json: '{"name":"Old"}' });
      const again = { ...back, baseVersion: 3 };
      expect(await publish('p5', [again], { rollsBack: 'first' })).toMatchObject({ why: 'rolled_back' });
      expect(await storage.publishedChanges({ accountId: 'p5', id: 'none' })).toBeNull();
      const list = await storage.listPublications({ accountId: 'p5', limit: 5 });
      expect(list.map(({ id, rollsBack, rolledBackBy }) => [id, rollsBack, rolledBackBy])).toEqual([
        ['second', 'first', null],
        ['first', null, 'second'],
      ]);
    });

    it('is forgotten when there are more than are kept', async () => {
      for (const id of ['1', '2', '3'])
        await publish('p6', [{ kind: 'ivr', id, baseVersion: null, json: '{}' }], { id, most: 2 });
      const list = await opened().storage.listPublications({ accountId: 'p6', limit: 5 });
      expect(list.map(({ id }) => id)).toEqual(['3', '2']);
      expect(
        await opened().storage.listPublications({ accountId: 'p6', beforeId: '3', limit: 5 }),
      ).toHaveLength(1);
    });
  });
}

import { expect, it } from 'vitest';
import { StoragePipeline } from './pipeline.ts';
import type { DraftEntry } from './ports/drafts.ts';
import type { Page, StoredRow } from './ports/records.ts';
import { rowsWithin } from './sql/page.ts';
import type { Storage } from './storage.ts';

const row = (id: string, json = `{"name":"${id}"}`): StoredRow => ({
  id,
  version: 1,
  createdAtMs: 1,
  updatedAtMs: 1,
  json,
});
const entry = (id: string, json: string | null, baseVersion: number | null = 1): DraftEntry => ({
  kind: 'department',
  id,
  baseVersion,
  json,
  edits: 1,
  createdAtMs: 2,
  updatedAtMs: 2,
  editorId: 't',
  editorName: 'Asha',
});

const drafting = (storage: object): Storage =>
  new StoragePipeline(storage as Storage).storage({
    draft: { accountId: 'a', editorId: 't', editorName: 'Asha', atMs: 3, noteEdit: () => undefined },
  });

/** Only what lists need. */
function over(
  ids: readonly string[],
  entries: readonly DraftEntry[],
  jsonOf: (id: string) => string = (id) => `{"name":"${id}"}`,
): Storage {
  const storage = {
    listDraft: async ({ ids: only }: { ids?: readonly string[] }) =>
      entries.filter(({ id }) => only?.includes(id) ?? true),
    listRecords: async ({ afterId, limit, maxBytes = Number.POSITIVE_INFINITY }: Page) => {
      const rows = ids
        .filter((id) => id > afterId)
        .slice(0, limit)
        .map((id) => row(id, jsonOf(id)));
      const sizes = rows.map(({ json }) => json.length);
      return rows.slice(0, rowsWithin(sizes, maxBytes));
    },
  };
  return drafting(storage);
}

async function pages(storage: Storage, limit: number): Promise<string[][]> {
  const found: string[][] = [];
  for (let afterId = ''; ; ) {
    const rows = await storage.listRecords({ accountId: 'a', kind: 'department', afterId, limit });
    if (rows.length > 0) found.push(rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (!last || rows.length < limit) return found;
    afterId = last.id;
  }
}

it('a list has each record of account and draft once, in order, over pages of any size', async () => {
  const ids = ['b', 'd', 'f', 'h', 'j', 'l'];
  const entries = [
    entry('a', '{}', null),
    entry('d', null),
    entry('f', null),
    entry('g', '{}', null),
    entry('j', '{"name":"new"}'),
    entry('z', '{}', null),
  ];
  for (const limit of [1, 2, 3, 4, 7, 100]) {
    const found = await pages(over(ids, entries), limit);
    expect(found.flat(), `pages of ${limit}`).toEqual(['a', 'b', 'g', 'h', 'j', 'l', 'z']);
    expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true);
  }
});

it('a page of a list is bounded by bytes, with the draft as without it (T37), and nothing is left out', async () => {
  const ids = ['b', 'd', 'f', 'h', 'j', 'l'];
  // The draft deletes some of what is stored, or makes it small, so that whole pages of it fall away.
  const entries = [
    entry('a', 'y'.repeat(90), null),
    entry('b', null),
    entry('d', null),
    entry('f', '{}'),
    entry('k', 'y'.repeat(90), null),
    entry('z', '{}', null),
  ];
  const storage = over(ids, entries, () => 'x'.repeat(90));
  const seen: string[] = [];
  for (let afterId = ''; ; ) {
    const page = { accountId: 'a', kind: 'department' as const, afterId, limit: 100, maxBytes: 200 };
    const rows = await storage.listRecords(page);
    expect(rows.slice(0, -1).reduce((bytes, { json }) => bytes + json.length, 0)).toBeLessThanOrEqual(200);
    const isLast = rows.reduce((bytes, { json }) => bytes + json.length, 0) <= 200;
    // As a reader does: the row that is too much is the first of the next page.
    const taken = isLast ? rows : rows.slice(0, -1);
    seen.push(...taken.map(({ id }) => id));
    if (isLast) break;
    afterId = taken.at(-1)?.id ?? '';
  }
  expect(seen).toEqual(['a', 'f', 'h', 'j', 'k', 'l', 'z']);
});

it('one record is read without the rest of the draft', async () => {
  const asked: unknown[] = [];
  const storage = drafting({
    listDraft: async (input: unknown) => {
      asked.push(input);
      return [entry('j', '{}')];
    },
  });
  await storage.getRecord({ accountId: 'a', kind: 'department', id: 'j' });
  await storage.getRecords({ accountId: 'a', kind: 'room', ids: [] }).catch(() => undefined);
  expect(asked).toEqual([
    { accountId: 'a', kind: 'department', ids: ['j'] },
    { accountId: 'a', kind: 'room', ids: [] },
  ]);
});

it('a drafted record is read as the draft has it, with a version that rises', async () => {
  const storage = over(['j'], [entry('j', '{"name":"new"}')]);
  const read = (id: string) => storage.getRecord({ accountId: 'a', kind: 'department', id });
  expect(await read('j')).toMatchObject({ version: 2, json: '{"name":"new"}' });
});

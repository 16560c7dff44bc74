import { describe, expect, it } from 'vitest';
import { Turns } from '../api/http/turns.ts';
import { StoragePipeline } from '../storage/pipeline.ts';
import type { StoredRow } from '../storage/ports/records.ts';
import type { Storage } from '../storage/storage.ts';
import { FairReads } from './fair-reads.ts';

const row = (bytes: number): StoredRow => ({
  id: 'x',
  version: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
  json: 'x'.repeat(bytes),
});

const fairly = (storage: object): Storage => {
  const turns = new FairReads(new Turns(), { isFull: (account) => account === 'full' });
  return new StoragePipeline(storage as Storage, { turns }).storage();
};

function reading(bytes: number) {
  const open: { account: string; answer(): void }[] = [];
  const read = ({ accountId: account }: { accountId: string }): Promise<StoredRow[]> =>
    new Promise((resolve) => open.push({ account, answer: () => resolve([row(bytes)]) }));
  const fair = fairly({ listRecords: read, getRecords: read });
  const list = (accountId: string) => fair.listRecords({ accountId, kind: 'ivr', afterId: '', limit: 1 });
  return { open, list };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('reads of accounts (T37)', () => {
  it('two lists of an account are read at once; the others wait, and another account does not', async () => {
    const { open, list } = reading(10);
    const all = Array.from({ length: 5 }, () => list('a'));
    const other = list('b');
    await settle();
    expect(open.map(({ account }) => account).join('')).toBe('aab');
    open[2]?.answer();
    expect(await other).toHaveLength(1);
    for (let each = 0; each < open.length; each++) {
      open[each]?.answer();
      await settle();
    }
    expect((await Promise.all(all)).length).toBe(5);
    expect(open).toHaveLength(6);
  });

  it.each(['listDraft', 'publishedChanges', 'listDeleted'] as const)(
    '%s counts as a list: two of an account at once',
    async (method) => {
      let open = 0;
      const read = () =>
        new Promise(() => {
          open += 1;
        });
      const fair = fairly({ [method]: read });
      for (let each = 0; each < 4; each++)
        void (fair[method] as (input: object) => unknown)({ accountId: 'a' });
      await settle();
      expect(open).toBe(2);
    },
  );

  it('large results are handed over one per turn of the event loop, small ones at once', async () => {
    const { open, list } = reading(100_000);
    let done = 0;
    const all = ['a', 'b', 'c'].map((account) => list(account).then(() => (done += 1)));
    await settle();
    for (const { answer } of open) answer();
    const seen: number[] = [];
    for (let each = 0; each < 5; each++) {
      await settle();
      seen.push(done);
    }
    await Promise.all(all);
    expect(new Set(seen).size).toBeGreaterThanOrEqual(3);
  });

  it('an account that does not read its responses gets no more pages', async () => {
    const { open, list } = reading(10);
    await expect(list('full')).rejects.toThrow('does not read');
    expect(open).toHaveLength(0);
  });

  it('an account with too many waiting reads is refused', async () => {
    const { open, list } = reading(10);
    const all = Array.from({ length: 1_003 }, () => list('a').catch((error: Error) => error.message));
    await settle();
    expect(await all.at(-1)).toBe('Too many reads of this account wait.');
    expect(open).toHaveLength(2);
  });
});

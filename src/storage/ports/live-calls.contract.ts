// What every database must do with running calls of all nodes.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import type { LiveCallRow } from './live-calls.ts';
import type { Opened } from './opened.contract.ts';

const call = (id: string, changes: Partial<LiveCallRow> = {}): LiveCallRow => ({
  id,
  accountId: 'live',
  state: 'menu',
  at: 'ivr||main',
  agent: null,
  ageMs: 200,
  json: '{"caller":"030"}',
  recovery: null,
  ...changes,
});

export function liveCallContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });
  const save = (
    node: string,
    saved: readonly LiveCallRow[],
    removed: readonly string[] = [],
    run = `${node}-1`,
  ) => storage.saveLiveCalls({ node, run, saved, removed });
  const ids = async (accountId = 'live') =>
    (await storage.listLiveCalls({ accountId, limit: 100 })).map(({ id }) => id);
  const left = async (node: string, exceptRun: string | null = null, after = '', limit = 100) =>
    (await storage.leftLiveCalls({ node, exceptRun, after, limit })).map(({ id }) => id);
  const clear = async () => {
    for (const node of ['a', 'b']) await storage.dropLiveCalls({ node, exceptRun: null });
  };

  describe('live calls', () => {
    it('are listed by account with their node, replaced by their id, and removed by their node alone', async () => {
      await save('a', [call('2'), call('1', { at: null }), call('9', { accountId: 'other' })]);
      await save('b', [call('3', { agent: '7', state: 'connected', json: '{"name":"a\0b"}' })], ['1']);
      const before = Date.now() - 60_000;
      expect(await storage.listLiveCalls({ accountId: 'live', limit: 2 })).toHaveLength(2);
      const [one, two, three] = await storage.listLiveCalls({ accountId: 'live', limit: 3 });
      expect([one, two]).toMatchObject([
        { ...call('1', { at: null }), node: 'a', run: 'a-1' },
        { ...call('2'), node: 'a' },
      ]);
      expect(three).toMatchObject({ node: 'b', agent: '7', json: '{"name":"a\ufffdb"}' });
      expect(one?.writtenAtMs).toBeGreaterThan(before);
      await save('a', [call('1', { state: 'queue', ageMs: 900 })], ['2', 'unknown']);
      const another = await opened().another();
      const listed = await another.listLiveCalls({ accountId: 'live', limit: 100 });
      expect(listed).toMatchObject([{ id: '1', state: 'queue', ageMs: 900 }, { id: '3' }]);
      expect(await ids('other')).toEqual(['9']);
      await another.close();
      await clear();
    });

    it('of a node are found and dropped after its death, or those of its former runs alone', async () => {
      await save('a', [call('1'), call('2')]);
      await save('a', [call('3')], [], 'a-2');
      await save('b', [call('4')]);
      expect(await left('a')).toEqual(['1', '2', '3']);
      expect(await left('a', 'a-2')).toEqual(['1', '2']);
      expect(await left('a', null, '1', 1)).toEqual(['2']);
      await storage.dropLiveCalls({ node: 'a', exceptRun: 'a-2' });
      expect(await ids()).toEqual(['3', '4']);
      await storage.dropLiveCalls({ node: 'a', exceptRun: null });
      expect(await ids()).toEqual(['4']);
      await clear();
    });

    it('of a dead node are claimed once each, those alone that another node can go on with', async () => {
      const recovery = '{"node":"ivr||main"}';
      const ours = ['1', '2', '3', '4', '5'].map((id) => call(id, { recovery }));
      await save('a', [...ours, call('6')]);
      await save('a', [call('7', { recovery })], [], 'a-2');
      const claim = (by: string, limit = 3, exceptRun: string | null = 'a-2') =>
        storage.claimLiveCalls({ node: 'a', exceptRun, claimer: { id: by, run: `${by}-9` }, limit });
      expect(await storage.countClaimable({ node: 'a', exceptRun: 'a-2' })).toBe(5);
      const another = await opened().another();
      const [one, two] = await Promise.all([
        claim('b'),
        another.claimLiveCalls({ node: 'a', exceptRun: 'a-2', claimer: { id: 'c', run: 'c-9' }, limit: 3 }),
      ]);
      const rest = await claim('b', 10);
      const claimed = [...one.calls, ...two.calls, ...rest.calls];
      expect(claimed.map(({ id }) => id).sort()).toEqual(['1', '2', '3', '4', '5']);
      expect(claimed.every((each) => each.recovery === recovery && each.run === `${each.node}-9`)).toBe(true);
      // Either may have come too late for any.
      const some = one.calls.length > 0 ? one : two;
      expect(some.nowMs).toBeGreaterThanOrEqual(some.calls[0]?.writtenAtMs ?? Infinity);
      expect((await claim('b')).calls).toEqual([]);
      expect(await left('a')).toEqual(['6', '7']);
      // The node returns: what others have is not taken back, nor removed.
      const mine = some.calls[0] ?? call('none');
      const again = await save('a', [mine, call('6', { state: 'queue' })], ['5']);
      expect(again).toEqual({ taken: [mine.id] });
      const going = await storage.callsGoingOn({ node: 'a', ids: ['5', '6', '7', 'none'] });
      expect(going.sort()).toEqual(['5', '7']);
      // It was not declared dead.
      expect((await claim('b', 10, null)).calls).toEqual([]);
      expect((await ids()).length).toBe(7);
      await another.close();
      await storage.dropLiveCalls({ node: 'c', exceptRun: null });
      await clear();
    });

    it('go in and out a thousand at once', async () => {
      const many = Array.from({ length: 1000 }, (_, index) => call(String(1000 + index)));
      await save('a', many);
      expect((await storage.listLiveCalls({ accountId: 'live', limit: 2000 })).length).toBe(1000);
      await save(
        'a',
        [],
        many.map(({ id }) => id),
      );
      expect(await ids()).toEqual([]);
    });
  });
}

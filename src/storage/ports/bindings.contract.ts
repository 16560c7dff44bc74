// What every database must do with registered phones.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import type { StoredBinding } from './bindings.ts';
import type { Opened } from './opened.contract.ts';

const binding = (changes: Partial<StoredBinding> = {}): StoredBinding => ({
  accountId: 'bound',
  agent: '2001',
  key: 'alice@192.0.2.5:5060;',
  contact: 'sip:alice@192.0.2.5:5060',
  path: ['sip:edge.example.org;lr', 'sip:inner.example.org;lr'],
  instance: '<urn:uuid:00000000-0000-1000-8000-AABBCCDDEEFF>',
  q: 0.7,
  callId: 'a84b4c76e66710',
  cseq: 4_294_967_295,
  expiresAtMs: 5_000,
  userAgent: 'Snom ☎ \u{1f4de}',
  transport: 'udp',
  source: { address: '198.51.100.7', port: 61_234 },
  local: { address: '2001:db8::1', port: 5060 },
  user: '1001',
  credential: 'c0ffee',
  node: 'node-a',
  reachable: true,
  ...changes,
});

export function bindingContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });
  const all = (expiringAfterMs = 0): Promise<StoredBinding[]> =>
    storage.listBindings({ after: null, expiringAfterMs, limit: 100 });
  const clear = async (): Promise<void> => {
    await storage.saveBindings({ saved: [], removed: await all() });
  };

  describe('bindings', () => {
    it('are read as they were saved, replaced by their key, and removed', async () => {
      const first = binding();
      const second = binding({ key: 'second', transport: 'tls', path: [], node: null, reachable: false });
      await storage.saveBindings({ saved: [first, second], removed: [] });
      expect(await all()).toEqual([first, second]);
      const moved = { ...first, contact: 'sip:alice@192.0.2.6', expiresAtMs: 9_000, callId: 'b', cseq: 2 };
      await storage.saveBindings({ saved: [moved], removed: [second] });
      expect(
        await (await opened().another()).listBindings({ after: null, expiringAfterMs: 0, limit: 9 }),
      ).toEqual([moved]);
      // Once more, and one that is not there.
      await storage.saveBindings({ saved: [], removed: [moved, second] });
      expect(await all()).toEqual([]);
    });

    it('are removed unless they expire later than the remover knew: another node refreshed them', async () => {
      const known = binding({ expiresAtMs: 1_000 });
      const other = binding({ key: 'other', expiresAtMs: 1_000 });
      const refreshed = { ...known, expiresAtMs: 1_001 };
      await storage.saveBindings({ saved: [refreshed, other], removed: [] });
      await storage.saveBindings({ saved: [], removed: [known, other] });
      expect(await all()).toEqual([refreshed]);
      await clear();
      expect(await all()).toEqual([]);
    });

    it('take a key of 512 characters of three bytes, and remove 500 at once', async () => {
      const many = Array.from({ length: 500 }, (_, index) =>
        binding({ key: `${'\u20ac'.repeat(508)}${1000 + index}` }),
      );
      await storage.saveBindings({ saved: many, removed: [] });
      expect(await storage.listBindings({ after: null, expiringAfterMs: 0, limit: 1000 })).toHaveLength(500);
      await storage.saveBindings({ saved: [], removed: many });
      expect(await all()).toEqual([]);
    });

    it('are listed page by page, those that have expired left out', async () => {
      const many = ['1', '2', '3'].flatMap((agent) =>
        ['a', 'b'].map((key, index) => binding({ agent, key, expiresAtMs: 1_000 + index })),
      );
      await storage.saveBindings({ saved: many, removed: [] });
      const first = await storage.listBindings({ after: null, expiringAfterMs: 0, limit: 4 });
      const rest = await storage.listBindings({ after: first[3] ?? null, expiringAfterMs: 0, limit: 4 });
      expect([...first, ...rest]).toEqual(many);
      expect((await all(1_000)).map(({ key }) => key)).toEqual(['b', 'b', 'b']);
      // They changed just now: other nodes have not read that yet.
      expect(await storage.forgetBindings({ beforeMs: 1_001, removedForMs: 60_000, limit: 2 })).toEqual({
        forgotten: 0,
      });
      await clear();
      expect(await all()).toEqual([]);
      const later = { beforeMs: Date.now() + 3_600_000, removedForMs: 60_000, limit: 5 };
      expect((await storage.forgetBindings(later)).forgotten).toBe(5);
      while ((await storage.forgetBindings(later)).forgotten > 0);
    });

    it('that were removed are forgotten sooner than those that expired', async () => {
      const [kept, removed] = [binding({ key: 'kept', expiresAtMs: 1_000 }), binding({ key: 'removed' })];
      await storage.saveBindings({ saved: [kept, removed], removed: [] });
      await storage.saveBindings({ saved: [], removed: [removed] });
      const forget = (removedForMs: number) =>
        storage.forgetBindings({ beforeMs: 1, removedForMs, limit: 5 });
      expect(await forget(60_000)).toEqual({ forgotten: 0 });
      expect(await forget(0)).toEqual({ forgotten: 1 });
      expect(await all()).toEqual([kept]);
      await clear();
      await forget(0);
    });

    it('keep the last REGISTER of a Call-ID, whichever node writes first, also after a removal', async () => {
      const later = binding({ key: 'order', cseq: 7, contact: 'sip:later@192.0.2.5' });
      const earlier = binding({ key: 'order', cseq: 6, contact: 'sip:earlier@192.0.2.5' });
      await storage.saveBindings({ saved: [later], removed: [] });
      await storage.saveBindings({ saved: [earlier], removed: [] });
      expect(await all()).toEqual([later]);
      const { accountId, agent, key, expiresAtMs, callId } = later;
      const removal = { accountId, agent, key, expiresAtMs, callId, cseq: 8 };
      await storage.saveBindings({ saved: [], removed: [removal] });
      await storage.saveBindings({ saved: [later], removed: [] });
      expect(await all()).toEqual([]);
      const again = { ...later, cseq: 9 };
      await storage.saveBindings({ saved: [again], removed: [] });
      expect(await all()).toEqual([again]);
      await clear();
    });

    it('are read by other nodes when they changed, removals too', async () => {
      const { nowMs } = await storage.changedBindings({ sinceMs: 0, limit: 1 });
      const since = async (sinceMs: number) => {
        const { changes } = await (await opened().another()).changedBindings({ sinceMs, limit: 10 });
        return changes
          .filter(({ binding: { accountId } }) => accountId === 'news')
          .map((each) => each.binding);
      };
      const first = binding({ accountId: 'news', key: 'a' });
      const second = binding({ accountId: 'news', key: 'b', node: 'node-b' });
      await storage.saveBindings({ saved: [first, second], removed: [] });
      expect(await since(nowMs)).toEqual([first, second]);
      // Changes are in the order of the database's clock, in milliseconds.
      await sleep(2);
      await storage.saveBindings({ saved: [], removed: [first] });
      expect((await since(nowMs)).map(({ key, expiresAtMs }) => [key, expiresAtMs])).toEqual([
        ['b', 5_000],
        ['a', 0],
      ]);
      expect(await since(nowMs + 3_600_000)).toEqual([]);
      await clear();
    });

    it('of a node that is gone are another one’s, but for those on its own connections', async () => {
      const kept = [
        binding({ key: 'udp', path: [], node: 'gone' }),
        binding({ key: 'by edge', transport: 'tcp', node: 'gone' }),
      ];
      const lost = binding({ key: 'connected', transport: 'tls', path: [], node: 'gone' });
      const others = binding({ key: 'other', node: 'node-c' });
      await storage.saveBindings({ saved: [...kept, lost, others], removed: [] });
      expect(await storage.takeBindings({ from: 'gone', node: 'node-d' })).toEqual({ taken: 2 });
      const nodes = (await all()).map(({ key, node }) => [key, node]);
      expect(nodes.sort()).toEqual([
        ['by edge', 'node-d'],
        ['other', 'node-c'],
        ['udp', 'node-d'],
      ]);
      await clear();
    });

    it('take what a phone may send', async () => {
      const odd = binding({ contact: 'sip:a\0b@x', userAgent: "'); DROP TABLE bindings; --", key: 'n\0' });
      await storage.saveBindings({ saved: [odd], removed: [] });
      const [read] = await all();
      expect(read).toMatchObject({ contact: 'sip:a\ufffdb@x', userAgent: odd.userAgent });
      await storage.saveBindings({ saved: [], removed: [odd] });
      expect(await all()).toEqual([]);
    });
  });
}

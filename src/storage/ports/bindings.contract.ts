// What every database must do with registered phones.
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
      const second = binding({ key: 'second', transport: 'tls', path: [] });
      await storage.saveBindings({ saved: [first, second], removed: [] });
      expect(await all()).toEqual([first, second]);
      const moved = { ...first, contact: 'sip:alice@192.0.2.6', expiresAtMs: 9_000, cseq: 2 };
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
      expect(await storage.forgetBindings({ beforeMs: 1_001, limit: 2 })).toEqual({ forgotten: 2 });
      expect(await storage.forgetBindings({ beforeMs: 1_001, limit: 2 })).toEqual({ forgotten: 1 });
      expect((await all()).map(({ key }) => key)).toEqual(['b', 'b', 'b']);
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

// What every database must do with the sessions of browsers.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Token } from '../../domain/account.ts';
import type { Storage } from '../storage.ts';
import { type Opened, token } from './opened.contract.ts';

export function sessionContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('sessions', () => {
    const session = (id: string, more: Partial<Token> = {}): Token => ({
      ...token(id, 'browsers'),
      use: 'session',
      expiresAtMs: 1_000,
      ...more,
    });
    const ids = async () =>
      (await storage.listTokens()).filter(({ accountId }) => accountId === 'browsers').map(({ id }) => id);
    const most = 50;

    it('end with the token they came of, whether it is revoked or replaced', async () => {
      await storage.createToken({ token: token('p1', 'browsers') });
      await storage.createToken({ token: token('p2', 'browsers') });
      const made = [session('s1', { parentId: 'p1' }), session('s2', { parentId: 'p2' }), session('s3')];
      for (const one of made)
        expect(await storage.createSession({ session: one, most })).toEqual({ created: true });
      expect((await storage.listTokens()).find(({ id }) => id === 's1')).toEqual(made[0]);
      await storage.revokeToken({ accountId: 'browsers', id: 'p1' });
      expect(await ids()).toEqual(['p2', 's2', 's3']);
      const p3 = { ...token('p3', 'browsers'), name: 'token p2' };
      await storage.createToken({ token: p3, replaceNamed: true });
      expect(await ids()).toEqual(['p3', 's3']);
    });

    it('replace others; above the limit the oldest of the account end, and of no other', async () => {
      await storage.createSession({ session: session('x1', { accountId: 'other' }), most: 1 });
      await storage.createSession({ session: session('s4'), endIds: ['s3'], most });
      expect(await ids()).toEqual(['p3', 's4']);
      for (const id of ['s5', 's6', 's7']) await storage.createSession({ session: session(id), most: 3 });
      expect(await ids()).toEqual(['p3', 's5', 's6', 's7']);
      expect((await storage.listTokens()).map(({ id }) => id)).toContain('x1');
      // What is no session is not ended as one.
      await storage.createSession({ session: session('s8'), endIds: ['p3'], most: 3 });
      expect(await ids()).toEqual(['p3', 's6', 's7', 's8']);
    });

    it('a link makes one, however many use it at once, and none when its time is over', async () => {
      const link = { ...token('l1', 'browsers'), use: 'link' as const, expiresAtMs: 10 };
      await storage.createToken({ token: link });
      const other = await opened().another();
      const uses = Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? storage : other).createSession({ session: session(`u${at}`), linkId: 'l1', most }),
      );
      const created = (await Promise.all(uses)).filter((one) => one.created);
      await other.close();
      expect(created).toHaveLength(1);
      expect((await ids()).filter((id) => id.startsWith('u'))).toHaveLength(1);
      await storage.createToken({ token: { ...link, id: 'l2', hash: 'hash of l2' } });
      const late = { ...session('late'), createdAtMs: 10 };
      expect(await storage.createSession({ session: late, linkId: 'l2', most })).toEqual({
        created: false,
      });
      expect(await storage.createSession({ session: late, linkId: 'p3', most })).toEqual({
        created: false,
      });
      expect(await ids()).not.toContain('late');
      // What is no link makes none, whenever it expires, and stays.
      await storage.createToken({ token: { ...token('p9', 'browsers'), expiresAtMs: 5_000 } });
      expect(await storage.createSession({ session: session('forged'), linkId: 'p9', most })).toEqual({
        created: false,
      });
      expect(await ids()).toContain('p9');
      await storage.revokeToken({ accountId: 'browsers', id: 'p9' });
    });

    it('are deleted in batches when they have expired, with links; access tokens stay', async () => {
      await storage.createToken({ token: { ...token('p4', 'browsers'), expiresAtMs: 1 } });
      const [revision] = await storage.revisions(['access']);
      const forget = (beforeMs: number) => storage.forgetSessions({ beforeMs, limit: 3 });
      expect(await forget(10)).toEqual({ forgotten: 0 });
      expect(await forget(11)).toEqual({ forgotten: 1 });
      expect(await forget(2_000)).toEqual({ forgotten: 3 });
      expect(await forget(2_000)).toEqual({ forgotten: 2 });
      expect(await ids()).toEqual(['p3', 'p4']);
      expect(await storage.revisions(['access'])).toEqual([revision]);
    });

    it('are in the audit, with who was signed in and out', async () => {
      const by = { id: 'p3', name: 'token p3', requestId: 'r', atMs: 1_000 };
      await storage.createSession({ session: session('a1'), most, by });
      await storage.revokeToken({ accountId: 'browsers', id: 'a1', by });
      const entries = await storage.listAudit({ accountId: 'browsers', limit: 10 });
      expect(entries.map(({ action, kind, recordId }) => [action, kind, recordId])).toEqual([
        ['delete', 'session', 'a1'],
        ['create', 'session', 'a1'],
      ]);
    });
  });
}

// What every database must do with accounts and tokens.
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, FIRST_LIMITS } from '../../domain/account-limits.ts';
import type { Storage } from '../storage.ts';
import { type Opened, record, token } from './opened.contract.ts';

export function accountContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });

  describe('accounts and tokens', () => {
    const account = (id: string) => ({
      id,
      name: `account ${id}`,
      createdAtMs: 5,
      settings: { strict_references: true },
    });

    it('an account is made once, with its token and first records, or not at all', async () => {
      const records = [record({ accountId: 'acc' })];
      expect(await storage.createAccount({ account: account('acc'), token: token('t1'), records })).toEqual({
        created: true,
      });
      expect(await storage.createAccount({ account: account('acc'), token: token('t2') })).toEqual({
        created: false,
      });
      expect(await storage.listAccounts()).toEqual([{ ...account('acc'), limits: FIRST_LIMITS }]);
      expect((await storage.listTokens()).map(({ id }) => id)).toEqual(['t1']);
      expect(
        await storage.listRecords({ accountId: 'acc', kind: 'ivr', afterId: '', limit: 5 }),
      ).toHaveLength(1);
    });

    it('settings are kept, and changes of two at once both count', async () => {
      const other = await opened().another();
      await Promise.all([
        storage.changeSettings({ accountId: 'acc', changes: { sms_templates: true } }),
        other.changeSettings({ accountId: 'acc', changes: { strict_references: false } }),
      ]);
      await other.close();
      expect((await storage.listAccounts())[0]?.settings).toEqual({
        sms_templates: true,
        strict_references: false,
      });
    });

    it('limits are kept; a change of one leaves the others, null takes the default, two at once both count', async () => {
      const other = await opened().another();
      await storage.createAccount({ account: { ...account('later'), createdAtMs: 4 }, token: token('t9') });
      await storage.revokeToken({ accountId: 'acc', id: 't9' });
      const limits = async (id: string) =>
        (await storage.listAccounts()).find((account) => account.id === id)?.limits;
      expect(await limits('later')).toEqual(DEFAULT_LIMITS);
      const before = await storage.revisions(['access']);
      await Promise.all([
        storage.changeLimits({ accountId: 'acc', changes: { max_calls: 7, private_networks: false } }),
        other.changeLimits({ accountId: 'acc', changes: { max_calls_per_agent: 3 } }),
      ]);
      expect(await limits('acc')).toEqual({
        ...FIRST_LIMITS,
        max_calls: 7,
        private_networks: false,
        max_calls_per_agent: 3,
      });
      await storage.changeLimits({ accountId: 'acc', changes: { max_calls: null } });
      expect((await limits('acc'))?.max_calls).toBe(FIRST_LIMITS.max_calls);
      expect(await limits('later')).toEqual(DEFAULT_LIMITS);
      expect(await storage.revisions(['access'])).not.toEqual(before);
      await other.close();
    });

    it('tokens are made, touched, replaced by name and revoked by their own account alone', async () => {
      await storage.createToken({ token: { ...token('t3'), expiresAtMs: 99 } });
      await storage.touchTokens({ ids: ['t3'], atMs: 77 });
      expect((await storage.listTokens()).find(({ id }) => id === 't3')).toEqual({
        ...token('t3'),
        expiresAtMs: 99,
        lastUsedAtMs: 77,
      });
      await storage.createToken({ token: { ...token('t4'), name: 'token t3' }, replaceNamed: true });
      expect((await storage.listTokens()).map(({ id }) => id)).toEqual(['t1', 't4']);
      expect(await storage.revokeToken({ accountId: 'foreign', id: 't4' })).toEqual({ revoked: false });
      expect(await storage.revokeToken({ accountId: 'acc', id: 't4' })).toEqual({ revoked: true });
      expect((await storage.listTokens()).map(({ id }) => id)).toEqual(['t1']);
    });

    const ids = async () => (await storage.listTokens()).map(({ id }) => id);

    it('scopes of tokens are kept (T43)', async () => {
      const scoped = { ...token('t5'), scopes: ['read', 'calls'] as const };
      expect(await storage.createToken({ token: scoped })).toEqual({ outcome: 'created' });
      expect((await storage.listTokens()).find(({ id }) => id === 't5')).toEqual(scoped);
      await storage.revokeToken({ accountId: 'acc', id: 't5' });
    });

    it('a token is revoked, or replaced, with all that came of it; none is made with one that is gone (T43)', async () => {
      const of = (parentId: string, id: string) => ({ ...token(id), parentId });
      for (const one of [
        token('p'),
        of('p', 'c1'),
        of('c1', 'c2'),
        of('p', 'c3'),
        of('t1', 'd1'),
        of('d1', 'd2'),
      ])
        await storage.createToken({ token: one });
      await storage.createSession({ session: { ...of('c2', 's'), use: 'session' }, most: 9 });
      await storage.revokeToken({ accountId: 'acc', id: 'p' });
      expect(await ids()).toEqual(['d1', 'd2', 't1']);
      const before = await storage.revisions(['access']);
      expect(await storage.createToken({ token: of('p', 'late') })).toEqual({ outcome: 'parent_gone' });
      expect(await storage.revokeToken({ accountId: 'acc', id: 'p' })).toEqual({ revoked: false });
      // What changes nothing lets no node read all tokens again.
      expect(await storage.revisions(['access'])).toEqual(before);
      await storage.createToken({ token: { ...token('d3'), name: 'token d1' }, replaceNamed: true });
      expect(await ids()).toEqual(['d3', 't1']);
    });

    it('of many tokens made at once as many succeed as there may be; expired ones give way (T43)', async () => {
      const other = await opened().another();
      const make = (id: string, most: number, more: object = {}) =>
        (id.length % 2 === 0 ? storage : other).createToken({ token: { ...token(id), ...more }, most });
      const made = await Promise.all(['m1', 'm22', 'm3', 'm44', 'm5'].map((id) => make(id, 5)));
      expect(made.filter(({ outcome }) => outcome === 'created')).toHaveLength(3);
      expect(await make('m6', 5)).toEqual({ outcome: 'too_many' });
      await storage.revokeToken({ accountId: 'acc', id: 'd3' });
      expect(await make('m7', 5, { expiresAtMs: 3 })).toEqual({ outcome: 'created' });
      expect(await make('m8', 5, { createdAtMs: 3 })).toEqual({ outcome: 'too_many' });
      // It gives way to tokens of its own account alone.
      await storage.createToken({ token: { ...token('gone'), accountId: 'foreign', expiresAtMs: 3 } });
      expect(await make('m9', 5, { createdAtMs: 4 })).toEqual({ outcome: 'created' });
      expect(await ids()).not.toContain('m7');
      expect(await ids()).toContain('gone');
      await storage.revokeToken({ accountId: 'foreign', id: 'gone' });
      // Browsers are not counted, and tokens of other accounts neither.
      await storage.createSession({ session: { ...token('s'), use: 'session' }, most: 9 });
      const foreign = { ...token('f'), accountId: 'foreign' };
      expect(await storage.createToken({ token: foreign, most: 1 })).toEqual({ outcome: 'created' });
      await other.close();
      for (const { accountId, id } of await storage.listTokens())
        if (id !== 't1') await storage.revokeToken({ accountId, id });
    });
  });
}

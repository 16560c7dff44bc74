// What every database must do where access of users changes while a request is under way, and how much of it one user may have.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Token } from '../../domain/account.ts';
import { NO_CREDENTIALS, type User } from '../../domain/user.ts';
import type { Storage } from '../storage.ts';
import { type Opened, token } from './opened.contract.ts';
import { link, user } from './user-samples.contract.ts';

const MOST = 500;
/** Hashes are unique over all accounts. */
const own = (id: string, accountId: string): Token => ({
  ...token(id, accountId),
  hash: `hash of ${accountId} ${id}`,
});

export function userAccessContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });
  const create = (one: User) => storage.createUser({ user: one, most: MOST });
  const change = (accountId: string, id: string, changes: object) =>
    storage.changeUser({ accountId, id, changes, atMs: 10 });
  const find = async (accountId: string, id: string): Promise<User | undefined> =>
    (await storage.listUsers()).find((one) => one.accountId === accountId && one.id === id);
  const tokensOf = async (accountId: string): Promise<string[]> =>
    (await storage.listTokens())
      .filter((one) => one.accountId === accountId)
      .map(({ id }) => id)
      .sort();

  describe('access of users', () => {
    it('is of no use for another role than expected: users are neither changed, deleted, linked nor given other credentials', async () => {
      await create(user('promoted', 'expecting', { role: 'owner' }));
      await create(user('second', 'expecting', { role: 'owner' }));
      const before = await find('expecting', 'promoted');
      const at = { accountId: 'expecting', id: 'promoted', expectedRole: 'viewer' as const };
      expect(await storage.changeUser({ ...at, changes: { email: 'mine@example.com' }, atMs: 10 })).toEqual({
        outcome: 'changed',
      });
      expect(await storage.deleteUser(at)).toEqual({ outcome: 'changed' });
      const made = link('x1', 'expecting', 'promoted');
      expect(await storage.createUserLink({ link: made, expectedRole: 'viewer' })).toEqual({
        outcome: 'changed',
      });
      expect(await storage.findUserLink({ hash: made.hash })).toBeNull();
      const credentials = { ...NO_CREDENTIALS, password: 'taken over' };
      const change = { ...at, expected: NO_CREDENTIALS, credentials, atMs: 10 };
      expect(await storage.changeCredentials(change)).toEqual({ changed: false });
      expect(await find('expecting', 'promoted')).toEqual(before);
      expect(await storage.createUserLink({ link: made, expectedRole: 'owner' })).toEqual({
        outcome: 'done',
      });
      expect(await storage.changeCredentials({ ...change, expectedRole: 'owner' })).toEqual({
        changed: true,
      });
      expect(await storage.deleteUser({ ...at, expectedRole: 'owner' })).toEqual({ outcome: 'done' });
    });

    it('by links that wait ends with another role: who made one for a viewer does not become owner by it', async () => {
      await create(user('rises', 'promotion'));
      const made = link('p1', 'promotion', 'rises', { use: 'invite' });
      await storage.createUserLink({ link: made });
      await change('promotion', 'rises', { name: 'Same role', role: 'viewer' });
      expect(await storage.findUserLink({ hash: made.hash })).toEqual(made);
      await change('promotion', 'rises', { role: 'owner' });
      expect(await storage.findUserLink({ hash: made.hash })).toBeNull();
      expect(await storage.spendUserLink({ link: made, password: 'x', atMs: 50 })).toEqual({ used: false });
    });

    it('begins for users as they were proved, and tokens come of a session that is still there', async () => {
      const credentials = { ...NO_CREDENTIALS, password: 'first' };
      await create(user('v', 'proved', { credentials }));
      const begin = async (id: string, role: User['role'], password: string | null): Promise<boolean> => {
        const session: Token = { ...own(id, 'proved'), userId: 'v', use: 'session', expiresAtMs: 1_000 };
        return (await storage.createSession({ session, most: MOST, provenUser: { role, password } })).created;
      };
      expect(await begin('s1', 'viewer', 'first')).toBe(true);
      expect(await begin('s2', 'viewer', 'former')).toBe(false);
      expect(await begin('s3', 'editor', 'first')).toBe(false);
      const made = (id: string, madeBy: string) =>
        storage.createToken({ token: { ...own(id, 'proved'), userId: 'v' }, madeBy });
      expect(await made('t1', 's1')).toEqual({ outcome: 'created' });
      await change('proved', 'v', { disabled: true });
      expect(await begin('s4', 'viewer', 'first')).toBe(false);
      expect(await made('t2', 's1')).toEqual({ outcome: 'parent_gone' });
      await storage.deleteUser({ accountId: 'proved', id: 'v' });
      expect(await begin('s5', 'viewer', 'first')).toBe(false);
      expect(await tokensOf('proved')).toEqual([]);
    });

    it('has a share: of sessions the own oldest end, of tokens none is added; others keep theirs', async () => {
      for (const id of ['greedy', 'modest']) await create(user(id, 'shares'));
      const begin = (id: string, userId: string) =>
        storage.createSession({
          session: { ...own(id, 'shares'), userId, use: 'session', expiresAtMs: 1_000 },
          most: MOST,
          mostOfUser: 2,
        });
      const make = async (id: string, userId: string) =>
        (await storage.createToken({ token: { ...own(id, 'shares'), userId }, mostOfUser: 1 })).outcome;
      await begin('a0', 'modest');
      for (const id of ['a1', 'a2', 'a3']) await begin(id, 'greedy');
      expect(await tokensOf('shares')).toEqual(['a0', 'a2', 'a3']);
      expect(await make('b1', 'greedy')).toBe('created');
      expect(await make('b2', 'greedy')).toBe('too_many_of_user');
      expect(await make('b3', 'modest')).toBe('created');
      expect(await tokensOf('shares')).toEqual(['a0', 'a2', 'a3', 'b1', 'b3']);
    });
  });
}

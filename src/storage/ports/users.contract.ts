// What every database must do with users, with what proves them, and with the links that invite them or reset their password.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Token } from '../../domain/account.ts';
import { ROLES } from '../../domain/roles.ts';
import { mailedLinkId, NO_CREDENTIALS, type User, type UserCredentials } from '../../domain/user.ts';
import type { Storage } from '../storage.ts';
import { type Opened, token } from './opened.contract.ts';
import { link, user } from './user-samples.contract.ts';

const MOST = 500;
const by = { id: 't1', name: 'Olga', requestId: 'r', atMs: 9 };

export function userContract(opened: () => Opened): void {
  let storage: Storage;
  beforeAll(() => {
    storage = opened().storage;
  });
  const create = async (one: User): Promise<string> =>
    (await storage.createUser({ user: one, most: MOST })).outcome;
  const change = async (accountId: string, id: string, changes: object, atMs = 10): Promise<string> =>
    (await storage.changeUser({ accountId, id, changes, atMs })).outcome;
  const remove = async (accountId: string, id: string): Promise<string> =>
    (await storage.deleteUser({ accountId, id })).outcome;
  const usersOf = async (accountId: string): Promise<User[]> =>
    (await storage.listUsers()).filter((one) => one.accountId === accountId);
  const find = async (accountId: string, id: string): Promise<User | undefined> =>
    (await usersOf(accountId)).find((one) => one.id === id);
  /** An access token, a session and a sign-in link of a user, and a token of the account. */
  const giveAccess = async (accountId: string, userId: string): Promise<void> => {
    const made = (id: string, more: Partial<Token>): Token => ({ ...token(id, accountId), ...more });
    await storage.createToken({ token: made(`${userId}-api`, { userId }) });
    await storage.createToken({ token: made(`${userId}-link`, { userId, use: 'link', expiresAtMs: 1_000 }) });
    const session = made(`${userId}-session`, { userId, use: 'session', expiresAtMs: 1_000, browser: 'Fox' });
    await storage.createSession({ session, most: MOST });
  };
  const tokensOf = async (accountId: string): Promise<string[]> =>
    (await storage.listTokens())
      .filter((one) => one.accountId === accountId)
      .map(({ id }) => id)
      .sort();
  const accessOf = (userId: string): string[] => [`${userId}-api`, `${userId}-link`, `${userId}-session`];
  const raises = async (write: () => Promise<unknown>): Promise<boolean> => {
    const [before] = await storage.revisions(['access']);
    await write();
    const [after] = await storage.revisions(['access']);
    return after !== before;
  };

  describe('users', () => {
    it('are stored with every role and every member, as they are given', async () => {
      for (const role of ROLES) expect(await create(user(`u-${role}`, 'roles', { role }))).toBe('done');
      const whole = user('u-whole', 'roles', {
        name: "नाम “Ünï” ' ; DROP TABLE users",
        agent: 'eid-1',
        disabled: true,
        lastSignInAtMs: 7,
      });
      expect(await create(whole)).toBe('done');
      expect(await find('roles', 'u-whole')).toEqual(whole);
      const stored = await usersOf('roles');
      expect(stored.map(({ role }) => role).sort()).toEqual([...ROLES, 'viewer'].sort());
      expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).sort());
    });

    it('have an e-mail address that no other user of the account has; in another account it is another user', async () => {
      await create(user('one', 'mails'));
      expect(await create(user('two', 'mails', { email: 'one@example.com' }))).toBe('email_taken');
      expect(await create(user('two', 'mails'))).toBe('done');
      expect(await change('mails', 'two', { email: 'one@example.com' })).toBe('email_taken');
      expect(await create(user('one', 'mails elsewhere'))).toBe('done');
      const other = await opened().another();
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          (at % 2 === 0 ? storage : other).createUser({
            user: user(`race${at}`, 'mails', { email: 'race@example.com' }),
            most: MOST,
          }),
        ),
      );
      await other.close();
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
        'done',
        ...Array.from({ length: 5 }, () => 'email_taken'),
      ]);
    });

    it('are no more than the account may have, and the first owner is made once, however many try', async () => {
      const other = await opened().another();
      const firsts = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          (at % 2 === 0 ? storage : other).createUser({
            user: user(`o${at}`, 'first', { role: 'owner' }),
            most: 1,
            first: true,
          }),
        ),
      );
      await other.close();
      expect(firsts.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
      expect(firsts.filter(({ outcome }) => outcome === 'has_users')).toHaveLength(5);
      expect((await storage.createUser({ user: user('x', 'first'), most: 1 })).outcome).toBe('too_many');
      expect(await usersOf('first')).toHaveLength(1);
    });

    it('change member by member, with effect for every node, and keep what is not named', async () => {
      await create(user('c', 'changes', { agent: 'eid-1' }));
      expect(await raises(() => change('changes', 'c', { name: 'Other', agent: null }, 20))).toBe(true);
      const expected = { ...user('c', 'changes'), name: 'Other', updatedAtMs: 20 };
      expect(await find('changes', 'c')).toEqual(expected);
      // The time of a sign-in changes no decision: no node reads its users again.
      expect(await raises(() => storage.touchUser({ accountId: 'changes', id: 'c', atMs: 30 }))).toBe(false);
      expect(await find('changes', 'c')).toEqual({ ...expected, lastSignInAtMs: 30 });
      expect(await change('changes', 'nobody', { name: 'X' })).toBe('unknown');
    });

    it('lose sessions, tokens and sign-in links with the role, when disabled and when deleted; others keep theirs', async () => {
      for (const id of ['a', 'b', 'c', 'd']) {
        await create(user(id, 'access'));
        await giveAccess('access', id);
      }
      await storage.createToken({ token: token('of-account', 'access') });
      const rest = (...ids: string[]): string[] => [...ids.flatMap(accessOf), 'of-account'].sort();
      await change('access', 'a', { name: 'Same role', role: 'viewer' });
      expect(await tokensOf('access')).toEqual(rest('a', 'b', 'c', 'd'));
      await change('access', 'a', { role: 'editor' });
      expect(await tokensOf('access')).toEqual(rest('b', 'c', 'd'));
      await change('access', 'b', { disabled: true });
      expect(await tokensOf('access')).toEqual(rest('c', 'd'));
      expect(await raises(() => remove('access', 'c'))).toBe(true);
      expect(await tokensOf('access')).toEqual(rest('d'));
      expect(await find('access', 'c')).toBeUndefined();
      expect(await remove('access', 'c')).toBe('unknown');
    });

    it('have sessions that are listed with their browser and ended one by one', async () => {
      await create(user('s', 'sessions of users'));
      await giveAccess('sessions of users', 's');
      const listed = (await storage.listTokens()).find(({ id }) => id === 's-session');
      expect(listed).toMatchObject({ userId: 's', use: 'session', browser: 'Fox' });
      await storage.revokeToken({ accountId: 'another account', id: 's-session' });
      expect(await tokensOf('sessions of users')).toContain('s-session');
      await storage.revokeToken({ accountId: 'sessions of users', id: 's-session' });
      expect(await tokensOf('sessions of users')).toEqual(['s-api', 's-link']);
    });

    it('of one account are neither changed nor deleted by the id of another account', async () => {
      await create(user('victim', 'mine', { role: 'owner' }));
      await create(user('second', 'mine', { role: 'owner' }));
      const before = await find('mine', 'victim');
      expect(await change('theirs', 'victim', { role: 'viewer' })).toBe('unknown');
      expect(await remove('theirs', 'victim')).toBe('unknown');
      const credentials = { ...NO_CREDENTIALS, password: 'taken over' };
      const forged = { accountId: 'theirs', id: 'victim', expected: NO_CREDENTIALS, credentials, atMs: 10 };
      expect(await storage.changeCredentials(forged)).toEqual({ changed: false });
      await storage.touchUser({ accountId: 'theirs', id: 'victim', atMs: 99 });
      await storage.createUserLink({ link: link('forged', 'theirs', 'victim') });
      const spent = { link: link('forged', 'theirs', 'victim'), password: 'taken over', atMs: 50 };
      expect(await storage.spendUserLink(spent)).toEqual({ used: false });
      expect(await find('mine', 'victim')).toEqual(before);
    });

    it('an account keeps an owner who may sign in, also when two requests at once take the last two away', async () => {
      await create(user('only', 'lone', { role: 'owner' }));
      await create(user('off', 'lone', { role: 'owner', disabled: true }));
      await create(user('owner', 'lone elsewhere', { role: 'owner' }));
      expect(await change('lone', 'only', { role: 'administrator' })).toBe('last_owner');
      expect(await change('lone', 'only', { disabled: true })).toBe('last_owner');
      expect(await remove('lone', 'only')).toBe('last_owner');
      expect(await change('lone', 'only', { name: 'Still' })).toBe('done');
      const other = await opened().another();
      const endings = [
        (by: Storage, accountId: string, id: string) => by.deleteUser({ accountId, id }),
        (by: Storage, accountId: string, id: string) =>
          by.changeUser({ accountId, id, changes: { role: 'viewer' as const }, atMs: 10 }),
        (by: Storage, accountId: string, id: string) =>
          by.changeUser({ accountId, id, changes: { disabled: true }, atMs: 10 }),
      ];
      for (const [round, [first, second]] of endings
        .flatMap((one) => endings.map((another) => [one, another] as const))
        .entries()) {
        const accountId = `two owners ${round}`;
        await create(user('x', accountId, { role: 'owner' }));
        await create(user('y', accountId, { role: 'owner' }));
        const outcomes = await Promise.all([first(storage, accountId, 'x'), second(other, accountId, 'y')]);
        expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['done', 'last_owner']);
        const left = (await usersOf(accountId)).filter(({ role, disabled }) => role === 'owner' && !disabled);
        expect(left).toHaveLength(1);
      }
      await other.close();
    });
  });

  describe('credentials of users', () => {
    const credentials: UserCredentials = {
      password: 'scrypt$…',
      totp: 'sealed',
      totpStep: 7,
      recovery: ['one', 'two'],
      passkeys: [
        { id: 'k1', publicKey: 'p1', counter: 0, transports: [], name: 'Laptop', createdAtMs: 5 },
        { id: 'k2', publicKey: 'p2', counter: 4, transports: ['usb'], name: 'Key', createdAtMs: 6 },
      ],
      provider: { issuer: 'https://login.example.com', subject: 'una', atMs: 7 },
      mailbox: 'una@example.com',
      addressedAtMs: 8,
    };
    const first = (id: string, accountId: string) => ({ accountId, id, expected: NO_CREDENTIALS, atMs: 10 });

    it('are stored as given: password, sealed secret of an app, recovery codes and passkeys', async () => {
      await create(user('u', 'proofs'));
      expect(await raises(() => storage.changeCredentials({ ...first('u', 'proofs'), credentials }))).toBe(
        true,
      );
      expect((await find('proofs', 'u'))?.credentials).toEqual(credentials);
      const passkeys = credentials.passkeys.slice(1);
      const fewer = {
        ...first('u', 'proofs'),
        expected: credentials,
        credentials: { ...credentials, passkeys },
      };
      expect(await storage.changeCredentials(fewer)).toEqual({ changed: true });
      expect((await find('proofs', 'u'))?.credentials.passkeys.map(({ id }) => id)).toEqual(['k2']);
    });

    it('are changed by one of many who read the same: a code works once', async () => {
      await create(user('once', 'proofs', { credentials }));
      const other = await opened().another();
      const uses = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? storage : other).changeCredentials({
            accountId: 'proofs',
            id: 'once',
            expected: credentials,
            credentials: { ...credentials, totpStep: 8 },
            atMs: 10,
          }),
        ),
      );
      await other.close();
      expect(uses.filter(({ changed }) => changed)).toHaveLength(1);
    });

    it('end all sessions and tokens of the user but one, where that is asked for', async () => {
      await create(user('p', 'ended'));
      await create(user('q', 'ended'));
      for (const id of ['p', 'q']) await giveAccess('ended', id);
      await storage.changeCredentials({ ...first('p', 'ended'), credentials });
      expect(await tokensOf('ended')).toEqual([...accessOf('p'), ...accessOf('q')].sort());
      const again = { ...first('p', 'ended'), expected: credentials, credentials: NO_CREDENTIALS };
      await storage.changeCredentials({ ...again, endAllBut: 'p-session' });
      expect(await tokensOf('ended')).toEqual(['p-session', ...accessOf('q')].sort());
    });
  });

  describe('links of users', () => {
    it('are found by their hash, and replace each other', async () => {
      await create(user('l', 'links'));
      const made = link('l1', 'links', 'l', { use: 'invite' });
      await storage.createUserLink({ link: made });
      expect(await storage.findUserLink({ hash: made.hash })).toEqual(made);
      expect(await storage.findUserLink({ hash: 'another hash' })).toBeNull();
      await storage.createUserLink({ link: link('l2', 'links', 'l') });
      expect(await storage.findUserLink({ hash: made.hash })).toBeNull();
      const spent = { link: made, password: 'x', atMs: 50 };
      expect(await storage.spendUserLink(spent)).toEqual({ used: false });
    });

    it('set the password once, however many try, end all access, and nothing after their time', async () => {
      const key = { id: 'k', publicKey: 'p', counter: 0, transports: [], name: 'Laptop', createdAtMs: 5 };
      const factor = { ...NO_CREDENTIALS, totp: 'sealed', recovery: ['one'] };
      const before = { ...factor, password: 'before', passkeys: [key] };
      await create(user('r', 'spent', { credentials: before }));
      await giveAccess('spent', 'r');
      const made = link('r1', 'spent', 'r');
      await storage.createUserLink({ link: made });
      expect(await storage.spendUserLink({ link: made, password: 'late', atMs: 100 })).toEqual({
        used: false,
      });
      expect(await tokensOf('spent')).toEqual(accessOf('r'));
      const other = await opened().another();
      const uses = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? storage : other).spendUserLink({ link: made, password: `after ${at}`, atMs: 50 }),
        ),
      );
      await other.close();
      expect(uses.filter(({ used }) => used)).toHaveLength(1);
      const winner = uses.findIndex(({ used }) => used);
      // The second factor stays; passkeys do not, which whoever had the account may have added.
      expect((await find('spent', 'r'))?.credentials).toEqual({ ...factor, password: `after ${winner}` });
      expect(await tokensOf('spent')).toEqual([]);
    });

    it('that went by mail alone prove the mailbox, until the user has another address', async () => {
      await create(user('m', 'mailboxes'));
      const spend = async (id: string): Promise<UserCredentials | undefined> => {
        const made = link(id, 'mailboxes', 'm');
        await storage.createUserLink({ link: made });
        expect(await storage.spendUserLink({ link: made, password: 'x', atMs: 50 })).toEqual({ used: true });
        return (await find('mailboxes', 'm'))?.credentials;
      };
      expect((await spend('shown'))?.mailbox).toBeNull();
      const email = (await find('mailboxes', 'm'))?.email;
      expect((await spend(mailedLinkId('sent')))?.mailbox).toBe(email);
      expect((await spend('shown again'))?.mailbox).toBe(email);
      expect(await change('mailboxes', 'm', { name: 'Another name' })).toBe('done');
      expect((await find('mailboxes', 'm'))?.credentials).toMatchObject({
        mailbox: email,
        addressedAtMs: null,
      });
      expect(await change('mailboxes', 'm', { email: 'victim@example.com' })).toBe('done');
      expect((await find('mailboxes', 'm'))?.credentials).toMatchObject({ mailbox: null, addressedAtMs: 10 });
    });

    it('end with another address, with disabling and with the user', async () => {
      const endings: readonly ((id: string) => Promise<string>)[] = [
        (id) => change('gone', id, { email: `${id}-new@example.com` }),
        (id) => change('gone', id, { disabled: true }),
        (id) => remove('gone', id),
      ];
      for (const [at, end] of endings.entries()) {
        const id = `g${at}`;
        await create(user(id, 'gone'));
        const made = link(`link-${id}`, 'gone', id);
        await storage.createUserLink({ link: made });
        expect(await end(id)).toBe('done');
        expect(await storage.findUserLink({ hash: made.hash })).toBeNull();
        expect(await storage.spendUserLink({ link: made, password: 'x', atMs: 50 })).toEqual({ used: false });
      }
    });

    it('are deleted in batches when their time is over', async () => {
      for (const id of ['f1', 'f2', 'f3']) {
        await create(user(id, 'old links'));
        await storage.createUserLink({ link: link(id, 'old links', id, { expiresAtMs: 3 }) });
      }
      await storage.createUserLink({ link: link('kept', 'old links', 'f4', { expiresAtMs: 4 }) });
      expect(await storage.forgetUserLinks({ beforeMs: 4, limit: 2 })).toEqual({ forgotten: 2 });
      expect(await storage.forgetUserLinks({ beforeMs: 4, limit: 2 })).toEqual({ forgotten: 1 });
      expect(await storage.findUserLink({ hash: 'hash of link old links kept' })).not.toBeNull();
    });
  });

  it('the audit has every change of a user, with what became different and no credentials', async () => {
    const accountId = 'audited users';
    const credentials = { ...NO_CREDENTIALS, password: 'SECRET' };
    await storage.createUser({ user: user('n', accountId, { credentials }), most: MOST, by });
    await storage.changeUser({ accountId, id: 'n', changes: { role: 'editor' }, atMs: 10, by });
    const made = link('n1', accountId, 'n');
    await storage.createUserLink({ link: made, by });
    await storage.spendUserLink({ link: made, password: 'SECRET 2', atMs: 50, by });
    const expected = { ...credentials, password: 'SECRET 2' };
    const totp = { accountId, id: 'n', expected, credentials: { ...expected, totp: 'SECRET 3' }, atMs: 60 };
    await storage.changeCredentials({ ...totp, action: 'totp_on', by });
    await storage.deleteUser({ accountId, id: 'n', by });
    const entries = await storage.listAudit({ accountId, limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual([
      'delete',
      'totp_on',
      'reset_password',
      'reset_link',
      'update',
      'create',
    ]);
    expect(JSON.stringify(entries)).toContain('editor');
    expect(JSON.stringify(entries)).not.toMatch(/SECRET|hash of link/);
  });
}

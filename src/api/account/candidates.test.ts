// Threat T66: an account invites the address of a person who works in another one.
import { expect, it } from 'vitest';
import { NO_CREDENTIALS, type ProviderIdentity, type User } from '../../domain/user.ts';
import type { KnownUser } from '../http/auth.ts';
import { candidatesFor, chosenBy } from './candidates.ts';

const email = 'vera@example.com';
const known = (accountId: string, lastSignInAtMs: number | null, more: Partial<User> = {}): KnownUser =>
  ({
    account: { id: accountId, name: accountId },
    user: {
      accountId,
      id: 'u',
      email,
      disabled: false,
      credentials: NO_CREDENTIALS,
      lastSignInAtMs,
      ...more,
    },
  }) as KnownUser;
const candidates = (...users: KnownUser[]): Promise<KnownUser[]> =>
  candidatesFor(email, {
    access: { users: async (fits: (user: User) => boolean) => users.filter(({ user }) => fits(user)) },
  } as Parameters<typeof candidatesFor>[1]);
const accounts = (found: readonly KnownUser[]): string[] => found.map(({ account }) => account.id);

const password = { ...NO_CREDENTIALS, password: 'x' };
const active = (accountId: string, atMs: number, credentials: Partial<User['credentials']> = {}): KnownUser =>
  known(accountId, atMs, { createdAtMs: 100, credentials: { ...password, ...credentials } });

it('whose mailbox is proven comes first, then who has the address longest, and invitations last', async () => {
  const found = await candidates(
    known('invited', null),
    active('late', 9, { addressedAtMs: 300 }),
    active('earlier', 5, { addressedAtMs: 200 }),
    active('busy', 99),
    active('first', 1),
    active('proven before', 4, { mailbox: email }),
    active('proven', 6, { mailbox: email, addressedAtMs: 400 }),
    active('proved another', 99, { mailbox: 'own@example.com', addressedAtMs: 500 }),
    known('other', 7, { email: 'other@example.com' }),
    known('off', 99, { disabled: true }),
  );
  expect(accounts(found)).toEqual([
    'proven',
    'proven before',
    'busy',
    'first',
    'earlier',
    'late',
    'proved another',
    'invited',
  ]);
});

it('strangers who accept, sign in and change addresses stay behind whoever had the address before', async () => {
  const victim = active('victim', 1);
  const strangers = Array.from({ length: 20 }, (_, at) =>
    // The user is older than the victim; the address is not.
    known(`evil${at}`, 1_000 + at, { createdAtMs: 1, credentials: { ...password, addressedAtMs: 101 + at } }),
  );
  expect((await candidates(...strangers, victim))[0]).toBe(victim);
});

it('an account is named by its id or its name, in any case', async () => {
  const named = (name: string) =>
    candidatesFor(
      email,
      {
        access: {
          users: async () => [
            { ...active('a-1', 1), account: { id: 'a-1', name: 'Acme Ltd' } },
            { ...active('b-2', 2), account: { id: 'b-2', name: 'Other' } },
          ],
        },
      } as unknown as Parameters<typeof candidatesFor>[1],
      name,
    );
  expect(accounts(await named('b-2'))).toEqual(['b-2']);
  expect(accounts(await named(' acme LTD '))).toEqual(['a-1']);
  expect(accounts(await named('acme'))).toEqual([]);
  expect(accounts(await named(' '))).toEqual(['a-1', 'b-2']);
});

const vera = { issuer: 'https://login.example.com', subject: 'vera' };
const byProvider = (accountId: string, atMs: number, identity: ProviderIdentity = vera): KnownUser =>
  known(accountId, atMs, { credentials: { ...NO_CREDENTIALS, provider: { ...identity, atMs } } });

it('a provider signs in the only one who has the address, invited or not', async () => {
  const [invited, used] = [known('a', null), known('b', 1)];
  expect(chosenBy(await candidates(), vera)).toBeNull();
  expect(chosenBy(await candidates(invited), vera)).toBe(invited);
  expect(chosenBy(await candidates(used), vera)).toBe(used);
});

it('a provider that gave the address to another person signs nobody in, unless with a link', async () => {
  const former = byProvider('a', 5, { ...vera, subject: 'who left' });
  expect(chosenBy(await candidates(former), vera)).toBeNull();
  expect(chosenBy(await candidates(former), vera, { accountId: 'a', id: 'u' })).toBe(former);
  // Another provider's word for the address.
  const elsewhere = byProvider('a', 5, { ...vera, issuer: 'https://other.example' });
  expect(chosenBy(await candidates(elsewhere), vera)).toBe(elsewhere);
});

it('a provider signs in who came by it before, whatever others do with the address', async () => {
  const own = byProvider('own', 5);
  const chosen = { ...NO_CREDENTIALS, password: 'set by the account itself' };
  const accepted = known('evil', 99, { credentials: chosen });
  // Another person at the provider, whose address an account has changed to this one.
  const renamed = byProvider('evil2', 99, { ...vera, subject: 'mallory' });
  const elsewhere = byProvider('evil3', 99, { ...vera, issuer: 'https://evil.example' });
  expect(chosenBy(await candidates(known('invited', null), accepted, renamed, elsewhere, own), vera)).toBe(
    own,
  );
  const later = byProvider('second', 7);
  expect(chosenBy(await candidates(own, later, accepted), vera)).toBe(later);
});

it('a provider signs in none of several by which the person never came, also where one was used by password', async () => {
  const [invited, another, used] = [known('a', null), known('b', null), known('c', 1)];
  expect(chosenBy(await candidates(invited, another), vera)).toBe('several');
  expect(chosenBy(await candidates(invited, used), vera)).toBe('several');
  // With its link, whoever else has the address; a link for another address is of no use.
  expect(chosenBy(await candidates(invited, another, used), vera, { accountId: 'b', id: 'u' })).toBe(another);
  const own = byProvider('own', 5);
  expect(chosenBy(await candidates(invited, own), vera, { accountId: 'b', id: 'u' })).toBe(own);
});

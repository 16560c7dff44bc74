// Threat T66: an account invites the address of a person who works in another one.
import { expect, it } from 'vitest';
import { NO_CREDENTIALS, type ProviderIdentity, type User } from '../../domain/user.ts';
import type { KnownUser } from '../http/auth.ts';
import { candidatesFor, chosenBy } from './candidates.ts';

const email = 'vera@example.com';
const known = (accountId: string, lastSignInAtMs: number | null, more: Partial<User> = {}): KnownUser =>
  ({
    account: { id: accountId },
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

it('who has signed in last comes first, and invitations that were not accepted last', async () => {
  const password = { credentials: { ...NO_CREDENTIALS, password: 'x' } };
  const found = await candidates(
    known('a-invited', null),
    known('b-used', 5),
    known('c-latest', 9),
    known('d-disabled', 99, { disabled: true }),
    known('e-password', null, password),
    known('f-other', 7, { email: 'other@example.com' }),
  );
  expect(accounts(found)).toEqual(['c-latest', 'b-used', 'e-password', 'a-invited']);
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
  const password = { ...NO_CREDENTIALS, password: 'set by the account itself' };
  const accepted = known('evil', 99, { credentials: password });
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

// Users who have the same e-mail address in several accounts, in the order in which a sign-in tries them.
import { hasProvenMailbox, type ProviderIdentity, type User, userState } from '../../domain/user.ts';
import type { KnownUser } from '../http/auth.ts';
import type { ApiContext } from '../http/handler.ts';

/** Whose password is checked, and who get a link, of those with one address. */
export const MAX_CANDIDATES = 4;

const isInvited = ({ user }: KnownUser): boolean => userState(user) === 'invited';

const isProven = ({ user }: KnownUser): boolean => hasProvenMailbox(user);

/**
 * Any account can invite any address, accept the link where it is shown, and sign in as often as it likes: that must not come before the
 * account that the address's reader uses. So those whose link was opened in that mailbox come first, the latest sign-in before the others;
 * then who has had the address longest; and invitations that nobody has accepted last.
 */
function inOrder(one: KnownUser, other: KnownUser): number {
  const invited = Number(isInvited(one)) - Number(isInvited(other));
  const proven = Number(isProven(other)) - Number(isProven(one));
  if (invited !== 0 || proven !== 0) return invited || proven;
  return isProven(one)
    ? (other.user.lastSignInAtMs ?? 0) - (one.user.lastSignInAtMs ?? 0)
    : sinceMs(one) - sinceMs(other);
}

const sinceMs = ({ user }: KnownUser): number => user.credentials.addressedAtMs ?? user.createdAtMs;

/** `email`: as emailOf() gives it. `named`: the id or name of the account that is meant; null: any. */
export async function candidatesFor(
  email: string,
  { access }: Pick<ApiContext, 'access'>,
  named: string | null = null,
): Promise<KnownUser[]> {
  const fits = (user: User): boolean => user.email === email && !user.disabled;
  return (await access.users(fits)).filter((known) => isNamed(known, named)).sort(inOrder);
}

function isNamed({ account: { id, name } }: KnownUser, named: string | null): boolean {
  const wanted = named?.trim().toLowerCase() ?? '';
  return wanted === '' || id.toLowerCase() === wanted || name.trim().toLowerCase() === wanted;
}

/**
 * Whom a provider's word for the address signs in: who has signed in by this identity before, the latest first, else the only one who has
 * the address and no other identity at this provider. Any account can invite any address and set a password for it, so a sign-in by password says nothing of the person
 * (docs/threat-model.md T66). `invitation`: the one whose link the browser has. `several`: it cannot be told which one is meant.
 */
export function chosenBy(
  candidates: readonly KnownUser[],
  identity: ProviderIdentity,
  invitation: Pick<User, 'accountId' | 'id'> | null = null,
): KnownUser | 'several' | null {
  const isMeant = ({ user }: KnownUser): boolean =>
    user.accountId === invitation?.accountId && user.id === invitation.id;
  const meant = candidates.find(isMeant);
  if (meant) return meant;
  const atMs = ({ user }: KnownUser): number => user.credentials.provider?.atMs ?? 0;
  const [used] = candidates
    .filter(({ user }) => isIdentity(user, identity))
    .sort((one, other) => atMs(other) - atMs(one));
  if (used) return used;
  const [first, second] = candidates;
  if (second) return 'several';
  // The provider has given the address to somebody else.
  return first && first.user.credentials.provider?.issuer !== identity.issuer ? first : null;
}

const isIdentity = ({ credentials: { provider } }: User, { issuer, subject }: ProviderIdentity): boolean =>
  provider?.issuer === issuer && provider.subject === subject;

// Users who have the same e-mail address in several accounts, in the order in which a sign-in tries them.
import { type ProviderIdentity, type User, userState } from '../../domain/user.ts';
import type { KnownUser } from '../http/auth.ts';
import type { ApiContext } from '../http/handler.ts';

/** Whose password is checked, and who get a link, of those with one address. */
export const MAX_CANDIDATES = 4;

const isInvited = ({ user }: KnownUser): boolean => userState(user) === 'invited';

/**
 * Those who have signed in come first, the latest before the others, and invitations that nobody has accepted last: any account can
 * invite any address, and must not come before the account that its reader uses.
 */
function inOrder(one: KnownUser, other: KnownUser): number {
  const invited = Number(isInvited(one)) - Number(isInvited(other));
  return invited || (other.user.lastSignInAtMs ?? 0) - (one.user.lastSignInAtMs ?? 0);
}

/** `email`: as emailOf() gives it. */
export async function candidatesFor(
  email: string,
  { access }: Pick<ApiContext, 'access'>,
): Promise<KnownUser[]> {
  const fits = (user: User): boolean => user.email === email && !user.disabled;
  return (await access.users(fits)).sort(inOrder);
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

// A person who uses an account: with a name, an e-mail address and a role. What proves who they are is in `credentials`, never shown.
import type { Scope } from './account.ts';
import type { Role } from './roles.ts';

/** Users that an account may have. */
export const MAX_USERS = 500;
export const MAX_PASSKEYS = 20;
export const RECOVERY_CODES = 10;
export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 200;

export interface Passkey {
  /** As base64url. */
  readonly id: string;
  readonly publicKey: string;
  /** The host whose pages it was made for, and works on; absent: made before this was kept. */
  readonly rpId?: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
}

/** Who a user is at an OpenID Connect provider: unlike the e-mail address, nobody but the person can show it to us. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface UserCredentials {
  /** A hash made by password.ts; null: none is set. */
  readonly password: string | null;
  /** Sealed; null: off. */
  readonly totp: string | null;
  /** The last time step whose code was used: a code works once. */
  readonly totpStep: number;
  /** SHA-256 of those that are left. */
  readonly recovery: readonly string[];
  readonly passkeys: readonly Passkey[];
  /** By which the user signed in last at a provider, and when; null: never. */
  readonly provider: (ProviderIdentity & { readonly atMs: number }) | null;
  /** The address whose mailbox the person has opened a link in that nobody else was given; null: none. */
  readonly mailbox: string | null;
  /** When somebody gave the user another address than the first; null: never. */
  readonly addressedAtMs: number | null;
}

export const NO_CREDENTIALS: UserCredentials = {
  password: null,
  totp: null,
  totpStep: 0,
  recovery: [],
  passkeys: [],
  provider: null,
  mailbox: null,
  addressedAtMs: null,
};

export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** In lower case; unique within the account. */
  readonly email: string;
  readonly role: Role;
  /** eid of the agent that the user is; null: none. */
  readonly agent: string | null;
  /** May not sign in; sessions and tokens do not work. */
  readonly disabled: boolean;
  readonly credentials: UserCredentials;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly lastSignInAtMs: number | null;
}

/** invited: has never set a password, passkey or signed in by a provider. */
export function userState({
  disabled,
  credentials,
  lastSignInAtMs,
}: User): 'active' | 'invited' | 'disabled' {
  if (disabled) return 'disabled';
  const isProvable = credentials.password !== null || credentials.passkeys.length > 0;
  return isProvable || lastSignInAtMs !== null ? 'active' : 'invited';
}

/** Whether the reader of the user's mailbox is who signs in as the user: an account can give its users any address. */
export const hasProvenMailbox = ({ email, credentials }: Pick<User, 'email' | 'credentials'>): boolean =>
  credentials.mailbox === email;

/** One address and nothing else: no list, no name, no comment. */
export function emailOf(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && /^[^\s@<>",;:()[\]\\]{1,64}@[^\s@<>",;:()[\]\\]{1,189}$/.test(email)
    ? email
    : null;
}

/** The scopes of a role's own tokens at most; also what nodes of the version before, without roles, allow its sessions. */
export const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ['admin'],
  administrator: ['admin'],
  supervisor: ['read', 'draft', 'write', 'calls'],
  editor: ['read', 'draft', 'write'],
  agent: ['read', 'calls'],
  viewer: ['read'],
};

/** What a link that is sent to a user does: it sets the first password, or another one. */
export type UserLinkUse = 'invite' | 'reset';

export interface UserLink {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly use: UserLinkUse;
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

const MAILED = '-mailed';
/** The id of a link whose secret goes by mail alone, so that who opens it reads that mailbox. */
export const mailedLinkId = (id: string): string => `${id}${MAILED}`;
export const wentByMailAlone = ({ id }: Pick<UserLink, 'id'>): boolean => id.endsWith(MAILED);

/** The credentials of who has opened the link and chosen a password. Passkeys go, too: whoever had the account may have added one. */
export function credentialsByLink(
  { email, credentials }: Pick<User, 'email' | 'credentials'>,
  link: Pick<UserLink, 'id'>,
  password: string,
): UserCredentials {
  const mailbox = wentByMailAlone(link) ? email : credentials.mailbox;
  return { ...credentials, password, passkeys: [], mailbox };
}

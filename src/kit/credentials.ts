// Makes the secrets that Dialtree shows once: access tokens, sessions, sign-in links and SIP passwords. Only hashes are stored.
import { createHash, hash, randomBytes, randomInt } from 'node:crypto';
import type { Scope, Token } from '../domain/account.ts';
import { newId } from '../domain/id.ts';
import { sipDigests } from '../domain/sip-password.ts';
import { mailedLinkId, SCOPES_OF, type User, type UserLink, type UserLinkUse } from '../domain/user.ts';
import type { SipDigests } from '../kinds/agent.ts';

export function hashToken(secret: string): string {
  return hash('sha256', secret);
}

/** 256 random bits behind a prefix that secret scanners can find. */
export function makeSecret(): string {
  return `dialtree_${randomBytes(32).toString('base64url')}`;
}

export const DAY_MS = 24 * 3600 * 1000;
/** How long a browser stays signed in, used or not. */
export const SESSION_MS = 7 * DAY_MS;
/** How long a one-time link waits to be used. */
export const LINK_MS = 15 * 60 * 1000;

/** What a token may do and until when; by default everything, for ever, as the operator makes them. */
export type Grant = Partial<Pick<Token, 'scopes' | 'expiresAtMs' | 'parentId'>> & {
  /** The user that the token belongs to. */
  readonly userId?: string | undefined;
};
const ALL: readonly Scope[] = ['admin'];

export function makeToken(
  accountId: string,
  name: string,
  nowMs: number,
  grant: Grant = {},
): { secret: string; token: Token } {
  return tokenOf(makeSecret(), accountId, name, nowMs, grant);
}

export function tokenOf(
  secret: string,
  accountId: string,
  name: string,
  nowMs: number,
  { scopes = ALL, expiresAtMs = null, parentId = null, userId }: Grant = {},
): { secret: string; token: Token } {
  const token = {
    id: newId(nowMs),
    accountId,
    name,
    use: 'api' as const,
    parentId,
    scopes,
    hash: hashToken(secret),
    createdAtMs: nowMs,
    expiresAtMs,
    lastUsedAtMs: null,
    ...(userId === undefined ? {} : { userId }),
  };
  return { secret, token };
}

/** The earlier of two times; null is never. */
export function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/**
 * A browser is signed in with this: with an access token it does not outlive, or with a link it uses up. `linkEndsMs`: when the token
 * that made the link expires.
 */
export function sessionOf(
  by: Token,
  nowMs: number,
  linkEndsMs: number | null = null,
): { secret: string; token: Token } {
  const isLink = by.use === 'link';
  const { secret, token } = makeToken(by.accountId, `console (${by.name})`, nowMs, {
    scopes: by.scopes,
    expiresAtMs: earlier(nowMs + SESSION_MS, isLink ? linkEndsMs : by.expiresAtMs),
    parentId: isLink ? by.parentId : by.id,
    userId: by.userId,
  });
  return { secret, token: { ...token, use: 'session' } };
}

/** A browser of a user who has proved who they are: the role says what it may do. */
export function userSession(
  { id: userId, accountId, name, role }: User,
  nowMs: number,
  browser: string,
): { secret: string; token: Token } {
  const grant = { scopes: SCOPES_OF[role], expiresAtMs: nowMs + SESSION_MS, userId };
  const { secret, token } = makeToken(accountId, name, nowMs, grant);
  return { secret, token: { ...token, use: 'session', browser } };
}

/** How long a link that invites a user, or resets a password, waits to be used. */
export const INVITATION_MS = 7 * DAY_MS;
export const RESET_MS = 3_600_000;

export function makeUserLink(
  { id: userId, accountId }: User,
  use: UserLinkUse,
  nowMs: number,
  byMailAlone: boolean,
): { secret: string; link: UserLink } {
  const secret = makeSecret();
  const expiresAtMs = nowMs + (use === 'invite' ? INVITATION_MS : RESET_MS);
  const link = {
    id: byMailAlone ? mailedLinkId(newId(nowMs)) : newId(nowMs),
    accountId,
    userId,
    use,
    hash: hashToken(secret),
    createdAtMs: nowMs,
    expiresAtMs,
  };
  return { secret, link };
}

/** As consoleLink(): the code stays behind the #. */
export const userLinkPath = (secret: string): string => `/#/join/${secret}`;

/** `grant`: of a link that a token asks for; the operator's is for everything. */
export function makeLink(
  accountId: string,
  nowMs: number,
  grant: Grant = {},
): { secret: string; token: Token } {
  const { secret, token } = makeToken(accountId, 'one-time link', nowMs, grant);
  return { secret, token: { ...token, use: 'link', expiresAtMs: nowMs + LINK_MS } };
}

/** The code is behind the #, which browsers keep to themselves: it reaches no log and no other site. */
export function consoleLink(address: string, secret: string): string {
  return `${address.replace(/\/$/, '')}/#/sign-in/${secret}`;
}

/** Without letters and digits that look alike: people type it into phones. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** For SIP digests. */
export const hashBy = (algorithm: string, text: string): string =>
  createHash(algorithm).update(text).digest('hex');

export function newPassword(intercom: string): { password: string; sip: SipDigests } {
  const password = Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return { password, sip: sipDigests(intercom, password, hashBy) };
}

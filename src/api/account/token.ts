// Access tokens of the asking account. A token is shown once; what is kept is its hash.

import type { Token } from '../../domain/account.ts';
import { newId } from '../../domain/id.ts';
import { isProblem, problem } from '../../domain/problem.ts';
import { hashToken, makeSecret } from '../http/auth.ts';
import { done, type Handler } from '../http/handler.ts';
import { PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { TOKEN_FIELDS } from '../schemas/account.ts';
import { readRecord } from '../schemas/field.ts';

const DAY_MS = 24 * 3600 * 1000;
/** How long a browser stays signed in, used or not. */
export const SESSION_MS = 7 * DAY_MS;
/** How long a one-time link waits to be used. */
export const LINK_MS = 15 * 60 * 1000;

export function makeToken(
  accountId: string,
  name: string,
  nowMs: number,
  days: number | null = null,
): { secret: string; token: Token } {
  return tokenOf(makeSecret(), accountId, name, nowMs, days);
}

export function tokenOf(
  secret: string,
  accountId: string,
  name: string,
  nowMs: number,
  days: number | null = null,
): { secret: string; token: Token } {
  const expiresAtMs = days === null ? null : nowMs + days * DAY_MS;
  const token = {
    id: newId(nowMs),
    accountId,
    name,
    use: 'api' as const,
    parentId: null,
    hash: hashToken(secret),
    createdAtMs: nowMs,
    expiresAtMs,
    lastUsedAtMs: null,
  };
  return { secret, token };
}

/** A browser is signed in with this: with an access token it does not outlive, or with a link it uses up. */
export function sessionOf(by: Token, nowMs: number): { secret: string; token: Token } {
  const { secret, token } = makeToken(by.accountId, `console (${by.name})`, nowMs);
  const isLink = by.use === 'link';
  const expiresAtMs = Math.min(
    nowMs + SESSION_MS,
    (isLink ? null : by.expiresAtMs) ?? Number.POSITIVE_INFINITY,
  );
  return { secret, token: { ...token, use: 'session', parentId: isLink ? null : by.id, expiresAtMs } };
}

export function makeLink(accountId: string, nowMs: number): { secret: string; token: Token } {
  const { secret, token } = makeToken(accountId, 'one-time link', nowMs);
  return { secret, token: { ...token, use: 'link', expiresAtMs: nowMs + LINK_MS } };
}

/** The code is behind the #, which browsers keep to themselves: it reaches no log and no other site. */
export function consoleLink(address: string, secret: string): string {
  return `${address.replace(/\/$/, '')}/#/sign-in/${secret}`;
}

/** Browsers that are signed in are not among them. */
export function tokensOf(accountId: string, tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.accountId === accountId && token.use === 'api');
}

/** A token as people see it: never the secret, never its hash. */
export function describeToken(token: Token): Record<string, string | null> {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: token.id,
    name: token.name,
    created_at: time(token.createdAtMs),
    expires_at: time(token.expiresAtMs),
    last_used_at: time(token.lastUsedAtMs),
  };
}

export const createToken: Handler = async (request, context) => {
  const input = readRecord(TOKEN_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { secret, token } = makeToken(request.account.id, input.name, request.nowMs, input.expires_in_days);
  await context.storage.createToken({ token });
  return done(201, 'Token created; it is shown this once.', {
    headers: { location: `/v1/token/${token.id}` },
    members: { id: token.id, token: secret, expires_at: describeToken(token)['expires_at'] },
  });
};

export const listTokens: Handler = async (request, context) => {
  const query = readQuery(PAGE_QUERY, request);
  if (isProblem(query)) return query;
  const mine = tokensOf(request.account.id, await context.storage.listTokens());
  const after = mine.filter(({ id }) => id > query.cursor);
  const page = after.slice(0, query.limit);
  return pageResponse(
    request,
    '/v1/tokens',
    page.map(describeToken),
    after.length > query.limit ? (page.at(-1)?.id ?? null) : null,
  );
};

export const revokeToken: Handler = async (request, context) => {
  const { revoked } = await context.storage.revokeToken({
    accountId: request.account.id,
    id: request.params['id'] ?? '',
  });
  return revoked ? done(200, 'Token revoked.') : problem('record_unknown', 'There is no token with this id.');
};

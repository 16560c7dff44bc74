// Browsers that are signed in. The cookie holds a secret for each account; in the database a session is a token that ends
// with the access token it came of. What keeps other sites out is in session-cookie.ts.

import { consoleLink, LINK_MS, makeLink, SESSION_MS, sessionOf } from '../../credentials.ts';
import { allows, type Token } from '../../domain/account.ts';
import { Faults, isProblem, type Problem, problem } from '../../domain/problem.ts';
import type { Actor } from '../../storage/ports/audit.ts';
import { LINK_INVALID, type Proven, TOKEN_INVALID } from '../http/auth.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { isForeign, MAX_ACCOUNTS, refused, sessionSecrets, setCookie } from '../http/session-cookie.ts';
import { oneOf, optional, type RecordOf, readRecord, text } from '../schemas/field.ts';

/** Browsers that may be signed in to one account; beyond it the oldest are signed out. */
export const MAX_SESSIONS = 50;

export const SIGN_IN_FIELDS = {
  token: optional(text({ min: 1, max: 512, description: 'an access token' }), null),
  link: optional(text({ min: 1, max: 512, description: 'the code of a one-time link' }), null),
} as const;
export const CURRENT_FIELDS = {
  account: text({ min: 1, max: 64, description: 'the id of an account that this browser is signed in to' }),
} as const;
export const SIGN_OUT_QUERY = {
  all: optional(oneOf(['true', 'false'], 'of all accounts that this browser is signed in to'), 'false'),
} as const;

interface Session extends Proven {
  readonly secret: string;
}

/** What the cookie still proves, the current account first. */
async function sessionsOf({ headers }: ApiRequest, { access }: ApiContext): Promise<Session[]> {
  const secrets = sessionSecrets(headers.cookie);
  if (secrets.length === 0) return [];
  const proven = await access.prove(secrets, 'session');
  return secrets.flatMap((secret, at) => {
    const one = proven[at];
    return one ? [{ secret, account: one.account, token: one.token }] : [];
  });
}

export const getSession: Handler = async (request, context) => {
  if (isForeign(request.headers)) return refused('It comes from a page of another site.');
  const sessions = await sessionsOf(request, context);
  const accounts = await Promise.all(
    sessions.map(async ({ account: { id, name }, token }, at) => {
      const operator = allows(token, 'admin') && (await context.operator.is(id));
      return { id, name, current: at === 0, operator };
    }),
  );
  return { status: 200, json: { accounts } };
};

export const createSession: Handler = async (request, context) => {
  if (isForeign(request.headers)) return refused('It comes from a page of another site.');
  const input = readRecord(SIGN_IN_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const proof = await proofOf(input, context);
  const proven = isProblem(proof) ? null : proof.token.id;
  const seconds = context.signIns.take(request.address, proven, performance.now());
  if (seconds > 0) return tooOften(seconds);
  if (isProblem(proof)) return proof;
  const { account, token } = proof;
  const before = await sessionsOf(request, context);
  const others = before.filter((one) => one.account.id !== account.id);
  const kept = others.slice(0, MAX_ACCOUNTS - 1);
  const { secret, token: session } = sessionOf(token, request.nowMs, await linkEndsMs(token, context));
  const { created } = await context.storage.createSession({
    session,
    ...(token.use === 'link' ? { linkId: token.id } : {}),
    endIds: before.filter((one) => !kept.includes(one)).map((one) => one.token.id),
    most: MAX_SESSIONS,
    by: actor(request, token),
  });
  if (!created) return LINK_INVALID;
  const members = { account: { id: account.id, name: account.name } };
  return done(201, `Signed in to ${account.name}.`, {
    headers: cookieOf(request, [secret, ...kept.map((one) => one.secret)]),
    members,
  });
};

async function proofOf(
  { token, link }: RecordOf<typeof SIGN_IN_FIELDS>,
  { access }: ApiContext,
): Promise<Proven | Problem> {
  if (token !== null) return (await access.prove([token.trim()], 'api'))[0] ?? TOKEN_INVALID;
  if (link !== null) return (await access.prove([link.trim()], 'link'))[0] ?? LINK_INVALID;
  const faults = new Faults();
  faults.add('/token', 'field_missing', 'token is missing; the code of a one-time link (link) does, too.');
  return faults.toProblem();
}

/** A session by a link lasts no longer than the token that asked for the link. */
async function linkEndsMs({ use, parentId }: Token, { storage }: ApiContext): Promise<number | null> {
  if (use !== 'link' || parentId === null) return null;
  return (await storage.listTokens()).find(({ id }) => id === parentId)?.expiresAtMs ?? null;
}

/** It lets a browser do what the token may; it and the session end with the token. */
export const createSignInLink: Handler = async ({ account, token: by, address, nowMs }, context) => {
  // Also the bound of links that wait to be used.
  const seconds = context.signIns.take(address, by.id, performance.now());
  if (seconds > 0) return tooOften(seconds);
  const { secret, token } = makeLink(account.id, nowMs, { scopes: by.scopes, parentId: by.id });
  const { outcome } = await context.storage.createToken({ token });
  if (outcome !== 'created') return TOKEN_INVALID;
  const expires_at = new Date(nowMs + LINK_MS).toISOString();
  const members = { code: secret, path: consoleLink('', secret), expires_at };
  return done(201, 'Sign-in link created; it works once, within 15 minutes.', { members });
};

export const deleteSessions: Handler = async (request, { storage }) => {
  const accountId = request.account.id;
  const tokens = (await storage.listTokens()).filter(
    (token) => token.accountId === accountId && token.use !== 'api',
  );
  const by = actor(request, request.token);
  for (const { id } of tokens) await storage.revokeToken({ accountId, id, by });
  const browsers = tokens.filter(({ use }) => use === 'session').length;
  return done(200, `Signed ${browsers} browser${browsers === 1 ? '' : 's'} out.`, { members: { browsers } });
};

export const deleteSession: Handler = async (request, context) => {
  const query = readQuery(SIGN_OUT_QUERY, request);
  if (isProblem(query)) return query;
  const sessions = await sessionsOf(request, context);
  const leaving = sessions.filter(({ account }) => query.all === 'true' || account.id === request.account.id);
  for (const { account, token } of leaving)
    await context.storage.revokeToken({ accountId: account.id, id: token.id, by: actor(request, token) });
  const staying = sessions.filter((one) => !leaving.includes(one));
  return done(200, 'Signed out.', {
    headers: cookieOf(
      request,
      staying.map(({ secret }) => secret),
    ),
  });
};

export const putCurrent: Handler = async (request, context) => {
  const input = readRecord(CURRENT_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const sessions = await sessionsOf(request, context);
  const wanted = sessions.filter(({ account }) => account.id === input.account);
  // A program with an access token is in its own account anyway.
  if (wanted.length === 0 && input.account !== request.account.id)
    return problem('record_unknown', 'This browser is not signed in to an account with this id.');
  const others = sessions.filter(({ account }) => account.id !== input.account);
  const secrets = [...wanted, ...others].map(({ secret }) => secret);
  return done(200, 'This is the current account now.', { headers: cookieOf(request, secrets) });
};

/** In each account's audit stands its own token, not that of another account in the same browser. */
function actor({ requestId, nowMs: atMs }: ApiRequest, { id, name }: Token): Actor {
  return { id, name, requestId, atMs };
}

function cookieOf({ headers }: ApiRequest, secrets: readonly string[]): Record<string, string> {
  return { 'set-cookie': setCookie(secrets, headers, SESSION_MS / 1000) };
}

function tooOften(seconds: number): Problem {
  return problem('rate_limited', `There were too many tries to sign in; wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

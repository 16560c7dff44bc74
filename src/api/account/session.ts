// Browsers that are signed in. The cookie holds a secret for each account; in the database a session is a token: of a user, or one
// that ends with the access token it came of. What keeps other sites out is in session-cookie.ts.

import { allows, type Token } from '../../domain/account.ts';
import { mayDo } from '../../domain/roles.ts';
import { MAX_PASSWORD } from '../../domain/user.ts';
import { oneOf, optional, type RecordOf, readRecord, text } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { consoleLink, LINK_MS, makeLink, sessionOf } from '../../kit/credentials.ts';
import { LINK_INVALID, type Proven, TOKEN_INVALID } from '../http/auth.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { isForeign, refused } from '../http/session-cookie.ts';
import { NAMED_ACCOUNT, shownUser } from '../schemas/user.ts';
import { actorBy, actorOf } from './audit.ts';
import { cookieOf, sessionsOf, startSession, startUserSession } from './browser-session.ts';
import { byPassword } from './password-sign-in.ts';
import { shownTo } from './token.ts';
import { tooOften } from './too-often.ts';

export const SIGN_IN_FIELDS = {
  token: optional(text({ min: 1, max: 512, description: 'an access token' }), null),
  link: optional(text({ min: 1, max: 512, description: 'the code of a one-time link' }), null),
  email: optional(text({ min: 1, max: 254, description: 'the e-mail address of a user' }), null),
  password: optional(
    text({ min: 1, max: MAX_PASSWORD, controls: 'allowed', description: 'of that user' }),
    null,
  ),
  code: optional(
    text({ min: 1, max: 40, description: 'of the authenticator app, or a recovery code' }),
    null,
  ),
  account: optional(NAMED_ACCOUNT, null),
} as const;
export const CURRENT_FIELDS = {
  account: text({ min: 1, max: 64, description: 'the id of an account that this browser is signed in to' }),
} as const;
export const SIGN_OUT_QUERY = {
  all: optional(oneOf(['true', 'false'], 'of all accounts that this browser is signed in to'), 'false'),
} as const;

export const getSession: Handler = async (request, context) => {
  if (isForeign(request.headers)) return refused('It comes from a page of another site.');
  const sessions = await sessionsOf(request, context);
  const accounts = await Promise.all(
    sessions.map(async ({ account: { id, name }, token, user }, at) => {
      const mayAdminister = user ? mayDo(user.role, 'listNodes') : allows(token, 'admin');
      const operator = mayAdminister && (await context.operator.is(id));
      const people = await context.access.users(({ accountId }) => accountId === id);
      const canMakeOwner = user === null && people.length === 0 && allows(token, 'admin');
      return {
        id,
        name,
        current: at === 0,
        operator,
        user: user && shownUser(user),
        owner_missing: canMakeOwner,
      };
    }),
  );
  return {
    status: 200,
    json: { accounts, email_resets: context.capabilities.email, oidc: context.oidc?.settings.name ?? null },
  };
};

export const createSession: Handler = async (request, context) => {
  if (isForeign(request.headers)) return refused('It comes from a page of another site.');
  const input = readRecord(SIGN_IN_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  if (input.email !== null) return signInByPassword(input, request, context);
  const proof = await proofOf(input, context);
  const proven = isProblem(proof) ? null : proof.token.id;
  const seconds = context.signIns.take(request.address, proven, performance.now());
  if (seconds > 0) return tooOften(seconds);
  if (isProblem(proof)) return proof;
  const { account, token, user } = proof;
  const { secret, token: session } = sessionOf(token, request.nowMs, await linkEndsMs(token, context));
  return startSession(request, context, {
    account,
    secret,
    session,
    ...(token.use === 'link' ? { linkId: token.id } : {}),
    by: actorBy(token, user, request),
  });
};

async function signInByPassword(
  { email, password, code, account }: RecordOf<typeof SIGN_IN_FIELDS>,
  request: ApiRequest,
  context: ApiContext,
): Promise<ApiResponse | Problem> {
  const proof = { email: email ?? '', password: password ?? '', code, account };
  const found = await byPassword(proof, request, context);
  return isProblem(found) ? found : startUserSession(request, context, found);
}

async function proofOf(
  { token, link }: RecordOf<typeof SIGN_IN_FIELDS>,
  { access }: ApiContext,
): Promise<Proven | Problem> {
  if (token !== null) return (await access.prove([token.trim()], 'api'))[0] ?? TOKEN_INVALID;
  if (link !== null) return (await access.prove([link.trim()], 'link'))[0] ?? LINK_INVALID;
  const faults = new Faults();
  const message = 'token is missing; the code of a one-time link (link), or email and password, do, too.';
  faults.add('/token', 'field_missing', message);
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
  const grant = { scopes: by.scopes, parentId: by.id, userId: by.userId };
  const { secret, token } = makeLink(account.id, nowMs, grant);
  const { outcome } = await context.storage.createToken({ token });
  if (outcome !== 'created') return TOKEN_INVALID;
  const expires_at = new Date(nowMs + LINK_MS).toISOString();
  const members = { code: secret, path: consoleLink('', secret), expires_at };
  return done(201, 'Sign-in link created; it works once, within 15 minutes.', { members });
};

/** Ends the sessions of the requester and of the users whom the requester manages. */
export const deleteSessions: Handler = async (request, context) => {
  const accountId = request.account.id;
  const mayEnd = await shownTo(request, context, true);
  const tokens = (await context.storage.listTokens()).filter(
    (token) => token.accountId === accountId && token.use !== 'api' && mayEnd(token),
  );
  const by = actorOf(request);
  for (const { id } of tokens) await context.storage.revokeToken({ accountId, id, by });
  const browsers = tokens.filter(({ use }) => use === 'session').length;
  return done(200, `Signed ${browsers} browser${browsers === 1 ? '' : 's'} out.`, { members: { browsers } });
};

export const deleteSession: Handler = async (request, context) => {
  const query = readQuery(SIGN_OUT_QUERY, request);
  if (isProblem(query)) return query;
  const sessions = await sessionsOf(request, context);
  const leaving = sessions.filter(({ account }) => query.all === 'true' || account.id === request.account.id);
  for (const { account, token, user } of leaving)
    await context.storage.revokeToken({
      accountId: account.id,
      id: token.id,
      by: actorBy(token, user, request),
    });
  const staying = sessions.filter((one) => !leaving.includes(one));
  return done(200, 'Signed out.', {
    headers: cookieOf(
      request,
      context,
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
  return done(200, 'This is the current account now.', { headers: cookieOf(request, context, secrets) });
};

// The sessions of a browser's cookie, and how one is added to them.

import type { Account, Token } from '../../domain/account.ts';
import type { User } from '../../domain/user.ts';
import { type Problem, problem } from '../../kinds/problem.ts';
import { SESSION_MS, userSession } from '../../kit/credentials.ts';
import type { Actor } from '../../storage/ports/audit.ts';
import { type KnownUser, LINK_INVALID, type Proven } from '../http/auth.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, header } from '../http/handler.ts';
import { MAX_ACCOUNTS, sessionSecrets, setCookie } from '../http/session-cookie.ts';
import { actorBy } from './audit.ts';

/** Browsers that may be signed in to one account; beyond it the oldest are signed out. */
export const MAX_SESSIONS = 500;
/** Browsers that one user may be signed in with: a user who signs in signs out no colleague. */
export const MAX_USER_SESSIONS = 20;
const MAX_BROWSER = 200;

/** While the proof was checked, the user got another password or role, or was disabled. */
const CHANGED = problem('sign_in_refused', 'The e-mail address or the password is wrong.');

interface Session extends Proven {
  readonly secret: string;
}

/** What the cookie still proves, the current account first. */
export async function sessionsOf({ headers }: ApiRequest, { access }: ApiContext): Promise<Session[]> {
  const secrets = sessionSecrets(headers.cookie);
  if (secrets.length === 0) return [];
  const proven = await access.prove(secrets, 'session');
  return secrets.flatMap((secret, at) => {
    const one = proven[at];
    return one ? [{ secret, account: one.account, token: one.token, user: one.user }] : [];
  });
}

export interface NewBrowserSession {
  readonly account: Account;
  readonly secret: string;
  readonly session: Token;
  readonly linkId?: string;
  /** As they were when they proved who they are. */
  readonly provenUser?: User;
  readonly by: Actor;
}

/** Always a new secret: one that a browser held before is never made more powerful. */
export async function startSession(
  request: ApiRequest,
  context: ApiContext,
  { account, secret, session, linkId, provenUser, by }: NewBrowserSession,
): Promise<ApiResponse | Problem> {
  const before = await sessionsOf(request, context);
  const kept = before.filter((one) => one.account.id !== account.id).slice(0, MAX_ACCOUNTS - 1);
  const { created } = await context.storage.createSession({
    session: { ...session, browser: browserOf(request) },
    ...(linkId === undefined ? {} : { linkId }),
    endIds: before.filter((one) => !kept.includes(one)).map((one) => one.token.id),
    most: MAX_SESSIONS,
    mostOfUser: MAX_USER_SESSIONS,
    ...(provenUser
      ? { provenUser: { role: provenUser.role, password: provenUser.credentials.password } }
      : {}),
    by,
  });
  if (!created) return provenUser ? CHANGED : LINK_INVALID;
  const members = { account: { id: account.id, name: account.name } };
  return done(201, `Signed in to ${account.name}.`, {
    headers: cookieOf(request, context, [secret, ...kept.map((one) => one.secret)]),
    members,
  });
}

/** For a user who has just proved who they are. */
export async function startUserSession(
  request: ApiRequest,
  context: ApiContext,
  { account, user }: KnownUser,
): Promise<ApiResponse | Problem> {
  const { secret, token: session } = userSession(user, request.nowMs, browserOf(request));
  await context.storage.touchUser({ accountId: account.id, id: user.id, atMs: request.nowMs });
  const by = actorBy(session, user, request);
  return startSession(request, context, { account, secret, session, provenUser: user, by });
}

function browserOf(request: ApiRequest): string {
  return (header(request, 'user-agent') ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, MAX_BROWSER);
}

export function cookieOf(
  { headers }: ApiRequest,
  { publicUrl }: ApiContext,
  secrets: readonly string[],
): Record<string, string> {
  return { 'set-cookie': setCookie(secrets, headers, SESSION_MS / 1000, publicUrl) };
}

// What a person does who is not signed in: makes the owner at the first start, accepts an invitation, sets a forgotten password.

import { newId } from '../../domain/id.ts';
import { credentialsByLink, NO_CREDENTIALS, type User, type UserLink, userState } from '../../domain/user.ts';
import { readRecord } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { hashToken, makeUserLink } from '../../kit/credentials.ts';
import type { KnownUser } from '../http/auth.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { isForeign, refused } from '../http/session-cookie.ts';
import { ACCEPT_FIELDS, OWNER_FIELDS, RESET_FIELDS, USER_LINK_FIELDS } from '../schemas/user.ts';
import { actorBy } from './audit.ts';
import { startUserSession } from './browser-session.ts';
import { candidatesFor, MAX_CANDIDATES } from './candidates.ts';
import { tooOften } from './too-often.ts';
import { mailUserLink } from './user-mail.ts';
import { orProblem } from './users.ts';

const LINK_SPENT = problem(
  'link_invalid',
  'This link was used already, or its time is over. Ask for a new one.',
);
const FOREIGN = refused('It comes from a page of another site.');

/** Only by a token or link of the account as a whole, and only while it has no user. */
export const createOwner: Handler = async (request, context) => {
  const input = readRecord(OWNER_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { name, email, password } = input;
  const { account, nowMs } = request;
  const user: User = {
    id: newId(nowMs),
    accountId: account.id,
    name,
    email,
    role: 'owner',
    agent: null,
    disabled: false,
    credentials: { ...NO_CREDENTIALS, password: await context.passwords.hash(password) },
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    lastSignInAtMs: nowMs,
  };
  const { outcome } = await context.storage.createUser({ user, most: 1, first: true });
  return orProblem(outcome) ?? startUserSession(request, context, { account, user });
};

export async function linked(
  code: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<(KnownUser & { readonly link: UserLink }) | Problem> {
  const seconds = context.signIns.take(request.address, null, performance.now());
  if (seconds > 0) return tooOften(seconds);
  const link = await context.storage.findUserLink({ hash: hashToken(code.trim()) });
  if (!link || link.expiresAtMs <= request.nowMs) return LINK_SPENT;
  const fits = ({ id, accountId }: User): boolean => id === link.userId && accountId === link.accountId;
  const [known] = await context.access.users(fits);
  return known && !known.user.disabled ? { ...known, link } : LINK_SPENT;
}

export const readUserLink: Handler = async (request, context) => {
  if (isForeign(request.headers)) return FOREIGN;
  const input = readRecord(USER_LINK_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const found = await linked(input.code, request, context);
  if (isProblem(found)) return found;
  const { link, user, account } = found;
  return { status: 200, json: { use: link.use, name: user.name, email: user.email, account: account.name } };
};

/** A user with a second factor is not signed in by it: whoever reads their mail has one factor, not two. */
export const acceptUserLink: Handler = async (request, context) => {
  if (isForeign(request.headers)) return FOREIGN;
  const input = readRecord(ACCEPT_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const found = await linked(input.code, request, context);
  if (isProblem(found)) return found;
  const { link, user, account } = found;
  const password = await context.passwords.hash(input.password);
  const by = actorBy({ id: user.id, name: user.name, use: 'session' }, user, request);
  const { used } = await context.storage.spendUserLink({ link, password, atMs: request.nowMs, by });
  if (!used) return LINK_SPENT;
  if (user.credentials.totp !== null) return done(200, 'The password is set. Sign in with it.');
  const credentials = credentialsByLink(user, link, password);
  return startUserSession(request, context, { account, user: { ...user, credentials } });
};

/** The answer is the same for every address. */
export const requestReset: Handler = async (request, context) => {
  if (isForeign(request.headers)) return FOREIGN;
  const input = readRecord(RESET_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { signIns, storage } = context;
  const seconds = signIns.resetWait(input.email, request.address, performance.now());
  if (seconds > 0) return tooOften(seconds);
  const answer = done(200, 'If a user has this e-mail address, a link is on its way.');
  if (!context.capabilities.email) return answer;
  const known = await candidatesFor(input.email, context, input.account);
  const send = async ({ user, account }: KnownUser): Promise<void> => {
    const use = userState(user) === 'invited' ? 'invite' : 'reset';
    const { secret, link } = makeUserLink(user, use, request.nowMs, true);
    const { outcome } = await storage.createUserLink({ link, expectedRole: user.role });
    if (outcome !== 'done') return;
    await mailUserLink(user, account, use, secret, context, request.nowMs);
  };
  // After the answer: the work would show in its time that there is a user. Where the database fails, the user asks again.
  setImmediate(() => void Promise.allSettled(known.slice(0, MAX_CANDIDATES).map(send)));
  return answer;
};

// What a user does with the own account. A browser of the user alone may change it: a token that leaked must not.
import { isUserSession } from '../../domain/account.ts';
import type { User } from '../../domain/user.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { OWN_NAME_FIELDS, OWN_PASSWORD_FIELDS, shownUser } from '../schemas/user.ts';
import { AT_ONCE, endSessions } from './users.ts';

const NO_USER = problem(
  'record_unknown',
  'This needs a user who has signed in; this is a token of the account.',
);
/** Not a 401: the session is good. */
const wrongPassword = (): Problem => {
  const faults = new Faults();
  faults.add('/current', 'value_not_allowed', 'The present password is wrong.');
  return faults.toProblem();
};

/** The user, in a browser that signed in as them. */
export function ownUser({ user, token }: ApiRequest): User | Problem {
  return user && isUserSession(token) ? user : NO_USER;
}

async function ownSessions({ account, token, user }: ApiRequest, { storage }: ApiContext): Promise<object[]> {
  if (!user) return [];
  const isOwn = (one: typeof token): boolean =>
    one.accountId === account.id && one.userId === user.id && one.use === 'session';
  return (await storage.listTokens()).filter(isOwn).map((one) => ({
    id: one.id,
    browser: one.browser ?? '',
    created_at: new Date(one.createdAtMs).toISOString(),
    last_used_at: one.lastUsedAtMs === null ? null : new Date(one.lastUsedAtMs).toISOString(),
    current: one.id === token.id,
  }));
}

export const getOwnUser: Handler = async (request, context) => {
  const { user } = request;
  return {
    status: 200,
    json: { user: user && shownUser(user), sessions: await ownSessions(request, context) },
  };
};

export const putOwnName: Handler = async (request, context) => {
  const user = ownUser(request);
  if (isProblem(user)) return user;
  const input = readRecord(OWN_NAME_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { accountId, id } = user;
  await context.storage.changeUser({ accountId, id, changes: { name: input.name }, atMs: request.nowMs });
  return done(200, 'Name changed.');
};

/** Ends all other sessions and tokens of the user: a person who knew the former password is signed out. */
export const putOwnPassword: Handler = async (request, context) => {
  const user = ownUser(request);
  if (isProblem(user)) return user;
  const input = readRecord(OWN_PASSWORD_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const refusal = await refusePassword(user, input.current, request, context);
  if (refusal) return refusal;
  const { accountId, id, credentials } = user;
  const { changed } = await context.storage.changeCredentials({
    accountId,
    id,
    expected: credentials,
    credentials: { ...credentials, password: await context.passwords.hash(input.password) },
    atMs: request.nowMs,
    endAllBut: request.token.id,
    action: 'change_password',
  });
  return changed
    ? done(200, 'Password changed. Other browsers and tokens of yours are signed out.')
    : AT_ONCE;
};

/** Who found an unlocked browser does not know the password. Users without one have a passkey or a provider. */
export async function refusePassword(
  { email, credentials }: User,
  current: string | null,
  { address }: ApiRequest,
  { signIns, passwords }: ApiContext,
): Promise<Problem | null> {
  if (credentials.password === null) return null;
  const isRight = await signIns.guess(
    { email, address, nowMs: performance.now() },
    () => passwords.verify(current ?? '', credentials.password),
    (right) => !right,
  );
  if (typeof isRight !== 'boolean') return isRight;
  return isRight ? null : wrongPassword();
}

/** `others`: all but this one. */
export const endOwnSession: Handler = async (request, context) => {
  const user = ownUser(request);
  if (isProblem(user)) return user;
  const wanted = request.params['id'] ?? '';
  if (wanted === 'others') return endSessions(user, request.token.id, request, context);
  const accountId = request.account.id;
  const found = (await context.storage.listTokens()).find(
    ({ id, userId, use, ...token }) =>
      id === wanted && userId === user.id && use === 'session' && token.accountId === accountId,
  );
  if (!found) return problem('record_unknown', 'There is no session with this id.');
  await context.storage.revokeToken({ accountId, id: found.id });
  return done(200, 'Session ended.', { members: { browsers: 1 } });
};

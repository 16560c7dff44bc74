// Users of the asking account. An administrator changes and gives roles below the own one, an owner all; the last owner stays.

import { newId } from '../../domain/id.ts';
import { manages, type Role } from '../../domain/roles.ts';
import { MAX_USERS, NO_CREDENTIALS, type User, type UserLinkUse, userState } from '../../domain/user.ts';
import { readRecord } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { makeUserLink, userLinkPath } from '../../kit/credentials.ts';
import type { UserChange, UserOutcome } from '../../storage/ports/users.ts';
import { roleRefused } from '../http/auth.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { shownUser, USER_CHANGES, USER_FIELDS } from '../schemas/user.ts';
import { mailUserLink } from './user-mail.ts';

const UNKNOWN = problem('record_unknown', 'There is no user with this id.');
export const AT_ONCE = problem('version_changed', 'The account was changed at the same time; try again.');
const OUTCOMES: Readonly<Record<Exclude<UserOutcome, 'done'>, Problem>> = {
  unknown: UNKNOWN,
  email_taken: problem('key_taken', 'Another user of the account has this e-mail address already.'),
  too_many: problem('quota_reached', `An account has ${MAX_USERS} users at most; delete one first.`),
  last_owner: problem('last_owner', 'The account needs an owner who may sign in: this is the last one.'),
  has_users: problem('owner_exists', 'The account has users already; an owner can invite others.'),
  changed: AT_ONCE,
};
export const orProblem = (outcome: UserOutcome): Problem | null =>
  outcome === 'done' ? null : OUTCOMES[outcome];

async function usersOf({ account }: ApiRequest, { access }: ApiContext): Promise<User[]> {
  return (await access.users(({ accountId }) => accountId === account.id)).map(({ user }) => user);
}

/** The user that the path names, if the asking one may change them: what is done then expects this role. */
export async function managedUser(request: ApiRequest, context: ApiContext): Promise<User | Problem> {
  const found = (await usersOf(request, context)).find(({ id }) => id === request.params['id']);
  if (!found) return UNKNOWN;
  return refuseRole(request, found.role) ?? found;
}

function refuseRole({ user }: ApiRequest, role: Role): Problem | null {
  return user && !manages(user.role, role) ? roleRefused(user.role) : null;
}

export const listUsers: Handler = async (request, context) => {
  const query = readQuery(PAGE_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const users = await usersOf(request, context);
  return pageResponse(request, '/v1/users', {
    rows: users.filter(({ id }) => id > String(place[0] ?? '')),
    limit: query.limit,
    describe: shownUser,
    position: ({ id }) => [id],
  });
};

export const createUser: Handler = async (request, context) => {
  const input = readRecord(USER_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const refusal = refuseRole(request, input.role) ?? (await refuseAgent(input.agent, request));
  if (refusal) return refusal;
  const user: User = {
    id: newId(request.nowMs),
    accountId: request.account.id,
    ...input,
    disabled: false,
    credentials: NO_CREDENTIALS,
    createdAtMs: request.nowMs,
    updatedAtMs: request.nowMs,
    lastSignInAtMs: null,
  };
  const { outcome } = await context.storage.createUser({ user, most: MAX_USERS });
  const failed = orProblem(outcome);
  if (failed) return failed;
  const link = await linkFor(user, 'invite', request, context);
  if (isProblem(link)) return link;
  const members = { id: user.id, ...link };
  return done(201, `User created. ${saidOf(user, link)}`, { members });
};

interface MadeLink {
  /** Null if it goes by mail alone. */
  readonly path: string | null;
  readonly mailed: boolean;
  readonly expires_at: string;
}

function saidOf({ name }: User, { path, mailed }: MadeLink): string {
  if (path !== null) return `The link is for ${name} alone, and works once.`;
  return mailed
    ? `The link is on its way to ${name} by e-mail, and works once.`
    : 'The link was not sent: the account has sent as much e-mail as it may. Make another one later.';
}

async function linkFor(
  user: User,
  use: UserLinkUse,
  request: ApiRequest,
  context: ApiContext,
): Promise<MadeLink | Problem> {
  // Who invites an address is not who reads its mail: the link is shown only where there is no other way (docs/threat-model.md T66).
  const byMailAlone = context.capabilities.email;
  const { secret, link } = makeUserLink(user, use, request.nowMs, byMailAlone);
  const { outcome } = await context.storage.createUserLink({ link, expectedRole: user.role });
  const failed = orProblem(outcome);
  if (failed) return failed;
  const mailed = await mailUserLink(user, request.account, use, secret, context, request.nowMs);
  const path = byMailAlone ? null : userLinkPath(secret);
  return { path, mailed, expires_at: new Date(link.expiresAtMs).toISOString() };
}

/** An agent user is one agent of the account, and no other user is the same. */
async function refuseAgent(agent: string | null, request: ApiRequest): Promise<Problem | null> {
  if (agent === null) return null;
  const { agents } = await request.directory();
  const isThere = [...agents.values()].some(({ data }) => data.eid === agent);
  return isThere ? null : problem('record_unknown', 'There is no agent with this eid.');
}

export const patchUser: Handler = async (request, context) => {
  const input = readRecord(USER_CHANGES, request.body.value);
  if (isProblem(input)) return input;
  const user = await managedUser(request, context);
  if (isProblem(user)) return user;
  const sent = request.body.value;
  const agent = 'agent' in sent ? { agent: input.agent } : {};
  const given = { name: input.name, email: input.email, role: input.role, disabled: input.disabled };
  const chosen = Object.entries(given).filter(([, value]) => value !== null);
  const changes: UserChange = { ...(Object.fromEntries(chosen) as UserChange), ...agent };
  const refusal =
    (changes.role ? refuseRole(request, changes.role) : null) ??
    (await refuseAgent(changes.agent ?? null, request));
  if (refusal) return refusal;
  const { outcome } = await context.storage.changeUser({
    accountId: request.account.id,
    id: user.id,
    changes,
    atMs: request.nowMs,
    expectedRole: user.role,
  });
  return orProblem(outcome) ?? done(200, 'User changed.');
};

export const deleteUser: Handler = async (request, context) => {
  const user = await managedUser(request, context);
  if (isProblem(user)) return user;
  const { outcome } = await context.storage.deleteUser({
    accountId: request.account.id,
    id: user.id,
    expectedRole: user.role,
  });
  return orProblem(outcome) ?? done(200, 'User deleted, with the sessions and tokens of that user.');
};

/** Another invitation, or for a user who has signed in before a link that sets another password. */
export const createUserLink: Handler = async (request, context) => {
  const user = await managedUser(request, context);
  if (isProblem(user)) return user;
  const state = userState(user);
  if (state === 'disabled') return problem('record_unknown', 'This user is disabled.');
  const members = await linkFor(user, state === 'invited' ? 'invite' : 'reset', request, context);
  if (isProblem(members)) return members;
  return done(201, `Link created. ${saidOf(user, members)}`, { members });
};

export const endUserSessions: Handler = async (request, context) => {
  const user = await managedUser(request, context);
  return isProblem(user) ? user : endSessions(user, null, request, context);
};

export async function endSessions(
  user: User,
  but: string | null,
  request: ApiRequest,
  { storage }: ApiContext,
): Promise<ApiResponse> {
  const accountId = request.account.id;
  const sessions = (await storage.listTokens()).filter(
    (token) =>
      token.accountId === accountId &&
      token.userId === user.id &&
      token.use === 'session' &&
      token.id !== but,
  );
  for (const { id } of sessions) await storage.revokeToken({ accountId, id });
  const browsers = sessions.length;
  return done(200, `Signed ${browsers} browser${browsers === 1 ? '' : 's'} out.`, { members: { browsers } });
}

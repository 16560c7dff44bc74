// Access tokens of the asking account. A token is shown once; what is kept is its hash. A token that is made with another one belongs
// to it: it may do no more, expires no later, and ends with it.

import { allows, type Scope, type Token } from '../../domain/account.ts';
import { manages, mayDo } from '../../domain/roles.ts';
import { readRecord } from '../../kinds/field.ts';
import { isProblem, problem } from '../../kinds/problem.ts';
import { DAY_MS, earlier, makeToken } from '../../kit/credentials.ts';
import { scopeMissing, TOKEN_INVALID } from '../http/auth.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { APPLIED, wantsRecord } from '../http/prefer.ts';
import { TOKEN_FIELDS } from '../schemas/account.ts';

/** Browsers that are signed in are not among them. */
export function tokensOf(accountId: string, tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.accountId === accountId && token.use === 'api');
}

interface ShownToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly parent_id: string | null;
  readonly created_at: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly user_id: string | null;
  readonly user_name: string | null;
}

/** A token as people see it: never the secret, never its hash. */
export function describeToken(token: Token, userName: string | null = null): ShownToken {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    parent_id: token.parentId,
    created_at: time(token.createdAtMs),
    expires_at: time(token.expiresAtMs),
    last_used_at: time(token.lastUsedAtMs),
    user_id: token.userId ?? null,
    user_name: userName,
  };
}

/**
 * What a new token belongs to. Signing out must not end the tokens that were made in the console, so these belong to the token that the
 * browser was signed in with. Null: it was signed in by a link, which the operator made.
 */
async function parentOf({ token }: ApiRequest, { storage }: ApiContext): Promise<Token | null> {
  if (token.use === 'api' || token.parentId === null) return token.use === 'api' ? token : null;
  return (await storage.listTokens()).find(({ id }) => id === token.parentId) ?? null;
}

export const createToken: Handler = async (request, context) => {
  const input = readRecord(TOKEN_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { account, token: by, nowMs } = request;
  const parent = await parentOf(request, context);
  const scopes = input.scopes ?? by.scopes;
  const missing = scopes.find((scope) => !allows(by, scope));
  if (missing) return scopeMissing(missing, by);
  const wanted = input.expires_in_days === null ? null : nowMs + input.expires_in_days * DAY_MS;
  const expiresAtMs = earlier(wanted, parent?.expiresAtMs ?? null);
  const { secret, token } = makeToken(account.id, input.name, nowMs, {
    scopes,
    expiresAtMs,
    parentId: parent?.id ?? by.parentId,
    userId: by.userId,
  });
  const isLimited = request.user !== null && !mayDo(request.user.role, 'listUsers');
  const { outcome } = await context.storage.createToken({
    token,
    most: account.limits.max_tokens,
    ...(isLimited ? { mostOfUser: MAX_USER_TOKENS } : {}),
    madeBy: by.id,
  });
  if (outcome === 'parent_gone') return TOKEN_INVALID;
  if (outcome === 'too_many_of_user') return TOO_MANY_OF_USER;
  if (outcome === 'too_many') return tooMany(account.limits.max_tokens);
  const described = describeToken(token, request.user?.name ?? null);
  const { id, expires_at } = described;
  const headers = { location: `/v1/token/${id}` };
  if (wantsRecord(request))
    return { status: 201, headers: { ...headers, ...APPLIED }, json: { ...described, token: secret } };
  const shortened = expiresAtMs === wanted ? '' : ' It expires with the token that made it.';
  return done(201, `Token created; it is shown this once.${shortened}`, {
    headers,
    members: { id, token: secret, expires_at, scopes },
  });
};

/** Tokens of one user who does not administer the account: such a user cannot use up the account's limit. */
export const MAX_USER_TOKENS = 20;
const TOO_MANY_OF_USER = problem(
  'token_limit_reached',
  `You have ${MAX_USER_TOKENS} access tokens, which is the limit of a user; revoke one first.`,
);

export const tooMany = (most: number) =>
  problem(
    'token_limit_reached',
    `This account has ${most} access tokens, which is its limit; revoke one first.`,
  );

export const listTokens: Handler = async (request, context) => {
  const query = readQuery(PAGE_QUERY, request);
  if (isProblem(query)) return query;
  const isShown = await shownTo(request, context);
  const mine = tokensOf(request.account.id, await context.storage.listTokens()).filter(isShown);
  const users = await context.access.users(({ accountId }) => accountId === request.account.id);
  const names = new Map(users.map(({ user }) => [user.id, user.name]));
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  return pageResponse(request, '/v1/tokens', {
    rows: mine.filter(({ id }) => id > String(place[0] ?? '')),
    limit: query.limit,
    describe: (token) => describeToken(token, names.get(token.userId ?? '') ?? null),
    position: ({ id }) => [id],
  });
};

/** A user's own tokens; those who administer see all, and end those of users whom they manage. */
export async function shownTo(
  { user, account }: ApiRequest,
  { access }: ApiContext,
  mayEnd = false,
): Promise<(token: Token) => boolean> {
  if (!user) return () => true;
  const administers = mayDo(user.role, 'listUsers');
  const users = await access.users(({ accountId }) => accountId === account.id);
  const roles = new Map(users.map((one) => [one.user.id, one.user.role]));
  return ({ userId }) => {
    if (userId === user.id) return true;
    const role = userId === undefined ? 'owner' : (roles.get(userId) ?? 'viewer');
    return administers && (!mayEnd || manages(user.role, role));
  };
}

export const revokeToken: Handler = async (request, context) => {
  const wanted = request.params['id'] ?? '';
  const mayEnd = await shownTo(request, context, true);
  const found = (await context.storage.listTokens()).find(
    ({ id, accountId }) => id === wanted && accountId === request.account.id,
  );
  // A browser of another user is theirs to end, or ended with the user.
  const { revoked } =
    found && mayEnd(found)
      ? await context.storage.revokeToken({ accountId: request.account.id, id: wanted })
      : { revoked: false };
  return revoked
    ? done(200, 'Token revoked, with all that were made with it.')
    : problem('record_unknown', 'There is no token with this id.');
};

// Access tokens of the asking account. A token is shown once; what is kept is its hash. A token that is made with another one belongs
// to it: it may do no more, expires no later, and ends with it.

import { DAY_MS, earlier, makeToken } from '../../credentials.ts';
import { allows, type Scope, type Token } from '../../domain/account.ts';
import { isProblem, problem } from '../../domain/problem.ts';
import { scopeMissing, TOKEN_INVALID } from '../http/auth.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { APPLIED, wantsRecord } from '../http/prefer.ts';
import { TOKEN_FIELDS } from '../schemas/account.ts';
import { readRecord } from '../schemas/field.ts';

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
}

/** A token as people see it: never the secret, never its hash. */
export function describeToken(token: Token): ShownToken {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    parent_id: token.parentId,
    created_at: time(token.createdAtMs),
    expires_at: time(token.expiresAtMs),
    last_used_at: time(token.lastUsedAtMs),
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
  });
  const { outcome } = await context.storage.createToken({ token, most: account.limits.max_tokens });
  if (outcome === 'parent_gone') return TOKEN_INVALID;
  if (outcome === 'too_many') return tooMany(account.limits.max_tokens);
  const described = describeToken(token);
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

export const tooMany = (most: number) =>
  problem(
    'token_limit_reached',
    `This account has ${most} access tokens, which is its limit; revoke one first.`,
  );

export const listTokens: Handler = async (request, context) => {
  const query = readQuery(PAGE_QUERY, request);
  if (isProblem(query)) return query;
  const mine = tokensOf(request.account.id, await context.storage.listTokens());
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  return pageResponse(request, '/v1/tokens', {
    rows: mine.filter(({ id }) => id > String(place[0] ?? '')),
    limit: query.limit,
    describe: describeToken,
    position: ({ id }) => [id],
  });
};

export const revokeToken: Handler = async (request, context) => {
  const { revoked } = await context.storage.revokeToken({
    accountId: request.account.id,
    id: request.params['id'] ?? '',
  });
  return revoked
    ? done(200, 'Token revoked, with all that were made with it.')
    : problem('record_unknown', 'There is no token with this id.');
};

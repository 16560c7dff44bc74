// Access tokens of the asking account. A token is shown once; what is kept is its hash.

import { makeToken } from '../../credentials.ts';
import type { Token } from '../../domain/account.ts';
import { isProblem, problem } from '../../domain/problem.ts';
import { done, type Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { TOKEN_FIELDS } from '../schemas/account.ts';
import { readRecord } from '../schemas/field.ts';

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
  return revoked ? done(200, 'Token revoked.') : problem('record_unknown', 'There is no token with this id.');
};

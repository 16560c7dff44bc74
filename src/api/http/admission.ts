// Before a body is read: is the service running, is the body small enough, who asks, how often, and may the token, and the role of its user, do this.
import type { FastifyRequest } from 'fastify';
import { allows, isUserSession } from '../../domain/account.ts';
import { mayDo } from '../../domain/roles.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type { Route } from '../route.ts';
import type { HttpRoute } from './api-request.ts';
import { type Access, type Identity, roleRefused, scopeMissing } from './auth.ts';
import { isLoopback, networkOf } from './client-address.ts';
import type { Lifecycle } from './handler.ts';
import { RateLimit } from './rate-limit.ts';
import type { RunningRequests } from './running.ts';
import { ACCOUNT_HEADER } from './session-cookie.ts';

/** Wrong tokens from one address; further ones get 429 instead of 401. */
export const WRONG_TOKENS_PER_MINUTE = 30;
/** The tokens of an account together may send so many times what one of them may. */
export const ACCOUNT_SHARE = 2;

export interface AdmissionOptions {
  readonly access: Pick<Access, 'identify' | 'identifyBrowser'>;
  /** Requests per second and token; 0: no limit. */
  readonly rateLimit: number;
  /** Whether the limit also holds for clients on this host. */
  readonly rateLimitLoopback: boolean;
  /** Live ones, this one included; absent: one. */
  readonly nodes?: () => number;
}

/** A page that is loaded again needs a session for the call that it has; it begins none while the service drains. */
const TAKES_UP = 'createPhoneSession';

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #lifecycle: Lifecycle;
  readonly #perToken: RateLimit;
  readonly #perAccount: RateLimit;
  readonly #wrongTokens: RateLimit;

  constructor(options: AdmissionOptions, lifecycle: Lifecycle) {
    const { rateLimit, nodes } = options;
    this.#options = options;
    this.#lifecycle = lifecycle;
    this.#perToken = new RateLimit(rateLimit, undefined, nodes);
    this.#perAccount = new RateLimit(rateLimit * ACCOUNT_SHARE, undefined, nodes);
    this.#wrongTokens = new RateLimit(rateLimit === 0 ? 0 : WRONG_TOKENS_PER_MINUTE / 60, 60, nodes);
  }

  async refuse(
    request: FastifyRequest<HttpRoute>,
    route: Route,
    maxBytes: number,
    running: RunningRequests,
  ): Promise<Problem | null> {
    const { state } = this.#lifecycle;
    if (state === 'starting' || (state === 'draining' && route.id !== TAKES_UP)) return notRunning(state);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
    const identity = await this.identify(request);
    const limited = this.#options.rateLimitLoopback || !isLoopback(request.ip);
    if (isProblem(identity)) return limited ? this.#slowed(identity, request) : identity;
    running.identified(request, identity);
    const refusal = limited ? this.#tooFast(identity) : null;
    return refusal ?? notAllowed(identity, route);
  }

  #tooFast({ token, account }: Identity): Problem | null {
    const { rateLimit } = this.#options;
    const nowMs = performance.now();
    const seconds = this.#perToken.take(token.id, nowMs);
    if (seconds > 0) return rateLimited('token', rateLimit, seconds);
    const all = this.#perAccount.take(account.id, nowMs);
    return all > 0 ? rateLimited('account', rateLimit * ACCOUNT_SHARE, all) : null;
  }

  /** Only what fails is slowed: others behind the same address, with good tokens, do not notice. */
  #slowed(failure: Problem, { ip }: FastifyRequest<HttpRoute>): Problem {
    if (failure.problem !== 'token_invalid') return failure;
    const seconds = this.#wrongTokens.take(networkOf(ip ?? ''), performance.now());
    return seconds === 0 ? failure : wrongTokens(seconds);
  }

  identify({ method, headers, query }: FastifyRequest<HttpRoute>): Promise<Identity | Problem> {
    return headers.authorization === undefined && headers.cookie !== undefined
      ? this.#options.access.identifyBrowser(method, headers, query[ACCOUNT_HEADER])
      : this.#options.access.identify(headers.authorization);
  }
}

/** What the role of the user, and the scopes of the token, refuse. */
export function notAllowed({ token, user }: Identity, { scope, id, orDraft }: Route): Problem | null {
  if (user && !mayDo(user.role, id)) return roleRefused(user.role);
  if (!scope || scope === 'any' || isUserSession(token) || allows(token, scope)) return null;
  return orDraft && allows(token, 'draft') ? null : scopeMissing(scope, token);
}

function notRunning(state: 'starting' | 'draining'): Problem {
  const headers = { 'retry-after': '5' };
  return problem(state, `The service is ${state}; repeat the request shortly.`, { headers });
}

function wrongTokens(seconds: number): Problem {
  const message = `This token is not valid, and too many like it came from your address; wait ${seconds} s.`;
  return problem('rate_limited', message, { headers: { 'retry-after': String(seconds) } });
}

function rateLimited(who: 'token' | 'account', rateLimit: number, seconds: number): Problem {
  const message = `This ${who} may send ${rateLimit} requests a second; wait ${seconds} s.`;
  return problem('rate_limited', message, { headers: { 'retry-after': String(seconds) } });
}

function tooLarge(maxBytes: number): Problem {
  const kib = maxBytes / 1024;
  return problem(
    'body_too_large',
    `The body is larger than ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}.`,
  );
}

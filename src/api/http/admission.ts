// Before a body is read: is the service running, is the body small enough, who asks, and how often.
import type { FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem } from '../../domain/problem.ts';
import type { HttpRoute } from './api-request.ts';
import type { Access, Identity } from './auth.ts';
import type { Lifecycle } from './handler.ts';
import { isLoopback } from './loopback.ts';
import { RateLimit } from './rate-limit.ts';
import type { RunningRequests } from './running.ts';
import { ACCOUNT_HEADER } from './session-cookie.ts';

export interface AdmissionOptions {
  readonly access: Access;
  /** Requests per second and token; 0: no limit. */
  readonly rateLimit: number;
  /** Whether the limit also holds for clients on this host. */
  readonly rateLimitLoopback: boolean;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #lifecycle: Lifecycle;
  readonly #limit: RateLimit;

  constructor(options: AdmissionOptions, lifecycle: Lifecycle) {
    this.#options = options;
    this.#lifecycle = lifecycle;
    this.#limit = new RateLimit(options.rateLimit);
  }

  async refuse(
    request: FastifyRequest<HttpRoute>,
    maxBytes: number,
    running: RunningRequests,
  ): Promise<Problem | null> {
    const { state } = this.#lifecycle;
    if (state !== 'running') return notRunning(state);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
    const identity = await this.identify(request);
    if (isProblem(identity)) return identity;
    running.identified(request, identity);
    const { rateLimit, rateLimitLoopback } = this.#options;
    if (!rateLimitLoopback && isLoopback(request.raw.socket.remoteAddress)) return null;
    const seconds = this.#limit.take(identity.token.id, performance.now());
    return seconds === 0 ? null : rateLimited(rateLimit, seconds);
  }

  identify({ method, headers, query }: FastifyRequest<HttpRoute>): Promise<Identity | Problem> {
    return headers.authorization === undefined && headers.cookie !== undefined
      ? this.#options.access.identifyBrowser(method, headers, query[ACCOUNT_HEADER])
      : this.#options.access.identify(headers.authorization);
  }
}

function notRunning(state: 'starting' | 'draining'): Problem {
  const headers = { 'retry-after': '5' };
  return problem(state, `The service is ${state}; repeat the request shortly.`, { headers });
}

function rateLimited(rateLimit: number, seconds: number): Problem {
  const message = `This token may send ${rateLimit} requests a second; wait ${seconds} s.`;
  return problem('rate_limited', message, { headers: { 'retry-after': String(seconds) } });
}

function tooLarge(maxBytes: number): Problem {
  const kib = maxBytes / 1024;
  return problem(
    'body_too_large',
    `The body is larger than ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}.`,
  );
}

// The requests that are being answered: counted for draining and metrics, logged when they are over, whichever way.
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Identity } from './auth.ts';
import type { Metrics } from './metrics.ts';

interface Running {
  readonly startedMs: number;
  identity?: Identity;
}

export class RunningRequests {
  readonly #metrics: Metrics;
  readonly #logger: Logger;
  readonly #running = new WeakMap<FastifyRequest, Running>();
  readonly #unfinished = new WeakMap<Socket, Map<FastifyRequest, () => void>>();

  constructor(metrics: Metrics, logger: Logger) {
    this.#metrics = metrics;
    this.#logger = logger;
  }

  begin(request: FastifyRequest, reply: FastifyReply): void {
    const running: Running = { startedMs: performance.now() };
    this.#running.set(request, running);
    this.#metrics.running.count += 1;
    const unfinished = this.#unfinishedOn(request.raw.socket);
    const end = (): void => {
      if (unfinished.delete(request)) this.#conclude(request, reply, running);
    };
    unfinished.set(request, end);
    // Comes for answers that are finished or broken off; Fastify's onResponse only for finished ones.
    reply.raw.once('close', end);
  }

  identified(request: FastifyRequest, identity: Identity): void {
    const running = this.#running.get(request);
    if (running) running.identity = identity;
  }

  identityOf(request: FastifyRequest): Identity | undefined {
    return this.#running.get(request)?.identity;
  }

  /** Whether answers are owed on this connection to requests that have arrived whole. */
  isBusy(socket: Socket): boolean {
    return [...(this.#unfinished.get(socket)?.keys() ?? [])].some((request) => request.raw.complete);
  }

  /** A pipelined answer whose turn has not come has no socket yet, and hears nothing when the client goes away. */
  #unfinishedOn(socket: Socket): Map<FastifyRequest, () => void> {
    const known = this.#unfinished.get(socket);
    if (known) return known;
    const unfinished = new Map<FastifyRequest, () => void>();
    this.#unfinished.set(socket, unfinished);
    socket.once('close', () => {
      for (const end of unfinished.values()) end();
    });
    return unfinished;
  }

  #conclude(request: FastifyRequest, reply: FastifyReply, { startedMs, identity }: Running): void {
    const durationMs = performance.now() - startedMs;
    const route = request.routeOptions.url ?? 'unknown';
    const { statusCode: status } = reply;
    this.#metrics.running.count -= 1;
    this.#metrics.answered(request.method, route, status, durationMs / 1000);
    this.#logger.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status,
        ms: Math.round(durationMs * 100) / 100,
        account: identity?.account.id,
        ...(reply.raw.writableFinished ? {} : { brokenOff: true }),
      },
      'request answered',
    );
  }
}

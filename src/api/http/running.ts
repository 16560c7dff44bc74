// The requests that are being answered: counted for draining and metrics, logged when they are over, whichever way.
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairPool } from '../../kit/fair-share.ts';
import { NODE_PATH } from '../../nodes/signature.ts';
import type { Identity } from './auth.ts';
import type { Metrics } from './metrics.ts';

/** Requests on one connection that came before the response to the first; HTTP clients that pipeline at all send fewer. */
export const MAX_PIPELINED = 100;
/** Pipelined requests on all connections, and on those from one address (`perAccount`). */
export const PIPELINED = { total: 4_000, perAccount: 1_000 };

/** A request that was answered, for traces. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern, never the path itself. */
  readonly route: string;
  readonly status: number;
  readonly requestId: string;
  readonly accountId: string | undefined;
  readonly durationMs: number;
  /** As the client sent it (W3C Trace Context). */
  readonly traceparent: unknown;
}

interface Running {
  readonly startedMs: number;
  identity?: Identity;
  /** Releases what the response holds. */
  release?: () => void;
}

/** Asked every few seconds by monitoring, or by other nodes: an answer without a fault is no news. Metrics count them. */
const UNLOGGED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', NODE_PATH]);

/** On the request itself, so that there is no table beside it to keep and to clean. */
const RUNNING = Symbol('running');
type Tracked = FastifyRequest & { [RUNNING]?: Running };

const UNFINISHED = Symbol('unfinished');
type TrackedSocket = Socket & { [UNFINISHED]?: Map<FastifyRequest, Unfinished> };

interface Unfinished {
  end(): void;
  /** Starts a pipelined request, when those before it are over. */
  start?: () => void;
}

export class RunningRequests {
  readonly #metrics: Metrics;
  readonly #log: ((line: string) => void) | undefined;
  readonly #traced: ((request: AnsweredRequest) => void) | undefined;
  readonly #pipelined = new FairPool(PIPELINED);

  /** `log` takes a whole line; without it nothing is logged. `traced` is called for what is logged. */
  constructor(
    metrics: Metrics,
    log: ((line: string) => void) | undefined,
    traced: ((request: AnsweredRequest) => void) | undefined,
  ) {
    this.#metrics = metrics;
    this.#log = log;
    this.#traced = traced;
  }

  /** False: the connection had more requests waiting than it may, and is closed. */
  begin(request: FastifyRequest, reply: FastifyReply): boolean {
    const { socket } = request.raw;
    // What came behind in the same packet.
    if (socket.destroyed) return false;
    const unfinished = this.#unfinishedOn(socket);
    let leave: (() => void) | null | undefined;
    if (unfinished.size > 0) {
      leave = unfinished.size < MAX_PIPELINED ? this.#pipelined.take(socket.remoteAddress ?? '') : null;
      if (leave === null) {
        socket.destroy();
        return false;
      }
    }
    const running: Running = { startedMs: performance.now() };
    (request as Tracked)[RUNNING] = running;
    this.#metrics.running.count += 1;
    const end = (): void => {
      if (!unfinished.delete(request)) return;
      leave?.();
      running.release?.();
      this.#conclude(request, reply, running);
      const [next] = unfinished.values();
      if (next?.start && !socket.destroyed) next.start();
    };
    unfinished.set(request, { end });
    // Comes for answers that are finished or broken off; Fastify's onResponse only for finished ones.
    reply.raw.once('close', end);
    return true;
  }

  /**
   * Starts a request when those before it on its connection are over: a client that pipelines and does not read makes the service
   * work for one response at a time.
   */
  start(request: FastifyRequest, next: () => void): void {
    const unfinished = (request.raw.socket as TrackedSocket)[UNFINISHED];
    const [first] = unfinished?.keys() ?? [];
    const own = unfinished?.get(request);
    if (!own || first === request) next();
    else
      own.start = () => {
        delete own.start;
        next();
      };
  }

  /** Called when the response is finished or broken off; at once if it is over already. */
  onEnd(request: FastifyRequest, release: () => void): void {
    const running = (request as Tracked)[RUNNING];
    const unfinished = (request.raw.socket as TrackedSocket)[UNFINISHED];
    if (running && unfinished?.has(request)) running.release = release;
    else release();
  }

  identified(request: FastifyRequest, identity: Identity): void {
    const running = (request as Tracked)[RUNNING];
    if (running) running.identity = identity;
  }

  identityOf(request: FastifyRequest): Identity | undefined {
    return (request as Tracked)[RUNNING]?.identity;
  }

  /** Whether answers are owed on this connection to requests that have arrived whole. */
  isBusy(socket: Socket): boolean {
    return [...((socket as TrackedSocket)[UNFINISHED]?.keys() ?? [])].some((request) => request.raw.complete);
  }

  /**
   * Ends the request on this connection whose body is late: what reads the body (a parser, an upload that holds a slot) fails now, not
   * when the client closes the connection, and its failure is the response. False: nothing reads it yet.
   */
  endLate(socket: Socket, error: Error): boolean {
    const requests = (socket as TrackedSocket)[UNFINISHED]?.keys() ?? [];
    const late = [...requests].find(({ raw }) => !raw.complete && raw.listenerCount('error') > 0);
    return late?.raw.emit('error', error) ?? false;
  }

  /** A pipelined answer whose turn has not come has no socket yet, and hears nothing when the client goes away. */
  #unfinishedOn(socket: Socket): Map<FastifyRequest, Unfinished> {
    const known = (socket as TrackedSocket)[UNFINISHED];
    if (known) return known;
    const unfinished = new Map<FastifyRequest, Unfinished>();
    (socket as TrackedSocket)[UNFINISHED] = unfinished;
    socket.once('close', () => {
      for (const { end } of [...unfinished.values()]) end();
    });
    return unfinished;
  }

  #conclude(request: FastifyRequest, reply: FastifyReply, { startedMs, identity }: Running): void {
    const durationMs = performance.now() - startedMs;
    const route = request.routeOptions.url ?? 'unknown';
    const { statusCode: status } = reply.raw;
    this.#metrics.running.count -= 1;
    this.#metrics.answered(request.method, route, status, durationMs / 1000);
    if (status < 400 && UNLOGGED.has(route)) return;
    this.#traced?.({
      method: request.method,
      route,
      status,
      requestId: request.id,
      accountId: identity?.account.id,
      durationMs,
      traceparent: request.headers['traceparent'],
    });
    if (!this.#log) return;
    // Written by hand, since every request pays for it (docs/decisions/0002-http.md). None of these holds a
    // character that JSON would escape: ids are checked or ours, the route is a pattern of our table.
    const account = identity ? `,"account":"${identity.account.id}"` : '';
    const brokenOff = reply.raw.writableFinished ? '' : ',"brokenOff":true';
    this.#log(
      `{"level":30,"time":${Date.now()},"requestId":"${request.id}","method":"${request.method}","route":"${route}",` +
        `"status":${status},"ms":${Math.round(durationMs * 100) / 100}${account}${brokenOff},"msg":"request answered"}\n`,
    );
  }
}

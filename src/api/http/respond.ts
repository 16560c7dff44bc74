// Writes ApiResponses and Problems to the connection.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isProblem, PROBLEMS, type Problem, problem } from '../../kinds/problem.ts';
import { failureBody } from './failure.ts';
import type { ApiResponse, Headers, Lifecycle, StreamedBody } from './handler.ts';
import type { RunningRequests } from './running.ts';
import { type HoldPiece, sendStreamed } from './streaming.ts';
import { LARGE } from './turns.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const NOT_STORED = 'no-store';
/** How soon a response without an end is closed when its token is revoked or expires. */
const RECHECK_MS = 5_000;

/** Failures before a route's handler: small. */
export function fail(reply: FastifyReply, failure: Problem, requestId: string): FastifyReply {
  return write(reply, PROBLEMS[failure.problem], failure.headers, failureBody(failure, requestId));
}

/** Responses of handlers: what the client does not read is counted, and bounded. */
export class Responses {
  readonly #unsent: UnsentBytes;
  readonly #running: RunningRequests;

  constructor(unsent: UnsentBytes, running: RunningRequests) {
    this.#unsent = unsent;
    this.#running = running;
  }

  send(request: FastifyRequest, reply: FastifyReply, outcome: ApiResponse | Problem): FastifyReply {
    if (isProblem(outcome)) {
      const body = failureBody(outcome, request.id);
      return this.#write(request, reply, PROBLEMS[outcome.problem], outcome.headers, body);
    }
    const { status, headers, json, bytes } = outcome;
    return this.#write(
      request,
      reply,
      status,
      headers,
      status === 304 ? '' : (bytes ?? JSON.stringify(json)),
    );
  }

  /** Claims room for a piece of a stream that waits for its client; null: there is none. */
  holderOf(request: FastifyRequest): (piece: Buffer | string) => (() => void) | null {
    const { socket } = request.raw;
    const account = this.#accountOf(request);
    return (piece) => {
      // Each piece is text or bytes of its own; once it is sent, the next one takes its place.
      const bytes = Buffer.byteLength(piece);
      return this.#unsent.admits(account, socket, '', bytes)
        ? this.#unsent.hold(account, socket, '', bytes)
        : null;
    };
  }

  #write(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    headers: Headers | undefined,
    text: Buffer | string,
  ): FastifyReply {
    const { raw } = reply;
    const { socket } = request.raw;
    // Files of the console and of /docs are the same bytes for everybody, for as long as the process lives.
    const isStatic = typeof text !== 'string' && this.#running.identityOf(request) === undefined;
    if (isStatic || request.method === 'HEAD') return write(reply, status, headers, text);
    // Encoded once, not for its length and again for the socket.
    const body = typeof text === 'string' && text.length > LARGE ? Buffer.from(text) : text;
    const account = this.#accountOf(request);
    const bytes = Buffer.byteLength(body);
    if (!this.#unsent.admits(account, socket, body, bytes)) return fail(reply, UNREAD, request.id);
    write(reply, status, headers, body);
    if (raw.writableLength > 0) this.#running.onEnd(request, this.#unsent.hold(account, socket, body, bytes));
    return reply;
  }

  /** Clients without an account are told apart by their address. */
  #accountOf(request: FastifyRequest): string {
    return this.#running.identityOf(request)?.account.id ?? `@${request.ip ?? ''}`;
  }
}

const UNREAD = problem(
  'overloaded',
  'Responses that were asked for before and are not read yet take up too much memory. Read them, then repeat the request.',
  { headers: { 'retry-after': '2' } },
);

/**
 * Straight to Node's response: the body is complete, so what Fastify would do to it (hooks, serializing, a copy of the
 * headers) is only cost. Node itself leaves out the body of a response to HEAD.
 */
function write(
  reply: FastifyReply,
  status: number,
  headers: Headers | undefined,
  body: Buffer | string,
): FastifyReply {
  reply.hijack();
  const all: Record<string, string | number> = allHeaders(reply, headers);
  if (status === 304) delete all['content-type'];
  else all['content-length'] = Buffer.byteLength(body);
  reply.raw.writeHead(status, all);
  reply.raw.end(body);
  return reply;
}

export interface Streaming {
  readonly hold: HoldPiece;
  recheck(): Promise<object | Problem>;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
}

export function sendStream(
  reply: FastifyReply,
  { status, headers }: ApiResponse,
  body: StreamedBody,
  { hold, recheck, lifecycle, logger }: Streaming,
): FastifyReply {
  reply.hijack();
  const headOnly = reply.request.method === 'HEAD';
  const endRecheck = body.endless ? recheckRegularly(reply, recheck) : undefined;
  sendStreamed(reply.raw, { status, headers: allHeaders(reply, headers), body, headOnly, hold }, lifecycle)
    .catch((err: unknown) => logger.error({ requestId: reply.request.id, err }, 'streamed response failed'))
    .finally(endRecheck);
  return reply;
}

/** A revoked token fails on the next request (threat T15); a response without an end has no next request. */
function recheckRegularly({ raw }: FastifyReply, recheck: Streaming['recheck']): () => void {
  const look = async (): Promise<void> => {
    // An unavailable database says nothing about the token.
    const identity = await recheck().catch(() => null);
    if (identity !== null && isProblem(identity)) raw.destroy();
  };
  const looking = setInterval(() => void look(), RECHECK_MS);
  looking.unref();
  return () => clearInterval(looking);
}

function allHeaders(reply: FastifyReply, headers: Headers | undefined): Record<string, string> {
  return {
    'content-type': JSON_TYPE,
    // Account data stays in no cache on the way (threat T46). Files of the console and of /docs bring their own header.
    'cache-control': NOT_STORED,
    ...headers,
    'x-request-id': reply.request.id,
    'x-content-type-options': 'nosniff',
  };
}

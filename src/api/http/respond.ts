// Writes ApiResponses and Problems to the connection.
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { isProblem, PROBLEMS, type Problem } from '../../domain/problem.ts';
import { failureBody } from './failure.ts';
import type { ApiResponse, Headers, Lifecycle, StreamedBody } from './handler.ts';
import { sendStreamed } from './streaming.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const NOT_STORED = 'no-store';
/** How soon a response without an end is closed when its token is revoked or expires. */
const RECHECK_MS = 5_000;

export function send(reply: FastifyReply, { status, headers, json, bytes }: ApiResponse): FastifyReply {
  return write(reply, status, headers, status === 304 ? '' : (bytes ?? JSON.stringify(json)));
}

export function fail(reply: FastifyReply, failure: Problem, requestId: string): FastifyReply {
  return write(reply, PROBLEMS[failure.problem], failure.headers, failureBody(failure, requestId));
}

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
  else all['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  reply.raw.writeHead(status, all);
  reply.raw.end(body);
  return reply;
}

export interface Streaming {
  recheck(): Promise<object | Problem>;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
}

export function sendStream(
  reply: FastifyReply,
  { status, headers }: ApiResponse,
  body: StreamedBody,
  { recheck, lifecycle, logger }: Streaming,
): FastifyReply {
  reply.hijack();
  const headOnly = reply.request.method === 'HEAD';
  const endRecheck = body.endless ? recheckRegularly(reply, recheck) : undefined;
  sendStreamed(reply.raw, { status, headers: allHeaders(reply, headers), body, headOnly }, lifecycle)
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

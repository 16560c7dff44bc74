// HTTP on Fastify: routing, limits, authentication, and one shape for every answer. What is answered is in routes.ts.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { isProblem, PROBLEMS, type Problem, problem } from '../../domain/problem.ts';
import { MAX_UPLOAD_BYTES } from '../../recordings/recordings.ts';
import { acting } from '../../storage/decorators.ts';
import { actorOf } from '../account/audit.ts';
import { ROUTES, type Route } from '../routes.ts';
import type { Access, Identity } from './auth.ts';
import { readJsonObject } from './body.ts';
import { answerClientError, failureBody, toProblem } from './failure.ts';
import type { ApiContext, ApiRequest, ApiResponse, Body, Headers, StreamedBody } from './handler.ts';
import { isLoopback } from './loopback.ts';
import { RateLimit } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import { RunningRequests } from './running.ts';
import { ACCOUNT_HEADER } from './session-cookie.ts';
import { sendStreamed } from './streaming.ts';

export const MAX_BODY = 256 * 1024;
export const MAX_HEADERS = 16 * 1024;
export const HEADERS_MS = 10_000;
export const REQUEST_MS = 30_000;
export const KEEP_ALIVE_MS = 75_000;
/** A client that neither sends nor reads for so long is gone, or means harm. */
export const STALLED_MS = 60_000;
const MAX_PARAMETER = 200;
/** How soon an answer without an end is broken off when its token is revoked or expires. */
const RECHECK_MS = 5_000;

export interface ServerOptions {
  readonly context: ApiContext;
  readonly access: Access;
  readonly logger: Logger;
  /** Writes a line of the log as it is; absent where requests are not logged. */
  readonly logLine: ((line: string) => void) | undefined;
  readonly rateLimit: number;
  readonly rateLimitLoopback: boolean;
  readonly maxConnections: number;
}

const EMPTY_BODY: Body = { value: {}, bytes: Buffer.alloc(0) };
const JSON_TYPE = 'application/json; charset=utf-8';

export function makeServer(options: ServerOptions): FastifyInstance {
  const { context, logger } = options;
  const running = new RunningRequests(context.metrics, options.logLine);
  const server = Fastify({
    // Our own line per request (below) instead of Fastify's two with a child logger each.
    logger: false,
    bodyLimit: MAX_BODY,
    routerOptions: { maxParamLength: MAX_PARAMETER },
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: STALLED_MS,
    http: {
      headersTimeout: HEADERS_MS,
      maxHeaderSize: MAX_HEADERS,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false,
    },
    requestIdHeader: false,
    genReqId: (raw: IncomingMessage) => requestIdOf(raw.headers['x-request-id']),
    return503OnClosing: false,
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => {
      // An answer that is owed comes first; what was garbled behind it is not worth confusing the two.
      if (running.isBusy(socket)) socket.destroySoon();
      else answerClientError(error, socket, logger);
    },
    // No hook runs for these, and yet they are requests like any other.
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      fail(reply, toProblem(error), request.id);
    },
  });
  server.server.maxConnections = options.maxConnections;
  server.server.on('checkExpectation', (request, response) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    response.writeHead(417, { 'content-type': JSON_TYPE, 'x-request-id': requestId, connection: 'close' });
    response.end(
      failureBody(problem('expectation_failed', 'Only "Expect: 100-continue" is understood.'), requestId),
    );
  });

  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, next) => {
    // Many clients name a type also when they send nothing.
    if (bytes.length === 0) return next(null, undefined);
    const read = readJsonObject(bytes as Buffer);
    // A problem is a value here, not an error: the handler's wrapper tells the two apart.
    return next(
      null,
      isProblem(read) ? read : ({ value: read.value, bytes: bytes as Buffer } satisfies Body),
    );
  });

  // Not read here: whoever takes it writes it to a file as it comes.
  server.addContentTypeParser(UPLOAD_TYPE, (request, stream, next) => next(null, uploadOf(request, stream)));

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    running.begin(request, reply);
    if (context.lifecycle.state === 'draining') reply.raw.setHeader('connection', 'close');
  }
  server.addHook('onRequest', (request, reply, next) => {
    begin(request, reply);
    if (request.headers.host === undefined && request.raw.httpVersionMinor === 1) {
      fail(reply, problem('http_malformed', 'HTTP/1.1 needs a Host header.'), request.id);
    } else if (!METHODS.includes(request.method)) {
      fail(reply, unknownMethod(request.url), request.id);
    } else next();
  });

  server.setErrorHandler((error, request, reply) => {
    const failure = toProblem(error);
    if (PROBLEMS[failure.problem] >= 500)
      logger.error({ requestId: request.id, err: error }, 'request failed');
    fail(reply, failure, request.id);
  });
  server.setNotFoundHandler((request, reply) => {
    fail(reply, PATH_UNKNOWN, request.id);
  });

  const limit = new RateLimit(options.rateLimit);
  const guard =
    ({ upload }: Route) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const refusal = await refuse(request, upload && isUpload(request) ? MAX_UPLOAD_BYTES : MAX_BODY);
      if (refusal) fail(reply, refusal, request.id);
    };
  /** Size, then who asks, then how often; the body is read after that. */
  async function refuse(request: FastifyRequest, maxBytes: number): Promise<Problem | null> {
    if (context.lifecycle.state !== 'running') {
      return problem(
        context.lifecycle.state,
        `The service is ${context.lifecycle.state}; repeat the request shortly.`,
        {
          headers: { 'retry-after': '5' },
        },
      );
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
    const identity = await whoAsks(request);
    if (isProblem(identity)) return identity;
    running.identified(request, identity);
    if (!options.rateLimitLoopback && isLoopback(request.raw.socket.remoteAddress)) return null;
    const seconds = limit.take(identity.token.id, performance.now());
    if (seconds === 0) return null;
    return problem(
      'rate_limited',
      `This token may send ${options.rateLimit} requests a second; wait ${seconds} s.`,
      {
        headers: { 'retry-after': String(seconds) },
      },
    );
  }

  function whoAsks({ method, headers, query }: FastifyRequest): Promise<Identity | Problem> {
    return headers.authorization === undefined && headers.cookie !== undefined
      ? options.access.identifyBrowser(method, headers, (query as ApiRequest['query'])[ACCOUNT_HEADER])
      : options.access.identify(headers.authorization);
  }

  for (const route of ROUTES) {
    server.route({
      method: route.method,
      url: fastifyPath(route.path),
      ...(route.open ? {} : { onRequest: guard(route) }),
      handler: async (request, reply) => {
        if (holdsNul(request.params as ApiRequest['params'])) return fail(reply, NUL_IN_PATH, request.id);
        if (request.body && isProblem(request.body)) return fail(reply, request.body, request.id);
        if (isUpload(request) && !route.upload) return fail(reply, NO_UPLOAD, request.id);
        if (route.body && !request.body) return fail(reply, missingBody(request), request.id);
        const apiRequest = apiRequestOf(request, running.identityOf(request), context);
        const outcome = await route.handler(
          apiRequest,
          route.method === 'GET' || route.open ? context : inNameOf(apiRequest, context),
        );
        if (isProblem(outcome)) return fail(reply, outcome, request.id);
        return outcome.stream ? sendStream(reply, outcome, outcome.stream) : send(reply, outcome);
      },
    });
  }
  refuseOtherMethods(server);
  return server;

  function sendStream(
    reply: FastifyReply,
    { status, headers }: ApiResponse,
    body: StreamedBody,
  ): FastifyReply {
    reply.hijack();
    const headOnly = reply.request.method === 'HEAD';
    const endRecheck = body.endless ? recheck(reply) : undefined;
    sendStreamed(
      reply.raw,
      { status, headers: allHeaders(reply, headers), body, headOnly },
      context.lifecycle,
    )
      .catch((err: unknown) => logger.error({ requestId: reply.request.id, err }, 'an answer was broken off'))
      .finally(endRecheck);
    return reply;
  }

  /** A revoked token fails on the next request (T15); whoever never sends another is asked for it again and again. */
  function recheck({ request, raw }: FastifyReply): () => void {
    const look = async (): Promise<void> => {
      // A database that is away for a moment says nothing about the token.
      const identity = await whoAsks(request).catch(() => null);
      if (identity !== null && isProblem(identity)) raw.destroy();
    };
    const looking = setInterval(() => void look(), RECHECK_MS);
    looking.unref();
    return () => clearInterval(looking);
  }
}

function allHeaders(reply: FastifyReply, headers: Headers | undefined): Record<string, string> {
  return {
    'content-type': JSON_TYPE,
    ...headers,
    'x-request-id': reply.request.id,
    'x-content-type-options': 'nosniff',
  };
}

const UPLOAD_TYPE = 'multipart/form-data';

const isUpload = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.slice(0, UPLOAD_TYPE.length).toLowerCase() === UPLOAD_TYPE;

function uploadOf({ headers }: FastifyRequest, stream: Readable): Body {
  const upload = {
    contentType: headers['content-type'] ?? '',
    // The connection is not broken off when the rest is not wanted: the client still has to read why.
    pieces: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
    discard: () => void stream.resume(),
  };
  return { ...EMPTY_BODY, upload };
}

const NO_UPLOAD = problem('content_type_unsupported', 'Send the body as content-type: application/json.');

function tooLarge(maxBytes: number): Problem {
  const size = maxBytes === MAX_BODY ? '256 KiB' : `${maxBytes / 1024 / 1024} MiB`;
  return problem('body_too_large', `The body is larger than ${size}.`);
}

/** No id holds it, and PostgreSQL cannot be asked for it. */
const NUL_IN_PATH = problem('uri_malformed', 'The address must not hold the character NUL.');
const holdsNul = (params: ApiRequest['params']): boolean =>
  Object.values(params).some((value) => value.includes('\0'));

/** A body that is there but was not read has a type we do not take; none at all is like an empty one. */
function missingBody(request: FastifyRequest): Problem {
  const type = request.headers['content-type'];
  return type === undefined
    ? problem('content_type_unsupported', 'Send the body as content-type: application/json.')
    : problem('body_malformed', 'The body is not valid JSON: it is empty.');
}

function apiRequestOf(
  request: FastifyRequest,
  identity: Identity | undefined,
  context: ApiContext,
): ApiRequest {
  const { account, token, directoryRevision = 0, answeredRevision = 0, recordsRevision = 0 } = identity ?? {};
  return {
    params: request.params as ApiRequest['params'],
    query: request.query as ApiRequest['query'],
    headers: request.headers,
    body: (request.body as Body | undefined) ?? EMPTY_BODY,
    requestId: request.id,
    address: request.raw.socket.remoteAddress ?? '',
    nowMs: Date.now(),
    // An open route asks for neither; every other has passed the guard.
    account: account as ApiRequest['account'],
    token: token as ApiRequest['token'],
    directory: () => context.directories.get(account?.id ?? '', directoryRevision),
    flow: () =>
      context.directories.flow(account?.id ?? '', directoryRevision, account?.settings ?? DEFAULT_SETTINGS),
    answered: () => context.directories.answered(account?.id ?? '', directoryRevision, answeredRevision),
    menuNames: () => context.directories.menuNames(account?.id ?? '', directoryRevision, recordsRevision),
    agentList: () =>
      context.directories.agentList(account?.id ?? '', directoryRevision, answeredRevision, recordsRevision),
  };
}

/** Whoever sent it is named in the audit of what it changes. */
function inNameOf(apiRequest: ApiRequest, context: ApiContext): ApiContext {
  return { ...context, storage: acting(context.storage, actorOf(apiRequest)) };
}

function send(reply: FastifyReply, { status, headers, json, bytes }: ApiResponse): FastifyReply {
  return write(reply, status, headers, status === 304 ? '' : (bytes ?? JSON.stringify(json)));
}

function fail(reply: FastifyReply, failure: Problem, requestId: string): FastifyReply {
  return write(reply, PROBLEMS[failure.problem], failure.headers, failureBody(failure, requestId));
}

/**
 * Straight to Node's response: the answer is whole, so what Fastify would do to it (hooks, serializing, a copy of the
 * headers) is only cost. Node leaves out the body of an answer to HEAD by itself.
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

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];

/** By path: the methods it has. */
const ALLOWED = new Map<string, string[]>();
for (const { path, method } of ROUTES) {
  ALLOWED.set(
    path,
    [...(ALLOWED.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])].sort(),
  );
}

function methodNotAllowed(allowed: readonly string[]): Problem {
  const allow = allowed.join(', ');
  return problem('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } });
}

/** 405 with Allow for every path of the table and every method it does not have. */
function refuseOtherMethods(server: FastifyInstance): void {
  for (const [path, allowed] of ALLOWED) {
    server.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: fastifyPath(path),
      onRequest: (request, reply) => {
        fail(reply, methodNotAllowed(allowed), request.id);
      },
      handler: () => undefined,
    });
  }
}

/** A method that the router does not know (PROPFIND, QUERY, …), wherever it was sent. */
function unknownMethod(url: string): Problem {
  const parts = (url.split('?')[0] ?? '').split('/');
  const fits = (path: string): boolean => {
    const pattern = path.split('/');
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => part.startsWith('{') || part === parts[index])
    );
  };
  const path = [...ALLOWED.keys()].find(fits);
  return path === undefined ? PATH_UNKNOWN : methodNotAllowed(ALLOWED.get(path) ?? []);
}

const PATH_UNKNOWN = problem(
  'path_unknown',
  'There is nothing at this address; GET /docs lists what there is.',
);

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

// HTTP on Fastify: limits, hooks and the routes of the table. admission.ts decides who may ask, respond.ts writes responses.
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { TelephonesUnavailable } from '../../calls/control/call-control.ts';
import { isOwnOnly } from '../../domain/roles.ts';
import { isProblem, PROBLEMS, type Problem, problem } from '../../kinds/problem.ts';
import { MAX_UPLOAD_BYTES } from '../../recordings/recordings.ts';
import { StorageError } from '../../storage/storage.ts';
import { actorOf } from '../account/audit.ts';
import { usesDraft } from '../account/in-draft.ts';
import { PasswordsBusy } from '../account/password.ts';
import { askingPage } from '../calls/phone-session.ts';
import { BreaksTests, gateRunsOf, TESTS_QUERY, TestGate } from '../calls/test-gate.ts';
import type { Route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import {
  addBodyParsers,
  apiRequestOf,
  forMethod,
  type HttpRoute,
  isUpload,
  refuseRequest,
  whileConnected,
} from './api-request.ts';
import { roleRefused } from './auth.ts';
import { MAX_BODY } from './body.ts';
import { carryOut, type Performer } from './carry-out.ts';
import { answerClientError, failureBody, toProblem } from './failure.ts';
import type { ApiContext, ApiRequest, ApiResponse } from './handler.ts';
import { isMethod, PATH_UNKNOWN, refuseOtherMethods, routerPath, unknownMethod } from './methods.ts';
import { addNodeRoute, type NodeRequests } from './node-route.ts';
import { readQuery } from './page.ts';
import { RequestDraft } from './request-draft.ts';
import { requestIdOf } from './request-id.ts';
import { fail, JSON_TYPE, NOT_STORED, Responses, sendStream } from './respond.ts';
import { type AnsweredRequest, RunningRequests } from './running.ts';
import { namesCheck } from './unknown-names.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

export const MAX_HEADERS = 16 * 1024;
export const HEADERS_MS = 10_000;
export const REQUEST_MS = 30_000;
export const KEEP_ALIVE_MS = 75_000;
/** A client that neither sends nor reads for so long is gone, or hostile. */
export const STALLED_MS = 60_000;
const MAX_PARAMETER = 200;

export interface ServerOptions extends AdmissionOptions {
  readonly context: ApiContext;
  readonly logger: Logger;
  /** Writes one line of the log unchanged; absent where requests are not logged. */
  readonly logLine: ((line: string) => void) | undefined;
  /** Called for each request when it is over; absent where there are no traces. */
  readonly traced?: ((request: AnsweredRequest) => void) | undefined;
  readonly maxConnections: number;
  /** Networks of reverse proxies, whose X-Forwarded-For names the client. */
  readonly trustedProxies: readonly string[];
  readonly unsent: UnsentBytes;
  /** Null if there are no other nodes. */
  readonly nodeRequests: NodeRequests | null;
}

export function makeServer(options: ServerOptions): FastifyInstance {
  const { context, logger } = options;
  const running = new RunningRequests(context.metrics, options.logLine, options.traced);
  const begin = (request: FastifyRequest, reply: FastifyReply): boolean => {
    if (!running.begin(request, reply)) return false;
    if (context.lifecycle.state === 'draining') reply.raw.setHeader('connection', 'close');
    return true;
  };
  const server = openFastify(begin, running, options);
  server.server.maxConnections = options.maxConnections;
  addBodyParsers(server, running, context.turns);
  addHooks(server, begin, running, logger);
  addRoutes(server, running, new Admission(options, context.lifecycle), options);
  refuseOtherMethods(server);
  return server;
}

/** False: the connection is closed, and the request is not answered. */
type Begin = (request: FastifyRequest, reply: FastifyReply) => boolean;

function noSchemas(): never {
  throw new Error('Routes have no schemas of Fastify.');
}

function openFastify(
  begin: Begin,
  running: RunningRequests,
  { logger, trustedProxies }: ServerOptions,
): FastifyInstance {
  return Fastify({
    // running.ts logs one line per request; Fastify would log two, with a child logger each.
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
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
    // api/schemas reads bodies: Fastify's own compilers would only take time and memory at each start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => {
      // A pending response goes first; a 400 behind it could be taken for its own.
      if (running.isBusy(socket)) socket.destroySoon();
      else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && running.endLate(socket, error)) return;
      else answerClientError(error, socket, logger);
    },
    // Fastify runs no hooks for these.
    frameworkErrors: (error, request, reply) => {
      if (begin(request, reply)) fail(reply, toProblem(error), request.id);
      else reply.hijack();
    },
  });
}

function addHooks(server: FastifyInstance, begin: Begin, running: RunningRequests, logger: Logger): void {
  server.server.on('checkExpectation', (request, response) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    response.writeHead(417, {
      'content-type': JSON_TYPE,
      'cache-control': NOT_STORED,
      'x-request-id': requestId,
      connection: 'close',
    });
    response.end(
      failureBody(problem('expectation_failed', 'Only "Expect: 100-continue" is understood.'), requestId),
    );
  });
  server.addHook('onRequest', (request, reply, next) => {
    if (!begin(request, reply)) reply.hijack();
    else if (request.headers.host === undefined && request.raw.httpVersionMinor === 1) {
      fail(reply, problem('http_malformed', 'HTTP/1.1 needs a Host header.'), request.id);
    } else if (!isMethod(request.method)) {
      fail(reply, unknownMethod(request.url), request.id);
    } else running.start(request, next);
  });
  server.setErrorHandler((error, request, reply) => {
    const failure = forMethod(request.method, toProblem(error));
    if (PROBLEMS[failure.problem] >= 500)
      logger.error({ requestId: request.id, err: error }, 'request failed');
    fail(reply, failure, request.id);
  });
  server.setNotFoundHandler((request, reply) => {
    fail(reply, PATH_UNKNOWN, request.id);
  });
}

function addRoutes(
  server: FastifyInstance,
  running: RunningRequests,
  admission: Admission,
  { context, logger, unsent, nodeRequests }: ServerOptions,
): void {
  const responses = new Responses(unsent, running);
  if (nodeRequests) addNodeRoute(server, responses, nodeRequests, context.lifecycle);
  const performers = new Map<string, Performer>();
  const served: ApiContext = {
    ...context,
    carryOut: (request, id, inner) => carryOut(performers.get(id), served, request, inner),
  };
  const admit =
    (route: Route) =>
    async (request: FastifyRequest<HttpRoute>, reply: FastifyReply): Promise<void> => {
      const maxBytes = route.upload && isUpload(request) ? MAX_UPLOAD_BYTES : MAX_BODY;
      const refusal = await admission.refuse(request, route, maxBytes, running);
      if (refusal) fail(reply, refusal, request.id);
    };
  for (const route of ROUTES) {
    if (route.cors) addPreflight(server, route, context);
    const perform = performing(route, served, logger);
    performers.set(route.id, { route, perform });
    server.route<HttpRoute>({
      method: route.method,
      url: routerPath(route.path),
      ...(route.open ? {} : { onRequest: admit(route) }),
      handler: async (request, reply) => {
        const refusal = refuseRequest(request, route);
        if (refusal) return responses.send(request, reply, refusal);
        const asked = apiRequestOf(request, running.identityOf(request), context, (work) =>
          whileConnected(request.raw.socket, work),
        );
        const outcome = await perform(asked);
        if (isProblem(outcome) || !outcome.stream) return responses.send(request, reply, outcome);
        return sendStream(reply, outcome, outcome.stream, {
          hold: responses.holderOf(request),
          recheck: () => admission.identify(request),
          lifecycle: context.lifecycle,
          logger,
        });
      },
    });
  }
}

/** What a browser asks before it sends JSON to another origin. Without permission the answer has no header, and it sends nothing. */
function addPreflight(server: FastifyInstance, { path, method }: Route, context: ApiContext): void {
  server.route<HttpRoute>({
    method: 'OPTIONS',
    url: routerPath(path),
    handler: async ({ id, params, headers, ip }, reply) => {
      const asking = await askingPage({ params, headers, address: ip }, context);
      if (isProblem(asking) && asking.problem === 'rate_limited') {
        fail(reply, asking, id);
        return reply;
      }
      if (!isProblem(asking))
        reply.headers({
          ...asking.cors,
          'access-control-allow-methods': method,
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '600',
        });
      return reply.code(204).send();
    },
  });
}

/** A route's handler behind the checks that follow the admission. */
function performing(route: Route, context: ApiContext, logger: Logger): Performer['perform'] {
  const refuseUnknown = namesCheck(route, ROUTES);
  const runs = gateRunsOf(context.flowJobs, (error) =>
    logger.error({ err: error }, 'tests of a write failed to run'),
  );
  return async (request) => {
    const others = refuseOthers(route, request);
    if (others) return others;
    const unknown = refuseUnknown({ query: request.query, body: request.body.value });
    if (unknown) {
      request.body.upload?.discard();
      return unknown;
    }
    const draft = isInDraft(route, request) ? new RequestDraft(request) : undefined;
    if (route.method === 'GET' || route.open) {
      const reading = draft ? { ...context, storage: context.pipeline.storage({ draft }) } : context;
      return orUnavailable(() => route.handler(request, reading));
    }
    const skips = 'skip_tests' in request.query ? readQuery(TESTS_QUERY, request) : null;
    if (skips && isProblem(skips)) return skips;
    // The audit names the sender of this request for every change, and none of them breaks a test of a menu.
    const testGate = new TestGate(request, runs);
    const storage = context.pipeline.storage({ actor: actorOf(request), draft, gate: testGate });
    const writing = { ...context, testGate, storage };
    const answer = testGate.said(await orUnavailable(() => route.handler(request, writing)));
    return draft ? draft.said(answer) : answer;
  };
}

const OVERLOADED = problem('overloaded', 'Too many people sign in at once; repeat the request shortly.', {
  headers: { 'retry-after': '2' },
});

/** Refuses an agent's own operations on another agent: the path or the body names the agent (domain/roles.ts). */
function refuseOthers({ id }: Route, { user, params, body }: ApiRequest): Problem | null {
  if (!user || !isOwnOnly(user.role, id)) return null;
  const named = params['eid'] ?? body.value['agent'];
  const isOwn = typeof named !== 'object' && String(named) === user.agent;
  return user.agent !== null && isOwn ? null : roleRefused(user.role);
}

/** Answers like any other: an error with its stack in the log for each of them would add to the load, and says nothing new. */
async function orUnavailable(work: () => ReturnType<Route['handler']>): Promise<ApiResponse | Problem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'overloaded') return toProblem(error);
    if (error instanceof TelephonesUnavailable) return toProblem(error);
    if (error instanceof PasswordsBusy) return OVERLOADED;
    if (error instanceof BreaksTests) return error.problem;
    throw error;
  }
}

/**
 * In the console of an account that publishes, changes to what leads calls go into the draft, and are read from there. Drafts themselves
 * are read and published as they are stored.
 */
const isInDraft = ({ path, open }: Route, request: ApiRequest): boolean =>
  !open && !/^\/v1\/(?:draft|publication)/.test(path) && usesDraft(request);

// Fastify's request → the ApiRequest of a handler, with its body as JSON or as an upload that is not read yet.
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type { Route } from '../route.ts';
import type { Identity } from './auth.ts';
import { readJsonObject } from './body.ts';
import type { ApiContext, ApiRequest, Body } from './handler.ts';
import type { RunningRequests } from './running.ts';
import { LARGE, type Turns } from './turns.ts';

/** What our parsers and Fastify's router put into a request. */
export interface HttpRoute {
  Params: ApiRequest['params'];
  Querystring: ApiRequest['query'];
  Body: Body | Problem | undefined;
}

/** What of a request the handler's is made from. */
export type RequestParts = Pick<
  FastifyRequest<HttpRoute>,
  'params' | 'query' | 'headers' | 'body' | 'method' | 'id' | 'ip'
>;

const EMPTY_BODY: Body = { value: {}, bytes: Buffer.alloc(0) };
/** A form with a file, or the file alone. */
const UPLOAD_TYPES = /^(?:multipart\/form-data|audio\/)/i;
/** RFC 7396: the body of PATCH. Plain JSON is understood as the same there. */
export const PATCH_TYPE = 'application/merge-patch+json';

export function addBodyParsers(server: FastifyInstance, running: RunningRequests, turns: Turns): void {
  server.removeAllContentTypeParsers();
  const types = ['application/json', PATCH_TYPE];
  server.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request, bytes, next) => {
    // Many clients send a content type without a body.
    if (bytes.length === 0) return next(null, undefined);
    const read = (): void => {
      const object = readJsonObject(bytes);
      // A problem is a value here, not an error: refuseRequest() answers it.
      next(null, isProblem(object) ? object : ({ value: object.value, bytes } satisfies Body));
    };
    if (bytes.length <= LARGE) return read();
    return void turns.next(running.identityOf(request)?.account.id ?? '').then(read, next);
  });
  // Not read here: the handler writes it to a file as it arrives.
  server.addContentTypeParser(UPLOAD_TYPES, (request, stream, next) => next(null, uploadOf(request, stream)));
}

export const isUpload = ({ headers }: RequestParts): boolean =>
  UPLOAD_TYPES.test(headers['content-type'] ?? '');

const isOfType = ({ headers }: RequestParts, type: string): boolean =>
  headers['content-type']?.slice(0, type.length).toLowerCase() === type;

function uploadOf({ headers }: FastifyRequest, stream: Readable): Body {
  const upload = {
    contentType: headers['content-type'] ?? '',
    // The connection stays open when the rest is not wanted: the client still has to read why.
    pieces: (): AsyncIterable<Buffer> => stream.iterator({ destroyOnReturn: false }),
    discard: () => void stream.resume(),
  };
  return { ...EMPTY_BODY, upload };
}

const NOT_JSON = problem('content_type_unsupported', 'Send the body as content-type: application/json.');
const NOT_PATCH = problem(
  'content_type_unsupported',
  `Send the body as content-type: ${PATCH_TYPE} or application/json.`,
  { headers: { 'accept-patch': `${PATCH_TYPE}, application/json` } },
);
const EMPTY_JSON = problem('body_malformed', 'The body is not valid JSON: it is empty.');
/** No id holds NUL, and PostgreSQL does not take it. */
const NUL_IN_PATH = problem('uri_malformed', 'The address must not hold the character NUL.');

/** RFC 5789 §2.2: a PATCH of another content type is told which ones there are. */
export function forMethod(method: string, failure: Problem): Problem {
  return method === 'PATCH' && failure.problem === 'content_type_unsupported' ? NOT_PATCH : failure;
}

/** What is wrong with a request before its handler sees it. */
export function refuseRequest(request: RequestParts, route: Route): Problem | null {
  if (Object.values(request.params).some((value) => value.includes('\0'))) return NUL_IN_PATH;
  if (request.body && isProblem(request.body)) return request.body;
  const wrongType = forMethod(route.method, NOT_JSON);
  if (isUpload(request) && !route.upload) return wrongType;
  if (isOfType(request, PATCH_TYPE) && route.method !== 'PATCH') return wrongType;
  if (!route.body || request.body) return null;
  // A content type without a body is an empty body; without a type there is none.
  return request.headers['content-type'] === undefined ? wrongType : EMPTY_JSON;
}

export function apiRequestOf(
  request: RequestParts,
  identity: Identity | undefined,
  { snapshots, agentLists }: ApiContext,
  whileConnected: ApiRequest['whileConnected'],
): ApiRequest {
  const { account, token, directoryRevision = 0, answeredRevision = 0, recordsRevision = 0 } = identity ?? {};
  const id = account?.id ?? '';
  return {
    params: request.params,
    query: request.query,
    headers: request.headers,
    body: request.body && !isProblem(request.body) ? request.body : EMPTY_BODY,
    isHead: request.method === 'HEAD',
    requestId: request.id,
    address: request.ip ?? '',
    nowMs: Date.now(),
    // Handlers of open routes read neither; every other request has passed the admission.
    account: account as ApiRequest['account'],
    token: token as ApiRequest['token'],
    user: identity?.user ?? null,
    whileConnected,
    directoryRevision,
    directory: async () => (await snapshots.directory(id, directoryRevision)).directory,
    flow: () => snapshots.directoryFlow(id, directoryRevision, account?.settings ?? DEFAULT_SETTINGS),
    answered: () => agentLists.answered(id, directoryRevision, answeredRevision),
    menuNames: () => agentLists.menuNames(id, directoryRevision, recordsRevision),
    agentList: () => agentLists.agentList(id, directoryRevision, answeredRevision, recordsRevision),
  };
}

export async function whileConnected<T>(socket: Socket, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  socket.once('close', stop);
  // A client that closed before the listener was added emits no further event.
  if (socket.destroyed) stop();
  try {
    return await work(gone.signal);
  } finally {
    socket.off('close', stop);
  }
}

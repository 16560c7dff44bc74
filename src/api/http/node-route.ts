// What other nodes ask of this one. Not a part of the API: without a signature there is nothing at this address, and a body is read only
// after its signature was checked.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { readQuestion } from '../../nodes/node-question.ts';
import type { NodeServer } from '../../nodes/node-server.ts';
import {
  ANSWER_HEADER,
  NODE_PATH,
  type NodeRefusal,
  type NodeSignatures,
  type Signed,
} from '../../nodes/signature.ts';
import type { HttpRoute } from './api-request.ts';
import type { Lifecycle } from './handler.ts';
import { PATH_UNKNOWN } from './methods.ts';
import { fail, type Responses } from './respond.ts';

export const MAX_QUESTION_BYTES = 64 * 1024;

export interface NodeRequests {
  readonly signatures: NodeSignatures;
  readonly server: NodeServer;
}

const REFUSED: Record<Exclude<NodeRefusal, 'unsigned'>, string> = {
  receiver: 'This is another node, or it has started again.',
  signature: 'The signature is wrong: SECRET_KEY must be the same on every node.',
  clock: 'The clocks of the two nodes differ by more than 30 s.',
  replay: 'This request was sent before.',
  full: 'More requests of other nodes came within a minute than can be told apart.',
};
const STARTING = problem('starting', 'The node is starting.');
const TOO_LARGE = problem('body_too_large', 'The body is larger than 64 KiB.');
const OTHER_BODY = problem('node_refused', 'The body is not the one that was signed.');
const UNREADABLE = problem('fields_invalid', 'This version does not know what is asked.');

const isGone = ({ raw: { socket } }: FastifyRequest<HttpRoute>): boolean =>
  socket.destroyed || socket.readableEnded;

export function addNodeRoute(
  server: FastifyInstance,
  responses: Responses,
  { signatures, server: answers }: NodeRequests,
  lifecycle: Lifecycle,
): void {
  const signed = new WeakMap<object, Signed>();
  const refuse = (request: FastifyRequest<HttpRoute>): Problem | null => {
    const checked = signatures.check(request.headers, Date.now());
    if (checked === 'unsigned') return PATH_UNKNOWN;
    if (typeof checked === 'string') return problem('node_refused', REFUSED[checked]);
    if (Number(request.headers['content-length'] ?? 0) > MAX_QUESTION_BYTES) return TOO_LARGE;
    signed.set(request, checked);
    return lifecycle.state === 'starting' ? STARTING : null;
  };
  server.route<HttpRoute>({
    method: 'POST',
    url: NODE_PATH,
    bodyLimit: MAX_QUESTION_BYTES,
    onRequest: async (request, reply) => {
      const refusal = refuse(request);
      if (refusal) fail(reply, refusal, request.id);
    },
    handler: async (request, reply) => {
      const from = signed.get(request);
      const { body } = request;
      if (!from || !body || isProblem(body)) return responses.send(request, reply, UNREADABLE);
      if (!from.isBody(body.bytes)) return responses.send(request, reply, OTHER_BODY);
      const question = readQuestion(body.value);
      if (!question) return responses.send(request, reply, UNREADABLE);
      // A node that was stopped finds requests that the other one has given up: what they ask for must not happen late. The end of the
      // connection is read in the turn of the event loop after its data.
      for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
      if (isGone(request)) return reply.hijack();
      const result = (await answers.answer(from.from, question)) ?? null;
      const bytes = JSON.stringify({ result });
      const headers = { [ANSWER_HEADER]: from.signAnswer(bytes) };
      return responses.send(request, reply, { status: 200, headers, bytes });
    },
  });
}

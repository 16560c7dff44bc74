// Problem → the one failure body. Also the faults that never reach a handler: garbage on the socket, a bad URI.
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { TelephonesUnavailable } from '../../calls/control/call-control.ts';
import { type Fault, PROBLEMS, type Problem, type ProblemCode, problem } from '../../kinds/problem.ts';
import { StorageError } from '../../storage/storage.ts';
import { newRequestId } from './request-id.ts';

const toError = ({ pointer, code, message }: Fault) => ({ Pointer: pointer, Code: code, Message: message });

export function failureBody(failure: Problem, requestId: string): string {
  return JSON.stringify({
    Success: false,
    Message: failure.message,
    Code: failure.problem,
    ...(failure.faults ? { Errors: failure.faults.map(toError) } : {}),
    ...failure.details,
    RequestId: requestId,
  });
}

/** What a client learns of an error. A StorageError is known; anything else is internal and only logged. */
export function toProblem(error: unknown): Problem {
  if (error instanceof StorageError) {
    const retry = { headers: { 'retry-after': '2' } };
    switch (error.reason) {
      case 'full':
        return problem(
          'storage_full',
          'The database has no space left; nothing was changed. Free some space and repeat the request.',
          retry,
        );
      case 'overloaded':
        return problem(
          'overloaded',
          'The service has more to do than it can; nothing was changed. Repeat the request shortly.',
          retry,
        );
      case 'lost':
        return problem(
          'storage_unavailable',
          `${error.shown ?? 'The database is gone.'} The log of the service says what to do.`,
          retry,
        );
      case 'unavailable':
        return problem(
          'storage_unavailable',
          error.shown ?? 'The database does not answer; repeat the request shortly.',
          retry,
        );
    }
  }
  if (error instanceof TelephonesUnavailable)
    return problem('node_unavailable', error.message, { headers: { 'retry-after': '2' } });
  return (
    FRAMEWORK[(error as { code?: string } | null)?.code ?? ''] ??
    problem('internal_error', 'Something went wrong on our side; the log has it under this RequestId.')
  );
}

/** Faults that Fastify finds before a handler runs. */
const FRAMEWORK: Record<string, Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: problem('body_too_large', 'The body is larger than 256 KiB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: problem(
    'content_type_unsupported',
    'Send the body as content-type: application/json.',
  ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: problem(
    'http_malformed',
    'The body is not as long as Content-Length says.',
  ),
  FST_ERR_BAD_URL: problem('uri_malformed', 'The address of this request is malformed.'),
  FST_ERR_MAX_PARAM_LENGTH: problem('uri_too_long', 'A part of the address is too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: problem('request_too_slow', 'The request did not arrive in time.', {
    headers: { connection: 'close' },
  }),
  ECONNRESET: problem('http_malformed', 'The request ended before its body did.'),
};

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Something that is not HTTP, headers without end, a request that never finishes: answered on the bare socket. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, logger: Logger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, message] = clientFault(error.code);
  const status = PROBLEMS[code];
  const requestId = newRequestId();
  logger.info({ requestId, status, code: error.code }, 'request refused');
  const body = failureBody(problem(code, message), requestId);
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function clientFault(
  code: string | undefined,
): [ProblemCode & ('headers_too_large' | 'request_too_slow' | 'http_malformed'), string] {
  if (code === 'HPE_HEADER_OVERFLOW') return ['headers_too_large', 'The headers are larger than 16 KiB.'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['request_too_slow', 'The request did not arrive in time.'];
  return ['http_malformed', 'This is not a well-formed HTTP request.'];
}

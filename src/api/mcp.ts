// POST /mcp: the Model Context Protocol by streamable HTTP. Each message is a request of its own, without a session: a restart or
// another node makes no difference. The SDK is loaded with the first message.
import { isProblem, type Problem, problem } from '../kinds/problem.ts';
import type { Ask } from '../mcp/ask.ts';
import { CHALLENGE } from './http/auth.ts';
import { failureBody } from './http/failure.ts';
import type { ApiResponse, Handler, Headers } from './http/handler.ts';

const BEARER_ONLY = problem(
  'token_missing',
  'Assistants send "Authorization: Bearer <token>" with an access token.',
  {
    headers: { 'www-authenticate': CHALLENGE },
  },
);

export const mcp: Handler = async (request, context): Promise<ApiResponse | Problem> => {
  const { carryOut } = context;
  // A page that a person opens must not act with the cookie of the console.
  if (request.token.use !== 'api' || !carryOut) return BEARER_ONLY;
  const ask: Ask = async (operation, input = {}) => {
    const outcome = await carryOut(request, operation, input);
    if (isProblem(outcome))
      return { ok: false, value: JSON.parse(failureBody(outcome, request.requestId)) as unknown };
    return { ok: true, value: outcome.json ?? JSON.parse(String(outcome.bytes ?? 'null')) };
  };
  const { answerMessage } = await import('../mcp/over-http.ts');
  const { status, headers, body } = await answerMessage(request.headers, request.body.value, ask);
  return { status, headers: headers as Headers, bytes: body };
};

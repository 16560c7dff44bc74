// Call-backs that callers asked for in queues: listed, read, cancelled.
import type { Callback } from '../../domain/callback.ts';
import { isProblem, problem } from '../../kinds/problem.ts';
import { audited } from '../account/audit.ts';
import { done, type Handler } from '../http/handler.ts';
import { decodeCursor, pageResponse, readQuery } from '../http/page.ts';
import { CALLBACK_QUERY } from '../schemas/queue.ts';

const UNKNOWN = problem('record_unknown', 'There is no call-back with this id.');
const NOT_WAITING = problem(
  'callback_not_waiting',
  'The call-back is over, or the caller is being called at this moment.',
);

const iso = (ms: number): string => new Date(ms).toISOString();

export function describeCallback(callback: Callback): object {
  const { id, department, number, typed, askedBy, state, attempts, result, callId, endedAtMs } = callback;
  const isOver = endedAtMs !== null;
  return {
    id,
    department,
    number,
    typed,
    asked_by: askedBy,
    asked_at: iso(callback.askedAtMs),
    state,
    attempts,
    result,
    next_attempt_at: isOver ? null : iso(callback.dueAtMs),
    call_id: callId,
    ended_at: isOver ? iso(endedAtMs) : null,
  };
}

/** Newest first. */
export const listCallbacks: Handler = async (request, context) => {
  const query = readQuery(CALLBACK_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const { limit, department, open } = query;
  const [before] = place;
  const rows = await context.storage.listCallbacks({
    accountId: request.account.id,
    limit: limit + 1,
    ...(before === undefined ? {} : { before: String(before) }),
    ...(department === null ? {} : { department }),
    ...(open === null ? {} : { open: open === 'true' }),
  });
  const describe = describeCallback;
  return pageResponse(request, '/v1/callbacks', { rows, limit, describe, position: ({ id }) => [id] });
};

export const getCallback: Handler = async (request, context) => {
  const address = { accountId: request.account.id, id: request.params['id'] ?? '' };
  const callback = await context.storage.getCallback(address);
  return callback ? { status: 200, json: describeCallback(callback) } : UNKNOWN;
};

export const cancelCallback: Handler = async (request, context) => {
  const address = { accountId: request.account.id, id: request.params['id'] ?? '' };
  if (!(await context.storage.getCallback(address))) return UNKNOWN;
  const { accountId, id } = address;
  const cancelled = await context.storage.cancelCallbacks({ accountId, which: { id }, nowMs: request.nowMs });
  if (cancelled.length === 0) return NOT_WAITING;
  await audited(request, context, 'cancel', 'callback', id);
  return done(200, 'The call-back is cancelled.');
};

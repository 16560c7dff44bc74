// Calls that are over: who called, where it led, why it ended.
import { isProblem, problem } from '../domain/problem.ts';
import type { TrailEntry } from '../flow/trail.ts';
import type { CallSummary } from '../storage/storage.ts';
import type { Handler } from './answer.ts';
import { decodeCursor, encodeCursor, PAGE_QUERY, pageAnswer, readQuery } from './page.ts';

function describeCall(call: CallSummary): object {
  return {
    id: call.id,
    started_at: new Date(call.startedAtMs).toISOString(),
    ended_at: new Date(call.endedAtMs).toISOString(),
    direction: call.direction,
    caller: call.caller,
    dialled: call.dialled,
    entry: call.entry,
    end_code: call.endCode,
    cause: call.cause,
    answered_by: call.answeredBy,
    ring_ms: call.ringMs,
    talk_ms: call.talkMs,
  };
}

/** Newest first. */
export const listCallRecords: Handler = async (ask, app) => {
  const query = readQuery(PAGE_QUERY, ask);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const [startedAtMs, id] = place;
  const before =
    typeof startedAtMs === 'number' && Number.isSafeInteger(startedAtMs) && typeof id === 'string'
      ? { before: { startedAtMs, id } }
      : {};
  const rows = await app.storage.listCalls({
    accountId: ask.account.id,
    ...before,
    limit: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  const cursor = last ? encodeCursor([last.startedAtMs, last.id]) : null;
  return pageAnswer(ask, '/v1/call/records', page.map(describeCall), cursor);
};

/** One call, with every step of its trail and whatever else was written down of it. */
export const getCallRecord: Handler = async (ask, app) => {
  const row = await app.storage.getCall({ accountId: ask.account.id, id: ask.params['id'] ?? '' });
  if (!row) return problem('record_unknown', 'There is no call record with this id.');
  const { trail = [], ...more } = JSON.parse(row.json) as { readonly trail?: readonly TrailEntry[] };
  const steps = trail.map(({ atMs, ...rest }) => ({ at_ms: atMs, ...rest }));
  return { status: 200, json: { ...more, ...describeCall(row), steps } };
};

// Calls that are over: who called, where it led, why it ended.
import { schemaOf } from '../../domain/past-call.ts';
import type { TrailEntry } from '../../flow/trail.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type {
  CallCursor,
  CallSearch,
  CallStorage,
  CallsFound,
  FoundCall,
} from '../../storage/ports/calls.ts';
import type { ApiContext, ApiRequest, ApiResponse, Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { CALL_FILTERS, searchOf } from '../schemas/call-query.ts';

export const CALLS_QUERY = { ...PAGE_QUERY, ...CALL_FILTERS } as const;

/** A search that finds little looks on for so long; then the page is short and its cursor goes on from there. */
const SEARCH_MS = 25;

export function describeCall(call: FoundCall) {
  return {
    id: call.id,
    call_id: call.id,
    started_at: new Date(call.startedAtMs).toISOString(),
    ended_at: new Date(call.endedAtMs).toISOString(),
    direction: call.direction,
    caller: call.caller,
    caller_name: call.callerName,
    dialled: call.dialled,
    entry: call.entry,
    schema: schemaOf(call),
    outcome: call.outcome,
    end_code: call.endCode,
    cause: call.cause,
    answered_by: call.answeredBy,
    wait_ms: call.waitMs,
    ring_ms: call.ringMs,
    talk_ms: call.talkMs,
  };
}

/** Newest first. */
export const listCallRecords: Handler = async (request, context) => {
  const query = readQuery(CALLS_QUERY, request);
  if (isProblem(query)) return query;
  return pageOfCalls(request, context, '/v1/call/records', query, searchOf(query, request.account));
};

export async function pageOfCalls(
  request: ApiRequest,
  { storage }: ApiContext,
  path: string,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
  search: Omit<CallSearch, 'limit' | 'before'>,
): Promise<ApiResponse | Problem> {
  const place = decodeCursor(cursor);
  if (isProblem(place)) return place;
  const { calls, rest } = await searchFor(storage, { ...search, ...beforeOf(place), limit: limit + 1 });
  const position = ({ startedAtMs, id }: CallCursor) => [startedAtMs, id];
  return pageResponse(request, path, {
    rows: calls,
    limit,
    describe: describeCall,
    position,
    rest: rest && position(rest),
  });
}

function beforeOf([startedAtMs, id]: readonly (string | number)[]): { before?: CallCursor } {
  return typeof startedAtMs === 'number' && Number.isSafeInteger(startedAtMs) && typeof id === 'string'
    ? { before: { startedAtMs, id } }
    : {};
}

/** Bite by bite, until the page is full, all is seen, or time is up. */
async function searchFor(storage: CallStorage, search: CallSearch): Promise<CallsFound> {
  const startedMs = performance.now();
  const calls: FoundCall[] = [];
  let rest: CallCursor | null = search.before ?? null;
  do {
    const limit = search.limit - calls.length;
    const found = await storage.findCalls({ ...search, ...(rest ? { before: rest } : {}), limit });
    calls.push(...found.calls);
    rest = found.rest;
  } while (rest && calls.length < search.limit && performance.now() - startedMs < SEARCH_MS);
  return { calls, rest };
}

interface StoredCall {
  readonly trail?: readonly TrailEntry[];
  readonly call_id?: string;
  readonly sip_call_id?: string;
}

/** One call, with every step of its trail and whatever else was written down of it. */
export const getCallRecord: Handler = async (request, context) => {
  const row = await context.storage.getCall({
    accountId: request.account.id,
    id: request.params['id'] ?? '',
  });
  if (!row) return problem('record_unknown', 'There is no call record with this id.');
  const { trail = [], ...more } = JSON.parse(row.json) as StoredCall;
  // Records of schema 1 have the Call-ID of SIP there.
  const sip_call_id = more.sip_call_id ?? more.call_id;
  const ids = sip_call_id === undefined ? {} : { sip_call_id };
  const steps = trail.map(({ atMs, ...rest }) => ({ at_ms: atMs, ...rest }));
  return { status: 200, json: { ...more, ...describeCall(row), ...ids, steps } };
};

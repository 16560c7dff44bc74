// Calls that live: listed, followed as they go, hung up and sent elsewhere.
import type { CallService } from '../../calls/call-service.ts';
import type { PublishedEvent } from '../../calls/events/call-events.ts';
import type { Follower } from '../../calls/events/event-stream.ts';
import type { LiveCall } from '../../calls/operator/live-calls.ts';
import type { TransferredBy } from '../../calls/records/call-record.ts';
import { Numbering } from '../../domain/numbering.ts';
import { Faults, isProblem, type Problem, problem } from '../../domain/problem.ts';
import { auditCall } from '../account/audit.ts';
import { type ApiContext, type ApiRequest, done, type Handler, header } from '../http/handler.ts';
import { decodeCursor, pageResponse, readQuery } from '../http/page.ts';
import { refuseForbiddenNumbers } from '../records/outbound.ts';
import { readRecord } from '../schemas/field.ts';
import {
  CALL_ID_FIELDS,
  LISTEN_FIELDS,
  LIVE_CALLS_QUERY,
  TRANSFER_FIELDS,
  withCallId,
} from '../schemas/live-call.ts';

/** Proxies close connections on which nothing comes for a minute. */
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;
const EVENTS_AT_ONCE = 32;

const UNKNOWN = problem('record_unknown', 'There is no live call with this id.');

export function telephonesOf(context: ApiContext): CallService | Problem {
  return (
    context.callService() ??
    problem('telephones_off', 'This service runs without telephones: it was started with SIP=off.')
  );
}

export const listLiveCalls: Handler = (request, context) => {
  const query = readQuery(LIVE_CALLS_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const after = String(place[0] ?? '');
  const callers = query.caller === null ? [] : new Numbering(request.account.settings).forms(query.caller);
  const fits = (call: LiveCall): boolean =>
    (['state', 'direction', 'agent'] as const).every(
      (name) => query[name] === null || call[name] === query[name],
    ) &&
    (query.caller === null || callers.includes(String(call['caller'] ?? '')));
  const calls = context.callService()?.callsOf(request.account.id) ?? [];
  return pageResponse(request, '/v1/live_calls', {
    rows: calls.filter((call) => call.id > after && fits(call)),
    limit: query.limit,
    describe: (call) => call,
    position: ({ id }) => [id],
  });
};

const RETRY = { headers: { 'retry-after': '5' } };
const ACCOUNT_FULL = problem(
  'rate_limited',
  'Too many connections follow the calls of this account; close one first.',
  RETRY,
);
const ALL_FULL = problem('overloaded', 'Too many connections follow calls; try again later.', RETRY);

export const followCalls: Handler = (request, context) => {
  const callService = telephonesOf(context);
  if (isProblem(callService)) return callService;
  const following = callService.eventStream.follow(
    request.account.id,
    header(request, 'last-event-id') ?? null,
  );
  if (!following) return callService.eventStream.isFull ? ALL_FULL : ACCOUNT_FULL;
  const { follower, missed } = following;
  const snapshot = () => ({ data: callService.callsOf(request.account.id) });
  return {
    status: 200,
    // nginx would keep events back until it has some kilobytes of them.
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    stream: {
      endless: true,
      pieces: (signal) => events(follower, missed, snapshot, signal),
      over: follower.close,
    },
  };
};

async function* events(
  follower: Follower,
  missed: readonly PublishedEvent[] | null,
  snapshot: () => object,
  signal: AbortSignal,
): AsyncGenerator<string> {
  signal.addEventListener('abort', () => follower.leave());
  yield `retry: ${RECONNECT_MS}\n\n`;
  // A new client, or one that was away too long, gets a snapshot first, then the events after it.
  if (missed) yield* inPieces(missed);
  else yield `event: snapshot\ndata: ${JSON.stringify(snapshot())}\n\n`;
  for (;;) {
    const events = await follower.next(HEARTBEAT_MS);
    if (!events) return;
    if (events.length > 0) yield* inPieces(events);
    else yield ': nothing new\n\n';
  }
}

/** What waits for a client that reads slowly is one piece; the events behind it are shared by all followers. */
function* inPieces(events: readonly PublishedEvent[]): Generator<string> {
  for (let from = 0; from < events.length; from += EVENTS_AT_ONCE)
    yield events
      .slice(from, from + EVENTS_AT_ONCE)
      .map(eventOf)
      .join('');
}

const written = new WeakMap<PublishedEvent, string>();

/** JSON has no line breaks of its own, so one line holds it whatever strangers have sent. Written once for all followers. */
function eventOf(event: PublishedEvent): string {
  const known = written.get(event);
  if (known !== undefined) return known;
  const { id, type, atMs, data } = event;
  const timestamp = new Date(atMs).toISOString();
  // As a webhook gets it; `at` and the members of `data` at the top are the former shape (docs/live-calls.md).
  const body = { id, type, timestamp, data, at: timestamp, ...data };
  const text = `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(body)}\n\n`;
  written.set(event, text);
  return text;
}

export const hangUpCall: Handler = async (request, context) => {
  const callService = telephonesOf(context);
  if (isProblem(callService)) return callService;
  const fields = readRecord(CALL_ID_FIELDS, withCallId(request.body.value));
  if (isProblem(fields)) return fields;
  if (!callService.hangUp(request.account.id, fields.call_id)) return UNKNOWN;
  await auditCall(request, context, 'hang_up', fields.call_id);
  return done(200, 'The call is hung up.');
};

function operatorOf({ token }: ApiRequest): TransferredBy {
  return { kind: 'operator', id: token.id, name: token.name };
}

export const transferCall: Handler = async (request: ApiRequest, context: ApiContext) => {
  const callService = telephonesOf(context);
  if (isProblem(callService)) return callService;
  const fields = readRecord(TRANSFER_FIELDS, withCallId(request.body.value));
  if (isProblem(fields)) return fields;
  const forbidden = await refuseForbiddenNumbers(fields, request);
  if (forbidden) return forbidden;
  const { call_id: id, party, destination } = fields;
  switch (await callService.transfer(request.account.id, id, party, destination, operatorOf(request))) {
    case 'transferred':
      await auditCall(request, context, 'transfer', id);
      return done(200, `The ${party === 'caller' ? 'caller' : 'called side'} is sent to ${destination}.`);
    case 'unknown':
      return UNKNOWN;
    case 'destination-unknown': {
      const faults = new Faults();
      const message = `${destination} does not exist: the call stays where it is.`;
      faults.add('/destination', 'reference_unknown', message);
      return faults.toProblem();
    }
    default:
      return problem(
        'call_not_connected',
        'Nobody has answered this call yet: only its caller can be transferred.',
      );
  }
};

export const listenIn: Handler = async (request, context) => {
  const callService = telephonesOf(context);
  if (isProblem(callService)) return callService;
  const fields = readRecord(LISTEN_FIELDS, withCallId(request.body.value));
  if (isProblem(fields)) return fields;
  const { call_id: id, agent, mode } = fields;
  const outcome = await callService.listenIn(request.account.id, id, agent, mode);
  switch (outcome) {
    case 'rings':
    case 'changed':
      await auditCall(request, context, `listen_${mode}`, id);
      return done(
        200,
        outcome === 'rings'
          ? `The phones of agent ${agent} ring.`
          : `Agent ${agent} is in the call by ${mode} now.`,
      );
    case 'unknown':
      return UNKNOWN;
    case 'agent-unknown':
      return problem('record_unknown', 'There is no agent with this eid.');
    case 'not-connected':
      return problem('call_not_connected', 'There is no conversation yet: nobody has answered this call.');
    case 'full':
      return problem('agent_unavailable', 'As many listen in on this call already as may.');
    case 'agent-busy':
      return problem('agent_unavailable', 'This agent is in a call, or a phone of theirs rings.');
    case 'agent-unreachable':
      return problem('agent_unavailable', 'No phone of this agent is registered.');
    default:
      return outcome satisfies never;
  }
};

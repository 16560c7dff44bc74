// Calls that live: listed, followed as they go, hung up and heard. Transfers are in transfer.ts.

import type { CallControl, Following } from '../../calls/control/call-control.ts';
import { LIVE_CHANGED, type PublishedEvent } from '../../calls/events/call-events.ts';
import type { LiveCalls } from '../../calls/live/live-view.ts';
import type { LiveCall } from '../../calls/operator/live-calls.ts';
import type { AddOutcome } from '../../calls/operator/third-party.ts';
import { Numbering } from '../../domain/numbering.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { auditCall } from '../account/audit.ts';
import { type ApiContext, type ApiRequest, done, type Handler, header } from '../http/handler.ts';
import { decodeCursor, pageResponse, readQuery } from '../http/page.ts';
import {
  ADD_FIELDS,
  CALL_ID_FIELDS,
  LISTEN_FIELDS,
  LIVE_CALLS_QUERY,
  withCallId,
} from '../schemas/live-call.ts';
import { eventText } from './event-text.ts';
import { limitReached, OUTBOUND_FULL } from './limit-reached.ts';

/** Proxies close connections on which nothing comes for a minute. */
export const HEARTBEAT_MS = 15_000;
export const RECONNECT_MS = 2_000;
const EVENTS_AT_ONCE = 32;

export const UNKNOWN = problem('record_unknown', 'There is no live call with this id.');

export function callControlOf(context: ApiContext): CallControl | Problem {
  return (
    context.callControl() ??
    problem('telephones_off', 'This service runs without telephones: it was started with SIP=off.')
  );
}

const NO_CALLS: LiveCalls = { calls: [], unanswered: [] };

export const listLiveCalls: Handler = async (request, context) => {
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
  const { calls, unanswered } =
    (await context.callControl()?.callsOf({ account: request.account.id })) ?? NO_CALLS;
  return pageResponse(request, '/v1/live_calls', {
    rows: calls.filter((call) => call.id > after && fits(call)),
    limit: query.limit,
    describe: (call) => call,
    position: ({ id }) => [id],
    ...(unanswered.length > 0 ? { members: { unanswered_nodes: unanswered } } : {}),
  });
};

const RETRY = { headers: { 'retry-after': '5' } };
export const ACCOUNT_FULL = problem(
  'rate_limited',
  'Too many connections follow the calls of this account; close one first.',
  RETRY,
);
export const ALL_FULL = problem('overloaded', 'Too many connections follow calls; try again later.', RETRY);

/** As `eventText` writes them: a UUIDv7 and, of several nodes, the node that sent it. */
const EVENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}(\.[a-z0-9-]{1,40})?$/;

/** Any other text is no event of ours: the client begins with a snapshot. The nodes ask each other for what is after this id. */
function lastEventId(request: ApiRequest): string | null {
  const id = header(request, 'last-event-id') ?? '';
  return EVENT_ID.test(id) ? id : null;
}

export const followCalls: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const { account } = request;
  const following = await control.follow(account.id, lastEventId(request));
  if (following === 'all-full') return ALL_FULL;
  if (following === 'account-full') return ACCOUNT_FULL;
  const snapshot = async (): Promise<string> => {
    const { calls, unanswered } = await control.callsOf({ account: account.id });
    const partial = unanswered.length > 0 ? { unanswered_nodes: unanswered } : {};
    return `event: snapshot\ndata: ${JSON.stringify({ data: calls, ...partial })}\n\n`;
  };
  return {
    status: 200,
    // nginx would keep events back until it has some kilobytes of them.
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    stream: {
      endless: true,
      pieces: (signal) => events(following, snapshot, signal),
      over: () => following.close(),
    },
  };
};

async function* events(
  following: Following,
  snapshot: () => Promise<string>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  signal.addEventListener('abort', () => following.close());
  yield `retry: ${RECONNECT_MS}\n\n`;
  // A new client, or one that was away too long, gets a snapshot first, then the events after it.
  const { suffix = '' } = following;
  if (following.missed) yield* inPieces(following.missed, suffix);
  else yield await snapshot();
  let writtenMs = performance.now();
  for (;;) {
    const next = await following.next(HEARTBEAT_MS);
    if (!next) return;
    const events = next === 'snapshot' ? next : next.filter(({ type }) => type !== LIVE_CHANGED);
    const isQuiet = events.length === 0;
    if (isQuiet && next.length > 0 && performance.now() - writtenMs < HEARTBEAT_MS) continue;
    writtenMs = performance.now();
    if (events === 'snapshot') yield await snapshot();
    else if (isQuiet) yield ': nothing new\n\n';
    else yield* inPieces(events, suffix);
  }
}

/** What waits for a client that reads slowly is one piece; the events behind it are shared by all followers. */
function* inPieces(events: readonly PublishedEvent[], suffix: string): Generator<string> {
  for (let from = 0; from < events.length; from += EVENTS_AT_ONCE)
    yield events
      .slice(from, from + EVENTS_AT_ONCE)
      .map((event) => eventText(event, suffix))
      .join('');
}

export const hangUpCall: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const fields = readRecord(CALL_ID_FIELDS, withCallId(request.body.value));
  if (isProblem(fields)) return fields;
  if (!(await control.hangUp({ account: request.account.id, id: fields.call_id }))) return UNKNOWN;
  await auditCall(request, context, 'hang_up', fields.call_id);
  return done(200, 'The call is hung up.');
};

export const addParty: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const fields = readRecord(ADD_FIELDS, request.body.value);
  if (isProblem(fields)) return fields;
  const { call_id: id, number } = fields;
  const outcome = await control.addParty({ account: request.account.id, id, number });
  if (outcome === 'rings' || outcome === 'changed') {
    await auditCall(request, context, 'add', id);
    return done(200, `${number} rings, and joins the conversation when it answers.`);
  }
  return whyNot(outcome);
};

function whyNot(outcome: Exclude<AddOutcome, 'rings' | 'changed'>): Problem {
  switch (outcome) {
    case 'unknown':
      return UNKNOWN;
    case 'agent-unknown':
      return problem('record_unknown', 'There is no agent with this eid.');
    case 'not-connected':
      return problem('call_not_connected', 'This call has not been answered yet.');
    case 'consulting':
      return problem('call_consulting', 'A consultation for this call goes on: complete or cancel it first.');
    case 'full':
      return problem('agent_unavailable', 'As many have joined this call already as may.');
    case 'agent-busy':
      return problem('agent_unavailable', 'This agent is in a call, or a phone of theirs rings.');
    case 'agent-unreachable':
      return problem('agent_unavailable', 'No phone of this agent is registered.');
    case 'outbound-full':
      return OUTBOUND_FULL;
    case 'max_calls_per_agent':
    case 'max_legs':
      return limitReached(outcome);
    case 'number-not-allowed': {
      const faults = new Faults();
      const message = 'number is neither an intercom number nor one that a trunk lets agents call.';
      faults.add('/number', 'number_not_allowed', message);
      return faults.toProblem();
    }
    default:
      return outcome satisfies never;
  }
}

export const listenIn: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const fields = readRecord(LISTEN_FIELDS, withCallId(request.body.value));
  if (isProblem(fields)) return fields;
  const { call_id: id, agent, mode } = fields;
  const outcome = await control.listenIn({ account: request.account.id, id, eid: agent, mode });
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
    default:
      return whyNot(outcome);
  }
};

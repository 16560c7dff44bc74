// Calls, agents, phones, trunks and queues of the account now, and followed as they change.
import type { Handler } from '../http/handler.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { ACCOUNT_FULL, ALL_FULL, HEARTBEAT_MS, RECONNECT_MS } from './live-call.ts';
import { rowsOf, wholeText } from './live-rows.ts';
import type { LiveReader } from './live-watch.ts';

// nginx would keep events back until it has some kilobytes of them.
const HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
const OFF_RECONNECT_MS = 600_000;

const getLiveState: Handler = async (request, context) => {
  const view = await context.callControl()?.liveOf({ account: request.account.id });
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    bytes: wholeText(view ? rowsOf(view) : null, Date.now()),
  };
};

const followLiveState: Handler = (request, context) => {
  const control = context.callControl();
  if (!control) return { status: 200, headers: HEADERS, stream: { pieces: noTelephones } };
  const reader = context.liveWatches.follow(control, request.account.id);
  if (reader === 'all-full') return ALL_FULL;
  if (reader === 'account-full') return ACCOUNT_FULL;
  return {
    status: 200,
    headers: HEADERS,
    stream: {
      endless: true,
      pieces: (signal) => pieces(reader, signal),
      over: () => reader.close(),
    },
  };
};

/** Nothing will follow: a client that reconnects all the same does so rarely. */
async function* noTelephones(): AsyncGenerator<string> {
  yield `retry: ${OFF_RECONNECT_MS}\n\nevent: snapshot\ndata: ${wholeText(null, Date.now())}\n\n`;
}

async function* pieces(reader: LiveReader, signal: AbortSignal): AsyncGenerator<string> {
  signal.addEventListener('abort', () => reader.close());
  yield `retry: ${RECONNECT_MS}\n\n`;
  for (;;) {
    const text = await reader.next(HEARTBEAT_MS);
    if (text === null) return;
    yield text === '' ? ': nothing new\n\n' : text;
  }
}

export const LIVE_STATE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/live_state',
    scope: 'read',
    id: 'getLiveState',
    summary: 'Calls, agents, phones, trunks and queues now',
    handler: getLiveState,
    responses: [responses.record('LiveState')],
  },
  {
    method: 'GET',
    path: '/v1/live_state/events',
    scope: 'read',
    id: 'followLiveState',
    summary: 'Follow calls, agents, phones, trunks and queues by server-sent events',
    handler: followLiveState,
    responses: [responses.text('text/event-stream', 'A snapshot, then each change and each event of calls')],
  },
];

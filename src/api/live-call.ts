// Calls that live: listed, followed as they go, hung up and sent elsewhere.
import type { Exchange } from '../calls/exchange.ts';
import type { News } from '../calls/news.ts';
import type { Follower } from '../calls/news-feed.ts';
import { isProblem, type Problem, problem } from '../domain/problem.ts';
import { type App, type Ask, done, type Handler, header } from './answer.ts';
import { auditCall } from './audit.ts';
import { refuseForbiddenNumbers } from './outbound.ts';
import { decodeCursor, encodeCursor, PAGE_QUERY, pageAnswer, readQuery } from './page.ts';
import { readRecord } from './schemas/field.ts';
import { CALL_ID_FIELDS, TRANSFER_FIELDS } from './schemas/live-call.ts';

/** Proxies close connections on which nothing comes for a minute. */
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;

const UNKNOWN = problem('record_unknown', 'There is no live call with this id.');

export function telephonesOf(app: App): Exchange | Problem {
  return (
    app.exchange() ??
    problem('telephones_off', 'This service runs without telephones: it was started with SIP=off.')
  );
}

export const listLiveCalls: Handler = (ask, app) => {
  const query = readQuery(PAGE_QUERY, ask);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const after = String(place[0] ?? '');
  const all = (app.exchange()?.callsOf(ask.account.id) ?? []).filter(({ id }) => id > after);
  const page = all.slice(0, query.limit);
  const last = all.length > page.length ? page.at(-1) : undefined;
  return pageAnswer(ask, '/v1/live_calls', page, last ? encodeCursor([last.id]) : null);
};

export const followCalls: Handler = (ask, app) => {
  const exchange = telephonesOf(app);
  if (isProblem(exchange)) return exchange;
  const following = exchange.feed.follow(ask.account.id, header(ask, 'last-event-id') ?? null);
  if (!following)
    return problem(
      'rate_limited',
      'Too many connections follow the calls of this account; close one first.',
      {
        headers: { 'retry-after': '5' },
      },
    );
  const { follower, missed } = following;
  const snapshot = () => ({ data: exchange.callsOf(ask.account.id) });
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    stream: { endless: true, pieces: (signal) => events(follower, missed, snapshot, signal) },
  };
};

async function* events(
  follower: Follower,
  missed: readonly News[] | null,
  snapshot: () => object,
  signal: AbortSignal,
): AsyncGenerator<string> {
  signal.addEventListener('abort', () => follower.leave());
  try {
    yield `retry: ${RECONNECT_MS}\n\n`;
    // Whoever begins, or was away for too long, is shown everything once; the news goes on from there.
    if (missed) for (const news of missed) yield eventOf(news);
    else yield `event: snapshot\ndata: ${JSON.stringify(snapshot())}\n\n`;
    for (;;) {
      const told = await follower.next(HEARTBEAT_MS);
      if (!told) return;
      yield told.length > 0 ? told.map(eventOf).join('') : ': nothing new\n\n';
    }
  } finally {
    follower.leave();
  }
}

/** JSON has no line breaks of its own, so one line holds it whatever strangers have sent. */
function eventOf({ id, type, atMs, data }: News): string {
  const at = new Date(atMs).toISOString();
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, at, ...data })}\n\n`;
}

export const hangUpCall: Handler = async (ask, app) => {
  const exchange = telephonesOf(app);
  if (isProblem(exchange)) return exchange;
  const fields = readRecord(CALL_ID_FIELDS, ask.body.value);
  if (isProblem(fields)) return fields;
  if (!exchange.hangUp(ask.account.id, fields.id)) return UNKNOWN;
  await auditCall(ask, app, 'hang_up', fields.id);
  return done(200, 'The call is hung up.');
};

export const transferCall: Handler = async (ask: Ask, app: App) => {
  const exchange = telephonesOf(app);
  if (isProblem(exchange)) return exchange;
  const fields = readRecord(TRANSFER_FIELDS, ask.body.value);
  if (isProblem(fields)) return fields;
  const forbidden = await refuseForbiddenNumbers(fields, ask);
  if (forbidden) return forbidden;
  const { id, party, destination } = fields;
  switch (exchange.transfer(ask.account.id, id, party, destination)) {
    case 'transferred':
      await auditCall(ask, app, 'transfer', id);
      return done(200, `The ${party === 'caller' ? 'caller' : 'called side'} is sent to ${destination}.`);
    case 'unknown':
      return UNKNOWN;
    default:
      return problem(
        'call_not_connected',
        'Nobody has answered this call yet: only its caller can be transferred.',
      );
  }
};

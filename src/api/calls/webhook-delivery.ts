// What was sent to a webhook, what waits to be sent, and sending it again.
import { newId } from '../../domain/id.ts';
import type { StoredJob } from '../../domain/outbox-job.ts';
import { readData } from '../../domain/row.ts';
import { deliveryJob, eventBody, PING, statusIn } from '../../domain/webhook.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type { Webhook } from '../../kinds/webhook.ts';
import { audited } from '../account/audit.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { decodeCursor, MAX_PAGE_BYTES, pageResponse, readQuery } from '../http/page.ts';
import { addressOf, unknownRecord } from '../records/collection.ts';
import { DELIVERIES_QUERY, REPLAY_FIELDS } from '../schemas/webhook.ts';

export const MAX_REPLAYED = 1000;

/** What follows in the id of a delivery is the webhook's. */
const EVENT_ID = 36;

function describe(job: StoredJob): object {
  const { type } = JSON.parse(job.json) as { readonly type: string };
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: job.id,
    event_id: job.id.slice(0, EVENT_ID),
    type,
    state: job.state,
    attempts: job.attempts,
    last_status: statusIn(job.error),
    error: job.state === 'done' ? null : job.error,
    created_at: time(job.createdAtMs),
    next_try_at: job.state === 'waiting' ? time(job.dueAtMs) : null,
    settled_at: time(job.settledAtMs),
  };
}

async function webhookOf(request: ApiRequest, context: ApiContext): Promise<Webhook | Problem> {
  const row = await context.storage.getRecord(addressOf('webhook', request));
  return row ? readData('webhook', row.json) : unknownRecord('webhook');
}

/** A ping goes even to a webhook that is paused: that is when people try whether it works. */
export const testWebhook: Handler = async (request, context) => {
  const webhook = await webhookOf(request, context);
  if (isProblem(webhook)) return webhook;
  const { id: webhookId } = addressOf('webhook', request);
  const event = { id: newId(request.nowMs), callId: null, atMs: request.nowMs };
  const body = eventBody({ ...event, type: PING, data: { webhook: { id: webhookId, name: webhook.name } } });
  const job = deliveryJob(request.account.id, webhookId, event, body);
  const { refused } = await context.storage.addJobs({ jobs: [job] });
  if (refused.length > 0)
    return problem('overloaded', 'Too many deliveries of this account wait already; ask again later.');
  await audited(request, context, 'test', 'webhook', webhookId);
  return done(200, 'A ping is on its way.', { members: { delivery: job.id } });
};

export const listDeliveries: Handler = async (request, context) => {
  const query = readQuery(DELIVERIES_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const webhook = await webhookOf(request, context);
  if (isProblem(webhook)) return webhook;
  const { accountId, id } = addressOf('webhook', request);
  const [before] = place;
  const rows = await context.storage.listJobs({
    accountId,
    lane: 'webhook',
    subject: id,
    ...(query.state === null ? {} : { state: query.state }),
    ...(before === undefined ? {} : { before: String(before) }),
    limit: query.limit + 1,
    maxBytes: MAX_PAGE_BYTES,
  });
  return pageResponse(request, `/v1/webhook/${encodeURIComponent(id)}/deliveries`, {
    rows,
    limit: query.limit,
    describe,
    position: (job) => [job.id],
  });
};

/** Null unless it is a delivery of this webhook. */
async function deliveryOf(request: ApiRequest, context: ApiContext, id: string): Promise<StoredJob | null> {
  const job = await context.storage.getJob({ accountId: request.account.id, id });
  return job?.lane === 'webhook' && job.subject === request.params['id'] ? job : null;
}

const UNKNOWN = problem('record_unknown', 'There is no such delivery of a webhook with this id.');

export const getDelivery: Handler = async (request, context) => {
  const job = await deliveryOf(request, context, request.params['delivery'] ?? '');
  if (!job) return UNKNOWN;
  return { status: 200, json: { ...describe(job), body: JSON.parse(job.json) as unknown } };
};

/** One delivery by its id, or all of a span of time that were done or given up. */
export const replayWebhook: Handler = async (request, context) => {
  const input = readRecord(REPLAY_FIELDS, request.body.value);
  if (isProblem(input)) return input;
  const { delivery, from, to } = input;
  const faults = new Faults();
  if (delivery === null && from === null)
    faults.add('/from', 'field_missing', 'from is missing: send the id of a delivery, or a time.');
  if (from !== null && to !== null && from > to)
    faults.add('/to', 'time_malformed', 'to must not be before from.');
  if (faults.list.length > 0) return faults.toProblem();
  const webhook = await webhookOf(request, context);
  if (isProblem(webhook)) return webhook;
  const job = delivery === null ? null : await deliveryOf(request, context, delivery);
  if (delivery !== null && !job) return UNKNOWN;
  await audited(request, context, 'replay', 'webhook', request.params['id'] ?? '');
  if (!job) return replaySpan(request, context, from ?? 0, to ?? request.nowMs + 1);
  return replayed(await requeue(context, [job], request.nowMs), null);
};

/** The newest first; when there are more than one request may send again, the answer says how far it got. */
async function replaySpan(
  request: ApiRequest,
  context: ApiContext,
  fromMs: number,
  toMs: number,
): Promise<ApiResponse> {
  const { accountId, id } = addressOf('webhook', request);
  const rows = await context.storage.listJobs({
    accountId,
    lane: 'webhook',
    subject: id,
    // Ids begin with their time (RFC 9562 §5.7).
    after: idAt(fromMs),
    before: idAt(toMs),
    limit: MAX_REPLAYED + 1,
  });
  const jobs = rows.slice(0, MAX_REPLAYED);
  const last = rows.length > MAX_REPLAYED ? jobs.at(-1) : undefined;
  // There may be more jobs of the last one's millisecond: the next request includes it.
  const earliest = last ? new Date(last.createdAtMs + 1).toISOString() : null;
  return replayed(await requeue(context, jobs, request.nowMs), earliest);
}

/** Before every id of that millisecond. */
function idAt(ms: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** How many; those that wait already are left alone. The oldest first, so that a call's order holds from the first one on. */
async function requeue(context: ApiContext, jobs: readonly StoredJob[], nowMs: number): Promise<number> {
  const finished = jobs.filter(({ state }) => state !== 'waiting').toReversed();
  const results = await Promise.all(
    finished.map(({ accountId, id }) => context.storage.requeueJob({ accountId, id, nowMs })),
  );
  return results.filter(({ requeued }) => requeued).length;
}

function replayed(count: number, earliest: string | null): ApiResponse {
  const more =
    earliest === null
      ? ''
      : ` These were the newest ${MAX_REPLAYED}, back to ${earliest}; ask again with that as to.`;
  const what = count === 1 ? '1 delivery is' : `${count} deliveries are`;
  return done(200, `${what} sent again.${more}`, { members: { replayed: count, earliest } });
}

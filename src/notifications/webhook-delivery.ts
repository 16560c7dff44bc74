// One delivery: signed, sent to an address that was checked, judged by the answer. Whatever happens is a verdict for the outbox.

import type { ClaimedJob } from '../domain/outbox-job.ts';
import { readData } from '../domain/row.ts';
import { sealedPlace } from '../domain/sealed.ts';
import type { Sealer } from '../domain/sealer.ts';
import { PING, statusNote } from '../domain/webhook.ts';
import type { Webhook } from '../kinds/webhook.ts';
import type { Clock } from '../kit/clock.ts';
import { signWebhook } from '../kit/webhook-signature.ts';
import type { JobHandler, Verdict } from '../outbox/lane-runner.ts';
import type { Fetched, FetchSafely } from '../safe-fetch/safe-fetch.ts';
import type { RecordStorage } from '../storage/ports/records.ts';
import { Circuit } from './circuit.ts';

export const TIMEOUT_MS = 10_000;
/** The size of an answer, of which only the status is kept. */
const MAX_ANSWER = 1024 * 1024;
const PAUSE_MS = 30_000;
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** For the lane: a receiver that hangs holds eight of sixty-four places for ten seconds, then it rests. */
export const WEBHOOK_LANE = {
  concurrency: 64,
  perAccount: 32,
  perSubject: 8,
  tryMs: TIMEOUT_MS + 2000,
  marginMs: 5000,
} as const;

export interface DeliveryParts {
  readonly storage: Pick<RecordStorage, 'getRecord'>;
  readonly sealer: Sealer;
  readonly fetchSafely: FetchSafely;
  readonly clock: Pick<Clock, 'nowMs' | 'epochMs'>;
  /** W3C traceparent of the call that an event is about; absent where there are no traces. */
  readonly traceparentOfCall?: ((callId: string) => string) | undefined;
}

/** What is read of the body that is sent. */
interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly data?: { readonly call?: { readonly id?: string } };
}

export function webhookDelivery(parts: DeliveryParts, circuit = new Circuit()): JobHandler {
  const { clock } = parts;
  return async (job, signal) => {
    const id = job.subject ?? '';
    const restMs = circuit.enter(id, clock.nowMs());
    if (restMs > 0) return { later: 'The receiver rests after several failures.', afterMs: restMs };
    let verdict: Verdict | null = null;
    try {
      verdict = await deliver(parts, job, id, signal);
      return verdict;
    } finally {
      circuit.leave(id, outcomeOf(verdict, signal), clock.nowMs());
    }
  };
}

function outcomeOf(verdict: Verdict | null, signal: AbortSignal): 'succeeded' | 'failed' | 'untold' {
  if (verdict === null || verdict === 'done' || signal.aborted) return 'untold';
  if ('done' in verdict) return 'succeeded';
  return 'retry' in verdict ? 'failed' : 'untold';
}

async function deliver(
  { storage, sealer, fetchSafely, clock, traceparentOfCall }: DeliveryParts,
  { accountId, json }: ClaimedJob,
  webhookId: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const row = await storage.getRecord({ accountId, kind: 'webhook', id: webhookId });
  if (!row) return { dead: 'The webhook was deleted.' };
  const webhook = readData('webhook', row.json);
  const { id, type, data } = JSON.parse(json) as EventBody;
  if (webhook.status === 'paused' && type !== PING)
    return { later: 'The webhook is paused.', afterMs: PAUSE_MS };
  const nowMs = clock.epochMs();
  const secrets = secretsOf(webhook, sealer, sealedPlace('webhook', accountId, webhookId), nowMs);
  if (secrets.length === 0)
    return { later: 'The secret was sealed with another key than this one.', afterMs: PAUSE_MS };
  const fetched = await fetchSafely(webhook.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Dialtree-Webhooks/1',
      'x-dialtree-event': type,
      ...(traceparentOfCall && data?.call?.id ? { traceparent: traceparentOfCall(data.call.id) } : {}),
      ...signWebhook(secrets, { id, atMs: nowMs, body: json }),
    },
    body: json,
    maxBytes: MAX_ANSWER,
    timeoutMs: TIMEOUT_MS,
    account: accountId,
    signal,
  });
  return judge(fetched);
}

function secretsOf(webhook: Webhook, sealer: Sealer, place: string, nowMs: number): string[] {
  const { sealed_secret: sealed, former } = webhook;
  const all = former && former.until_ms > nowMs ? [sealed, former.sealed_secret] : [sealed];
  return all.map((one) => sealer.open(one, place)).filter((secret) => secret !== null);
}

function judge(fetched: Fetched): Verdict {
  if (!fetched.ok) return { retry: fetched.message };
  const { status, headers } = fetched;
  if (status >= 200 && status < 300) return { done: statusNote(status) };
  // RFC 9110 §15.5.11: it will not come back.
  if (status === 410) return { dead: statusNote(status) };
  // RFC 9110 §10.2.3; only the form in seconds.
  const seconds = /^\d{1,6}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : 0;
  return { retry: statusNote(status), afterMs: Math.min(MAX_RETRY_AFTER_MS, seconds * 1000) };
}

// A webhook: an address of the account's own that call events are sent to.
import { ALL_EVENTS, type Webhook } from '../kinds/webhook.ts';
import type { OutboxJob } from './outbox-job.ts';

/** Sent by POST /v1/webhook/{id}/test alone. */
export const PING = 'webhook.ping';

/** How long both secrets sign after a change. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** What the outbox remembers of an answer. */
export const statusNote = (status: number): string => `HTTP ${status}`;

export function statusIn(note: string | null): number | null {
  const status = note?.startsWith('HTTP ') ? Number(note.slice(5)) : Number.NaN;
  return Number.isInteger(status) ? status : null;
}

/** Events that must be named: a service with many agents has many of them, and notifications have rules of their own. */
export const NAMED_ALONE: ReadonlySet<string> = new Set([
  'agent.state',
  'notification.opened',
  'notification.closed',
]);

export function listensTo({ events, status }: Webhook, type: string): boolean {
  const isAll = events.includes(ALL_EVENTS) && !NAMED_ALONE.has(type);
  return status === 'active' && (isAll || events.includes(type));
}

/** What is sent: the same text at every try, so that the same bytes are signed. */
export function eventBody(event: {
  readonly id: string;
  readonly type: string;
  readonly atMs: number;
  readonly data: object;
}): string {
  const { id, type, atMs, data } = event;
  return JSON.stringify({ id, type, timestamp: new Date(atMs).toISOString(), data });
}

/** One event on its way to one webhook. Deliveries of one call to one webhook keep their order. */
export function deliveryJob(
  accountId: string,
  webhookId: string,
  event: { readonly id: string; readonly callId: string | null; readonly atMs: number },
  body: string,
): OutboxJob {
  return {
    id: `${event.id}.${webhookId}`,
    accountId,
    lane: 'webhook',
    orderKey: event.callId === null ? '' : `${webhookId} ${event.callId}`,
    subject: webhookId,
    dueAtMs: event.atMs,
    createdAtMs: event.atMs,
    json: body,
  };
}

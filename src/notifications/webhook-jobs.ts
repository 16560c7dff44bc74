// Which webhooks are told a piece of news, and what they are told.
import type { CallEvent } from '../calls/events/call-events.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import type { StoredRecord } from '../domain/record.ts';
import { deliveryJob, eventBody, listensTo, type Webhook } from '../domain/webhook.ts';

const NONE: readonly OutboxJob[] = [];

/** Asked for every piece of news of every call, so an account without webhooks costs nothing. */
export function webhookJobs(
  webhooks: readonly StoredRecord<Webhook>[],
  callEvents: CallEvent,
): readonly OutboxJob[] {
  if (webhooks.length === 0) return NONE;
  const named = callEvents.type === 'call.option' ? callEvents.data['webhook'] : undefined;
  const told = webhooks.filter(
    ({ id, data }) => listensTo(data, callEvents.type) || (id === named && data.status === 'active'),
  );
  if (told.length === 0) return NONE;
  const body = eventBody(callEvents);
  return told.map(({ id }) => deliveryJob(callEvents.accountId, id, callEvents, body));
}

// The webhook deliveries that an event causes.
import type { PublishedEvent } from '../calls/events/call-events.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import { deliveryJob, eventBody, listensTo } from '../domain/webhook.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { Webhook } from '../kinds/webhook.ts';

const NONE: readonly OutboxJob[] = [];

/** Runs for every event of every call, so an account without webhooks must cost nothing. */
export function webhookJobs(
  webhooks: readonly StoredRecord<Webhook>[],
  event: PublishedEvent,
): readonly OutboxJob[] {
  if (webhooks.length === 0) return NONE;
  const named = event.type === 'call.option' ? event.data['webhook'] : undefined;
  const listening = webhooks.filter(
    ({ id, data }) => listensTo(data, event.type) || (id === named && data.status === 'active'),
  );
  if (listening.length === 0) return NONE;
  const body = eventBody(event);
  return listening.map(({ id }) => deliveryJob(event.accountId, id, event, body));
}

// What is shown of webhooks and their deliveries. A secret is shown once.
import { type JsonSchema, oneOf, optional, text } from '../../kinds/field.ts';
import { instant } from '../../kinds/moment.ts';
import { PAGE_QUERY } from '../http/page.ts';
import { object, STAMPS, string, time } from './output.ts';
import { shownMembers } from './shown-kinds.ts';

const DELIVERY_STATES = ['waiting', 'done', 'dead'] as const;
export const DELIVERIES_QUERY = {
  ...PAGE_QUERY,
  state: optional(oneOf(DELIVERY_STATES, 'only those in this state'), null),
} as const;

export const REPLAY_FIELDS = {
  delivery: optional(text({ min: 1, max: 200, description: 'the id of one delivery' }), null),
  from: optional(instant('deliveries made then or later', 'time_malformed'), null),
  to: optional(instant('deliveries made before; without it, now', 'time_malformed'), null),
} as const;

function webhookOutput(): Record<string, JsonSchema> {
  const { has_secret: _, ...shown } = shownMembers('webhook');
  return { id: string, ...shown, ...STAMPS };
}

const delivery = {
  id: string,
  event_id: string,
  type: string,
  state: { enum: DELIVERY_STATES },
  attempts: { type: 'integer', minimum: 0 },
  last_status: { type: ['integer', 'null'], description: 'what the receiver answered last' },
  error: { type: ['string', 'null'], description: 'why the last try failed' },
  created_at: time,
  next_try_at: { type: ['string', 'null'] },
  settled_at: { type: ['string', 'null'] },
};

const success = { Success: { const: true }, Message: string };
export const WEBHOOK_SCHEMAS: Record<string, JsonSchema> = {
  Webhook: object(webhookOutput()),
  WebhookWithWarnings: object({
    ...webhookOutput(),
    warnings: { type: 'array', items: object({ pointer: string, code: string, message: string }) },
  }),
  WebhookCreated: object({ ...success, id: string }, { secret: string }),
  WithSecret: object({ ...success, secret: string }),
  Delivery: object(delivery),
  DeliveryWithBody: object({ ...delivery, body: { type: 'object' } }),
  DeliveryQueued: object({ ...success, delivery: string }),
  Replayed: object({ ...success, replayed: { type: 'integer' }, earliest: { type: ['string', 'null'] } }),
};

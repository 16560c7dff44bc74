// What may be sent for webhooks, and what is shown of them and their deliveries. A secret is shown once.
import { CALL_EVENT_TYPES } from '../../calls/events/call-events.ts';
import { ALL_EVENTS, WEBHOOK_STATES } from '../../domain/webhook.ts';
import {
  type Field,
  type JsonSchema,
  listOf,
  named,
  oneOf,
  optional,
  outputSchema,
  text,
} from '../../kinds/field.ts';
import { instant } from '../../kinds/moment.ts';
import { MAX_URL } from '../../safe-fetch/safe-fetch.ts';
import { isWebhookSecret } from '../../webhook-signature.ts';
import { PAGE_QUERY } from '../http/page.ts';
import { object, STAMPS, string, time } from './output.ts';

/** Never shown, not even a wrong one: it may be the right one with a character too many. */
const secret: Field<string> = {
  input: {
    type: 'string',
    description: 'whsec_ and 24 to 64 bytes in base64; absent: one is made, and shown once',
  },
  output: string,
  samples: [`whsec_${'A'.repeat(32)}`],
  read(value, at, faults) {
    if (typeof value === 'string' && isWebhookSecret(value)) return value;
    faults.add(at, 'text_malformed', `${named(at)} must be whsec_ and 24 to 64 bytes in base64.`);
    return undefined;
  },
};

export const WEBHOOK_FIELDS = {
  name: text({ min: 1, max: 100 }),
  url: text({ min: 1, max: MAX_URL, description: 'http or https, on the open internet' }),
  events: optional(
    listOf(oneOf([ALL_EVENTS, ...CALL_EVENT_TYPES]), {
      min: 0,
      max: CALL_EVENT_TYPES.length + 1,
      of: 'events',
    }),
    [ALL_EVENTS] as string[],
  ),
  status: optional(oneOf(WEBHOOK_STATES), 'active'),
  secret: { ...optional(secret, null), emptyIsFault: true },
} as const;

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
  const { secret: _, ...fields } = WEBHOOK_FIELDS;
  const { properties } = outputSchema(fields) as { properties: Record<string, JsonSchema> };
  return { id: string, ...properties, ...STAMPS };
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

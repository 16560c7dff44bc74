// Webhooks: addresses that are told what happens.

import { MAX_URL, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { listOf, oneOf, optional, text } from './field.ts';
import { secret } from './flow-fields.ts';
import { KINDS } from './kinds.ts';

/** What receivers are told, each named by what happened. */
export const CALL_EVENT_TYPES = [
  'call.received',
  'call.menu_entered',
  /** Each key, as it is pressed. */
  'call.key',
  /** A sequence of keys that matched an option. */
  'call.option',
  'call.ringing',
  'call.answered',
  /** No sound comes from one side. */
  'call.one_way_audio',
  /** Another took the place of one side: an attended transfer, or a phone that took the call over. */
  'call.party_replaced',
  /** The outcome is `missed`: at least one phone rang, and none was answered. */
  'call.missed',
  'call.ended',
  'voicemail.received',
  'call.recorded',
  /** A caller is in a conference room. */
  'room.joined',
  'room.left',
  /** A caller left a queue to be called back. */
  'callback.asked',
  /** The caller was reached, or is not called any more. */
  'callback.ended',
  /** About an agent, not a call. */
  'agent.state',
  /** About the account: see domain/notification.ts. */
  'notification.opened',
  'notification.closed',
] as const;
export type CallEventType = (typeof CALL_EVENT_TYPES)[number];

const WEBHOOK_STATES = ['active', 'paused'] as const;

export const ALL_EVENTS = '*';

export const webhookRecord = defineRecord(KINDS.webhook, {
  fields: {
    name: NAME,
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
    secret,
  },
  means: {
    name: 'The name of the webhook, as the console shows it.',
    url: 'Where events are sent, by POST over http or https. Private addresses are refused unless the operator allows them.',
    events:
      'Which events are sent; `["*"]` is all of them, an empty list only those of options that name this webhook.',
    status: '`active`; or `paused`: nothing new is queued, and what is queued waits.',
    secret:
      'The secret that deliveries are signed with, as standardwebhooks.com says. It is shown this once. In a request: the secret to use, whsec_ and 24 to 64 bytes in base64; without it one is made.',
    warnings: 'What is likely wrong with the webhook.',
  },
  example: {
    name: 'Our help desk',
    url: 'https://hooks.example.com/dialtree',
    events: ['call.received', 'call.answered', 'call.missed', 'call.ended', 'voicemail.received'],
  },
});

export interface Webhook extends Omit<DataOf<typeof webhookRecord>, 'sealed_secret'> {
  /** What deliveries are signed with, sealed (domain/sealer.ts). */
  readonly sealed_secret: string;
  /** The secret before it signs too until then, so that a receiver has time to change. */
  readonly former?: { readonly sealed_secret: string; readonly until_ms: number };
}

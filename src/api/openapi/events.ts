// The events that webhooks and followers of live calls receive: one schema for each type, for `webhooks` of the document.

import { AGENT_STATES } from '../../domain/agent-state.ts';
import { CALLBACK_RESULTS, CALLBACK_STATES } from '../../domain/callback.ts';
import { NOTIFICATION_TYPES } from '../../domain/notification.ts';
import { OUTCOMES } from '../../domain/past-call.ts';
import { NAMED_ALONE, PING } from '../../domain/webhook.ts';
import type { JsonSchema } from '../../kinds/field.ts';
import { CALL_EVENT_TYPES, type CallEventType } from '../../kinds/webhook.ts';
import { object, TRANSFER_OUTPUT } from '../schemas/output.ts';
import { CALL } from './meanings/calls.ts';

const said = (type: string | readonly string[], description: string, more: object = {}): JsonSchema => ({
  type,
  description,
  ...more,
});
const ms = (description: string) => said('integer', description, { minimum: 0 });
const maybe = ['string', 'null'] as const;

const call: JsonSchema = {
  ...object(
    {
      id: said('string', CALL.id),
      call_id: said('string', CALL.call_id),
      direction: { enum: ['inbound', 'internal', 'outbound'], description: CALL.direction },
      caller: said(maybe, CALL.caller),
      caller_name: said(maybe, CALL.caller_name),
      dialled: said('string', CALL.dialled),
      entry: said('string', CALL.entry),
      started_at: said('string', CALL.started_at, { format: 'date-time' }),
    },
    {
      sip_call_id: said('string', CALL.sip_call_id),
      web: {
        ...object({
          button: said(maybe, 'The key of the call button. Null: the call came from the console.'),
          page: said('string', 'The address of the page, as the page gave it. Empty: not given.'),
        }),
        description: 'Of a call that came from a web page by a phone session.',
      },
    },
  ),
  description: 'The call, the same in all of its events.',
};

const step: Details = [
  {
    node: said(maybe, 'Where in the flow it happened, such as `ivr||main`.'),
    text: said('string', 'What happened and why, in one sentence.'),
  },
  {
    keys: said('string', 'The keys that were pressed; `•` for each in a sensitive menu.'),
    destination: said('string', 'Where the call goes next.'),
    webhook: said('string', 'The webhook that the chosen option names, as `webhook||<id>`.'),
  },
];

const ended: Details = [
  {
    outcome: {
      enum: OUTCOMES,
      description: 'How the call ended, as its record says: docs/call-records.md explains each.',
    },
    end: {
      ...object({
        code: said('string', 'Why it ended, as a stable word such as `caller-hung-up`.'),
        cause: said('integer', 'Why it ended, as an ITU-T Q.850 cause.'),
        word: said('string', 'The name of that cause.'),
        text: said('string', 'Why it ended, in one sentence.'),
      }),
      description: 'Why the call ended.',
    },
    duration_ms: ms('How long the call lasted, in milliseconds.'),
    answered_by: said(maybe, 'The eid of the agent who answered. Null: no agent did.'),
    wait_ms: said(['integer', 'null'], 'Milliseconds in queues while no phone rang. Null: not known.', {
      minimum: 0,
    }),
    ring_ms: ms('Milliseconds during which at least one phone rang.'),
    talk_ms: ms('Milliseconds of conversation, from the answer on.'),
    transferred_to: TRANSFER_OUTPUT,
  },
  {
    variables: said('object', 'The variables of the call at its end; sensitive ones are `•`. Absent: none.', {
      additionalProperties: { type: 'string' },
    }),
  },
];

const sound = {
  id: said('string', 'The id of the sound, for listing, hearing and deleting it.'),
  duration_ms: ms('How long it is, in milliseconds.'),
  audio: said('string', 'The path at which it can be heard.'),
};

const room: Details = [
  {
    room: {
      ...object({
        id: said('string', 'Which room, by id.'),
        name: said('string', 'What the room is called.'),
      }),
      description: 'The conference room that the caller came into or left.',
    },
    host: said('boolean', 'Whether the caller is a host of the room.'),
    participants: said('integer', 'How many are in the conference now.', { minimum: 0 }),
  },
];

/** Members of `data` beside `call`: those that are always there, and others. */
type Details = readonly [Record<string, JsonSchema>, Record<string, JsonSchema>?];

const agentChanged: Details = [
  {
    agent: {
      ...object({
        eid: said('string', 'Which agent, by eid.'),
        name: said('string', 'What the agent is called.'),
      }),
      description: 'Whose state has changed.',
    },
    state: { enum: AGENT_STATES, description: 'The state now, as `GET /v1/agent_states` has it.' },
    previous: {
      enum: [...AGENT_STATES, null],
      description: 'The state before it. Null: not known, as after a start.',
    },
    reason: said(maybe, 'Of a pause: why, as it was given; empty: not said. Null: not paused.'),
  },
];

const callback: Details = [
  {
    callback: {
      ...object({
        id: said('string', 'The id of the call-back.'),
        department: said('string', 'In whose queue the caller waited, by id.'),
        number: said('string', 'The number that is called.'),
        asked_by: said('string', 'The id of the call in which it was asked for.'),
        attempts: said('integer', 'How often the caller was called so far.'),
        state: { enum: CALLBACK_STATES, description: 'As `GET /v1/callback/{id}` has it.' },
        result: {
          enum: [...CALLBACK_RESULTS, null],
          description: 'Why the last attempt did not reach the caller. Null: there was none.',
        },
      }),
      description: 'The call-back.',
    },
  },
];

const notification: Details = [
  {
    notification: {
      ...object({
        id: said('string', 'The id of the notification, the same when it opens and closes.'),
        type: { enum: NOTIFICATION_TYPES, description: 'What it is about, as a stable word.' },
        subject: said(
          'string',
          'What it is about: `trunk||…`, `department||…`, `voicemail||…` or `node||…`.',
        ),
        name: said('string', 'What the subject is called.'),
        facts: {
          ...object({
            problem: said(maybe, 'Of a trunk: why it is down. Null: not known, or no trunk.'),
            waiting: said(['integer', 'null'], 'How many callers wait. Null: no queue.'),
            wait_ms: said(['integer', 'null'], 'How long the first of them has waited. Null: no queue.'),
            caller: said(maybe, 'Who left the message. Null: withheld, or no message.'),
            message: said(maybe, 'The id of the message. Null: no message.'),
            free_percent: said(['number', 'null'], 'Free space on the disk, in percent. Null: no disk.'),
          }),
          description: 'What is true of the subject; what does not concern the type is null.',
        },
        opened_at: said('string', 'Since when.', { format: 'date-time' }),
        closed_at: said(maybe, 'Until when. Null: it goes on.'),
      }),
      description: 'The notification, as `GET /v1/notifications` has it.',
    },
  },
  { rule: said('string', 'The name of the rule that sent it; absent in live events.') },
];

const DETAILS: { readonly [T in CallEventType]: Details } = {
  'call.received': step,
  'call.menu_entered': step,
  'call.key': step,
  'call.option': step,
  'call.ringing': step,
  'call.answered': step,
  'call.one_way_audio': step,
  'call.party_replaced': step,
  'call.missed': ended,
  'call.ended': ended,
  'voicemail.received': [
    {
      voicemail: {
        ...object({
          ...sound,
          box: said(maybe, 'The id of the voicemail box. Null: none.'),
          box_name: said(maybe, 'The name of the box. Null: it was deleted.'),
          email: said(maybe, 'Where the box sends notifications. Null: nowhere.'),
        }),
        description: 'The message that was left.',
      },
    },
  ],
  'call.recorded': [
    {
      recording: {
        ...object({ ...sound, agent: said(maybe, 'The eid of the agent in the conversation. Null: none.') }),
        description: 'The recorded conversation.',
      },
    },
  ],
  'room.joined': room,
  'room.left': room,
  'agent.state': agentChanged,
  'callback.asked': callback,
  'callback.ended': callback,
  'notification.opened': notification,
  'notification.closed': notification,
};

const WHEN: { readonly [T in CallEventType]: string } = {
  'call.received': 'A call came in.',
  'call.menu_entered': 'The call arrived at a menu.',
  'call.key': 'The caller pressed a key, outside of conversations.',
  'call.option': 'The keys matched an option of a menu; `destination` is where it leads.',
  'call.ringing': 'Phones are rung for the caller.',
  'call.answered': 'Both sides are connected.',
  'call.one_way_audio':
    'No sound has come from one side for nine seconds; `text` says which, and whether packets come from another address.',
  'call.party_replaced':
    'Another took the place of one side: by an attended transfer, or with a phone that took the call over. `text` says who.',
  'call.missed': 'The call is over; at least one phone rang, and none answered. `call.ended` follows.',
  'call.ended': 'The call is over, with its outcome and times.',
  'voicemail.received': 'A voicemail message was left and is stored.',
  'call.recorded': 'The recording of a conversation is stored.',
  'room.joined': 'The caller is in a conference room, and hears the others.',
  'room.left': 'The caller has left a conference room, or was removed.',
  'callback.asked': 'A caller left a queue to be called back.',
  'callback.ended': 'The caller was called back and answered, or is not called any more; `state` says which.',
  'agent.state': 'The state of an agent has changed; changes within half a second are one event.',
  'notification.opened':
    'Something needs attention: a trunk is down, a queue too long, a message new, a disk nearly full.',
  'notification.closed': 'What a notification was about is over.',
};

const pascal = (type: string): string =>
  type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
const schemaName = (type: string): string => `${pascal(type)}Event`;

const envelope = (type: string, data: JsonSchema): JsonSchema =>
  object({
    id: said(
      'string',
      'The id of the event, the same at every attempt and for every receiver. Also in the header `webhook-id`.',
    ),
    type: { const: type, description: 'What happened, as a stable word: it says what `data` has.' },
    timestamp: said('string', 'When it happened.', { format: 'date-time' }),
    data: { ...data, description: 'What the event is about.' },
  });

const ping = object({
  webhook: {
    ...object({
      id: said('string', 'The id of the webhook that is tried.'),
      name: said('string', 'What that webhook is called.'),
    }),
    description: 'The webhook that is tried.',
  },
});

const CALL_REF: JsonSchema = {
  $ref: '#/components/schemas/EventCall',
  description: 'Which call it is about.',
};

export const EVENT_SCHEMAS: Record<string, JsonSchema> = {
  EventCall: call,
  ...Object.fromEntries(
    CALL_EVENT_TYPES.map((type) => {
      const [always, sometimes = {}] = DETAILS[type];
      const about = NAMED_ALONE.has(type) ? {} : { call: CALL_REF };
      const data = object({ ...about, ...always }, sometimes);
      return [schemaName(type), envelope(type, data)];
    }),
  ),
  [schemaName(PING)]: envelope(PING, ping),
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description,
});

function webhookOf(type: string, description: string): object {
  return {
    post: {
      operationId: `on${pascal(type)}`,
      summary: description.split(/[.;]/)[0],
      description: `${description} Sent to webhooks whose \`events\` have \`${type}\`${NAMED_ALONE.has(type) ? '' : ' or `*`'}.`,
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event: what arrives twice has the same.'),
        header(
          'webhook-timestamp',
          'When it was sent, in seconds since 1970. Refuse what is older than 300 s.',
        ),
        header(
          'webhook-signature',
          '`v1,` and the HMAC-SHA256 in base64, as standardwebhooks.com says; docs/webhooks.md has code.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName(type)}` } } },
      },
      responses: {
        '2XX': { description: 'Delivered. Any body is ignored.' },
        '410': { description: 'Not wanted any more: this delivery is given up.' },
        default: {
          description: 'Tried again later, for a day. `Retry-After` is heeded, redirects are not followed.',
        },
      },
    },
  };
}

export const webhooks = (): Record<string, object> => ({
  ...Object.fromEntries(CALL_EVENT_TYPES.map((type) => [type, webhookOf(type, WHEN[type])])),
  [PING]: webhookOf(PING, 'A test of the webhook, asked for with POST /v1/webhook/{id}/test.'),
});

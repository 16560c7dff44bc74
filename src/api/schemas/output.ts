// Schemas of what is shown but never sent to us: the specification's Agent, and the stamps of every record.

import { OLD_OUTCOMES, OUTCOMES } from '../../domain/past-call.ts';
import { type Fields, type JsonSchema, outputSchema } from '../../kinds/field.ts';

export const string = { type: 'string' };
export const time = { type: 'string', format: 'date-time' };
const orNull = (type: string) => ({ type: [type, 'null'] });

/** All properties are always there, except the `optional` ones. */
export function object(
  properties: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema {
  return { type: 'object', properties: { ...properties, ...optional }, required: Object.keys(properties) };
}

export const STAMPS: Record<string, JsonSchema> = {
  version: { type: 'integer', minimum: 1 },
  created_at: time,
  updated_at: time,
};

export function stampedSchema(fields: Fields): JsonSchema {
  const { properties } = outputSchema(fields) as { properties: Record<string, JsonSchema> };
  return object({ id: string, ...properties, ...STAMPS });
}

export const CALL_IDS = {
  call_id: { ...string, description: 'our id of the call, in every answer and event' },
  sip_call_id: { ...string, description: 'the Call-ID of SIP' },
};

export const CALL_OUTPUT: Record<string, JsonSchema> = {
  id: string,
  call_id: CALL_IDS.call_id,
  started_at: time,
  ended_at: time,
  direction: { enum: ['inbound', 'internal', 'outbound'] },
  caller: orNull('string'),
  caller_name: orNull('string'),
  dialled: string,
  entry: { ...string, description: 'where the call came in' },
  schema: {
    enum: [1, 2],
    description:
      '1: an old record, whose outcome and times follow the rules of then (docs/call-records.md); 2: a present one',
  },
  outcome: {
    enum: [...OUTCOMES, ...OLD_OUTCOMES, null],
    description: 'failed and null: only of old records (schema 1)',
  },
  end_code: string,
  cause: { type: 'integer', description: 'ITU-T Q.850' },
  answered_by: { type: ['string', 'null'], description: 'eid of the agent who answered' },
  wait_ms: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'in queues, while no phone rang; null: schema 1',
  },
  ring_ms: { type: 'integer', minimum: 0, description: 'while at least one phone rang: from its 180 on' },
  talk_ms: { type: 'integer', minimum: 0, description: 'from the answer on' },
};

const atMs = { type: 'integer', description: 'since the call began' };
const count = { type: 'integer', minimum: 0 };
const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const LEG_OUTPUT = object(
  {
    role: { enum: ['caller', 'called'] },
    number: string,
    ended_by: { enum: ['us', 'peer', 'timeout', 'network'] },
    outcome: {
      enum: ['ended', 'busy', 'declined', 'unreachable', 'no-answer', 'failed', 'transferred'],
      description: 'transferred: it went on to another call, whose record has the rest of it',
    },
    status: orNull('integer'),
    cause: { type: ['integer', 'null'], description: 'ITU-T Q.850, where the peer gave one' },
    reason: string,
    packets_sent: {
      ...orNull('integer'),
      minimum: 0,
      description: 'null: not known, as of a leg that was transferred',
    },
    packets_received: { ...orNull('integer'), minimum: 0 },
    packets_lost: { ...orNull('integer'), minimum: 0 },
    jitter_ms: { ...orNull('number'), minimum: 0 },
    one_way: { ...orNull('boolean'), description: 'audio flowed one way only' },
  },
  {
    agent: { ...orNull('string'), description: 'eid of the agent whose phone it is' },
    agent_name: { ...orNull('string'), description: 'as it was at the time of the call' },
    began_at_ms: {
      ...atMs,
      description: 'since the call began; below 0: of a leg that is older than the call',
    },
    ringing_at_ms: { ...orNull('integer'), description: 'the first 180 of its phone; null: it did not ring' },
    answered_at_ms: {
      ...orNull('integer'),
      description: 'of the caller: by the service; null: not answered',
    },
    ended_at_ms: atMs,
    buffer_ms: { ...orNull('number'), minimum: 0, description: 'missing: an older record' },
    packets_late: { ...orNull('integer'), minimum: 0, description: 'missing: an older record' },
    round_trip_ms: { ...orNull('number'), minimum: 0, description: 'missing: an older record' },
    encryption: {
      ...orNull('string'),
      enum: ['none', 'sdes', 'dtls', null],
      description: 'null: no sound; missing: an older record',
    },
    crypto_suite: { ...orNull('string'), description: 'null: not encrypted, or by `dtls`' },
    keys_over_tls: { ...orNull('boolean'), description: 'null: as `crypto_suite`; missing: an older record' },
  },
);

export const TRANSFER_OUTPUT: JsonSchema = {
  type: ['object', 'null'],
  properties: {
    call_id: { ...string, description: 'id of the other call' },
    by: object({
      kind: { enum: ['agent', 'operator'] },
      id: { ...string, description: 'eid of the agent, or id of the access token' },
      name: string,
    }),
    attended: { type: 'boolean', description: 'the two calls became one (attended transfer)' },
  },
  required: ['call_id', 'by'],
};

const IDENTITY_OUTPUT: JsonSchema = {
  ...object({
    verstat: { enum: ['passed', 'failed', 'none', null] },
    attestation: { enum: ['A', 'B', 'C', null] },
    diversions: { ...arrayOf(object({ number: orNull('string'), reason: string })), maxItems: 5 },
    history: {
      ...arrayOf(object({ number: orNull('string'), index: string, cause: orNull('integer') })),
      maxItems: 10,
    },
  }),
  type: ['object', 'null'],
};

const LADDER_OUTPUT = object(
  {
    at_ms: { ...atMs, description: 'since the call began; below 0 of a side that was there before' },
    leg: {
      type: ['integer', 'null'],
      description: 'which of `legs`; null (schema 1 only): the side that was transferred',
    },
    direction: { enum: ['in', 'out'], description: 'to us, or from us' },
    what: { ...string, description: 'a method, or a status and the method it answers' },
    transport: { enum: ['udp', 'tcp', 'tls', 'ws'] },
  },
  {
    user_agent: { ...string, maxLength: 128, description: 'what the peer calls itself' },
    phone: { type: 'integer', minimum: 1, description: 'which phone, where several of one person rang' },
  },
);

/** What a call's record has beyond its steps. Optional: records of former versions have less. */
export const CALL_DETAILS: Record<string, JsonSchema> = {
  sip_call_id: CALL_IDS.sip_call_id,
  identity: {
    ...IDENTITY_OUTPUT,
    description: 'what the trunk told of the caller and of the way of the call',
  },
  web: {
    anyOf: [object({ button: { type: ['string', 'null'] }, page: string }), { type: 'null' }],
    description: 'of a call from a web page: where the visitor was',
  },
  transferred_from: {
    ...TRANSFER_OUTPUT,
    description: 'the call that was passed on to become this one, and who asked',
  },
  transferred_to: {
    ...TRANSFER_OUTPUT,
    description: 'the call that this one was passed on to, and who asked',
  },
  callback: {
    anyOf: [
      object({ id: string, call_id: string, attempt: { type: 'integer', minimum: 0 } }),
      { type: 'null' },
    ],
    description: 'the call-back that the call was made for',
  },
  duration_ms: count,
  queue_ms: {
    ...count,
    deprecated: true,
    description: 'in queues, the ringing of their agents included; wait_ms has it without',
  },
  variables: {
    type: 'object',
    additionalProperties: string,
    description: 'the variables of the call at its end; sensitive ones are shown as •',
  },
  end: object({ code: string, cause: { type: 'integer' }, word: string, text: string }),
  recording: { type: ['string', 'null'], description: 'id of the recorded conversation' },
  voicemail: { type: ['string', 'null'], description: 'id of the message that was left' },
  keys: arrayOf(object({ at_ms: atMs, key: string, source: { enum: ['rfc4733', 'info', 'in-band'] } })),
  legs: arrayOf(LEG_OUTPUT),
  ladder: { ...arrayOf(LADDER_OUTPUT), description: 'the SIP messages of all legs, at most 200' },
  ladder_left_out: { ...count, description: 'messages beyond them' },
  events: {
    ...arrayOf(object({ type: string, atMs })),
    description: 'what the call was told; the flow gives the same call again for them',
  },
  events_left_out: { ...count, description: 'events after them' },
};

export const AGENT_OUTPUT: Record<string, JsonSchema> = {
  id: string,
  name: string,
  follow_me_number: string,
  eid: string,
  intercom: string,
  calls_answered: { type: 'integer', minimum: 0 },
  product_clicktocall: { enum: [0, 1] },
  team_id: orNull('integer'),
  team_name: orNull('string'),
  custom_status: { enum: [0, 1], description: '1 is blocked' },
  timegroup_name: orNull('string'),
  timegroup_id: orNull('string'),
  failover_destination: orNull('string'),
  failover_destination_name: orNull('string'),
  departments: { type: 'array', items: object({ name: string, id: string }) },
};

/** Members that only the response for one agent has; lists omit them. */
export const AGENT_DETAILS: Record<string, JsonSchema> = {
  sip_sha256: { type: 'boolean' },
  record_calls: { type: 'boolean' },
  do_not_disturb: { type: 'boolean' },
  forward_always: orNull('string'),
  forward_busy: orNull('string'),
  forward_no_answer: orNull('string'),
  after_call_destination: orNull('string'),
  call_waiting: orNull('boolean'),
};

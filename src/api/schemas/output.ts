// Schemas of what is shown but never sent to us: the specification's Agent, and the stamps of every record.

import { OUTCOMES } from '../../domain/past-call.ts';
import { type Fields, type JsonSchema, outputSchema } from './field.ts';

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

/** What a reader sees of a record whose id is text. */
export function stampedSchema(fields: Fields): JsonSchema {
  const { properties } = outputSchema(fields) as { properties: Record<string, JsonSchema> };
  return object({ id: string, ...properties, ...STAMPS });
}

export const CALL_OUTPUT: Record<string, JsonSchema> = {
  id: string,
  started_at: time,
  ended_at: time,
  direction: { enum: ['inbound', 'internal', 'outbound'] },
  caller: orNull('string'),
  caller_name: orNull('string'),
  dialled: string,
  entry: { ...string, description: 'where the call came in' },
  outcome: { enum: [...OUTCOMES, null], description: 'null for calls of before outcomes were kept' },
  end_code: string,
  cause: { type: 'integer', description: 'ITU-T Q.850' },
  answered_by: { type: ['string', 'null'], description: 'eid of the agent who answered' },
  ring_ms: { type: 'integer', minimum: 0 },
  talk_ms: { type: 'integer', minimum: 0 },
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

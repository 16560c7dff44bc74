// What may be sent for a stream: a voice bot that callers talk with.
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import {
  type FlowStream,
  MAX_STREAM_DESTINATIONS,
  MAX_STREAM_SECONDS,
  STREAM_DEFAULTS,
} from '../../domain/stream.ts';
import {
  type JsonSchema,
  listOf,
  optional,
  outputSchema,
  readFields,
  text,
  wholeNumber,
} from '../../kinds/field.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { destination, recording } from '../../kinds/reference-fields.ts';
import { MAX_URL } from '../../safe-fetch/safe-fetch.ts';
import { object, STAMPS, string } from './output.ts';
import { members, THINKING_SCHEMAS as OWN_SCHEMAS } from './thinking.ts';
import { WEBHOOK_FIELDS } from './webhook.ts';

const to = destination(DESTINATION_KINDS);

export const STREAM_FIELDS = {
  name: text({ min: 1, max: 100 }),
  description: optional(text({ min: 0, max: 1000, controls: 'allowed' }), STREAM_DEFAULTS.description),
  url: text({ min: 1, max: MAX_URL, description: 'wss, or ws where OUTBOUND_ALLOW permits the address' }),
  parameters: optional(members, {}),
  secret: WEBHOOK_FIELDS.secret,
  disclosure_recording: optional(recording(), STREAM_DEFAULTS.disclosure_recording),
  max_seconds: optional(wholeNumber(1, MAX_STREAM_SECONDS, 'seconds'), STREAM_DEFAULTS.max_seconds),
  destinations: optional(listOf(to, { min: 0, max: MAX_STREAM_DESTINATIONS, of: 'destinations' }), []),
  next_destination: to,
  failed_destination: to,
} as const;

/** Without its secret, which is sealed when it is stored. */
export function readStream(body: { readonly [name: string]: unknown }): FlowStream | Problem {
  const faults = new Faults();
  const { secret: _, ...stream } = readFields(STREAM_FIELDS, body, faults);
  return faults.list.length > 0 ? faults.toProblem() : { ...stream, sealed_secret: null };
}

function streamOutput(): Record<string, JsonSchema> {
  const { secret: _, ...fields } = STREAM_FIELDS;
  const { properties } = outputSchema(fields) as { properties: Record<string, JsonSchema> };
  return { id: string, ...properties, has_secret: { type: 'boolean' }, ...STAMPS };
}

/** All kinds that ask, decide, send and talk. */
export const THINKING_SCHEMAS: Record<string, JsonSchema> = {
  ...OWN_SCHEMAS,
  Stream: object(streamOutput()),
};

// What a simulated call did, in the API.
import type { JsonSchema } from '../../kinds/field.ts';
import { object, string } from './output.ts';

export const STEP = object(
  { at_ms: { type: 'integer' }, code: string, text: string },
  {
    node: { type: ['string', 'null'] },
    node_name: { type: ['string', 'null'], description: 'in a simulation: what the node is called' },
    keys: string,
    destination: string,
    recording: { ...string, description: 'id of the recording that is played' },
    rung: { type: 'array', items: string, description: 'whose phones ring' },
  },
);

export const TRACE: JsonSchema = object(
  {
    entry: string,
    started_at: { ...string, format: 'date-time' },
    duration_ms: { type: 'integer' },
    outcome: object({
      kind: string,
      destination: { type: ['string', 'null'] },
      reason: string,
      cause: { type: 'integer' },
      word: string,
      text: string,
    }),
    steps: { type: 'array', items: STEP },
    heard: { type: 'array', items: object({ at_ms: { type: 'integer' }, ms: { type: 'integer' } }) },
    visited: { type: 'array', items: string },
    sms: { type: 'array', items: string },
    variables: { type: 'object', additionalProperties: string },
    unused_steps: string,
  },
  { steps_left_out: { type: 'integer', description: 'steps beyond 1 MiB of JSON' } },
);

// A simulated call in the API: documentation only. flow/simulation/scenario.ts reads and checks it.
import type { Field, JsonSchema } from '../../kinds/field.ts';
import { object, string } from './output.ts';

function documented(input: JsonSchema): Field<unknown> {
  return { input, output: input, read: (value) => value, absent: () => undefined };
}

const byReference = (items: JsonSchema, description: string) =>
  documented({ type: 'object', additionalProperties: items, description });

export const SCENARIO_FIELDS = {
  script: documented({
    anyOf: [string, { type: 'array', items: { type: 'object' } }],
    description: 'what the caller and the called do, such as "9,wait,1,answer 4s" (docs/call-flow.md)',
  }),
  at: documented({ ...string, format: 'date-time', description: 'the date and time of the call' }),
  caller: documented({ type: ['string', 'null'], description: 'the number of the caller' }),
  seed: documented({ type: 'integer', description: 'the same seed makes the same random choices' }),
  agents: byReference(
    string,
    'who does what when rung: answer, answer 5s, busy, busy 30s, unreachable, no-answer, blocked',
  ),
  idle_since: byReference({ type: 'number' }, 'since when agents are idle, in epoch milliseconds'),
  last_rung: byReference(string, 'whom a department offered its last call'),
  waiting: byReference({ type: 'integer' }, 'how many callers wait in a department’s queue before this one'),
  signed_out: byReference(
    { type: 'array', items: string },
    'who is signed out of a department: its calls are not offered to them',
  ),
  requests: byReference(
    { type: 'object' },
    'what a system of yours answers: { "answer": {…}, "after_ms": 900 }, { "status": 500 } or { "failure": "timeout" }',
  ),
  streams: byReference(
    { type: 'object' },
    'what a voice bot does: { "variables": {…}, "transfer": "extension||7", "after_ms": 2000 } or { "failure": "broken" }',
  ),
  variables: documented({
    type: 'object',
    additionalProperties: string,
    description: 'variables that the call begins with',
  }),
  dialled: documented({ ...string, description: 'the number that the caller dialled' }),
} as const;

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

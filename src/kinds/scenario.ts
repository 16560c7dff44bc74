// The members of a simulated call, for documentation: flow/simulation/scenario.ts reads and checks them.
import type { Field, JsonSchema } from './field.ts';

const string = { type: 'string' };

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

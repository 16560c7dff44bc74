// What is shown of a department's line.
import { QUEUE_STATES } from '../../calls/queues/queue-view.ts';
import { AGENT_STATES } from '../../domain/agent-state.ts';
import { CALLBACK_RESULTS, CALLBACK_STATES } from '../../domain/callback.ts';
import { type JsonSchema, oneOf, optional, text } from '../../kinds/field.ts';
import { PAGE_QUERY } from '../http/page.ts';
import { object, string, time } from './output.ts';

/** Which call-backs a list shows. */
export const CALLBACK_QUERY = {
  ...PAGE_QUERY,
  department: optional(text({ min: 1, max: 64, description: 'the department’s id' }), null),
  open: optional(oneOf(['true', 'false'], 'those that are not over, or those that are'), null),
} as const;

const orNull = { type: ['string', 'null'] };
const CALLBACK = {
  id: string,
  department: string,
  number: string,
  typed: { type: 'boolean' },
  asked_by: string,
  asked_at: time,
  state: { enum: CALLBACK_STATES },
  attempts: { type: 'integer', minimum: 0 },
  result: { enum: [...CALLBACK_RESULTS, null] },
  next_attempt_at: orNull,
  call_id: string,
  ended_at: orNull,
};

const ESTIMATE = { type: ['integer', 'null'], minimum: 0 };

export const QUEUE_SCHEMAS: Record<string, JsonSchema> = {
  Callback: object(CALLBACK),
  Queue: object({
    id: string,
    name: string,
    queue: { type: 'boolean', description: 'whether callers may wait at all' },
    estimated_wait_ms: ESTIMATE,
    waiting: {
      type: 'array',
      items: object({
        position: { type: 'integer', minimum: 1 },
        call_id: { ...string, description: 'the id that the call record will have' },
        call: { ...string, deprecated: true, description: 'use call_id' },
        caller: { type: ['string', 'null'] },
        since: time,
        waited_ms: { type: 'integer', minimum: 0 },
        estimated_wait_ms: ESTIMATE,
        ringing: { type: 'boolean', description: 'whether an agent’s phone rings for this caller' },
        callback: { ...orNull, description: 'id of the call-back that has the place; null: a caller waits' },
      }),
    },
    callbacks: { type: 'array', items: object(CALLBACK) },
    agents: {
      type: 'array',
      items: object({
        eid: string,
        name: { type: ['string', 'null'] },
        state: {
          enum: QUEUE_STATES,
          description:
            'resting: after a call, or after not answering; away: blocked, off duty, paused, signed out or without a phone',
        },
        agent_state: { anyOf: [{ enum: AGENT_STATES }, { type: 'null' }] },
      }),
    },
  }),
};

// What is shown of a department's line.
import { AGENT_STATES } from '../../calls/queues/queue-view.ts';
import type { JsonSchema } from './field.ts';
import { object, string, time } from './output.ts';

export const QUEUE_SCHEMAS: Record<string, JsonSchema> = {
  Queue: object({
    id: string,
    name: string,
    queue: { type: 'boolean', description: 'whether callers may wait at all' },
    waiting: {
      type: 'array',
      items: object({
        position: { type: 'integer', minimum: 1 },
        call_id: { ...string, description: 'the id that the call record will have' },
        call: { ...string, deprecated: true, description: 'use call_id' },
        caller: { type: ['string', 'null'] },
        since: time,
        waited_ms: { type: 'integer', minimum: 0 },
        ringing: { type: 'boolean', description: 'whether an agent’s phone rings for this caller' },
      }),
    },
    agents: {
      type: 'array',
      items: object({
        eid: string,
        name: { type: ['string', 'null'] },
        state: {
          enum: AGENT_STATES,
          description:
            'resting: after a call, or after not answering; away: blocked, off duty or without a phone',
        },
      }),
    },
  }),
};

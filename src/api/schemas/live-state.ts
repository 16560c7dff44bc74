// What changes by itself, as one value. What an event changes of it has the same rows.
import { AGENT_STATES } from '../../domain/agent-state.ts';
import { PARTIAL } from './live-call.ts';
import { object, string, time } from './output.ts';

const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const count = { type: 'integer', minimum: 0 };
const rows = (schema: string) => ({ type: 'array', items: { $ref: `#/components/schemas/${schema}` } });

/** The state of an agent, in lists and in the live state. */
export const AGENT_NOW = {
  state: { enum: AGENT_STATES },
  since: orNull(time),
  paused: orNull(object({ reason: string, since: time })),
  signed_out: { type: 'array', items: string },
  phones: object({ registered: count, reachable: count, none_since: orNull(time) }),
};

export const LIVE_STATE_SCHEMAS = {
  LiveAgent: object({ eid: string, ...AGENT_NOW }),
  LiveQueue: object({ department: string, waiting: count, longest_since: time }),
  LiveState: object(
    {
      at: time,
      telephones: { type: 'boolean' },
      calls: rows('LiveCall'),
      agents: rows('LiveAgent'),
      trunks: rows('LiveTrunk'),
      queues: rows('LiveQueue'),
    },
    PARTIAL,
  ),
};

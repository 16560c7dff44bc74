// What may be sent for agents, teams and departments. What the service counts or makes (id, calls_answered, digests)
// is not among the fields, so it cannot be set from outside.

import { DEFAULT_QUEUE, MAX_IN_LINE } from '../../domain/agent.ts';
import { DESTINATION_KINDS, isId } from '../../domain/reference.ts';
import type { RingStrategy } from '../../flow/node.ts';
import {
  digitsOf,
  type Field,
  listOf,
  named,
  oneOf,
  optional,
  pattern,
  shown,
  text,
  wholeNumber,
} from './field.ts';
import { destination, recording } from './reference.ts';

const telephoneNumber = pattern(
  /^\+?[0-9]{3,15}$/,
  'a telephone number: 3 to 15 digits, + before them if you like',
);
export const flag = oneOf([0, 1]);
const STRATEGIES = [
  'simultaneous',
  'in_order',
  'random',
  'round_robin',
  'longest_idle',
] as const satisfies RingStrategy[];

export const intercom = pattern(/^[0-9]{2,10}$/, '2 to 10 digits');

export const eid: Field<string> = {
  input: { type: ['string', 'integer'], pattern: '^[A-Za-z0-9._-]{1,64}$' },
  output: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  read(value, at, faults) {
    const id = digitsOf(value);
    if (typeof id === 'string' && isId(id)) return id;
    const form = '1 to 64 letters, digits, ".", "_" or "-"';
    faults.add(at, 'text_malformed', `${named(at)} must be ${form}; it was ${shown(value)}.`);
    return undefined;
  },
};

export const AGENT_FIELDS = {
  name: text({ min: 1, max: 100 }),
  follow_me_number: optional(telephoneNumber, ''),
  eid: optional(eid, null),
  intercom: optional(intercom, null),
  product_clicktocall: optional(flag, 0 as const),
  team_id: optional(wholeNumber(1, 2_000_000_000), null),
  timegroup_id: optional(eid, null),
  failover_destination: optional(destination(DESTINATION_KINDS), null),
  sip_sha256: optional(
    oneOf([true, false], 'ask phones for SHA-256 (RFC 8760); many understand MD5 alone'),
    false,
  ),
  record_calls: optional(oneOf([true, false], 'record calls with this agent'), false),
} as const;

export const TEAM_FIELDS = { name: text({ min: 1, max: 100 }) } as const;

/** Which departments a list shows: those that have the agent. */
export const DEPARTMENTS_QUERY = { agent: optional(eid, null) } as const;

const yesNo = (description: string) => oneOf([true, false], description);

export const DEPARTMENT_FIELDS = {
  name: text({ min: 1, max: 100 }),
  description: optional(text({ min: 0, max: 1000, controls: 'allowed' }), ''),
  agents: optional(listOf(eid, { min: 0, max: 1000, of: 'eids' }), [] as string[]),
  strategy: optional(oneOf(STRATEGIES, 'in which order the agents are rung'), 'simultaneous' as const),
  ring_seconds: optional(wholeNumber(1, 300, 'seconds'), null),
  failover_destination: optional(destination(DESTINATION_KINDS), null),
  queue: optional(yesNo('whether callers who find nobody free wait in line'), DEFAULT_QUEUE.queue),
  music_on_hold: optional(recording(), DEFAULT_QUEUE.music_on_hold),
  announce_position: optional(wholeNumber(0, 3_600, 'seconds'), DEFAULT_QUEUE.announce_position),
  max_wait_seconds: optional(wholeNumber(0, 43_200, 'seconds'), DEFAULT_QUEUE.max_wait_seconds),
  max_waiting: optional(wholeNumber(0, MAX_IN_LINE, 'callers'), DEFAULT_QUEUE.max_waiting),
  wrapup_seconds: optional(wholeNumber(0, 3_600, 'seconds'), DEFAULT_QUEUE.wrapup_seconds),
  join_when_empty: optional(
    yesNo('whether callers may wait while no agent is there at all'),
    DEFAULT_QUEUE.join_when_empty,
  ),
  exit_key: optional(pattern(/^[0-9*#]$/, 'one key out of 0-9 * #'), DEFAULT_QUEUE.exit_key),
} as const;

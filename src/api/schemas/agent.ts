// What may be sent for agents, teams and departments. What the service counts or makes (id, calls_answered, digests)
// is not among the fields, so it cannot be set from outside.
import { AGENT_DEFAULTS } from '../../domain/agent.ts';
import { DEPARTMENT_DEFAULTS, MAX_IN_LINE } from '../../domain/department.ts';
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import { isId } from '../../domain/reference.ts';
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
  follow_me_number: optional(telephoneNumber, AGENT_DEFAULTS.follow_me_number),
  eid: optional(eid, null),
  intercom: optional(intercom, null),
  product_clicktocall: optional(flag, AGENT_DEFAULTS.product_clicktocall),
  team_id: optional(wholeNumber(1, 2_000_000_000), AGENT_DEFAULTS.team_id),
  timegroup_id: optional(eid, AGENT_DEFAULTS.timegroup_id),
  failover_destination: optional(destination(DESTINATION_KINDS), AGENT_DEFAULTS.failover_destination),
  sip_sha256: optional(
    oneOf([true, false], 'ask phones for SHA-256 (RFC 8760); many understand MD5 alone'),
    AGENT_DEFAULTS.sip_sha256,
  ),
  record_calls: optional(oneOf([true, false], 'record calls with this agent'), AGENT_DEFAULTS.record_calls),
} as const;

export const TEAM_FIELDS = { name: text({ min: 1, max: 100 }) } as const;

/** Which departments a list shows: those that have the agent. */
export const DEPARTMENTS_QUERY = { agent: optional(eid, null) } as const;

const yesNo = (description: string) => oneOf([true, false], description);

export const DEPARTMENT_FIELDS = {
  name: text({ min: 1, max: 100 }),
  description: optional(text({ min: 0, max: 1000, controls: 'allowed' }), DEPARTMENT_DEFAULTS.description),
  agents: optional(listOf(eid, { min: 0, max: 1000, of: 'eids' }), DEPARTMENT_DEFAULTS.agents),
  strategy: optional(oneOf(STRATEGIES, 'in which order the agents are rung'), DEPARTMENT_DEFAULTS.strategy),
  ring_seconds: optional(wholeNumber(1, 300, 'seconds'), DEPARTMENT_DEFAULTS.ring_seconds),
  failover_destination: optional(destination(DESTINATION_KINDS), DEPARTMENT_DEFAULTS.failover_destination),
  queue: optional(yesNo('whether callers who find nobody free wait in line'), DEPARTMENT_DEFAULTS.queue),
  music_on_hold: optional(recording(), DEPARTMENT_DEFAULTS.music_on_hold),
  announce_position: optional(wholeNumber(0, 3_600, 'seconds'), DEPARTMENT_DEFAULTS.announce_position),
  max_wait_seconds: optional(wholeNumber(0, 43_200, 'seconds'), DEPARTMENT_DEFAULTS.max_wait_seconds),
  max_waiting: optional(wholeNumber(0, MAX_IN_LINE, 'callers'), DEPARTMENT_DEFAULTS.max_waiting),
  wrapup_seconds: optional(wholeNumber(0, 3_600, 'seconds'), DEPARTMENT_DEFAULTS.wrapup_seconds),
  join_when_empty: optional(
    yesNo('whether callers may wait while no agent is there at all'),
    DEPARTMENT_DEFAULTS.join_when_empty,
  ),
  exit_key: optional(pattern(/^[0-9*#]$/, 'one key out of 0-9 * #'), DEPARTMENT_DEFAULTS.exit_key),
} as const;

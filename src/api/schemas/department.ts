// What may be sent for departments.
import { DEPARTMENT_DEFAULTS, type Department, MAX_IN_LINE } from '../../domain/department.ts';
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import { Faults, type Problem } from '../../domain/problem.ts';
import type { RingStrategy } from '../../flow/node.ts';
import { eid } from './agent.ts';
import { listOf, oneOf, optional, pattern, readFields, text, wholeNumber } from './field.ts';
import { destination, recording } from './reference.ts';

const STRATEGIES = [
  'simultaneous',
  'in_order',
  'random',
  'round_robin',
  'longest_idle',
] as const satisfies RingStrategy[];

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

export function readDepartment(body: { readonly [name: string]: unknown }): Department | Problem {
  const faults = new Faults();
  const department = readFields(DEPARTMENT_FIELDS, body, faults);
  for (const [index, eid] of department.agents?.entries() ?? []) {
    if (eid !== undefined && department.agents.indexOf(eid) < index) {
      faults.add(
        `/agents/${index}`,
        'reference_duplicate',
        `agents ${index} is ${eid}, which is in the list already.`,
      );
    }
  }
  return faults.list.length > 0 ? faults.toProblem() : department;
}

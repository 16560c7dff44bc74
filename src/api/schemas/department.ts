// What may be sent for departments.
import { DEPARTMENT_DEFAULTS, type Department, MAX_IN_LINE } from '../../domain/department.ts';
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import type { RingStrategy } from '../../flow/node.ts';
import {
  type Field,
  listOf,
  oneOf,
  optional,
  pattern,
  readFields,
  text,
  wholeNumber,
} from '../../kinds/field.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { destination, recording, referenceOf } from '../../kinds/reference-fields.ts';
import { eid } from './agent.ts';

const STRATEGIES = [
  'simultaneous',
  'in_order',
  'random',
  'round_robin',
  'longest_idle',
] as const satisfies RingStrategy[];

const CALLBACK_FIRST = ['agent', 'caller'] as const;

/** Which departments a list shows: those that have the agent. */
export const DEPARTMENTS_QUERY = { agent: optional(eid, null) } as const;

/** By eid. */
const level = wholeNumber(1, 10);
const LEVELS = { type: 'object', additionalProperties: level.output, maxProperties: 1000 };
const agentLevels: Field<Readonly<Record<string, number>>> = {
  input: { ...LEVELS, description: 'levels from 1 to 10 by eid' },
  output: LEVELS,
  samples: [{ '100001': 2, '100002': 10 }],
  read(value, at, faults) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.add(at, 'option_malformed', 'agent_levels must be an object: levels from 1 to 10 by eid.');
      return undefined;
    }
    const levels: [string, number][] = [];
    for (const [key, given] of Object.entries(value).slice(0, 1001)) {
      const named = eid.read(key, `${at}/${key}`, faults);
      const read = level.read(given, `${at}/${key}`, faults);
      if (named !== undefined && read !== undefined) levels.push([named, read]);
    }
    if (levels.length > 1000)
      faults.add(at, 'list_too_long', 'agent_levels must have at most 1,000 members.');
    return Object.fromEntries(levels);
  },
};

const yesNo = (description: string) => oneOf([true, false], description);

export const DEPARTMENT_FIELDS = {
  name: text({ min: 1, max: 100 }),
  description: optional(text({ min: 0, max: 1000, controls: 'allowed' }), DEPARTMENT_DEFAULTS.description),
  agents: optional(listOf(eid, { min: 0, max: 1000, of: 'eids' }), DEPARTMENT_DEFAULTS.agents),
  agent_levels: optional(agentLevels, DEPARTMENT_DEFAULTS.agent_levels),
  priority: optional(wholeNumber(0, 100), DEPARTMENT_DEFAULTS.priority),
  strategy: optional(oneOf(STRATEGIES, 'in which order the agents are rung'), DEPARTMENT_DEFAULTS.strategy),
  ring_seconds: optional(wholeNumber(1, 300, 'seconds'), DEPARTMENT_DEFAULTS.ring_seconds),
  ring_together: optional(wholeNumber(1, 20, 'agents'), DEPARTMENT_DEFAULTS.ring_together),
  failover_destination: optional(destination(DESTINATION_KINDS), DEPARTMENT_DEFAULTS.failover_destination),
  full_destination: optional(destination(DESTINATION_KINDS), DEPARTMENT_DEFAULTS.full_destination),
  timeout_destination: optional(destination(DESTINATION_KINDS), DEPARTMENT_DEFAULTS.timeout_destination),
  after_call_destination: optional(
    destination(DESTINATION_KINDS),
    DEPARTMENT_DEFAULTS.after_call_destination,
  ),
  queue: optional(
    yesNo('whether callers wait in the queue while no agent is free'),
    DEPARTMENT_DEFAULTS.queue,
  ),
  music_on_hold: optional(recording(), DEPARTMENT_DEFAULTS.music_on_hold),
  announce_position: optional(wholeNumber(0, 3_600, 'seconds'), DEPARTMENT_DEFAULTS.announce_position),
  announce_wait: optional(
    yesNo('whether the estimated wait is announced with the position'),
    DEPARTMENT_DEFAULTS.announce_wait,
  ),
  announce_recording: optional(recording(), DEPARTMENT_DEFAULTS.announce_recording),
  announce_recording_seconds: optional(
    wholeNumber(10, 3_600, 'seconds'),
    DEPARTMENT_DEFAULTS.announce_recording_seconds,
  ),
  max_wait_seconds: optional(wholeNumber(0, 43_200, 'seconds'), DEPARTMENT_DEFAULTS.max_wait_seconds),
  max_waiting: optional(wholeNumber(0, MAX_IN_LINE, 'callers'), DEPARTMENT_DEFAULTS.max_waiting),
  wrapup_seconds: optional(wholeNumber(0, 3_600, 'seconds'), DEPARTMENT_DEFAULTS.wrapup_seconds),
  join_when_empty: optional(
    yesNo('whether callers may wait while no agent is there at all'),
    DEPARTMENT_DEFAULTS.join_when_empty,
  ),
  exit_key: optional(pattern(/^[0-9*#]$/, 'one key out of 0-9 * #'), DEPARTMENT_DEFAULTS.exit_key),
  callback_key: optional(pattern(/^[0-9*#]$/, 'one key out of 0-9 * #'), DEPARTMENT_DEFAULTS.callback_key),
  callback_offer_seconds: optional(
    wholeNumber(0, 3_600, 'seconds'),
    DEPARTMENT_DEFAULTS.callback_offer_seconds,
  ),
  callback_recording: optional(recording(), DEPARTMENT_DEFAULTS.callback_recording),
  callback_first: optional(oneOf(CALLBACK_FIRST, 'who is rung first'), DEPARTMENT_DEFAULTS.callback_first),
  callback_attempts: optional(wholeNumber(1, 10, 'attempts'), DEPARTMENT_DEFAULTS.callback_attempts),
  callback_pause_seconds: optional(
    wholeNumber(30, 86_400, 'seconds'),
    DEPARTMENT_DEFAULTS.callback_pause_seconds,
  ),
  callback_hours: optional(referenceOf('timegroup'), DEPARTMENT_DEFAULTS.callback_hours),
  callbacks_per_hour: optional(wholeNumber(1, 1_000, 'call-backs'), DEPARTMENT_DEFAULTS.callbacks_per_hour),
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
  if (department.callback_key != null && department.callback_key === department.exit_key)
    faults.add('/callback_key', 'callback_key_taken', 'callback_key must be another key than exit_key.');
  return faults.list.length > 0 ? faults.toProblem() : department;
}

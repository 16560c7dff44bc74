// Departments: agents that are rung together or one after the other, and the queue in which callers wait for them.

import type { RingStrategy } from '../flow/node.ts';
import { DESCRIPTION, eid, NAME, yesNo } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { type Field, listOf, oneOf, optional, pattern, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording, referenceOf } from './reference-fields.ts';

const STRATEGIES = [
  'simultaneous',
  'in_order',
  'random',
  'round_robin',
  'longest_idle',
] as const satisfies RingStrategy[];

const CALLBACK_FIRST = ['agent', 'caller'] as const;

/** Callers in one line, whatever the department allows: a place is counted from the front. */
export const MAX_IN_LINE = 1_000;

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

export const departmentRecord = defineRecord(KINDS.department, {
  fields: {
    name: NAME,
    description: DESCRIPTION,
    agents: optional(listOf(eid, { min: 0, max: 1000, of: 'eids' }), []),
    agent_levels: optional(agentLevels, {}),
    priority: optional(wholeNumber(0, 100), 0),
    strategy: optional(oneOf(STRATEGIES, 'in which order the agents are rung'), 'simultaneous'),
    ring_seconds: optional(wholeNumber(1, 300, 'seconds'), null),
    ring_together: optional(wholeNumber(1, 20, 'agents'), 1),
    failover_destination: optional(DESTINATION, null),
    full_destination: optional(DESTINATION, null),
    timeout_destination: optional(DESTINATION, null),
    after_call_destination: optional(DESTINATION, null),
    queue: optional(yesNo('whether callers wait in the queue while no agent is free'), false),
    music_on_hold: optional(recording(), null),
    announce_position: optional(wholeNumber(0, 3_600, 'seconds'), 0),
    announce_wait: optional(yesNo('whether the estimated wait is announced with the position'), false),
    announce_recording: optional(recording(), null),
    announce_recording_seconds: optional(wholeNumber(10, 3_600, 'seconds'), 60),
    max_wait_seconds: optional(wholeNumber(0, 43_200, 'seconds'), 600),
    max_waiting: optional(wholeNumber(0, MAX_IN_LINE, 'callers'), 0),
    wrapup_seconds: optional(wholeNumber(0, 3_600, 'seconds'), 0),
    join_when_empty: optional(yesNo('whether callers may wait while no agent is there at all'), false),
    exit_key: optional(pattern(/^[0-9*#]$/, 'one key out of 0-9 * #'), null),
    callback_key: optional(pattern(/^[0-9*#]$/, 'one key out of 0-9 * #'), null),
    callback_offer_seconds: optional(wholeNumber(0, 3_600, 'seconds'), 0),
    callback_recording: optional(recording(), null),
    callback_first: optional(oneOf(CALLBACK_FIRST, 'who is rung first'), 'agent'),
    callback_attempts: optional(wholeNumber(1, 10, 'attempts'), 3),
    callback_pause_seconds: optional(wholeNumber(30, 86_400, 'seconds'), 300),
    callback_hours: optional(referenceOf('timegroup'), null),
    callbacks_per_hour: optional(wholeNumber(1, 1_000, 'call-backs'), 30),
  },
  check(department, faults) {
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
  },
});

export type Department = DataOf<typeof departmentRecord>;

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
  means: {
    name: 'The name of the department, as the console and records show it.',
    description: 'A note for people who configure the department. Callers do not hear it.',
    agents: 'The agents that are rung, by eid, in the order that `in_order` and `round_robin` follow.',
    agent_levels:
      'A level from 1 to 10 by eid, 1 where none is given. Agents of a lower level are rung first, those of a higher one when none of the lower is free or answers; `strategy` applies within a level. Use 1 for those who know the subject best. A PATCH merges it: null removes one.',
    priority:
      'From 0 to 100. An agent who serves queues of several departments gets the callers of the department with the highest priority first, and among equal ones the caller who has waited longest.',
    strategy:
      'Who is rung first: `simultaneous` all at once; the others one after the other: `in_order` from the top of the list, `random`, `round_robin` from behind the agent who was rung last, `longest_idle` first who has been without a call for longest.',
    ring_seconds: 'How long one agent rings before the next is tried.',
    ring_together:
      'How many agents ring at once by another strategy than `simultaneous`; the first who answers gets the call. Those of one ring are of one level.',
    failover_destination:
      'Where a caller goes who is not answered, or leaves the queue. Null: the call ends, with an apology if it was answered and otherwise as `failed_calls` says.',
    full_destination:
      'Where a caller goes who finds `max_waiting` callers in the queue. Null: to `failover_destination`.',
    after_call_destination:
      'Where the caller goes on when the agent hangs up first, for example to a survey. Null: the call ends.',
    timeout_destination:
      'Where a caller goes who has waited for `max_wait_seconds`. Null: to `failover_destination`.',
    queue: 'Whether callers wait in a queue while no agent is free.',
    music_on_hold:
      'What waiting callers hear, again and again, and either side of a call of the department while the other one holds. Null: the built-in music, and on hold that of the settings.',
    announce_position: 'Seconds between announcements of the position in the queue. 0: never.',
    announce_wait:
      'Whether the estimated wait follows the position: the position times the mean wait per place of the last ten callers who waited within the last hour. With fewer than five of them it is not known and not announced.',
    announce_recording: 'A recording that waiting callers hear between the music. Null: none.',
    announce_recording_seconds: 'Seconds between two times that it is heard.',
    max_wait_seconds:
      'The longest wait in the queue, after which the caller goes to `timeout_destination`. 0: as long as a call may last.',
    max_waiting: 'How many callers may wait at once; further ones go to `full_destination`. 0: up to 1,000.',
    wrapup_seconds: 'How long an agent gets no further caller from the queue after a call from it.',
    join_when_empty:
      'Whether callers may wait even while no agent is present: none with a phone, unblocked and on duty.',
    exit_key: 'The key that leads a waiting caller to `failover_destination`. Null: none.',
    callback_key:
      'The key by which a waiting caller asks to be called back, with the place in the queue kept. Null: callers are not called back.',
    callback_offer_seconds: 'Seconds between offers of a call-back to waiting callers. 0: it is not offered.',
    callback_recording: 'What offers it; it should name the key. Null: the built-in prompt.',
    callback_first: 'Who is rung first: the `agent`, or the `caller`.',
    callback_attempts: 'How often the caller is rung, at most.',
    callback_pause_seconds: 'Seconds between two attempts, at least.',
    callback_hours: 'The time group in which callers are called back. Null: at any time.',
    callbacks_per_hour:
      'How many call-backs may be asked for in an hour: a bound for the cost of toll fraud.',
  },
  example: {
    name: 'Billing',
    description: 'Invoices and payments',
    agents: ['100001', '100003'],
    strategy: 'longest_idle',
    ring_seconds: 20,
    failover_destination: 'extension||100002',
    queue: true,
    announce_position: 30,
    max_wait_seconds: 300,
    max_waiting: 20,
    wrapup_seconds: 10,
    exit_key: '0',
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

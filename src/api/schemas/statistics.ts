// What statistics can be asked for, and what they look like.
import { AGENT_STATES } from '../../domain/agent-state.ts';
import { LEFT_STEPS } from '../../domain/call-counts.ts';
import { COUNTED_OUTCOMES } from '../../domain/statistics.ts';
import { STEP_KINDS } from '../../domain/step-counts.ts';
import { isKnownZone } from '../../flow/hours/zone.ts';
import { type Field, type JsonSchema, named, oneOf, optional, shown } from '../../kinds/field.ts';
import { moment } from '../../kinds/moment.ts';
import { object, string } from './output.ts';

export function zone(): Field<string> {
  const words = 'a time zone of the IANA such as Europe/Berlin';
  const schema = { type: 'string', description: words };
  return {
    input: schema,
    output: schema,
    read(value, at, faults) {
      if (typeof value === 'string' && value.length <= 64 && isKnownZone(value)) return value;
      faults.add(at, 'value_not_allowed', `${named(at)} must be ${words}; it was ${shown(value)}.`);
      return undefined;
    },
  };
}

export const STATISTICS_QUERY = {
  from: optional(moment('calls that began then or later; without it, a week ago'), null),
  to: optional(moment('calls that began before; without it, now'), null),
  by: optional(oneOf(['day', 'hour', 'none']), 'day'),
  timezone: optional(zone(), 'UTC'),
} as const;

/** The statistics of all menus at once have totals alone. */
export const IVRS_STATISTICS_QUERY = {
  from: STATISTICS_QUERY.from,
  to: STATISTICS_QUERY.to,
  timezone: STATISTICS_QUERY.timezone,
} as const;

const count = { type: 'integer', minimum: 0 };
const rate = { type: ['number', 'null'], minimum: 0, maximum: 1 };
const perhaps = { type: ['integer', 'null'], minimum: 0 };
const counts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, count]));

const MENU = {
  visits: count,
  chosen: count,
  options: { type: 'object', additionalProperties: count, description: 'by the keys of the option' },
  invalid: count,
  invalid_rate: rate,
  invalid_final: count,
  timeouts: count,
  timeout_rate: rate,
  timeout_final: count,
  abandoned: count,
  abandoned_rate: rate,
  abandoned_at: object(counts(LEFT_STEPS)),
  cut: count,
  typed_ahead: count,
  time_to_key: object({ count, average_ms: perhaps, p50_ms: perhaps, p90_ms: perhaps }),
};

const QUEUE = object({
  ...counts(['calls', 'answered', 'answered_in_time', 'abandoned', 'left']),
  service_level: rate,
  average_answer_ms: perhaps,
  abandoned_rate: rate,
  average_abandon_ms: perhaps,
});

const CALLS = {
  ...counts(['calls', 'inbound', 'internal', 'outbound', ...COUNTED_OUTCOMES]),
  failed: {
    ...count,
    deprecated: true,
    description: 'of calls that were recorded before there was refused, blocked …',
  },
  talked: { ...count, description: 'calls that someone answered, whatever their outcome' },
  answer_rate: { ...rate, description: 'talked among all calls' },
  wait_ms: { ...count, description: 'time in queues while no phone rang' },
  ring_ms: count,
  talk_ms: count,
  average_talk_ms: perhaps,
  average_duration_ms: perhaps,
  queue: QUEUE,
};

const name = { type: ['string', 'null'], description: 'null when it was deleted' };
const PERSON = { name, answered: count, not_answered: count, talk_ms: count, average_talk_ms: perhaps };
/** With the offset of the viewer's zone. */
const localTime = {
  ...string,
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00[+-]\\d\\d:\\d\\d$',
};
const SPAN = { from: localTime, to: localTime, timezone: string, by: { enum: ['day', 'hour', 'none'] } };
const listOf = (properties: Record<string, JsonSchema>) => ({
  type: 'array',
  items: object({ ...properties }),
});

export const STATISTICS_SCHEMAS = {
  MenuStatistics: object({
    ivr: string,
    ...SPAN,
    totals: object(MENU),
    data: listOf({ start: localTime, ...MENU }),
  }),
  IvrsStatistics: object({
    from: localTime,
    to: localTime,
    timezone: string,
    data: {
      ...listOf({ ivr: string, ...MENU }),
      description:
        'without days on which the service was older than this request; GET /v1/ivr/{id}/statistics has them',
    },
    left_off: { ...count, description: 'menus with fewer visits that the answer has no room for' },
  }),
  CallStatistics: object({
    ...SPAN,
    service_level_seconds: count,
    totals: object(CALLS),
    data: listOf({ start: localTime, ...CALLS }),
    agents: listOf({
      eid: string,
      ...PERSON,
      offered: count,
      signed_in_ms: count,
      paused_ms: count,
      occupancy: rate,
      state_ms: object(counts(AGENT_STATES)),
    }),
    departments: listOf({
      id: string,
      ...PERSON,
      calls: count,
      abandoned: count,
      average_wait_ms: perhaps,
      callbacks_asked: count,
      callbacks_done: count,
      callbacks_failed: count,
      queue: QUEUE,
    }),
    steps: listOf({
      kind: { enum: STEP_KINDS },
      id: string,
      name,
      visits: count,
      failed: count,
      failed_rate: rate,
      average_ms: perhaps,
    }),
  }),
  Report: object({
    period: { enum: ['day', 'week'] },
    from: localTime,
    to: localTime,
    timezone: string,
    subject: string,
    sections: listOf({
      title: string,
      columns: { type: 'array', items: string },
      rows: { type: 'array', items: { type: 'array', items: string } },
      left_off: count,
    }),
  }),
};

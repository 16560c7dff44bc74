// What may be sent for time groups.
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import {
  checkTimeGroup,
  type HoursException,
  isDay,
  type OpeningTime,
  TIME_GROUP_DEFAULTS,
  type TimeGroup,
  WEEKDAYS,
  type Weekday,
  type WeeklyTime,
} from '../../domain/time-group.ts';
import {
  type Field,
  type JsonSchema,
  listOf,
  named,
  optional,
  outputSchema,
  pattern,
  readFields,
  shown,
  text,
} from '../../kinds/field.ts';
import { clockTime, group, zone } from '../../kinds/group.ts';
import { instant } from '../../kinds/moment.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { destination } from '../../kinds/reference-fields.ts';
import { object, STAMPS, string } from './output.ts';

/** Looked through for every call that asks whether it is open. */
export const MAX_WEEKLY = 50;
export const MAX_EXCEPTIONS = 200;
const MAX_TIMES = 10;

const endTime = pattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$/, 'a time such as 17:30, or 24:00');
const TIMES = { from: clockTime, to: endTime } as const;

const weekday: Field<Weekday> = {
  input: { enum: [...WEEKDAYS, 1, 2, 3, 4, 5, 6, 7], description: 'mon to sun, or 1 (Monday) to 7' },
  output: { enum: WEEKDAYS },
  read(value, at, faults) {
    const day = typeof value === 'number' ? WEEKDAYS[value - 1] : WEEKDAYS.find((each) => each === value);
    if (day === undefined) {
      const words = `one of ${WEEKDAYS.join(', ')}, or 1 to 7`;
      faults.add(at, 'value_not_allowed', `${named(at)} must be ${words}; it was ${shown(value)}.`);
    }
    return day;
  },
};

const day: Field<string> = {
  input: { type: 'string', pattern: '^([0-9]{4}-)?[0-9]{2}-[0-9]{2}$' },
  output: { type: 'string', pattern: '^([0-9]{4}-)?[0-9]{2}-[0-9]{2}$' },
  read(value, at, faults) {
    if (typeof value === 'string' && isDay(value)) return value;
    const words = 'a day: YYYY-MM-DD, or MM-DD for every year';
    faults.add(at, 'text_malformed', `${named(at)} must be ${words}; it was ${shown(value)}.`);
    return undefined;
  },
};

/** Stored in UTC, to the second. */
const closingMoment: Field<string> = {
  input: instant('closed until then').input,
  output: { type: 'string', format: 'date-time' },
  samples: ['2026-12-24T18:00:00.000Z'],
  read(value, at, faults) {
    const atMs = instant('closed until then').read(value, at, faults);
    return atMs === undefined ? undefined : new Date(atMs).toISOString();
  },
};

const openingTime: Field<OpeningTime> = group(TIMES, 'an object with from and to', (time) => time);
const weeklyTime: Field<WeeklyTime> = group(
  { days: listOf(weekday, { min: 1, max: 7, of: 'days' }), ...TIMES },
  'an object with days, from and to',
  ({ days, from, to }) => ({ days: WEEKDAYS.filter((each) => days.includes(each)), from, to }),
);
const EXCEPTION = {
  name: text({ min: 1, max: 100 }),
  from: day,
  to: { ...optional(day, null), output: day.output },
  hours: optional(listOf(openingTime, { min: 0, max: MAX_TIMES, of: 'times' }), []),
} as const;
const exception: Field<HoursException> = {
  ...group(EXCEPTION, 'an object with name, from, to and hours', ({ name, from, to, hours }) => ({
    name,
    from,
    to: to ?? from,
    hours,
  })),
  samples: [{ name: 'Christmas', from: '12-24', to: '12-26', hours: [{ from: '10:00', to: '12:00' }] }],
};

export const TIME_GROUP_FIELDS = {
  name: text({ min: 1, max: 100 }),
  timezone: zone,
  weekly: optional(listOf(weeklyTime, { min: 0, max: MAX_WEEKLY, of: 'times' }), []),
  exceptions: optional(listOf(exception, { min: 0, max: MAX_EXCEPTIONS, of: 'exceptions' }), []),
  open_destination: optional(destination(DESTINATION_KINDS), null),
  closed_destination: optional(destination(DESTINATION_KINDS), null),
  closed_until: optional(closingMoment, TIME_GROUP_DEFAULTS.closed_until),
} as const;

export function readTimeGroup(body: { readonly [name: string]: unknown }): TimeGroup | Problem {
  const faults = new Faults();
  const record = readFields(TIME_GROUP_FIELDS, body, faults);
  if (record.exceptions) checkTimeGroup(record, faults);
  return faults.list.length > 0 ? faults.toProblem() : record;
}

export const TIME_GROUP_QUERY = {
  at: optional(instant('whether it is open then; without it, now'), null),
} as const;

const { properties } = outputSchema(TIME_GROUP_FIELDS) as { properties: Record<string, JsonSchema> };
const shownGroup = {
  id: string,
  ...properties,
  open_now: { type: 'boolean' },
  exception_now: { type: ['string', 'null'], description: 'the exception that decides today' },
};

export const TIME_GROUP_SCHEMAS: Record<string, JsonSchema> = {
  TimeGroup: object({ ...shownGroup, ...STAMPS }),
  TimeGroupWithChange: object({
    ...shownGroup,
    next_change: { type: ['string', 'null'], format: 'date-time' },
    ...STAMPS,
  }),
};

// A time group: opening hours. Agents are offered calls within theirs; as a destination it sends calls one way
// while it is open and another while it is closed.

import { NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { type Field, listOf, named, optional, pattern, shown, text } from './field.ts';
import { clockTime, group, zone } from './group.ts';
import { KINDS } from './kinds.ts';
import { instant } from './moment.ts';
import type { Faults } from './problem.ts';
import { DESTINATION } from './reference-fields.ts';
import { isDay, WEEKDAYS, type Weekday } from './weekdays.ts';

/** Times of a wall clock, `HH:MM`. An end at or before the beginning lies on the next day; `24:00` is midnight. */
export interface OpeningTime {
  readonly from: string;
  readonly to: string;
}

export interface WeeklyTime extends OpeningTime {
  /** Those on which it begins. */
  readonly days: readonly Weekday[];
}

/** Days that differ from the week, such as holidays: `YYYY-MM-DD`, or `MM-DD` for every year; both ends included. */
export interface HoursException {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Open then; empty: closed all day. */
  readonly hours: readonly OpeningTime[];
}

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

export const timeGroupRecord = defineRecord(KINDS.timegroup, {
  fields: {
    name: NAME,
    timezone: zone,
    weekly: optional(listOf(weeklyTime, { min: 0, max: MAX_WEEKLY, of: 'times' }), []),
    exceptions: optional(listOf(exception, { min: 0, max: MAX_EXCEPTIONS, of: 'exceptions' }), []),
    open_destination: optional(DESTINATION, null),
    closed_destination: optional(DESTINATION, null),
    closed_until: optional(closingMoment, null),
  },
  means: {
    name: 'The name of the time group, as the console and agents show it.',
    timezone: 'Whose wall clock the times are, in summer and winter.',
    weekly: 'When it is open in an ordinary week. Empty: never, but for exceptions.',
    'weekly[].days': 'The days on which this time begins.',
    'weekly[].from': 'When it opens.',
    'weekly[].to': 'When it closes. At or before `from`: on the next day.',
    exceptions:
      'Holidays and other dates on which the week does not count. Of several that cover a day the first decides.',
    'exceptions[].name': 'Why the day is different, such as `Christmas`.',
    'exceptions[].from': 'The first day: `2026-12-30`, or `12-24` for every year.',
    'exceptions[].to': 'The last day, included. Without it: one day.',
    'exceptions[].hours': 'When it is open on those days. Empty: closed all day.',
    'exceptions[].hours[].from': 'When it opens on those days.',
    'exceptions[].hours[].to': 'When it closes on those days. At or before `from`: on the next day.',
    open_destination:
      'Where calls to `timegroup||<id>` go while it is open. Null where the group only serves as the hours of agents.',
    closed_until:
      'Closed until then, whatever the week and the exceptions say: for a meeting or an illness. Null, or a time that has passed: the week and the exceptions decide.',
    closed_destination: 'Where calls to `timegroup||<id>` go while it is closed.',
    open_now: 'Whether it is open at this moment, or at `at`.',
    exception_now: 'The name of the exception that decides today; null: the week does.',
    next_change: 'When it next opens or closes; null: not within 400 days.',
  },
  example: {
    name: 'Office hours',
    timezone: 'Europe/Berlin',
    weekly: [
      { days: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '17:30' },
      { days: ['fri'], from: '09:00', to: '15:00' },
    ],
    exceptions: [
      { name: 'Christmas', from: '12-24', to: '12-26', hours: [] },
      { name: 'Stock-taking', from: '2026-12-30', hours: [{ from: '13:00', to: '15:00' }] },
    ],
    open_destination: 'department||support',
    closed_destination: 'hangup||now',
  },
  check(group, faults) {
    if (group.exceptions) checkTimeGroup(group, faults);
  },
});

export type TimeGroup = DataOf<typeof timeGroupRecord>;

/** What no single field can know. */
export function checkTimeGroup({ exceptions }: Pick<TimeGroup, 'exceptions'>, faults: Faults): void {
  for (const [index, exception] of exceptions.entries()) {
    // A malformed one has its fault already, and left a hole.
    if (exception === undefined) continue;
    const { from, to } = exception;
    const at = `/exceptions/${index}/to`;
    const words = `exceptions ${index} to`;
    if (from.length !== to.length) {
      const message = `${words} must have the form of from: both with a year, or both without.`;
      faults.add(at, 'text_malformed', message);
    } else if (from.length === 'YYYY-MM-DD'.length && to < from) {
      faults.add(at, 'text_malformed', `${words} is ${to}, which is before ${from}.`);
    }
  }
}

// A time group: opening hours. Agents are offered calls within theirs; as a destination it sends calls one way
// while it is open and another while it is closed.
import { nextChange, openingAt } from '../flow/hours/opening.ts';
import { type HoursNode, type MinuteRange, referenceTo } from '../flow/node.ts';
import type { Faults } from '../kinds/problem.ts';

/** In the order of ISO 8601, in which Monday is 1. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

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

export interface TimeGroup {
  readonly name: string;
  /** An IANA name such as `Europe/Berlin`. */
  readonly timezone: string;
  readonly weekly: readonly WeeklyTime[];
  /** Of several that cover a day the first counts. */
  readonly exceptions: readonly HoursException[];
  readonly open_destination: string | null;
  readonly closed_destination: string | null;
  /** Closed until then, whatever the week and the exceptions say; null, or past: they decide. */
  readonly closed_until: string | null;
}

export const TIME_GROUP_DEFAULTS = { closed_until: null } as const satisfies Partial<TimeGroup>;

export function hoursNode(id: string, group: TimeGroup): HoursNode {
  return {
    kind: 'hours',
    ref: referenceTo('hours', id),
    name: group.name,
    zone: group.timezone,
    weekly: group.weekly.map(({ days, ...time }) => ({
      days: days.map((day) => WEEKDAYS.indexOf(day) + 1),
      ...minutesOf(time),
    })),
    exceptions: group.exceptions.map(({ name, from, to, hours }) => ({
      name,
      from,
      to,
      ranges: hours.map(minutesOf),
    })),
    openDestination: group.open_destination,
    closedDestination: group.closed_destination,
    closedUntilMs: group.closed_until === null ? null : Date.parse(group.closed_until),
  };
}

function minutesOf({ from, to }: OpeningTime): MinuteRange {
  return { from: minuteOf(from), to: minuteOf(to) };
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

export interface OpenNow {
  readonly open_now: boolean;
  /** The name of the exception that decides today; null: the week does. */
  readonly exception_now: string | null;
}

export function openNow(group: TimeGroup, atMs: number): OpenNow {
  const { open, exception } = openingAt(hoursNode('', group), atMs);
  return { open_now: open, exception_now: exception };
}

/** When open turns to closed or back; null: not within the next 400 days. */
export function nextTurn(group: TimeGroup, atMs: number): string | null {
  const nextMs = nextChange(hoursNode('', group), atMs);
  return nextMs === null ? null : new Date(nextMs).toISOString();
}

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

/** Whether there is such a day, `YYYY-MM-DD` or `MM-DD`; 29 February is one of every year's. */
export function isDay(text: string): boolean {
  const yearly = /^[0-9]{2}-[0-9]{2}$/.test(text);
  if (!yearly && !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const whole = yearly ? `2024-${text}` : text;
  const ms = Date.parse(`${whole}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(whole);
}

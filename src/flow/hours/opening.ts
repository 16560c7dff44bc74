// When a time group is open. The answer is a function of the zone's wall clock: if the clock is put back
// from 3:00 to 2:00, "from 2:30 on" begins twice, as people on the spot would say.

import type { DateException, HoursNode, MinuteRange } from '../node.ts';
import { DAY_MS, dateText, dayOf, offsetMs, weekdayOf } from './zone.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** A group that does not change within this time is taken never to change. */
const HORIZON_DAYS = 400;

type Times = Pick<HoursNode, 'zone' | 'weekly' | 'exceptions' | 'closedUntilMs'>;

export interface Opening {
  readonly open: boolean;
  /** The name of the exception that decided, if one did. */
  readonly exception: string | null;
}

export function openingAt(hours: Times, epochMs: number): Opening {
  if (isClosedByHand(hours, epochMs)) return { open: false, exception: null };
  const localMs = epochMs + offsetMs(hours.zone, epochMs);
  const day = dayOf(localMs);
  const minute = (localMs - day * DAY_MS) / MINUTE_MS;
  return {
    open: rangesOn(hours, day).some((range) => range.from <= minute && minute < range.to),
    exception: exceptionOn(hours, day)?.name ?? null,
  };
}

const isClosedByHand = ({ closedUntilMs }: Times, epochMs: number): boolean =>
  closedUntilMs !== undefined && closedUntilMs !== null && epochMs < closedUntilMs;

/** The next moment at which open turns to closed or back; null = not within the horizon. */
export function nextChange(hours: Times, epochMs: number): number | null {
  if (isClosedByHand(hours, epochMs)) {
    const untilMs = hours.closedUntilMs ?? epochMs;
    return openingAt(hours, untilMs).open ? untilMs : nextChange(hours, untilMs);
  }
  const { open } = openingAt(hours, epochMs);
  const today = dayOf(epochMs + offsetMs(hours.zone, epochMs));
  const firstChangeOn = (day: number): number | null =>
    // Its neighbours have the midnights between them; so a year without a change costs next to nothing.
    isAllDay(hours, day, open)
      ? null
      : (momentsOn(hours, day).find((at) => at > epochMs && openingAt(hours, at).open !== open) ?? null);
  // It starts a day early: a clock put back over midnight can make yesterday come again.
  for (let day = today - 1; day <= today + HORIZON_DAYS; day += 1) {
    const found = firstChangeOn(day);
    if (found === null) continue;
    // For the same reason a moment of the following day may come before it.
    return Math.min(found, firstChangeOn(day + 1) ?? found);
  }
  return null;
}

function isAllDay(hours: Times, day: number, open: boolean): boolean {
  const ranges = rangesOn(hours, day).filter(({ from, to }) => from < to);
  if (!open) return ranges.length === 0;
  let until = 0;
  for (const { from, to } of ranges.sort((one, other) => one.from - other.from)) {
    if (from > until) return false;
    until = Math.max(until, to);
  }
  return until >= DAY_MINUTES;
}

/** The ranges of one calendar day, cut at its midnights. */
export function rangesOn(hours: Times, day: number): MinuteRange[] {
  const exception = exceptionOn(hours, day);
  const own = startingOn(hours, day).map((range) => ({
    from: range.from,
    to: range.to > range.from ? range.to : DAY_MINUTES,
  }));
  // A listed date is the whole truth about its day: last evening's shift does not reach into a holiday.
  if (exception) return own;
  const reachingIn = startingOn(hours, day - 1)
    .filter((range) => range.to <= range.from)
    .map((range) => ({ from: 0, to: range.to }));
  return [...reachingIn, ...own];
}

function startingOn(hours: Times, day: number): readonly MinuteRange[] {
  const exception = exceptionOn(hours, day);
  if (exception) return exception.ranges;
  const weekday = weekdayOf(day);
  return hours.weekly.filter((range) => range.days.includes(weekday));
}

function exceptionOn(hours: Times, day: number): DateException | undefined {
  if (hours.exceptions.length === 0) return undefined;
  const date = dateText(day);
  return hours.exceptions.find((exception) => covers(exception, date));
}

function covers({ from, to }: DateException, date: string): boolean {
  const yearly = from.length === 5;
  const day = yearly ? date.slice(5) : date;
  // A yearly span such as 12-24 to 01-02 runs over New Year.
  if (yearly && from > to) return day >= from || day <= to;
  return from <= day && day <= to;
}

/** Every moment of a local day at which the answer may change: its boundaries and a change of the clock. */
function momentsOn(hours: Times, day: number): number[] {
  const minutes = new Set([0, DAY_MINUTES]);
  for (const range of rangesOn(hours, day)) minutes.add(range.from).add(range.to);
  const local = day * DAY_MS;
  // Zones lie between 12 hours behind and 14 ahead: these two moments hold the whole local day between them.
  const before = local - 15 * 3_600_000;
  const after = local + DAY_MS + 13 * 3_600_000;
  const offsets = new Set([offsetMs(hours.zone, before), offsetMs(hours.zone, after)]);
  const moments = offsets.size > 1 ? [clockChange(hours.zone, before, after)] : [];
  for (const offset of offsets) {
    for (const minute of minutes) moments.push(local + minute * MINUTE_MS - offset);
  }
  return moments.sort((one, other) => one - other);
}

function clockChange(zone: string, before: number, after: number): number {
  const old = offsetMs(zone, before);
  let low = before;
  let high = after;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(zone, middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

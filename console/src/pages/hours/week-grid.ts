// The week as a grid to paint, and as the rules of a time group. Internally it is one flag per minute of the week, so exact times
// and half hours mix, and nothing has to be split or merged.
import type { OpeningTime, WeeklyTime } from '../../../../src/kinds/time-group.ts';
import { WEEKDAYS } from '../../../../src/kinds/weekdays.ts';

const DAY = 1_440;
const WEEK = 7 * DAY;
export const SLOT = 30;
export const SLOTS = DAY / SLOT;

/** One byte per minute from Monday 0:00 on: 1 is open. Immutable. */
export type Week = Uint8Array;

export interface GridPosition {
  /** 0 is Monday. */
  readonly day: number;
  /** Half hours since midnight. */
  readonly slot: number;
}

export const EMPTY_WEEK: Week = new Uint8Array(WEEK);

/** Minutes of the week; `to` may be after Sunday's end. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function fill(week: Week, { from, to }: Span, open: boolean): Week {
  const next = week.slice();
  for (let minute = from; minute < to; minute++) next[minute % WEEK] = open ? 1 : 0;
  return next;
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const two = (number: number): string => String(number).padStart(2, '0');
export const clock = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** An end at or before the start is on the next day. */
function spanOf(day: number, { from, to }: OpeningTime): Span {
  const begin = day * DAY + minuteOf(from);
  const end = day * DAY + minuteOf(to);
  return { from: begin, to: end > begin ? end : end + DAY };
}

export function weekOf(rules: readonly WeeklyTime[]): Week {
  return rules.reduce(
    (week, rule) =>
      rule.days.reduce((each, day) => fill(each, spanOf(WEEKDAYS.indexOf(day), rule), true), week),
    EMPTY_WEEK,
  );
}

/** The open intervals. One that crosses Sunday's end is one interval. */
function spansOf(week: Week): Span[] {
  if (week.every((open) => open === 1)) return [{ from: 0, to: WEEK }];
  const spans: Span[] = [];
  for (let from = 0; from < WEEK; from++) {
    const before = week[(from + WEEK - 1) % WEEK];
    if (week[from] !== 1 || before === 1) continue;
    let to = from;
    while (week[to % WEEK] === 1) to++;
    spans.push({ from, to });
  }
  return spans;
}

/** Intervals of at most a day: a night shift stays whole, longer ones are cut at midnight. */
function piecesOf(span: Span): Span[] {
  if (span.to - span.from <= DAY) return [span];
  const pieces: Span[] = [];
  for (let from = span.from; from < span.to; ) {
    const to = Math.min(span.to, (Math.floor(from / DAY) + 1) * DAY);
    pieces.push({ from, to });
    from = to;
  }
  return pieces;
}

interface Piece extends OpeningTime {
  readonly day: number;
  readonly span: Span;
}

function piecesIn(week: Week): Piece[] {
  return spansOf(week)
    .flatMap(piecesOf)
    .map((span) => {
      const day = Math.floor(span.from / DAY);
      const end = span.to - day * DAY;
      return {
        day: day % 7,
        from: clock(span.from % DAY),
        // Midnight at the end of the day is 24:00; a night shift ends at a time of the next day.
        to: clock(end > DAY ? end - DAY : end),
        span,
      };
    });
}

/** Days with the same times share one rule. */
export function rulesOf(week: Week): WeeklyTime[] {
  const byTimes = new Map<string, number[]>();
  for (const { day, from, to } of piecesIn(week)) {
    const key = `${from} ${to}`;
    byTimes.set(key, [...(byTimes.get(key) ?? []), day]);
  }
  return [...byTimes]
    .map(([key, days]) => ({ days: days.sort((a, b) => a - b), from: key.slice(0, 5), to: key.slice(6) }))
    .sort((a, b) => (a.days[0] ?? 0) - (b.days[0] ?? 0) || a.from.localeCompare(b.from))
    .map(({ days, from, to }) => ({ days: WEEKDAYS.filter((_, day) => days.includes(day)), from, to }));
}

export function cellOf(week: Week, { day, slot }: GridPosition): 'open' | 'closed' | 'part' {
  const begin = day * DAY + slot * SLOT;
  let open = 0;
  for (let minute = begin; minute < begin + SLOT; minute++) open += week[minute] ?? 0;
  if (open === 0) return 'closed';
  return open === SLOT ? 'open' : 'part';
}

/** The rectangle between two corners, in any order. */
export function paint(week: Week, one: GridPosition, other: GridPosition, open: boolean): Week {
  const [first, last] = [Math.min(one.slot, other.slot), Math.max(one.slot, other.slot)];
  let next = week;
  for (let day = Math.min(one.day, other.day); day <= Math.max(one.day, other.day); day++)
    next = fill(next, { from: day * DAY + first * SLOT, to: day * DAY + (last + 1) * SLOT }, open);
  return next;
}

/** The intervals that start on a day, as text: `09:00-12:30, 14:00-18:00`. */
export function timesOn(week: Week, day: number): string {
  return piecesIn(week)
    .filter((piece) => piece.day === day)
    .sort((a, b) => a.from.localeCompare(b.from))
    .map(({ from, to }) => `${from}-${to}`)
    .join(', ');
}

/** The week with other times on a day, or null for an invalid text. */
export function withTimes(week: Week, day: number, text: string): Week | null {
  const times = readTimes(text);
  if (times === null) return null;
  const cleared = piecesIn(week)
    .filter((piece) => piece.day === day)
    .reduce((each, { span }) => fill(each, span, false), week);
  return times.reduce((each, time) => fill(each, spanOf(day, time), true), cleared);
}

/** Tolerant: accepts `9-12.30; 14:00 – 18`. Empty is closed. */
export function readTimes(text: string): OpeningTime[] | null {
  const times: OpeningTime[] = [];
  for (const part of text.slice(0, 500).split(/[,;\n]/)) {
    if (part.trim() === '') continue;
    const ends = part.split(/[-–—]/);
    const from = readClock(ends[0] ?? '');
    const to = readClock(ends[1] ?? '');
    if (from === null || to === null || ends.length !== 2 || from === '24:00') return null;
    times.push({ from, to });
  }
  return times;
}

function readClock(text: string): string | null {
  const match = /^([0-9]{1,2})(?:[:.]([0-9]{2}))?$/.exec(text.trim());
  if (!match) return null;
  const hour = Number(match[1]);
  const minute = Number(match[2] ?? 0);
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return null;
  return `${two(hour)}:${two(minute)}`;
}

/** The cell after an arrow key; null for other keys. The grid does not wrap. */
export function moved({ day, slot }: GridPosition, key: string, rightToLeft = false): GridPosition | null {
  const within = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
  const step = rightToLeft ? -1 : 1;
  switch (key) {
    case 'ArrowRight':
      return { day, slot: within(slot + step, SLOTS) };
    case 'ArrowLeft':
      return { day, slot: within(slot - step, SLOTS) };
    case 'ArrowDown':
      return { day: within(day + 1, 7), slot };
    case 'ArrowUp':
      return { day: within(day - 1, 7), slot };
    case 'Home':
      return { day, slot: 0 };
    case 'End':
      return { day, slot: SLOTS - 1 };
    default:
      return null;
  }
}

export const isWithin = (position: GridPosition, one: GridPosition, other: GridPosition): boolean =>
  position.day >= Math.min(one.day, other.day) &&
  position.day <= Math.max(one.day, other.day) &&
  position.slot >= Math.min(one.slot, other.slot) &&
  position.slot <= Math.max(one.slot, other.slot);

/** Open hours in a week. */
export const hoursOpen = (week: Week): number =>
  Math.round(week.reduce((sum, open) => sum + open, 0) / 6) / 10;

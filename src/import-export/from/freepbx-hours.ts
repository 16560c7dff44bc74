// Time groups of FreePBX: lines such as `09:00-17:00|mon-fri|*|*`, any of which makes the group match.
import type { Weekday } from '../../kinds/weekdays.ts';
import { WEEKDAYS } from '../../kinds/weekdays.ts';

export interface Hours {
  readonly weekly: readonly {
    readonly days: readonly Weekday[];
    readonly from: string;
    readonly to: string;
  }[];
  readonly exceptions: readonly {
    readonly name: string;
    readonly from: string;
    readonly to: string;
    readonly hours: readonly { readonly from: string; readonly to: string }[];
  }[];
  /** Lines that could not be taken over, each with its reason. */
  readonly left: readonly { readonly line: string; readonly reason: string }[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = /^([01]?[0-9]|2[0-3]):([0-5][0-9])$/;
const MIXED =
  'days of the year beside days of the week: here such a day replaces the week, and does not add to it';

export function readHours(lines: readonly string[]): Hours {
  const read = lines.map((line) => ({ line, ...ruleOf(line) }));
  const hasWeek = read.some(({ days, dates }) => days !== undefined && dates === undefined);
  const weekly = read.flatMap(({ days, dates, time }) => (days && !dates && time ? [{ days, ...time }] : []));
  const dated = read.filter(({ dates }) => dates !== undefined);
  const exceptions = hasWeek
    ? []
    : dated.flatMap(({ line, dates, time }) =>
        dates && time ? [{ name: line.slice(0, 100), ...dates, hours: [time] }] : [],
      );
  const left = read.flatMap(({ line, fault, dates }) => {
    const reason = fault ?? (dates && hasWeek ? MIXED : undefined);
    return reason === undefined ? [] : [{ line, reason }];
  });
  return { weekly, exceptions, left };
}

interface Rule {
  readonly fault?: string;
  readonly time?: { readonly from: string; readonly to: string };
  readonly days?: readonly Weekday[];
  readonly dates?: { readonly from: string; readonly to: string };
}

function ruleOf(line: string): Rule {
  const [times = '', weekdays = '*', monthDays = '*', months = '*'] = line
    .split('|')
    .map((part) => part.trim().toLowerCase());
  const time = timeOf(times);
  if (!time) return { fault: 'its times are not understood' };
  const days = daysOf(weekdays);
  if (!days) return { fault: 'its days of the week are not understood' };
  if (monthDays === '*' && months === '*') return { time, days };
  if (weekdays !== '*') return { fault: 'days of the week within a part of the year' };
  const dates = datesOf(monthDays, months);
  return dates ? { time, days, dates } : { fault: 'a part of each month, or months that are not understood' };
}

function timeOf(text: string): Rule['time'] | null {
  if (text === '*' || text === '') return { from: '00:00', to: '24:00' };
  const [from = '', to = from, ...more] = text.split('-').map((part) => part.trim());
  const [one, other] = [TIME.exec(from), TIME.exec(to)];
  if (!one || !other || more.length > 0) return null;
  const form = ([, hours = '', minutes = '']: RegExpExecArray): string =>
    `${hours.padStart(2, '0')}:${minutes}`;
  // The last minute is a part of it.
  return { from: form(one), to: form(other) === '23:59' ? '24:00' : form(other) };
}

function daysOf(text: string): readonly Weekday[] | null {
  if (text === '*' || text === '') return WEEKDAYS;
  const [from, to] = rangeOf(text, WEEKDAYS);
  if (from === undefined || to === undefined) return null;
  const length = ((to - from + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => WEEKDAYS[(from + index) % 7] ?? 'mon');
}

/** Days within one month, or whole months. */
function datesOf(monthDays: string, months: string): Rule['dates'] | null {
  const [first, last] = rangeOf(months, MONTHS);
  if (first === undefined || last === undefined) return null;
  const date = (month: number, day: number): string =>
    `${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  if (monthDays === '*') return { from: date(first, 1), to: date(last, daysIn(last)) };
  const [from = NaN, to = from] = monthDays.split('-').map(Number);
  const isDay = (day: number): boolean => Number.isInteger(day) && day >= 1 && day <= daysIn(first);
  return first === last && isDay(from) && isDay(to) && from <= to
    ? { from: date(first, from), to: date(first, to) }
    : null;
}

const daysIn = (month: number): number => new Date(Date.UTC(2024, month + 1, 0)).getUTCDate();

function rangeOf(text: string, words: readonly string[]): (number | undefined)[] {
  const [from = '', to = from] = text.split('-').map((part) => part.trim());
  return [from, to].map((word) => (words.includes(word) ? words.indexOf(word) : undefined));
}

// Numbers, dates and durations in the user's language and time zone.

type Moment = string | number | Date;

export function formats(language: string) {
  const dates = shortDates(language, {});
  const times = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const clocks = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const both = shortDates(language, { hour: 'numeric', minute: '2-digit' });
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const relatives = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const read =
    (format: { format(date: Date): string }) =>
    (moment: Moment): string => {
      const date = new Date(moment);
      return Number.isNaN(date.getTime()) ? '' : format.format(date);
    };
  return {
    date: read(dates),
    time: read(times),
    dateTime: read(both),
    /** For lists: the time alone if it is today, else as dateTime. */
    brief: read({ format: (date) => (isSameDay(date, new Date()) ? clocks : both).format(date) }),
    number: (value: number): string => numbers.format(value),
    /** 0.25 → 25 %; null (no data) → a dash. */
    percent: (rate: number | null): string => (rate === null ? '–' : percents.format(rate)),
    /** 83,000 ms → 1:23; an hour and more → 1:00:00. */
    duration: clock,
    /** “5 minutes ago”. */
    relative(moment: Moment, nowMs: number = Date.now()): string {
      const seconds = Math.round((new Date(moment).getTime() - nowMs) / 1000);
      const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
      return relatives.format(Math.trunc(seconds / size), unit);
    },
  };
}

/** The year stands only where it is another one. */
function shortDates(language: string, time: Intl.DateTimeFormatOptions): { format(date: Date): string } {
  const thisYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', ...time });
  const otherYear = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...time,
  });
  return {
    format: (date) => (date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear).format(date),
  };
}

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

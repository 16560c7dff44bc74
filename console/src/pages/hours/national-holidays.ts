// The national holidays of countries and their parts, by the package date-holidays: a large chunk, loaded when its list is opened.
import type { DateDraft } from './hours-draft.ts';

export interface NationalHoliday {
  readonly name: string;
  readonly from: string;
  /** The last day; empty: it is one day. */
  readonly to: string;
  /** False: a day that is marked but not free, such as an observance. */
  readonly isPublic: boolean;
}

interface Place {
  readonly value: string;
  readonly label: string;
}

interface Found {
  /** As `YYYY-MM-DD hh:mm:ss`, in the zone of the place. */
  readonly date: string;
  readonly start: Date;
  readonly end: Date;
  readonly name: string;
  readonly type: string;
}

export interface Calendar {
  countries(language: string): readonly Place[];
  states(country: string, language: string): readonly Place[];
  year(place: Pick<Asked, 'country' | 'state' | 'language'>, year: number): readonly Found[];
}

interface Asked {
  readonly country: string;
  /** Empty: the whole country. */
  readonly state: string;
  readonly from: string;
  readonly language: string;
}

const DAY_MS = 86_400_000;
/** The API's limit. */
const MAX_EXCEPTIONS = 200;
const TYPES = ['public', 'bank', 'optional', 'observance'];

const places = (names: Readonly<Record<string, string>> | undefined): Place[] =>
  Object.entries(names ?? {})
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));

export async function loadCalendar(): Promise<Calendar> {
  const { default: Holidays } = await import('date-holidays');
  return {
    countries: (language) => places(new Holidays().getCountries(language)),
    states: (country, language) => places(new Holidays().getStates(country, language)),
    year: ({ country, state, language }, year) =>
      (state === '' ? new Holidays(country) : new Holidays(country, state)).getHolidays(year, language) ?? [],
  };
}

/** The holidays of two years, in order. */
export function holidaysOf(calendar: Calendar, asked: Asked): NationalHoliday[] {
  const year = Number(asked.from.slice(0, 4));
  return [year, year + 1]
    .flatMap((each) => calendar.year(asked, each))
    .filter(({ type, date }) => TYPES.includes(type) && date.slice(0, 10) >= asked.from)
    .map(({ name, date, start, end, type }) => {
      const from = date.slice(0, 10);
      const days = Math.round((end.getTime() - start.getTime()) / DAY_MS);
      const last = new Date(Date.parse(`${from}T00:00:00Z`) + (days - 1) * DAY_MS);
      const to = days > 1 ? last.toISOString().slice(0, 10) : '';
      return { name: name.slice(0, 100), from, to, isPublic: type === 'public' || type === 'bank' };
    })
    .toSorted((one, other) => one.from.localeCompare(other.from));
}

/** Adds those whose day is not listed yet. */
export function withHolidays(
  dates: readonly DateDraft[],
  holidays: readonly Omit<NationalHoliday, 'isPublic'>[],
): readonly DateDraft[] {
  const known = new Set(dates.map(({ from }) => from));
  const added: DateDraft[] = [];
  for (const { name, from, to } of holidays) {
    if (known.has(from) || dates.length + added.length >= MAX_EXCEPTIONS) continue;
    known.add(from);
    added.push({ name, from, to, times: '' });
  }
  return [...dates, ...added];
}

// The filters of the list of calls, kept in the URL, so that a search can be bookmarked and shared.
import { OUTCOMES as CALL_OUTCOMES, OLD_OUTCOMES, UNANSWERED } from '../../../../src/domain/past-call.ts';

/** As typed; empty: no filter. */
export const FILTER_NAMES = [
  'q',
  'caller',
  'number',
  'agent',
  'department',
  'ivr',
  'outcome',
  'direction',
  'from',
  'to',
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = Readonly<Record<FilterName, string>>;

export const NO_FILTERS: Filters = {
  q: '',
  caller: '',
  number: '',
  agent: '',
  department: '',
  ivr: '',
  outcome: '',
  direction: '',
  from: '',
  to: '',
};

export const OUTCOMES = [...CALL_OUTCOMES, ...OLD_OUTCOMES, UNANSWERED] as const;
export const DIRECTIONS = ['inbound', 'internal', 'outbound'] as const;

const oneOf = <Word extends string>(words: readonly Word[], text: string): Word | undefined =>
  words.find((word) => word === text);

export function filtersOf(query: URLSearchParams): Filters {
  const filters: Record<FilterName, string> = { ...NO_FILTERS };
  for (const name of FILTER_NAMES) filters[name] = (query.get(name) ?? '').trim().slice(0, 128);
  return filters;
}

/** The query of the page's URL: '' or '?…'. */
export function addressOf(filters: Filters): string {
  const query = new URLSearchParams();
  for (const name of FILTER_NAMES) if (filters[name] !== '') query.set(name, filters[name]);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

export const isNarrowed = (filters: Filters): boolean => FILTER_NAMES.some((name) => filters[name] !== '');

/** The query of GET /v1/call/records and of its CSV. Days are in the user's zone; the last one is included. */
export function questionOf(filters: Filters) {
  const outcome = oneOf(OUTCOMES, filters.outcome);
  const direction = oneOf(DIRECTIONS, filters.direction);
  const from = dayStart(filters.from, 0);
  const to = dayStart(filters.to, 1);
  return {
    ...(filters.q === '' ? {} : { q: filters.q.slice(0, 100) }),
    ...(filters.caller === '' ? {} : { caller: filters.caller }),
    ...(filters.number === '' ? {} : { number: filters.number }),
    ...(filters.agent === '' ? {} : { agent: filters.agent }),
    ...(filters.department === '' ? {} : { department: filters.department }),
    ...(filters.ivr === '' ? {} : { ivr: filters.ivr }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(direction === undefined ? {} : { direction }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight of that day (or some days later) in the user's zone; days differ in length twice a year. */
function dayStart(day: string, after: number): string | null {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const midnight = new Date(Number(year), Number(month) - 1, Number(date) + after);
  return Number.isNaN(midnight.getTime()) ? null : midnight.toISOString();
}

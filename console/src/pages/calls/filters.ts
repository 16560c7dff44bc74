// The filters of the list of calls, kept in the URL, so that a search can be bookmarked and shared.
import {
  OUTCOMES as CALL_OUTCOMES,
  OLD_OUTCOMES,
  TALKED,
  UNANSWERED,
} from '../../../../src/domain/past-call.ts';

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
  'queue',
  'offered',
  'unanswered_by',
  'open',
  'from',
  'to',
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
/** `open`: only calls whose callers have to be called back; it has days and outcomes of its own. */
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
  queue: '',
  offered: '',
  unanswered_by: '',
  open: '',
  from: '',
  to: '',
};

export const OUTCOMES = [...CALL_OUTCOMES, ...OLD_OUTCOMES, UNANSWERED, TALKED] as const;
/** What became of a call in a queue. */
export const QUEUES = ['any', 'answered', 'in_time', 'late', 'abandoned', 'left'] as const;
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

/** The calls behind the overview's number. */
export const OPEN_CALLS = addressOf({ ...NO_FILTERS, open: 'yes' });

export const isNarrowed = (filters: Filters): boolean => FILTER_NAMES.some((name) => filters[name] !== '');

/** The query of GET /v1/call/records and of its CSV. Days are in the user's zone; the last one is included. */
export function questionOf(filters: Filters) {
  const outcome = oneOf(OUTCOMES, filters.outcome);
  const direction = oneOf(DIRECTIONS, filters.direction);
  const queue = oneOf(QUEUES, filters.queue);
  const from = momentOf(filters.from) ?? dayStart(filters.from, 0);
  const to = momentOf(filters.to) ?? dayStart(filters.to, 1);
  return {
    ...(filters.q === '' ? {} : { q: filters.q.slice(0, 100) }),
    ...(filters.caller === '' ? {} : { caller: filters.caller }),
    ...(filters.number === '' ? {} : { number: filters.number }),
    ...(filters.agent === '' ? {} : { agent: filters.agent }),
    ...(filters.department === '' ? {} : { department: filters.department }),
    ...(filters.ivr === '' ? {} : { ivr: filters.ivr }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(direction === undefined ? {} : { direction }),
    ...(queue === undefined ? {} : { queue }),
    ...(filters.offered === '' ? {} : { offered: filters.offered }),
    ...(filters.unanswered_by === '' ? {} : { unanswered_by: filters.unanswered_by }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** A time of day, as statistics of an hour name it; null: a day or nothing. */
export function momentOf(text: string): string | null {
  const moment = new Date(MOMENT.test(text) ? text : Number.NaN);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight of that day (or some days later) in the user's zone; days differ in length twice a year. */
function dayStart(day: string, after: number): string | null {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const midnight = new Date(Number(year), Number(month) - 1, Number(date) + after);
  return Number.isNaN(midnight.getTime()) ? null : midnight.toISOString();
}

// Statistics of one menu and of all calls: sums of what call records say, in days and hours of the viewer's time zone.
import { offsetAt, quarterOfLocal } from '../../domain/calendar.ts';
import { QUARTER_MS } from '../../domain/call-counts.ts';
import { menuStatistics } from '../../domain/statistics.ts';
import type { StepKind } from '../../domain/step-counts.ts';
import type { RecordOf } from '../../kinds/field.ts';
import type { Moment } from '../../kinds/moment.ts';
import { Faults, isProblem, type Problem } from '../../kinds/problem.ts';
import {
  type AccountStatistics,
  accountStatistics,
  BUCKET_QUARTERS,
  bySubject,
  countsOver,
  DAY_QUARTERS,
  describeSpan,
  type Span,
} from '../../statistics/account-statistics.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { unknownRecord } from '../records/collection.ts';
import { IVRS_STATISTICS_QUERY, STATISTICS_QUERY } from '../schemas/statistics.ts';

export const MAX_BUCKETS = 1000;
/** Menus in one answer: those with the most visits. */
export const MAX_MENUS = 5000;
export const MAX_MENU_DAYS = 400;

type Query = RecordOf<typeof STATISTICS_QUERY>;

export const getIvrStatistics: Handler = async (request, context) => {
  const query = readQuery(STATISTICS_QUERY, request);
  if (isProblem(query)) return query;
  const span = spanOf(request, query);
  if (isProblem(span)) return span;
  const id = request.params['id'] ?? '';
  const { totals, buckets } = await countsOver(context.storage, span, `ivr||${id}`);
  // A menu that was deleted keeps its past.
  const address = { accountId: request.account.id, kind: 'ivr', id } as const;
  if (totals.size === 0 && !(await context.storage.getRecord(address))) return unknownRecord('ivr');
  const data = buckets.map(({ start, sums }) => ({ start, ...menuStatistics(sums) }));
  return { status: 200, json: { ivr: id, ...describeSpan(span), totals: menuStatistics(totals), data } };
};

/** All menus at once, so that a whole map is painted by one request. Menus without a visit are left out. */
export const listIvrStatistics: Handler = async (request, context) => {
  const query = readQuery(IVRS_STATISTICS_QUERY, request);
  if (isProblem(query)) return query;
  const span = spanOf(request, { ...query, by: 'none' }, MAX_MENU_DAYS);
  if (isProblem(span)) return span;
  const menus = bySubject(await context.storage.compareCounts({ ...span, kind: 'ivr' })).map(
    ([ivr, sums]) => ({
      ivr,
      ...menuStatistics(sums),
    }),
  );
  // Stable, so that menus with as many visits stay in the order of their ids.
  const data = menus.sort((a, b) => b.visits - a.visits).slice(0, MAX_MENUS);
  const { from, to, timezone } = describeSpan(span);
  return { status: 200, json: { from, to, timezone, data, left_off: menus.length - data.length } };
};

export const getStatistics: Handler = async (request, context) => {
  const statistics = await statisticsFor(request, context, readQuery(STATISTICS_QUERY, request));
  return isProblem(statistics) ? statistics : { status: 200, json: statistics };
};

/** Also for the sheets. */
export async function statisticsFor(
  request: ApiRequest,
  { storage }: ApiContext,
  query: Query | Problem,
): Promise<AccountStatistics | Problem> {
  if (isProblem(query)) return query;
  const span = spanOf(request, query);
  if (isProblem(span)) return span;
  const directory = await request.directory();
  const names = {
    agent: (eid: string) => directory.agents.get(eid)?.data.name ?? null,
    department: (id: string) => directory.departments.get(id)?.data.name ?? null,
    step: (kind: StepKind, id: string) => directory[`${kind}s`].get(id)?.data.name ?? null,
  };
  return accountStatistics(storage, span, names, request.account.settings.service_level_seconds);
}

/** Whole quarters: the beginning is rounded down, the end up, and the answer says to what. */
function spanOf(request: ApiRequest, query: Query, most = MAX_BUCKETS): Span | Problem {
  const { timezone: zone, by } = query;
  const toQuarter = query.to
    ? quarterOf(query.to, zone, Math.ceil)
    : Math.ceil((request.nowMs + 1) / QUARTER_MS);
  const fromQuarter = query.from ? quarterOf(query.from, zone, Math.floor) : weekBefore(zone, toQuarter);
  const fault = spanFault(fromQuarter, toQuarter, by, most);
  if (fault === null) return { accountId: request.account.id, fromQuarter, toQuarter, zone, by };
  const faults = new Faults();
  faults.add('/to', 'value_not_allowed', fault);
  return faults.toProblem('query_invalid');
}

function spanFault(from: number, to: number, by: Query['by'], most: number): string | null {
  if (to <= from) return 'to must be later than from.';
  return to - from > most * BUCKET_QUARTERS[by]
    ? `At most ${most} ${by === 'hour' ? 'hours' : 'days'} can be asked for.`
    : null;
}

/** A date alone begins at midnight in the viewer's zone. */
function quarterOf({ epochMs, dateOnly }: Moment, zone: string, round: (value: number) => number): number {
  return dateOnly ? quarterOfLocal(zone, epochMs / QUARTER_MS) : round(epochMs / QUARTER_MS);
}

/** Midnight six days before today: with today they are seven. */
function weekBefore(zone: string, toQuarter: number): number {
  const today = Math.floor((toQuarter - 1 + offsetAt(zone, toQuarter - 1)) / DAY_QUARTERS);
  return quarterOfLocal(zone, (today - 6) * DAY_QUARTERS);
}

// Statistics of one menu and of all calls: sums of what call records say, in days and hours of the viewer's time zone.
import { localTime, offsetAt, quarterOfLocal, stretchesOf } from '../../domain/calendar.ts';
import { ALL_CALLS, QUARTER_MS } from '../../domain/call-counts.ts';
import { Faults, isProblem, type Problem } from '../../domain/problem.ts';
import {
  agentStatistics,
  callStatistics,
  departmentStatistics,
  menuStatistics,
  type Sums,
} from '../../domain/statistics.ts';
import type { ComparedKind, CountOf, StatisticsStorage } from '../../storage/ports/statistics.ts';
import type { ApiRequest, Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { unknownRecord } from '../records/collection.ts';
import type { RecordOf } from '../schemas/field.ts';
import type { Moment } from '../schemas/moment.ts';
import { IVRS_STATISTICS_QUERY, STATISTICS_QUERY } from '../schemas/statistics.ts';

export const MAX_BUCKETS = 1000;
/** Menus in one answer: those with the most visits. */
export const MAX_MENUS = 5000;
export const MAX_MENU_DAYS = 400;
const BUCKET_QUARTERS = { hour: 4, day: 96, none: 96 } as const;
const DAY = 96;

type Query = RecordOf<typeof STATISTICS_QUERY>;

interface Span {
  readonly accountId: string;
  readonly fromQuarter: number;
  readonly toQuarter: number;
  readonly zone: string;
  readonly by: 'hour' | 'day' | 'none';
}

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
  const query = readQuery(STATISTICS_QUERY, request);
  if (isProblem(query)) return query;
  const span = spanOf(request, query);
  if (isProblem(span)) return span;
  const compared = (kind: ComparedKind) => context.storage.compareCounts({ ...span, kind });
  const [{ totals, buckets }, agents, departments, directory] = await Promise.all([
    countsOver(context.storage, span, ALL_CALLS),
    compared('extension'),
    compared('department'),
    request.directory(),
  ]);
  const data = buckets.map(({ start, sums }) => ({ start, ...callStatistics(sums) }));
  return {
    status: 200,
    json: {
      ...describeSpan(span),
      totals: callStatistics(totals),
      data,
      agents: bySubject(agents).map(([eid, sums]) => ({
        eid,
        name: directory.agents.get(eid)?.data.name ?? null,
        ...agentStatistics(sums),
      })),
      departments: bySubject(departments).map(([id, sums]) => ({
        id,
        name: directory.departments.get(id)?.data.name ?? null,
        ...departmentStatistics(sums),
      })),
    },
  };
};

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
  const today = Math.floor((toQuarter - 1 + offsetAt(zone, toQuarter - 1)) / DAY);
  return quarterOfLocal(zone, (today - 6) * DAY);
}

interface Bucket {
  readonly start: string;
  readonly sums: Map<string, number>;
}

async function countsOver(
  storage: StatisticsStorage,
  span: Span,
  subject: string,
): Promise<{ totals: Sums; buckets: readonly Bucket[] }> {
  const { accountId, zone, by } = span;
  const bucketQuarters = BUCKET_QUARTERS[by];
  const totals = new Map<string, number>();
  const buckets = new Map<string, Bucket>();
  for (const stretch of stretchesOf(zone, span.fromQuarter, span.toQuarter)) {
    const offset = stretch.offsetQuarters;
    // The hour that is shown twice in autumn is two hours; the day it belongs to is one day.
    const place = (bucket: number): string => (by === 'hour' ? `${offset} ${bucket}` : `${bucket}`);
    const first = Math.floor((stretch.fromQuarter + offset) / bucketQuarters);
    const last = Math.floor((stretch.toQuarter - 1 + offset) / bucketQuarters);
    // By number within the stretch: a text for each value would cost more than the sum itself.
    const here: Bucket[] = [];
    for (let bucket = first; bucket <= last; bucket++) {
      const known = buckets.get(place(bucket)) ?? { start: startOf(span, bucket, offset), sums: new Map() };
      buckets.set(place(bucket), known);
      here.push(known);
    }
    const counted = await storage.sumCounts({ accountId, subject, ...stretch, bucketQuarters });
    for (const { measure, buckets: at, values } of counted) {
      for (const [index, bucket] of at.entries()) {
        const value = values[index] ?? 0;
        if (value === 0) continue;
        totals.set(measure, (totals.get(measure) ?? 0) + value);
        const sums = here[bucket - first]?.sums;
        sums?.set(measure, (sums.get(measure) ?? 0) + value);
      }
    }
  }
  return { totals, buckets: by === 'none' ? [] : [...buckets.values()] };
}

function startOf({ zone, by }: Span, bucket: number, offset: number): string {
  if (by === 'hour') return localTime(bucket * 4 - offset, offset);
  const quarter = quarterOfLocal(zone, bucket * DAY);
  return localTime(quarter, offsetAt(zone, quarter));
}

function describeSpan({ fromQuarter, toQuarter, zone, by }: Span) {
  const time = (quarter: number): string => localTime(quarter, offsetAt(zone, quarter));
  return { from: time(fromQuarter), to: time(toQuarter), timezone: zone, by };
}

function bySubject(counts: readonly CountOf[]): [id: string, sums: Sums][] {
  const subjects = new Map<string, Map<string, number>>();
  for (const { subject, measure, value } of counts) {
    const id = subject.slice(subject.indexOf('||') + 2);
    const sums = subjects.get(id) ?? new Map<string, number>();
    subjects.set(id, sums.set(measure, value));
  }
  return [...subjects].sort(([a], [b]) => (a < b ? -1 : 1));
}

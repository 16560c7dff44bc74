// Figures of an account over a span of time: sums of what call records say, in days and hours of a time zone. The API, the sheets and the
// report by mail all take them from here.
import { localTime, offsetAt, quarterOfLocal, stretchesOf } from '../domain/calendar.ts';
import { ALL_CALLS } from '../domain/call-counts.ts';
import { parkingSpot } from '../domain/parking-spot.ts';
import {
  agentStatistics,
  callStatistics,
  departmentStatistics,
  queueStatistics,
  type Sums,
  stepStatistics,
} from '../domain/statistics.ts';
import { STEP_KINDS, type StepKind } from '../domain/step-counts.ts';
import type { ComparedKind, CountOf, StatisticsStorage } from '../storage/ports/statistics.ts';

export const BUCKET_QUARTERS = { hour: 4, day: 96, none: 96 } as const;
export const DAY_QUARTERS = 96;

export interface Span {
  readonly accountId: string;
  readonly fromQuarter: number;
  /** Not included. */
  readonly toQuarter: number;
  readonly zone: string;
  readonly by: 'hour' | 'day' | 'none';
}

/** Names of what is configured now: what was deleted has none. */
export interface Names {
  agent(eid: string): string | null;
  department(id: string): string | null;
  step(kind: StepKind, id: string): string | null;
}

export type AccountStatistics = Awaited<ReturnType<typeof accountStatistics>>;

/** Sorted by name; what was deleted comes last. */
export async function accountStatistics(
  storage: StatisticsStorage,
  span: Span,
  names: Names,
  serviceLevelSeconds: number,
) {
  const compared = (kind: ComparedKind) => storage.compareCounts({ ...span, kind });
  const [{ totals, buckets }, agents, departments, ...steps] = await Promise.all([
    countsOver(storage, span, ALL_CALLS),
    compared('extension'),
    compared('department'),
    ...STEP_KINDS.map(compared),
  ]);
  const figures = (sums: Sums) => ({
    ...callStatistics(sums),
    queue: queueStatistics(sums, serviceLevelSeconds),
  });
  return {
    ...describeSpan(span),
    service_level_seconds: serviceLevelSeconds,
    totals: figures(totals),
    data: buckets.map(({ start, sums }) => ({ start, ...figures(sums) })),
    agents: byName(
      bySubject(agents).map(([eid, sums]) => ({ eid, name: names.agent(eid), ...agentStatistics(sums) })),
    ),
    departments: byName(
      bySubject(departments)
        // Earlier versions counted parked calls.
        .filter(([id]) => parkingSpot(id) === null)
        .map(([id, sums]) => ({
          id,
          name: names.department(id),
          ...departmentStatistics(sums),
          queue: queueStatistics(sums, serviceLevelSeconds),
        })),
    ),
    steps: byName(
      STEP_KINDS.flatMap((kind, index) =>
        bySubject(steps[index] ?? []).map(([id, sums]) => ({
          kind,
          id,
          name: names.step(kind, id),
          ...stepStatistics(sums),
        })),
      ),
    ),
  };
}

const BY_NAME = new Intl.Collator('en', { numeric: true });

function byName<Row extends { readonly name: string | null }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => {
    if (a.name === null || b.name === null) return Number(a.name === null) - Number(b.name === null);
    return BY_NAME.compare(a.name, b.name);
  });
}

interface Bucket {
  readonly start: string;
  readonly sums: Map<string, number>;
}

export async function countsOver(
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
  const quarter = quarterOfLocal(zone, bucket * DAY_QUARTERS);
  return localTime(quarter, offsetAt(zone, quarter));
}

export function describeSpan({ fromQuarter, toQuarter, zone, by }: Span) {
  const time = (quarter: number): string => localTime(quarter, offsetAt(zone, quarter));
  return { from: time(fromQuarter), to: time(toQuarter), timezone: zone, by };
}

export function bySubject(counts: readonly CountOf[]): [id: string, sums: Sums][] {
  const subjects = new Map<string, Map<string, number>>();
  for (const { subject, measure, value } of counts) {
    const id = subject.slice(subject.indexOf('||') + 2);
    const sums = subjects.get(id) ?? new Map<string, number>();
    subjects.set(id, sums.set(measure, value));
  }
  return [...subjects].sort(([a], [b]) => (a < b ? -1 : 1));
}

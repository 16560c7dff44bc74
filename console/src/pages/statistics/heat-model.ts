// The cells of the heat map: one for each hour of each day, with how strongly it is shaded.
import type { AccountStatistics } from './chart-model.ts';

export const HEAT_MEASURES = ['calls', 'abandoned', 'service_level'] as const;
export type HeatMeasure = (typeof HEAT_MEASURES)[number];
/** Shades; 0 is none. */
export const LEVELS = 5;

type Hour = Pick<AccountStatistics['data'][number], 'start' | 'calls' | 'queue'>;

export interface HeatCell {
  /** Null if there is nothing to divide by. */
  readonly value: number | null;
  /** How many calls are behind it. */
  readonly calls: number;
  readonly level: number;
  readonly from: string;
  readonly to: string;
}

export interface HeatRow {
  readonly day: string;
  /** By hour of the day. The hour that occurs twice in autumn is one cell. */
  readonly cells: readonly (HeatCell | undefined)[];
}

export interface Heat {
  readonly rows: readonly HeatRow[];
  /** Hours before and after which there were no calls at all are left out. */
  readonly firstHour: number;
  readonly lastHour: number;
}

interface Sum {
  calls: number;
  came: number;
  inTime: number;
  abandoned: number;
  readonly from: string;
  lastStart: string;
}

export function heatOf(hours: readonly Hour[], measure: HeatMeasure): Heat {
  const days = new Map<string, (Sum | undefined)[]>();
  let [firstHour, lastHour] = [23, 0];
  for (const { start, calls, queue } of hours) {
    const [day, hour] = [start.slice(0, 10), Number(start.slice(11, 13))];
    const sums = days.get(day) ?? [];
    days.set(day, sums);
    const sum = sums[hour] ?? { calls: 0, came: 0, inTime: 0, abandoned: 0, from: start, lastStart: start };
    sums[hour] = sum;
    sum.calls += calls;
    sum.came += queue.calls;
    sum.inTime += queue.answered_in_time;
    sum.abandoned += queue.abandoned;
    sum.lastStart = start;
    if (calls > 0) [firstHour, lastHour] = [Math.min(firstHour, hour), Math.max(lastHour, hour)];
  }
  if (firstHour > lastHour) [firstHour, lastHour] = [0, 23];
  const all = [...days.values()].flat().flatMap((sum) => (sum ? [sum] : []));
  const highest = Math.max(1, ...all.map((sum) => measured(sum, measure) ?? 0));
  const rows = [...days].map(([day, sums]) => ({
    day,
    cells: Array.from({ length: 24 }, (_, hour) => cellOf(sums[hour], measure, highest)),
  }));
  return { rows, firstHour, lastHour };
}

function measured({ calls, came, inTime, abandoned }: Sum, measure: HeatMeasure): number | null {
  if (measure === 'calls') return calls;
  if (measure === 'abandoned') return abandoned;
  return came === 0 ? null : inTime / came;
}

function cellOf(sum: Sum | undefined, measure: HeatMeasure, highest: number): HeatCell | undefined {
  if (!sum) return undefined;
  const value = measured(sum, measure);
  // A low service level is what needs attention: it is shaded most.
  const share = measure === 'service_level' ? 1 - (value ?? 1) : (value ?? 0) / highest;
  const behind = { calls: sum.calls, abandoned: sum.abandoned, service_level: sum.came };
  const to = new Date(Date.parse(sum.lastStart) + 3_600_000).toISOString();
  return { value, calls: behind[measure], level: Math.ceil(share * LEVELS), from: sum.from, to };
}

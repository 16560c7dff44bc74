// The data of the charts: calls by day and by hour of the day, stacked, with a scale of round numbers.
import type { Operations } from '../../../../client/operations.ts';
import { COUNTED_OUTCOMES } from '../../../../src/domain/statistics.ts';

export type AccountStatistics = Operations['getStatistics']['answer'];
type Bucket = AccountStatistics['data'][number];

export interface Bar {
  /** A date, or an hour from 00 to 23. */
  readonly id: string;
  readonly calls: number;
  readonly answered: number;
}

/** The date of a local time such as 2026-10-25T00:00:00+02:00. */
const dateIn = (localTime: string): string => localTime.slice(0, 10);
const hourIn = (localTime: string): number => Number(localTime.slice(11, 13));

type Counted = Pick<Bucket, 'start' | 'calls' | 'talked'>;

export function barsByDay(data: readonly Counted[]): readonly Bar[] {
  return data.map((bucket) => ({
    id: dateIn(bucket.start),
    calls: bucket.calls,
    answered: bucket.talked,
  }));
}

/** The sum over all days by hour of the day. The hour that occurs twice in autumn is one here. */
export function barsByHour(data: readonly Counted[]): readonly Bar[] {
  const hours = Array.from({ length: 24 }, () => ({ calls: 0, answered: 0 }));
  for (const bucket of data) {
    const hour = hours[hourIn(bucket.start)];
    if (!hour) continue;
    hour.calls += bucket.calls;
    hour.answered += bucket.talked;
  }
  return hours.map((hour, index) => ({ id: String(index).padStart(2, '0'), ...hour }));
}

/** The upper end of the scale and its ticks: 1, 2 or 5 times a power of ten apart. */
export function scaleOf(
  highest: number,
  lines = 4,
): { readonly top: number; readonly ticks: readonly number[] } {
  const rough = Math.max(1, highest) / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const count = Math.max(1, Math.ceil(highest / step));
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

/** Which bars have a name below, so that names do not overlap. */
export function namedEvery(bars: number, room: number): number {
  return Math.max(1, Math.ceil(bars / Math.max(1, room)));
}

export interface OutcomeShare {
  readonly outcome: (typeof COUNTED_OUTCOMES)[number];
  readonly count: number;
  readonly share: number;
}

export function outcomesOf(totals: AccountStatistics['totals']): readonly OutcomeShare[] {
  // Calls of earlier versions alone have the old ones.
  const shown = COUNTED_OUTCOMES.filter((outcome) => outcome !== 'failed' || totals[outcome] > 0);
  return shown.map((outcome) => ({
    outcome,
    count: totals[outcome],
    share: totals.calls === 0 ? 0 : totals[outcome] / totals.calls,
  }));
}

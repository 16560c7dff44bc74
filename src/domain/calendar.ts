// Days and hours of a time zone over quarters of an hour: where one begins, and how the zone's clocks differ from UTC meanwhile.
// Every zone's offset is a multiple of a quarter of an hour today, so nothing is rounded.
import { offsetMs } from '../flow/hours/zone.ts';
import { QUARTER_MS } from './call-counts.ts';

/** Quarters during which the zone's offset is the same. */
export interface Stretch {
  readonly fromQuarter: number;
  readonly toQuarter: number;
  readonly offsetQuarters: number;
}

const LOOK = 96;

export const offsetAt = (zone: string, quarter: number): number =>
  Math.round(offsetMs(zone, quarter * QUARTER_MS) / QUARTER_MS);

export function stretchesOf(zone: string, fromQuarter: number, toQuarter: number): Stretch[] {
  const stretches: Stretch[] = [];
  let from = fromQuarter;
  let offset = offsetAt(zone, from);
  for (let at = from; at < toQuarter; ) {
    const next = Math.min(toQuarter, at + LOOK);
    const after = offsetAt(zone, next);
    if (after !== offset) {
      const change = changeBetween(zone, at, next, offset);
      stretches.push({ fromQuarter: from, toQuarter: change, offsetQuarters: offset });
      from = change;
      offset = offsetAt(zone, change);
      at = change;
    } else at = next;
  }
  if (from < toQuarter) stretches.push({ fromQuarter: from, toQuarter, offsetQuarters: offset });
  return stretches;
}

/** The first quarter whose offset is another one. */
function changeBetween(zone: string, before: number, after: number, offset: number): number {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (offsetAt(zone, middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

/** The first quarter at which the zone's clocks show this local time; where they skip it, the moment they go on. */
export function quarterOfLocal(zone: string, localQuarter: number): number {
  const before = offsetAt(zone, localQuarter - LOOK);
  const after = offsetAt(zone, localQuarter + LOOK);
  const shown = [localQuarter - Math.max(before, after), localQuarter - Math.min(before, after)];
  return shown.find((quarter) => quarter + offsetAt(zone, quarter) === localQuarter) ?? localQuarter - before;
}

/** `2026-10-25T02:00:00+02:00` */
export function localTime(quarter: number, offsetQuarters: number): string {
  const local = new Date((quarter + offsetQuarters) * QUARTER_MS).toISOString().slice(0, 19);
  const minutes = Math.abs(offsetQuarters) * 15;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${local}${offsetQuarters < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

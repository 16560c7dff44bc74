// Ranges of days, both ends included, in the user's zone. Dates are YYYY-MM-DD.
import { offsetAt, quarterOfLocal } from '../../../../src/domain/calendar.ts';
import { QUARTER_MS } from '../../../../src/domain/call-counts.ts';

export interface Range {
  readonly from: string;
  /** The last day. */
  readonly to: string;
}

export const PRESETS = ['today', 'week', 'month'] as const;
export type Preset = (typeof PRESETS)[number];
const DAYS_OF: Readonly<Record<Preset, number>> = { today: 1, week: 7, month: 30 };
/** The service's limit for comparing menus. */
export const MAX_DAYS = 400;
/** Days whose hours fit into one answer: 1,000 hours, and an hour more where clocks change. */
export const MAX_HOUR_DAYS = 40;
const DAY_MS = 86_400_000;
const DAY_QUARTERS = DAY_MS / QUARTER_MS;

/** The user's zone. */
export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export function dayOf(moment: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** A calendar day as a number; NaN for an invalid one such as 30 February. */
function dayNumber(date: string): number {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return Number.NaN;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? Number.NaN : ms / DAY_MS;
}

export const isDay = (date: string): boolean => !Number.isNaN(dayNumber(date));
export const addDays = (date: string, days: number): string =>
  new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10);
export const daysIn = ({ from, to }: Range): number => dayNumber(to) - dayNumber(from) + 1;

export function presetRange(preset: Preset, today: string): Range {
  return { from: addDays(today, 1 - DAYS_OF[preset]), to: today };
}

/** The last `days` days, today included. */
export function lastDays(days: number, today = dayOf(new Date(), viewerZone())): Range {
  return { from: addDays(today, 1 - days), to: today };
}

export function presetOf({ from, to }: Range, today: string): Preset | null {
  return PRESETS.find((preset) => to === today && presetRange(preset, today).from === from) ?? null;
}

export type RangeFault = 'day' | 'order' | 'long';

export function rangeFault(
  range: Range,
): { readonly field: 'from' | 'to'; readonly fault: RangeFault } | null {
  if (!isDay(range.from)) return { field: 'from', fault: 'day' };
  if (!isDay(range.to)) return { field: 'to', fault: 'day' };
  const days = daysIn(range);
  if (days < 1) return { field: 'to', fault: 'order' };
  return days > MAX_DAYS ? { field: 'from', fault: 'long' } : null;
}

/** The range in the query, or the last seven days. */
export function rangeOfQuery(query: URLSearchParams, today: string): Range {
  const range = { from: query.get('from') ?? '', to: query.get('to') ?? '' };
  return rangeFault(range) === null ? range : presetRange('week', today);
}

export const rangeQuery = ({ from, to }: Range): string => `from=${from}&to=${to}`;

/** The map with the statistics of the same days. */
export const mapAddress = (range: Range): string =>
  `/map?show=statistics&measure=dropOff&${rangeQuery(range)}`;

/** For the API, which excludes the end. Instants are passed unchanged. */
export function apiSpan({ from, to }: Range, zone: string): { from: string; to: string; timezone: string } {
  return { from, to: isDay(to) ? addDays(to, 1) : to, timezone: zone };
}

export interface ComparedSpans {
  readonly before: ReturnType<typeof apiSpan>;
  /** What of the range is compared with it; null: all of it. */
  readonly now: ReturnType<typeof apiSpan> | null;
}

/**
 * As many days right before. Of a range that is not over both end at the same time of day, by the clocks of the zone and at a whole
 * quarter of an hour, so that like is compared with like. Null: nothing of the range is over.
 */
export function comparedSpans(range: Range, zone: string, now: Date): ComparedSpans | null {
  const days = daysIn(range);
  const before = apiSpan({ from: addDays(range.from, -days), to: addDays(range.to, -days) }, zone);
  if (range.to < dayOf(now, zone)) return { before, now: null };
  const quarter = Math.floor(now.getTime() / QUARTER_MS);
  const first = quarterOfLocal(zone, dayNumber(range.from) * DAY_QUARTERS);
  const then = quarterOfLocal(zone, quarter + offsetAt(zone, quarter) - days * DAY_QUARTERS);
  const firstBefore = quarterOfLocal(zone, dayNumber(before.from) * DAY_QUARTERS);
  if (quarter <= first || then <= firstBefore) return null;
  const timeOf = (of: number): string => new Date(of * QUARTER_MS).toISOString();
  return { before: { ...before, to: timeOf(then) }, now: { ...apiSpan(range, zone), to: timeOf(quarter) } };
}

/** The part of a range whose hours fit into one answer: its last days. */
export function hourRange(range: Range): Range {
  return daysIn(range) <= MAX_HOUR_DAYS
    ? range
    : { from: addDays(range.to, 1 - MAX_HOUR_DAYS), to: range.to };
}

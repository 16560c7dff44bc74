import { expect, test } from 'vitest';
import { localTime, offsetAt, quarterOfLocal, stretchesOf } from './calendar.ts';
import { QUARTER_MS } from './call-counts.ts';

const quarter = (time: string): number => Date.parse(time) / QUARTER_MS;

test('a zone without summer time is one stretch, also where its offset is not whole hours', () => {
  const [from, to] = [quarter('2026-01-01T00:00:00Z'), quarter('2027-01-01T00:00:00Z')];
  expect(stretchesOf('Asia/Kolkata', from, to)).toEqual([
    { fromQuarter: from, toQuarter: to, offsetQuarters: 22 },
  ]);
  expect(stretchesOf('Asia/Kathmandu', from, to)[0]?.offsetQuarters).toBe(23);
});

test('clocks change to the quarter, twice a year in Berlin, by half an hour on Lord Howe', () => {
  const [from, to] = [quarter('2026-01-01T00:00:00Z'), quarter('2027-01-01T00:00:00Z')];
  expect(stretchesOf('Europe/Berlin', from, to)).toEqual([
    { fromQuarter: from, toQuarter: quarter('2026-03-29T01:00:00Z'), offsetQuarters: 4 },
    {
      fromQuarter: quarter('2026-03-29T01:00:00Z'),
      toQuarter: quarter('2026-10-25T01:00:00Z'),
      offsetQuarters: 8,
    },
    { fromQuarter: quarter('2026-10-25T01:00:00Z'), toQuarter: to, offsetQuarters: 4 },
  ]);
  expect(stretchesOf('Australia/Lord_Howe', from, to).map((one) => one.offsetQuarters)).toEqual([44, 42, 44]);
});

test('midnight is found where clocks change on that day, where they skip it and where they show it twice', () => {
  const midnight = (zone: string, date: string): string =>
    new Date(quarterOfLocal(zone, quarter(`${date}T00:00:00Z`)) * QUARTER_MS).toISOString();
  expect(midnight('Europe/Berlin', '2026-10-25')).toBe('2026-10-24T22:00:00.000Z');
  expect(midnight('Europe/Berlin', '2026-10-26')).toBe('2026-10-25T23:00:00.000Z');
  // Cuba goes from 00:00 to 01:00 in spring, and from 01:00 back to 00:00 in autumn.
  expect(midnight('America/Havana', '2026-03-08')).toBe('2026-03-08T05:00:00.000Z');
  expect(midnight('America/Havana', '2026-11-01')).toBe('2026-11-01T04:00:00.000Z');
});

test('a local time is written with its offset', () => {
  const at = quarter('2026-10-25T00:30:00Z');
  expect(localTime(at, offsetAt('Europe/Berlin', at))).toBe('2026-10-25T02:30:00+02:00');
  expect(localTime(at, offsetAt('America/St_Johns', at))).toBe('2026-10-24T22:00:00-02:30');
});

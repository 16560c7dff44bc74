// The edges of opening hours: first and last minutes, days that touch, New Year, clock changes.
import { describe, expect, test } from 'vitest';
import type { DateException, HoursNode } from '../node.ts';
import { someHours } from '../testing/samples.ts';
import { nextChange, openingAt, rangesOn } from './opening.ts';
import { dateText, offsetMs } from './zone.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const at = (text: string): number => Date.parse(text);
const isOpen = (hours: HoursNode, text: string): boolean => openingAt(hours, at(text)).open;
const change = (hours: HoursNode, text: string): string | null => {
  const found = nextChange(hours, at(text));
  return found === null ? null : new Date(found).toISOString();
};
const utc = (...ranges: [from: number, to: number][]): HoursNode =>
  someHours('x', { zone: 'UTC', weekly: ranges.map(([from, to]) => ({ days: EVERY_DAY, from, to })) });
const closed = (from: string, to: string): DateException => ({ name: 'Closed', from, to, ranges: [] });

describe('a date exception', () => {
  const hours = (...exceptions: DateException[]) => someHours('x', { ...utc([0, 1_440]), exceptions });
  const closedOn = (exception: DateException, days: string[]) =>
    days.filter((day) => !isOpen(hours(exception), `${day}T12:00:00Z`));

  test('of every year runs over New Year, both ends included', () => {
    const days = [
      '2026-12-23',
      '2026-12-24',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
      '2027-01-03',
      '2027-06-15',
    ];
    expect(closedOn(closed('12-24', '01-02'), days)).toEqual([
      '2026-12-24',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
    ]);
  });

  test('of every year within a year, and of one day', () => {
    const days = [
      '2026-04-30',
      '2026-05-01',
      '2026-05-02',
      '2026-05-03',
      '2027-05-01',
      '2026-12-31',
      '2027-01-01',
    ];
    expect(closedOn(closed('05-01', '05-02'), days)).toEqual(['2026-05-01', '2026-05-02', '2027-05-01']);
    expect(closedOn(closed('05-01', '05-01'), days)).toEqual(['2026-05-01', '2027-05-01']);
  });

  test('of one year is of that year alone; one that ends before it begins never applies', () => {
    const days = ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-12-31'];
    expect(closedOn(closed('2026-12-31', '2027-01-01'), days)).toEqual(['2026-12-31', '2027-01-01']);
    expect(closedOn(closed('2027-01-01', '2026-12-31'), days)).toEqual([]);
  });

  test('names itself as the reason', () => {
    expect(openingAt(hours(closed('05-01', '05-01')), at('2026-05-01T12:00:00Z'))).toEqual({
      open: false,
      exception: 'Closed',
    });
    expect(openingAt(hours(), at('2026-05-01T12:00:00Z'))).toEqual({ open: true, exception: null });
  });
});

test('a range includes its first minute and not its last', () => {
  const hours = utc([540, 1_020]);
  expect(isOpen(hours, '2026-01-05T08:59:59.999Z')).toBe(false);
  expect(isOpen(hours, '2026-01-05T09:00:00Z')).toBe(true);
  expect(isOpen(hours, '2026-01-05T16:59:59.999Z')).toBe(true);
  expect(isOpen(hours, '2026-01-05T17:00:00Z')).toBe(false);
});

test('the ranges of a day are cut at its midnights', () => {
  const day = Math.floor(at('2026-01-05T00:00:00Z') / 86_400_000);
  expect(dateText(day)).toBe('2026-01-05');
  expect(rangesOn(utc([1_380, 15]), day)).toEqual([
    { from: 0, to: 15 },
    { from: 1_380, to: 1_440 },
  ]);
  expect(rangesOn(utc([600, 600]), day)).toEqual([
    { from: 0, to: 600 },
    { from: 600, to: 1_440 },
  ]);
  expect(rangesOn(utc([0, 1_440]), day)).toEqual([{ from: 0, to: 1_440 }]);
});

describe('the next change', () => {
  test('is none where ranges that touch or overlap are open all day', () => {
    const start = '2026-01-05T12:00:00Z';
    expect(change(utc([0, 600], [600, 1_440]), start)).toBeNull();
    expect(change(utc([700, 1_440], [0, 800], [100, 200]), start)).toBeNull();
    expect(change(utc([600, 600]), start)).toBeNull();
    expect(change(utc(), start)).toBeNull();
  });

  test('is the end of the first gap, or its beginning', () => {
    const hours = utc([700, 1_440], [0, 699]);
    expect(change(hours, '2026-01-05T12:00:00Z')).toBe('2026-01-06T11:39:00.000Z');
    expect(change(hours, '2026-01-05T11:39:00Z')).toBe('2026-01-05T11:40:00.000Z');
    expect(change(utc([1, 1_440]), '2026-01-05T12:00:00Z')).toBe('2026-01-06T00:00:00.000Z');
    expect(change(utc([0, 1_439]), '2026-01-05T12:00:00Z')).toBe('2026-01-05T23:59:00.000Z');
    expect(change(utc([0, 1_439]), '2026-01-05T23:59:00Z')).toBe('2026-01-06T00:00:00.000Z');
  });

  test('is found 400 days ahead, and not beyond', () => {
    const once = (day: string): HoursNode =>
      someHours('x', {
        ...utc(),
        exceptions: [{ name: 'Open', from: day, to: day, ranges: [{ from: 60, to: 120 }] }],
      });
    expect(change(once('2027-02-09'), '2026-01-05T12:00:00Z')).toBe('2027-02-09T01:00:00.000Z');
    expect(change(once('2027-02-10'), '2026-01-05T12:00:00Z')).toBeNull();
  });

  test.each([
    ['Europe/Berlin', '2026-03-29T00:00:00Z', [120, 180], '2026-03-30T00:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T00:00:00Z', [150, 170], '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T00:51:00Z', [150, 170], '2026-10-25T01:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-05T12:00:00Z', [0, 60], '2026-01-06T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-01-05T12:00:00Z', [0, 60], '2026-01-06T11:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-04T14:00:00Z', [105, 110], '2026-04-04T14:45:00.000Z'],
    ['America/Havana', '2026-11-01T03:00:00Z', [10, 20], '2026-11-01T04:10:00.000Z'],
    ['America/Havana', '2026-11-01T04:21:00Z', [10, 20], '2026-11-01T05:10:00.000Z'],
  ] as const)('in %s after %s', (zone, from, [start, end], expected) => {
    const weekly = [{ days: EVERY_DAY, from: start, to: end }];
    expect(change(someHours('x', { zone, weekly }), from)).toBe(expected);
  });
});

test('an offset is what the zone’s clocks show, to the millisecond, in any year', () => {
  expect(offsetMs('Asia/Kolkata', at('2026-01-05T12:34:56.789Z'))).toBe(5.5 * 3_600_000);
  expect(offsetMs('America/New_York', at('2026-07-05T00:00:00.001Z'))).toBe(-4 * 3_600_000);
  expect(offsetMs('UTC', at('2026-12-31T23:59:59.999Z'))).toBe(0);
  expect(offsetMs('Europe/Berlin', at('1969-12-31T23:59:59.999Z'))).toBe(3_600_000);
  expect(offsetMs('Nowhere/Land', at('2026-12-31T23:59:59.999Z'))).toBe(0);
});

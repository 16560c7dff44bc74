// Opening hours where the clock is put forward or back, over midnight and far from Greenwich; and what a search costs.
import { describe, expect, test, vi } from 'vitest';
import type { DateException, HoursNode, WeeklyRange } from '../node.ts';
import { someHours } from '../testing/samples.ts';
import { nextChange } from './opening.ts';

const MONDAY = 1;
const WEDNESDAY = 3;
const THURSDAY = 4;
const FRIDAY = 5;
const SATURDAY = 6;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

const at = (day: number, from: number, to: number): WeeklyRange => ({ days: [day], from, to });
const hoursIn = (zone: string, ...weekly: WeeklyRange[]): HoursNode => someHours('x', { zone, weekly });
const change = (hours: HoursNode, from: string): string | null => {
  const found = nextChange(hours, Date.parse(from));
  return found === null ? null : new Date(found).toISOString();
};

describe('a clock that is put back over midnight', () => {
  // Casey, Friday 5 March 2010: at 2:00 (+11) the clock was put back to 23:00 on Thursday (+8).
  const thursdayNight = at(THURSDAY, 23 * 60 + 30, 23 * 60 + 45);
  test('makes yesterday’s hours come again', () => {
    expect(change(hoursIn('Antarctica/Casey', thursdayNight), '2010-03-04T13:30:00Z')).toBe(
      '2010-03-04T15:30:00.000Z',
    );
  });

  test('lets tomorrow’s hours come before the second evening of today', () => {
    const hours = hoursIn('Antarctica/Casey', thursdayNight, at(FRIDAY, 60, 70));
    expect(change(hours, '2010-03-04T12:50:00Z')).toBe('2010-03-04T14:00:00.000Z');
  });
});

test('an evening after a clock change late in the day is found west of Greenwich', () => {
  // Nuuk, Saturday 27 March 2021: at 22:00 (-3) the clock was put forward to 23:00.
  const hours = hoursIn('America/Nuuk', at(SATURDAY, 23 * 60 + 30, 23 * 60 + 45));
  expect(change(hours, '2021-03-27T12:00:00Z')).toBe('2021-03-28T01:30:00.000Z');
});

test('hours of the day after tomorrow begin at their first minute, 14 hours east of Greenwich', () => {
  const hours = hoursIn('Pacific/Kiritimati', at(MONDAY, 540, 600), at(WEDNESDAY, 120, 240));
  // Monday noon; Wednesday 2:00.
  expect(change(hours, '2026-01-04T22:00:00Z')).toBe('2026-01-06T12:00:00.000Z');
});

test('the 400 days of the search are counted from the local day', () => {
  const once = (day: string): HoursNode => {
    const open: DateException = { name: 'Open', from: day, to: day, ranges: [{ from: 60, to: 120 }] };
    return someHours('x', { zone: 'Pacific/Kiritimati', weekly: [], exceptions: [open] });
  };
  // 01:00 on Tuesday 6 January 2026.
  expect(change(once('2027-02-10'), '2026-01-05T11:00:00Z')).toBe('2027-02-09T11:00:00.000Z');
  expect(change(once('2027-02-11'), '2026-01-05T11:00:00Z')).toBeNull();
});

test.each([
  ['Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['America/New_York', '2026-03-08T05:00:00Z', '2026-03-08T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-03-08T08:00:00Z', '2026-03-08T10:00:00.000Z'],
  ['America/Denver', '2026-03-08T08:00:00Z', '2026-03-08T09:00:00.000Z'],
  ['Australia/Sydney', '2026-10-03T12:00:00Z', '2026-10-03T16:00:00.000Z'],
  ['Pacific/Auckland', '2026-09-26T10:00:00Z', '2026-09-26T14:00:00.000Z'],
  ['Asia/Jerusalem', '2026-03-26T21:00:00Z', '2026-03-27T00:00:00.000Z'],
])(
  'in %s hours that begin in the skipped hour begin with its end, to the millisecond',
  (zone, from, expected) => {
    const weekly = [{ days: EVERY_DAY, from: 150, to: 300 }];
    expect(change(someHours('x', { zone, weekly }), from)).toBe(expected);
  },
);

describe('a year without a change costs a few looks at the clock', () => {
  function looks(weekly: readonly WeeklyRange[], exceptions: readonly DateException[] = []): number {
    const look = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    try {
      expect(change(someHours('x', { weekly, exceptions }), '2026-01-05T12:00:00Z')).toBeNull();
      return look.mock.calls.length;
    } finally {
      look.mockRestore();
    }
  }
  const daily = (from: number, to: number): WeeklyRange => ({ days: EVERY_DAY, from, to });

  test('closed throughout', () => {
    expect(looks([])).toBeLessThan(5);
    expect(looks([daily(0, 60)], [{ name: 'Ever', from: '01-01', to: '12-31', ranges: [] }])).toBeLessThan(5);
  });

  test('open throughout, by one range or by several in any order', () => {
    expect(looks([daily(0, 1_440)])).toBeLessThan(5);
    expect(looks([daily(600, 1_440), daily(0, 600)])).toBeLessThan(5);
    expect(looks([daily(900, 1_440), daily(0, 600), daily(500, 1_000)])).toBeLessThan(5);
  });
});

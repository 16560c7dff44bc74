import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WeeklyTime } from '../../../../src/kinds/time-group.ts';
import { WEEKDAYS } from '../../../../src/kinds/weekdays.ts';
import {
  cellOf,
  EMPTY_WEEK,
  hoursOpen,
  isWithin,
  moved,
  paint,
  readTimes,
  rulesOf,
  SLOTS,
  timesOn,
  type Week,
  weekOf,
  withTimes,
} from './week-grid.ts';

const office: WeeklyTime = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:30' };

/** toEqual() takes long on a week of minutes. */
const sameWeek = (one: Week, other: Week): boolean => one.every((open, minute) => open === other[minute]);

test('Rules become cells and the same rules again.', () => {
  const week = weekOf([office]);
  expect(cellOf(week, { day: 0, slot: 17 })).toBe('closed');
  expect(cellOf(week, { day: 0, slot: 18 })).toBe('open');
  expect(cellOf(week, { day: 4, slot: 34 })).toBe('open');
  expect(cellOf(week, { day: 4, slot: 35 })).toBe('closed');
  expect(cellOf(week, { day: 5, slot: 20 })).toBe('closed');
  expect(rulesOf(week)).toEqual([office]);
  expect(hoursOpen(week)).toBe(42.5);
});

test('A time within a half hour shows as a part of it, and keeps its minutes.', () => {
  const week = weekOf([{ days: ['sat'], from: '09:10', to: '11:50' }]);
  expect(cellOf(week, { day: 5, slot: 18 })).toBe('part');
  expect(cellOf(week, { day: 5, slot: 23 })).toBe('part');
  expect(rulesOf(paint(week, { day: 6, slot: 0 }, { day: 6, slot: 1 }, true))).toEqual([
    { days: ['sat'], from: '09:10', to: '11:50' },
    { days: ['sun'], from: '00:00', to: '01:00' },
  ]);
});

test('A night shift is one rule, also over the end of the week.', () => {
  const night: WeeklyTime = { days: ['fri', 'sun'], from: '22:00', to: '06:00' };
  const week = weekOf([night]);
  expect(cellOf(week, { day: 5, slot: 11 })).toBe('open');
  expect(cellOf(week, { day: 0, slot: 11 })).toBe('open');
  expect(cellOf(week, { day: 0, slot: 12 })).toBe('closed');
  expect(rulesOf(week)).toEqual([night]);
  expect(timesOn(week, 6)).toBe('22:00-06:00');
  expect(timesOn(week, 0)).toBe('');
});

test('Around the clock is one rule, a day ends at 24:00, and longer stretches are cut at midnight.', () => {
  const always: WeeklyTime = { days: [...WEEKDAYS], from: '00:00', to: '24:00' };
  expect(rulesOf(weekOf([always]))).toEqual([always]);
  expect(rulesOf(weekOf([{ days: ['mon'], from: '18:00', to: '24:00' }]))).toEqual([
    { days: ['mon'], from: '18:00', to: '24:00' },
  ]);
  const long = paint(
    weekOf([{ days: ['mon'], from: '22:00', to: '24:00' }]),
    { day: 1, slot: 0 },
    { day: 1, slot: 47 },
    true,
  );
  expect(rulesOf(long)).toEqual([
    { days: ['mon'], from: '22:00', to: '24:00' },
    { days: ['tue'], from: '00:00', to: '24:00' },
  ]);
});

test('Painting works from any corner and closes as well as it opens.', () => {
  const open = paint(EMPTY_WEEK, { day: 4, slot: 35 }, { day: 0, slot: 18 }, true);
  expect(rulesOf(open)).toEqual([{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' }]);
  const lunch = paint(open, { day: 0, slot: 24 }, { day: 4, slot: 25 }, false);
  expect(timesOn(lunch, 2)).toBe('09:00-12:00, 13:00-18:00');
  expect(sameWeek(open, EMPTY_WEEK)).toBe(false);
});

test('Times are read as people write them, and refused where they mean nothing.', () => {
  expect(readTimes('9-12.30; 14:00 – 18')).toEqual([
    { from: '09:00', to: '12:30' },
    { from: '14:00', to: '18:00' },
  ]);
  expect(readTimes('')).toEqual([]);
  for (const wrong of ['9', '9-', '9-25', '9:75-10', '24-3', 'nine-ten', '9-10-11', '9-24:30'])
    expect(readTimes(wrong), wrong).toBeNull();
});

test('The times of one day are replaced, those of its neighbours stay.', () => {
  const week = weekOf([{ days: ['mon', 'tue'], from: '22:00', to: '06:00' }]);
  const changed = withTimes(week, 0, '08:15-12:45');
  expect(changed && rulesOf(changed)).toEqual([
    { days: ['mon'], from: '08:15', to: '12:45' },
    { days: ['tue'], from: '22:00', to: '06:00' },
  ]);
  expect(withTimes(week, 0, 'late')).toBeNull();
});

test('Arrow keys move within the grid, the other way round where text runs so.', () => {
  expect(moved({ day: 0, slot: 0 }, 'ArrowLeft')).toEqual({ day: 0, slot: 0 });
  expect(moved({ day: 0, slot: 0 }, 'ArrowRight')).toEqual({ day: 0, slot: 1 });
  expect(moved({ day: 0, slot: 1 }, 'ArrowRight', true)).toEqual({ day: 0, slot: 0 });
  expect(moved({ day: 6, slot: 3 }, 'ArrowDown')).toEqual({ day: 6, slot: 3 });
  expect(moved({ day: 6, slot: 3 }, 'End')).toEqual({ day: 6, slot: SLOTS - 1 });
  expect(moved({ day: 6, slot: 3 }, 'a')).toBeNull();
  expect(isWithin({ day: 1, slot: 5 }, { day: 2, slot: 9 }, { day: 0, slot: 5 })).toBe(true);
});

test('Whatever the rules, they mean the same after a way through the grid.', () => {
  const time = fc
    .integer({ min: 0, max: 1439 })
    .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`);
  const rule = fc.record({
    days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
    from: time,
    to: time,
  });
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
      const week = weekOf(rules);
      expect(sameWeek(weekOf(rulesOf(week)), week)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

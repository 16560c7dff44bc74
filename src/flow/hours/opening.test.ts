import { expect, test } from 'vitest';
import { someHours } from '../testing/samples.ts';
import { nextChange, openingAt } from './opening.ts';
import { isKnownZone, offsetMs } from './zone.ts';

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);
const open = (hours: Parameters<typeof openingAt>[0], text: string): boolean =>
  openingAt(hours, at(text)).open;
const change = (hours: Parameters<typeof nextChange>[0], text: string): string | null => {
  const next = nextChange(hours, at(text));
  return next === null ? null : new Date(next).toISOString();
};

const week = someHours('week');
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const daily = (zone: string, from: number, to: number) =>
  someHours('daily', { zone, weekly: [{ days: EVERY_DAY, from, to }] });

test('hours open at the first minute and close at the last, by the zone’s clock', () => {
  expect(open(week, '2026-01-05T07:59:59Z')).toBe(false);
  expect(open(week, '2026-01-05T08:00:00Z')).toBe(true);
  expect(open(week, '2026-01-05T15:59:59.999Z')).toBe(true);
  expect(open(week, '2026-01-05T16:00:00Z')).toBe(false);
});

test('hours are closed on weekdays without a range', () => {
  expect(open(week, '2026-01-04T10:00:00Z')).toBe(false);
  expect(change(week, '2026-01-02T17:00:00Z')).toBe('2026-01-05T08:00:00.000Z');
});

test('hours in Berlin move by an hour of UTC when summer time begins and ends', () => {
  const zone = daily('Europe/Berlin', 9 * 60, 17 * 60);
  expect(change(zone, '2026-03-28T20:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
  expect(change(zone, '2026-10-24T20:00:00Z')).toBe('2026-10-25T08:00:00.000Z');
});

test('hours in New York move on other days than in Berlin', () => {
  const zone = daily('America/New_York', 9 * 60, 17 * 60);
  expect(change(zone, '2026-03-07T23:00:00Z')).toBe('2026-03-08T13:00:00.000Z');
  expect(change(zone, '2026-10-31T22:00:00Z')).toBe('2026-11-01T14:00:00.000Z');
});

test('hours in Kolkata lie half an hour beside everybody else’s, all year', () => {
  const zone = daily('Asia/Kolkata', 9 * 60, 17 * 60);
  expect(change(zone, '2026-01-05T00:00:00Z')).toBe('2026-01-05T03:30:00.000Z');
  expect(change(zone, '2026-07-05T00:00:00Z')).toBe('2026-07-05T03:30:00.000Z');
});

test('hours on Lord Howe Island move by half an hour', () => {
  const zone = daily('Australia/Lord_Howe', 9 * 60, 17 * 60);
  expect(offsetMs('Australia/Lord_Howe', at('2026-01-05T00:00:00Z'))).toBe(11 * HOUR);
  expect(offsetMs('Australia/Lord_Howe', at('2026-07-05T00:00:00Z'))).toBe(10.5 * HOUR);
  expect(change(zone, '2026-04-04T12:00:00Z')).toBe('2026-04-04T22:30:00.000Z');
  expect(change(zone, '2026-10-03T12:00:00Z')).toBe('2026-10-03T22:00:00.000Z');
});

test('hours that begin in the hour the clock skips begin when it has skipped it', () => {
  const zone = daily('Europe/Berlin', 2 * 60 + 30, 5 * 60);
  expect(change(zone, '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
});

test('hours that begin in the hour the clock repeats begin twice', () => {
  const zone = daily('Europe/Berlin', 2 * 60 + 30, 5 * 60);
  expect(change(zone, '2026-10-25T00:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
  expect(change(zone, '2026-10-25T00:30:00Z')).toBe('2026-10-25T01:00:00.000Z');
  expect(change(zone, '2026-10-25T01:00:00Z')).toBe('2026-10-25T01:30:00.000Z');
});

test('hours over midnight belong to the day they start on', () => {
  const night = someHours('night', { weekly: [{ days: [5], from: 22 * 60, to: 6 * 60 }] });
  expect(open(night, '2026-01-09T22:00:00Z')).toBe(true);
  expect(open(night, '2026-01-10T04:59:00Z')).toBe(true);
  expect(open(night, '2026-01-10T05:00:00Z')).toBe(false);
  expect(open(night, '2026-01-10T22:00:00Z')).toBe(false);
});

test('listed date is the whole truth about its day', () => {
  const exceptions = [
    { name: 'Inventory', from: '2026-01-06', to: '2026-01-06', ranges: [{ from: 600, to: 660 }] },
    { name: 'Holidays', from: '12-24', to: '01-02', ranges: [] },
  ];
  const hours = someHours('listed', { exceptions });
  expect(openingAt(hours, at('2026-01-06T09:30:00Z'))).toEqual({ open: true, exception: 'Inventory' });
  expect(open(hours, '2026-01-06T10:30:00Z')).toBe(false);
  expect(openingAt(hours, at('2026-12-31T10:00:00Z'))).toEqual({ open: false, exception: 'Holidays' });
  expect(open(hours, '2027-01-01T10:00:00Z')).toBe(false);
  expect(open(hours, '2026-12-23T10:00:00Z')).toBe(true);
});

test('last evening’s shift does not reach into a holiday', () => {
  const exceptions = [{ name: 'Holiday', from: '2026-01-10', to: '2026-01-10', ranges: [] }];
  const night = someHours('night', { weekly: [{ days: [5], from: 22 * 60, to: 6 * 60 }], exceptions });
  expect(change(night, '2026-01-09T22:00:00Z')).toBe('2026-01-09T23:00:00.000Z');
});

test('hours that never or always open have no next change', () => {
  expect(change(someHours('never', { weekly: [] }), '2026-01-05T00:00:00Z')).toBeNull();
  expect(change(daily('Europe/Berlin', 0, 1_440), '2026-01-05T00:00:00Z')).toBeNull();
  expect(change(daily('Europe/Berlin', 0, 0), '2026-01-05T00:00:00Z')).toBeNull();
});

test('unknown zone counts as UTC', () => {
  expect(isKnownZone('Nowhere/Land')).toBe(false);
  expect(isKnownZone('+05:17')).toBe(false);
  expect(isKnownZone('Etc/GMT+5')).toBe(true);
  expect(open(daily('Nowhere/Land', 60, 120), '2026-01-05T01:30:00Z')).toBe(true);
});

test('next change is the first minute that differs, checked minute by minute over clock changes', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'America/Havana',
  ];
  const days = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'];
  for (const zone of zones) {
    for (const day of days) {
      const hours = someHours('mixed', {
        zone,
        weekly: [
          { days: [6, 7], from: 0, to: 45 },
          { days: [7], from: 100, to: 165 },
          { days: [6], from: 1_380, to: 15 },
        ],
      });
      const start = at(`${day}T00:00:00Z`) - 8 * HOUR;
      let before = start;
      for (let found = nextChange(hours, before); found !== null && found < start + 24 * HOUR; ) {
        const was = openingAt(hours, before).open;
        for (let minute = before; minute < found; minute += 60_000) {
          expect(openingAt(hours, minute).open, `${zone} ${new Date(minute).toISOString()}`).toBe(was);
        }
        expect(openingAt(hours, found).open).toBe(!was);
        before = found;
        found = nextChange(hours, before);
      }
    }
  }
});

test('next change is found behind days that are open, or closed, from midnight to midnight', () => {
  const weekend = [
    { days: [6, 7], from: 0, to: 1_440 },
    { days: [1], from: 0, to: 480 },
  ];
  const holidays = [{ name: 'Holidays', from: '2026-03-30', to: '2026-04-20', ranges: [] }];
  // The clock goes forward on Sunday, 29 March.
  expect(change(someHours('x', { weekly: weekend }), '2026-03-28T12:00:00Z')).toBe(
    '2026-03-30T06:00:00.000Z',
  );
  const closed = someHours('x', { weekly: weekend, exceptions: holidays });
  expect(change(closed, '2026-03-28T12:00:00Z')).toBe('2026-03-29T22:00:00.000Z');
  expect(change(closed, '2026-03-30T12:00:00Z')).toBe('2026-04-24T22:00:00.000Z');
});

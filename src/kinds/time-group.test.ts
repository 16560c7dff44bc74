import { describe, expect, it } from 'vitest';
import { nextTurn, openNow } from '../domain/open-now.ts';
import { hoursNode } from './nodes.ts';
import { Faults } from './problem.ts';
import { checkTimeGroup, type TimeGroup } from './time-group.ts';
import { isDay } from './weekdays.ts';

const group = (more: Partial<TimeGroup> = {}): TimeGroup => ({
  name: 'Office',
  timezone: 'Europe/Berlin',
  weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:30' }],
  exceptions: [],
  open_destination: null,
  closed_destination: null,
  closed_until: null,
  ...more,
});
const at = (text: string): number => Date.parse(text);

describe('a time group', () => {
  it('compiles to minutes and weekdays that count from Monday', () => {
    const { weekly, exceptions } = hoursNode(
      'x',
      group({
        weekly: [{ days: ['mon', 'sun'], from: '22:15', to: '24:00' }],
        exceptions: [{ name: 'Eve', from: '12-24', to: '12-24', hours: [{ from: '08:00', to: '12:00' }] }],
      }),
    );
    expect(weekly).toEqual([{ days: [1, 7], from: 1335, to: 1440 }]);
    expect(exceptions).toEqual([
      { name: 'Eve', from: '12-24', to: '12-24', ranges: [{ from: 480, to: 720 }] },
    ]);
  });

  it('is open by the clock of its zone, summer and winter', () => {
    // Monday, 08:30 in Berlin in winter and 09:30 in summer.
    expect(openNow(group(), at('2026-01-12T07:30:00Z'))).toEqual({ open_now: false, exception_now: null });
    expect(openNow(group(), at('2026-07-13T07:30:00Z'))).toEqual({ open_now: true, exception_now: null });
  });

  it('says when that changes, over the night the clock is changed too', () => {
    // Friday after hours; on Sunday, 29 March 2026, the clock goes forward: Monday 09:00 is 07:00 UTC, no longer 08:00.
    expect(nextTurn(group(), at('2026-03-27T18:00:00Z'))).toBe('2026-03-30T07:00:00.000Z');
    expect(nextTurn(group(), at('2026-03-20T18:00:00Z'))).toBe('2026-03-23T08:00:00.000Z');
    expect(nextTurn(group({ weekly: [] }), at('2026-03-20T18:00:00Z'))).toBeNull();
  });

  it('names the exception that decides', () => {
    const exceptions = [{ name: 'Holidays', from: '12-24', to: '01-02', hours: [] }];
    expect(openNow(group({ exceptions }), at('2026-12-28T10:00:00Z'))).toEqual({
      open_now: false,
      exception_now: 'Holidays',
    });
  });
});

describe('the days of an exception', () => {
  it.each(['2026-12-24', '12-24', '02-29', '2024-02-29'])('%s is a day', (text) => {
    expect(isDay(text)).toBe(true);
  });

  it.each(['2026-02-29', '02-30', '13-01', '00-10', '2026-1-1', '24.12.', '', '12-24T', '2026-12-24 '])(
    '%s is none',
    (text) => {
      expect(isDay(text)).toBe(false);
    },
  );

  it.each([
    ['2026-12-24', '12-26'],
    ['12-24', '2026-12-26'],
    ['2026-12-26', '2026-12-24'],
  ])('from %s to %s is no span', (from, to) => {
    const faults = new Faults();
    checkTimeGroup(group({ exceptions: [{ name: 'x', from, to, hours: [] }] }), faults);
    expect(faults.list).toMatchObject([{ pointer: '/exceptions/0/to', code: 'text_malformed' }]);
  });

  it('run over New Year when they are of every year', () => {
    const faults = new Faults();
    checkTimeGroup(group({ exceptions: [{ name: 'x', from: '12-24', to: '01-02', hours: [] }] }), faults);
    expect(faults.list).toEqual([]);
  });
});

describe('closed by hand', () => {
  // A Tuesday; the office is open from 9:00 to 17:30 in Berlin, an hour ahead of UTC.
  const until = (closed_until: string) => group({ closed_until });

  it('is closed until then, and opens in the middle of its hours', () => {
    const closed = until('2026-11-17T13:00:00.000Z');
    expect(openNow(closed, at('2026-11-17T12:59:59Z'))).toEqual({ open_now: false, exception_now: null });
    expect(openNow(closed, at('2026-11-17T13:00:00Z')).open_now).toBe(true);
    expect(nextTurn(closed, at('2026-11-17T12:00:00Z'))).toBe('2026-11-17T13:00:00.000Z');
  });

  it('opens with the next opening when its end lies outside of the hours', () => {
    const closed = until('2026-11-17T22:00:00.000Z');
    expect(nextTurn(closed, at('2026-11-17T12:00:00Z'))).toBe('2026-11-18T08:00:00.000Z');
  });

  it('changes nothing once it has passed', () => {
    const closed = until('2026-11-16T12:00:00.000Z');
    expect(openNow(closed, at('2026-11-17T12:00:00Z')).open_now).toBe(true);
    expect(nextTurn(closed, at('2026-11-17T12:00:00Z'))).toBe('2026-11-17T16:30:00.000Z');
  });
});

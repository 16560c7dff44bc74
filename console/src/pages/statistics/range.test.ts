import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  apiSpan,
  comparedSpans,
  dayOf,
  daysIn,
  hourRange,
  isDay,
  MAX_DAYS,
  mapAddress,
  presetOf,
  presetRange,
  rangeFault,
  rangeOfQuery,
} from './range.ts';

const TODAY = '2026-03-01';

describe('ranges of days', () => {
  it('a moment is a day of the viewer, not of Greenwich', () => {
    const moment = new Date('2026-10-25T22:30:00Z');
    expect(dayOf(moment, 'UTC')).toBe('2026-10-25');
    expect(dayOf(moment, 'Asia/Kolkata')).toBe('2026-10-26');
    expect(dayOf(moment, 'America/New_York')).toBe('2026-10-25');
  });

  it('presets end today and count today', () => {
    expect(presetRange('today', TODAY)).toEqual({ from: TODAY, to: TODAY });
    expect(presetRange('week', TODAY)).toEqual({ from: '2026-02-23', to: TODAY });
    expect(daysIn(presetRange('month', TODAY))).toBe(30);
    expect(presetOf(presetRange('week', TODAY), TODAY)).toBe('week');
    expect(presetOf({ from: '2026-02-22', to: TODAY }, TODAY)).toBeNull();
  });

  it('invalid days are recognised', () => {
    for (const text of ['', '2026-02-30', '2026-2-3', '20260203', '2026-13-01', 'yesterday'])
      expect(isDay(text), text).toBe(false);
    expect(isDay('2028-02-29')).toBe(true);
  });

  it('faults are reported by field', () => {
    expect(rangeFault({ from: 'x', to: TODAY })).toEqual({ field: 'from', fault: 'day' });
    expect(rangeFault({ from: TODAY, to: '2026-02-30' })).toEqual({ field: 'to', fault: 'day' });
    expect(rangeFault({ from: TODAY, to: '2026-02-28' })).toEqual({ field: 'to', fault: 'order' });
    expect(rangeFault({ from: addDays(TODAY, -MAX_DAYS), to: TODAY })).toEqual({
      field: 'from',
      fault: 'long',
    });
    expect(rangeFault({ from: addDays(TODAY, 1 - MAX_DAYS), to: TODAY })).toBeNull();
  });

  it('an address with a wrong range means the last week', () => {
    expect(rangeOfQuery(new URLSearchParams('from=2026-01-01&to=2026-01-05'), TODAY)).toEqual({
      from: '2026-01-01',
      to: '2026-01-05',
    });
    expect(rangeOfQuery(new URLSearchParams('from=9&to=%3Cscript%3E'), TODAY)).toEqual(
      presetRange('week', TODAY),
    );
  });

  it('the API is asked up to the day after the last; moments stay as they are', () => {
    expect(apiSpan({ from: '2026-02-27', to: '2026-02-28' }, 'UTC')).toEqual({
      from: '2026-02-27',
      to: '2026-03-01',
      timezone: 'UTC',
    });
    expect(apiSpan({ from: '2026-02-27T00:00:00Z', to: '2026-02-28T00:00:00Z' }, 'UTC').to).toBe(
      '2026-02-28T00:00:00Z',
    );
  });

  it('the map is painted with the same days, or the next more that it offers', () => {
    expect(mapAddress({ from: '2026-02-28', to: TODAY })).toBe(
      '/map?show=statistics&measure=dropOff&from=2026-02-28&to=2026-03-01',
    );
  });

  it('hours are asked of at most the last 40 days', () => {
    expect(hourRange({ from: '2026-01-01', to: '2026-02-09' })).toEqual({
      from: '2026-01-01',
      to: '2026-02-09',
    });
    expect(hourRange({ from: '2025-01-01', to: '2026-01-01' })).toEqual({
      from: '2025-11-23',
      to: '2026-01-01',
    });
  });

  it('adding days goes there and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5000, max: 5000 }), (days) => {
        expect(addDays(addDays(TODAY, days), -days)).toBe(TODAY);
        if (days >= 0) expect(daysIn({ from: TODAY, to: addDays(TODAY, days) })).toBe(days + 1);
      }),
    );
  });
});

describe('the period before', () => {
  const range = { from: '2026-11-09', to: '2026-11-15' };
  const spans = (of: typeof range, zone: string, now: string) => {
    const found = comparedSpans(of, zone, new Date(now));
    return found && [found.before.from, found.before.to, found.now?.to ?? null];
  };

  it('has as many days; all of them where the range is over', () => {
    expect(spans(range, 'UTC', '2026-11-20T10:00:00Z')).toEqual(['2026-11-02', '2026-11-09', null]);
    expect(spans(range, 'UTC', '2026-11-16T00:00:00Z')).toEqual(['2026-11-02', '2026-11-09', null]);
  });

  it('ends at the same quarter of an hour as the range, while that is not over', () => {
    const cut = ['2026-11-02', '2026-11-08T10:00:00.000Z', '2026-11-15T10:00:00.000Z'];
    expect(spans(range, 'UTC', '2026-11-15T10:00:00Z')).toEqual(cut);
    expect(spans(range, 'UTC', '2026-11-15T10:14:59Z')).toEqual(cut);
  });

  it('ends with the present, too, where the range ends in the future', () => {
    expect(spans({ from: '2026-11-09', to: '2026-11-18' }, 'UTC', '2026-11-15T10:05:00Z')).toEqual([
      '2026-10-30',
      '2026-11-05T10:00:00.000Z',
      '2026-11-15T10:00:00.000Z',
    ]);
  });

  it('ends at the same time by the clocks, which went back meanwhile', () => {
    const week = { from: '2026-10-23', to: '2026-10-29' };
    // 10:00 in Berlin, an hour from Greenwich, and two a week before.
    expect(spans(week, 'Europe/Berlin', '2026-10-29T09:00:00Z')).toEqual([
      '2026-10-16',
      '2026-10-22T08:00:00.000Z',
      '2026-10-29T09:00:00.000Z',
    ]);
  });

  it('is not known before the first quarter of an hour is over, nor of days to come', () => {
    const today = { from: '2026-11-15', to: '2026-11-15' };
    expect(spans(today, 'UTC', '2026-11-15T00:14:00Z')).toBeNull();
    expect(spans(today, 'UTC', '2026-11-15T00:15:00Z')).toEqual([
      '2026-11-14',
      '2026-11-14T00:15:00.000Z',
      '2026-11-15T00:15:00.000Z',
    ]);
    expect(spans({ from: '2026-11-20', to: '2026-11-22' }, 'UTC', '2026-11-15T10:00:00Z')).toBeNull();
  });
});

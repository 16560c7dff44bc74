import { describe, expect, it } from 'vitest';
import { adviceFor, byHour, compared, greetingAt } from './overview.ts';

describe('the overview', () => {
  it('greets by the clock', () => {
    expect([0, 4, 11, 12, 17, 18, 23].map(greetingAt)).toEqual([
      'evening',
      'morning',
      'morning',
      'afternoon',
      'afternoon',
      'evening',
      'evening',
    ]);
  });

  it('compares with the same weekday until the same time', () => {
    expect(compared([0, 6], [2, 4, 100], 1.5)).toEqual({ today: 6, before: 4, change: 0.5 });
    expect(compared([3], [0, 0], 1)).toEqual({ today: 3, before: 0, change: null });
  });

  it('counts by the hour of the day, also when clocks change', () => {
    const row = (start: string, calls: number) => ({ start, calls });
    const hours = byHour([
      row('2026-10-25T01:00:00+02:00', 1),
      row('2026-10-25T02:00:00+02:00', 2),
      row('2026-10-25T02:00:00+01:00', 3),
      row('2026-10-25T23:00:00+01:00', 4),
    ]);
    expect(hours).toHaveLength(24);
    expect([hours[1], hours[2], hours[3], hours[23]]).toEqual([1, 5, 0, 4]);
  });

  it('advises until the account is complete', () => {
    expect(adviceFor({ rings: false, trunks: 0, agents: 0 })).toEqual(['guide']);
    expect(adviceFor({ rings: true, trunks: 0, agents: 1 })).toEqual(['trunk', 'people', 'try']);
    expect(adviceFor({ rings: true, trunks: 1, agents: 5 })).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barsByDay, barsByHour, namedEvery, scaleOf } from './chart-model.ts';

describe('bars', () => {
  it('of days have the date of the viewer', () => {
    expect(barsByDay([{ start: '2026-10-25T00:00:00+02:00', calls: 3, talked: 1 }])).toEqual([
      { id: '2026-10-25', calls: 3, answered: 1 },
    ]);
  });

  it('of hours hold all days, and the hour that comes twice once', () => {
    const bars = barsByHour([
      { start: '2026-10-25T02:00:00+02:00', calls: 3, talked: 1 },
      { start: '2026-10-25T02:00:00+01:00', calls: 2, talked: 2 },
      { start: '2026-10-26T02:00:00+01:00', calls: 1, talked: 0 },
      { start: '2026-10-26T23:00:00+01:00', calls: 4, talked: 4 },
    ]);
    expect(bars).toHaveLength(24);
    expect(bars[2]).toEqual({ id: '02', calls: 6, answered: 3 });
    expect(bars[23]).toEqual({ id: '23', calls: 4, answered: 4 });
    expect(bars[0]).toEqual({ id: '00', calls: 0, answered: 0 });
  });
});

describe('scales', () => {
  it.each([
    [0, 1, [0, 1]],
    [1, 1, [0, 1]],
    [4, 4, [0, 1, 2, 3, 4]],
    [7, 8, [0, 2, 4, 6, 8]],
    [37, 40, [0, 10, 20, 30, 40]],
    [950, 1000, [0, 500, 1000]],
  ])('of %i calls end at %i', (highest, top, ticks) => {
    expect(scaleOf(highest)).toEqual({ top, ticks });
  });

  it('are whole numbers, few of them, and never end below the highest bar', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (highest) => {
        const { top, ticks } = scaleOf(highest);
        expect(top).toBeGreaterThanOrEqual(highest);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.every(Number.isInteger)).toBe(true);
      }),
    );
  });

  it('names are left out where there is no room', () => {
    expect(namedEvery(7, 10)).toBe(1);
    expect(namedEvery(30, 10)).toBe(3);
    expect(namedEvery(400, 8)).toBe(50);
  });
});

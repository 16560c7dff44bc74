import { describe, expect, it } from 'vitest';
import { listPosition } from './use-unclipped.ts';

const window = { width: 800, height: 600 };

describe('a list that is never cut off', () => {
  it('is below its control where there is room, as wide as it', () => {
    expect(listPosition({ top: 100, bottom: 140, left: 50, width: 300 }, window)).toEqual({
      left: 50,
      width: 300,
      height: 320,
      top: 144,
      bottom: null,
    });
  });

  it('is above it near the lower edge', () => {
    const { top, bottom, height } = listPosition({ top: 500, bottom: 540, left: 50, width: 300 }, window);
    expect([top, bottom, height]).toEqual([null, 104, 320]);
  });

  it('stays within a narrow window', () => {
    const { left, width } = listPosition(
      { top: 10, bottom: 40, left: 250, width: 60 },
      { width: 320, height: 600 },
    );
    expect(left + width).toBeLessThanOrEqual(312);
    expect(left).toBeGreaterThanOrEqual(8);
  });
});

import { expect, it } from 'vitest';
import { sparkPoints } from './sparkline.tsx';

it('draws from left to right, with the highest value at the top', () => {
  expect(sparkPoints([0, 5, 10])).toBe('0.0,31.0 60.0,16.0 120.0,1.0');
  expect(sparkPoints([0, 0])).toBe('0.0,31.0 120.0,31.0');
  expect(sparkPoints([])).toBe('');
});

it('a line that ends earlier has the same times at the same places', () => {
  const [whole, part] = [sparkPoints([4, 4, 4, 4, 4], 4, 5), sparkPoints([4, 4], 4, 5)];
  expect(part).toBe('0.0,1.0 30.0,1.0');
  expect(whole.startsWith(part)).toBe(true);
});

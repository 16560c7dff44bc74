import { expect, test } from 'vitest';
import { Lateness } from './lateness.ts';

test('timers that are late as always count for nothing', () => {
  const lateness = new Lateness();
  for (let ms = 0; ms < 1_000; ms++) lateness.note(1, ms);
  expect(lateness.jitterMs(1_000)).toBe(0);
});

test('a worker that always reads 20 ms late makes about 20 ms of jitter, and a single stall soon none', () => {
  const lateness = new Lateness();
  for (let ms = 0; ms < 5_000; ms += 20) lateness.note(20, ms);
  expect(lateness.jitterMs(5_000)).toBeGreaterThan(15);
  expect(lateness.jitterMs(5_000)).toBeLessThan(25);
  expect(lateness.jitterMs(7_000)).toBeLessThan(0.1);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Throttled, untilMidnight } from './throttled.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs every two seconds while calls end all the time', async () => {
  let runs = 0;
  const throttled = new Throttled(() => Promise.resolve(void runs++), 2_000);
  for (let passed = 0; passed < 20_000; passed += 500) {
    throttled.soon();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(runs).toBeGreaterThanOrEqual(9);
  expect(runs).toBeLessThanOrEqual(10);
  throttled.stop();
});

it('waits for a slow run, and runs once more for what came meanwhile', async () => {
  let [runs, running, most] = [0, 0, 0];
  const slow = async () => {
    runs += 1;
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    running -= 1;
  };
  const throttled = new Throttled(slow, 2_000);
  throttled.soon();
  await vi.advanceTimersByTimeAsync(3_000);
  for (const _ of [1, 2, 3]) throttled.soon();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([runs, most]).toEqual([2, 1]);
});

it('does not run once stopped, and an earlier wish is not put off by a later one', async () => {
  let runs = 0;
  const throttled = new Throttled(() => Promise.resolve(void runs++), 2_000);
  throttled.soon();
  throttled.soon(0);
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(1);
  throttled.soon();
  throttled.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(1);
});

it('a day ends at midnight of the viewer, also on the day with 25 hours', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(untilMidnight(new Date('2026-11-17T22:30:00Z'))).toBe(30 * 60_000);
  expect(untilMidnight(new Date('2026-10-24T22:00:00Z'))).toBe(25 * 3_600_000);
});

import { expect, it } from 'vitest';
import { Traffic } from './traffic.ts';

it('traffic is busy while more than ten packets move in a millisecond, judged every 100 ms', () => {
  const traffic = new Traffic();
  traffic.measure(1_000);
  traffic.moved = 1_001;
  traffic.measure(1_099);
  expect([traffic.isBusy, traffic.moved]).toEqual([false, 1_001]);
  traffic.measure(1_100);
  expect([traffic.isBusy, traffic.moved]).toEqual([true, 0]);
  traffic.moved = 1_000;
  traffic.measure(1_200);
  expect(traffic.isBusy).toBe(false);
});

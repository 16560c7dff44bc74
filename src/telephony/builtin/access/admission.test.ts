import { expect, it } from 'vitest';
import { Admission } from './admission.ts';

it('a call is let in while there is room, and none while draining', () => {
  const admission = new Admission({ maxCalls: 2, maxCallsPerSecond: 0 }, () => 0);
  expect([0, 1, 2].map((calls) => admission.admits(calls))).toEqual([true, true, false]);
  admission.drain();
  expect(admission.admits(0)).toBe(false);
});

it('with a notice, calls are let in until it is over', () => {
  let nowMs = 0;
  const admission = new Admission({ maxCalls: 2, maxCallsPerSecond: 0 }, () => nowMs);
  expect(admission.isDraining).toBe(false);
  admission.drain(3_000);
  expect([admission.isDraining, admission.admits(0), admission.admits(2)]).toEqual([true, true, false]);
  nowMs = 2_999;
  admission.drain(3_000);
  expect(admission.admits(0)).toBe(true);
  nowMs = 3_000;
  expect(admission.admits(0)).toBe(false);
});

it('calls per second are held on average, with a second’s worth at once', () => {
  let nowMs = 0;
  const admission = new Admission({ maxCalls: 100, maxCallsPerSecond: 10 }, () => nowMs);
  const admitted = () => Array.from({ length: 20 }, () => admission.admits(0)).filter(Boolean).length;
  expect(admitted()).toBe(10);
  nowMs += 500;
  expect(admitted()).toBe(5);
  nowMs += 60_000;
  expect(admitted()).toBe(10);
});

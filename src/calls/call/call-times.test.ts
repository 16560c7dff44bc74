import { expect, it } from 'vitest';
import { CallTimes } from './call-times.ts';

it('waiting, ringing and talking do not overlap, and attempts without a ringing phone are none of them', () => {
  let now = 0;
  const times = new CallTimes(() => now);
  const at = (ms: number, what: () => void): void => {
    now = ms;
    what();
  };
  at(1000, () => times.joinedQueue());
  at(4000, () => times.phoneRang());
  at(5000, () => times.phoneRang());
  at(6000, () => times.phoneStopped());
  at(7000, () => times.phoneStopped());
  at(8500, () => times.phoneRang());
  at(9000, () => times.phoneStopped());
  times.connected();
  times.leftQueue();
  at(20_000, () => times.ended());
  at(30_000, () => times.ended());
  const { waitMs, ringMs, talkMs, queueMs } = times;
  expect({ waitMs, ringMs, talkMs, queueMs }).toEqual({
    waitMs: 4500,
    ringMs: 3500,
    talkMs: 11_000,
    queueMs: 8000,
  });
});

import { expect, it } from 'vitest';
import { lossOf, type MeasuredLeg, verdictOf } from './quality-verdict.ts';

const leg = (more: Partial<MeasuredLeg>): MeasuredLeg => ({
  role: 'caller',
  number: '1',
  ended_by: 'peer',
  outcome: 'ended',
  status: null,
  cause: null,
  reason: '',
  packets_sent: 1000,
  packets_received: 1000,
  packets_lost: 0,
  jitter_ms: 1,
  one_way: false,
  ...more,
});

it('judges loss, jitter, and sound that went one way only', () => {
  expect(verdictOf(leg({}))).toBe('good');
  expect(verdictOf(leg({ packets_received: 980, packets_lost: 20 }))).toBe('fair');
  expect(verdictOf(leg({ packets_received: 950, packets_lost: 50 }))).toBe('bad');
  expect(verdictOf(leg({ jitter_ms: 21 }))).toBe('fair');
  expect(verdictOf(leg({ jitter_ms: 41 }))).toBe('bad');
  expect(verdictOf(leg({ packets_received: 0, one_way: true }))).toBe('one-way');
  expect(verdictOf(leg({ packets_received: 0, packets_sent: 0 }))).toBe('none');
});

it('has no loss where nothing came', () => {
  expect(lossOf(leg({ packets_received: 0 }))).toBe(0);
  expect(lossOf(leg({ packets_received: 75, packets_lost: 25 }))).toBe(0.25);
});

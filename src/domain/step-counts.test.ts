import { expect, test } from 'vitest';
import type { TrailCode, TrailEntry } from '../flow/trail.ts';
import { countSteps } from './step-counts.ts';

const entry = (atMs: number, code: TrailCode, node: string | null): TrailEntry => ({
  atMs,
  code,
  node,
  text: '',
});

function counted(trail: readonly TrailEntry[]): Record<string, number> {
  const sums: Record<string, number> = {};
  countSteps(trail, (subject, measure, value) => {
    const name = `${subject} ${measure}`;
    sums[name] = (sums[name] ?? 0) + value;
  });
  return sums;
}

test('a request counts its visits, its failures and the time to its answer', () => {
  const trail = [
    entry(0, 'arrived', 'request||order'),
    entry(10, 'request-sent', 'request||order'),
    entry(260, 'request-answered', 'request||order'),
    entry(260, 'arrived', 'ivr||main'),
    entry(900, 'arrived', 'request||order'),
    entry(900, 'request-sent', 'request||order'),
    entry(3_900, 'request-failed', 'request||order'),
  ];
  expect(counted(trail)).toEqual({
    'request||order visits': 2,
    'request||order failed': 1,
    'request||order timed': 2,
    'request||order took_ms': 3_250,
  });
});

test('a conversation with a bot lasts until the call ends, if the caller hangs up', () => {
  const trail = [
    entry(0, 'arrived', 'stream||bot'),
    entry(200, 'stream-connected', 'stream||bot'),
    entry(9_200, 'ended', null),
  ];
  expect(counted(trail)).toEqual({
    'stream||bot visits': 1,
    'stream||bot timed': 1,
    'stream||bot took_ms': 9_000,
  });
});

test('digits that were given up fail; menus and agents are not counted', () => {
  const trail = [
    entry(0, 'arrived', 'ivr||main'),
    entry(0, 'arrived', 'collect||order'),
    entry(20_000, 'digits-failed', 'collect||order'),
    entry(20_000, 'arrived', 'extension||1'),
  ];
  expect(counted(trail)).toEqual({ 'collect||order visits': 1, 'collect||order failed': 1 });
});

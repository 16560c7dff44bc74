import { expect, it } from 'vitest';
import type { LegLadderLine } from '../../telephony/telephony.ts';
import { callLadder, MAX_LADDER, NO_LADDER } from './call-ladder.ts';

const line = (atMs: number, method: string, more: Partial<LegLadderLine> = {}): LegLadderLine => ({
  atMs,
  direction: 'in',
  method,
  status: 0,
  transport: 'udp',
  ...more,
});

it('merges the messages of all legs in order of time, each with its leg', () => {
  const caller = { lines: [line(1000, 'INVITE', { userAgent: 'phone' }), line(1900, 'BYE')], leftOut: 0 };
  const called = { lines: [line(1100, 'INVITE', { direction: 'out', status: 200, phone: 2 })], leftOut: 0 };
  expect(callLadder([caller, undefined, called], 1000.4)).toEqual({
    lines: [
      { at_ms: -0, leg: 0, direction: 'in', what: 'INVITE', transport: 'udp', user_agent: 'phone' },
      { at_ms: 100, leg: 2, direction: 'out', what: '200 INVITE', transport: 'udp', phone: 2 },
      { at_ms: 900, leg: 0, direction: 'in', what: 'BYE', transport: 'udp' },
    ],
    leftOut: 0,
  });
});

it('keeps the first messages of a long call and counts the rest', () => {
  const many = {
    lines: Array.from({ length: MAX_LADDER / 2 + 10 }, (_, at) => line(at, 'INFO')),
    leftOut: 7,
  };
  const { lines, leftOut } = callLadder([many, many], 0);
  expect(lines).toHaveLength(MAX_LADDER);
  expect(leftOut).toBe(20 + 14);
});

it('is empty where no messages pass', () => {
  expect(callLadder([undefined], 0)).toBe(NO_LADDER);
});

import { expect, test } from 'vitest';
import { type PastCall, wordsOf } from './past-call.ts';

const CALL: PastCall = {
  startedAtMs: 0,
  endedAtMs: 1_000,
  direction: 'internal',
  caller: '1001',
  dialled: '1002',
  endCode: 'caller-hung-up',
  answeredBy: null,
  waitMs: 0,
  ringMs: 500,
  talkMs: 0,
  trail: [],
};

test('a call is found by the agent who made it, whatever number the agent has', () => {
  expect(wordsOf({ ...CALL, madeBy: '7' })).toContain('made_by:7');
  expect(wordsOf(CALL).filter((word) => word.startsWith('made_by'))).toEqual([]);
});

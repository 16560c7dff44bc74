import { expect, test } from 'vitest';
import { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import { aFlow, aMenu } from '../../../../src/flow/testing/samples.ts';
import { PacedCall } from './paced-call.ts';
import { conditionsOf, localText, USUAL } from './settings.ts';

test('the fields become the conditions of the call', () => {
  const settings = {
    at: '2026-06-01T08:30',
    caller: '  ',
    agents: { 'extension||1': 'busy 30s', 'extension||2': 'no-answer' },
    waiting: { 'department||1': 2 },
    signedOut: { 'department||1': ['extension||3'] },
    requests: { 'request||1': { does: 'fails', values: {} } },
    bots: {},
  } as const;
  expect(conditionsOf(settings, 7)).toEqual({
    epochMs: new Date(2026, 5, 1, 8, 30).getTime(),
    caller: null,
    agents: { 'extension||1': { do: 'busy', forMs: 30_000 }, 'extension||2': { do: 'no-answer' } },
    waiting: { 'department||1': 2 },
    signedOut: { 'department||1': ['extension||3'] },
    requests: { 'request||1': { failure: 'unreachable' } },
  });
  expect(conditionsOf(USUAL, 7)).toEqual({
    epochMs: 7,
    caller: '+15550100',
    agents: {},
    waiting: {},
    signedOut: {},
  });
});

test('an instant is written in the local time zone, and read back', () => {
  const atMs = new Date(2026, 9, 25, 14, 5).getTime();
  expect(localText(atMs)).toBe('2026-10-25T14:05');
  expect(conditionsOf({ ...USUAL, at: localText(atMs) }, 0).epochMs).toBe(atMs);
});

test('a scripted call can be finished at once', () => {
  const paced = new PacedCall(new SimulatedCall(aFlow([aMenu('main')]), { entry: 'ivr||main' }), 1, true);
  paced.finish();
  expect(paced.over).toBe(true);
  expect(paced.nowMs).toBe(paced.call.atMs);
});

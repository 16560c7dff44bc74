import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTestCase } from '../../../../src/flow/expect.ts';
import { simulate } from '../../../../src/flow/simulate.ts';
import { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import { aDepartment, aFlow, aMenu, anAgent } from '../../../../src/flow/testing/samples.ts';
import type { Conditions } from './call-conditions.ts';
import { PacedCall } from './paced-call.ts';
import { type PlacedCall, runStored, scriptOf, testOf } from './test-of.ts';

const flow = aFlow([
  aMenu('main', {
    options: [
      { keys: '1', destination: 'department||desk', smsTemplate: null },
      { keys: '2', destination: 'ivr||more', smsTemplate: null },
      { keys: '12', destination: 'extension||support', smsTemplate: null },
    ],
  }),
  aMenu('more'),
  aDepartment('desk', { failover: 'voicemail||none' }),
  anAgent('support', { intercom: '1002', failover: 'ivr||more' }),
]);
const entry = 'ivr||main';
const plain: Conditions = {
  epochMs: Date.UTC(2026, 5, 1, 8),
  caller: '+4930123',
  agents: {},
  waiting: {},
  signedOut: {},
};

function place(acts: readonly (string | number)[], conditions = plain): PlacedCall {
  const paced = new PacedCall(new SimulatedCall(flow, { entry, ...conditions }), 1);
  for (const act of acts) {
    if (typeof act === 'number') paced.tick(act);
    else if (act === 'hang up') paced.hangUp();
    else paced.press(act);
  }
  while (!paced.over) paced.skip();
  return { entry, conditions, inputs: paced.inputs, steps: paced.call.steps };
}

test.each([
  [[900, '2', 700, '1'], '2,1'],
  [[900, '1', 300, '2'], '12'],
  [[900, '9', 20_000], '9,wait,wait'],
  [[], 'wait,wait'],
  [[12_000, '2', 8_000, '1'], 'wait,2,1'],
  [[900, '2', 1_500, 'hang up'], '2,hangup'],
])('a call of %j is written as "%s"', (acts, script) => {
  expect(scriptOf(flow, place(acts)).script).toBe(script);
});

test('a key where none is asked for is written with its time', () => {
  expect(scriptOf(flow, place([900, '2', 1_500, '1', 700, '5'])).script).toBe(
    'wait 900ms,2,wait 1500ms,1,wait 700ms,5',
  );
});

const anyAct = fc.oneof(fc.integer({ min: 1, max: 12_000 }), fc.constantFrom('1', '2', '9', '#', 'hang up'));

test('whatever the user does on the phone, its script takes the same path to the same end', () => {
  fc.assert(
    fc.property(fc.array(anyAct, { maxLength: 8 }), (acts) => {
      const call = place(acts);
      const { trace } = scriptOf(flow, call);
      const visited = call.steps.flatMap(({ code, node }) => (code === 'arrived' ? [node] : []));
      expect(trace.visited).toEqual(visited);
      expect(trace.steps.at(-1)?.text).toBe(call.steps.at(-1)?.text);
    }),
    { numRuns: 300 },
  );
});

test('a test says what was set and what is expected, in the words the service reads, and passes', () => {
  const conditions: Conditions = {
    ...plain,
    caller: null,
    agents: { 'extension||sales': { do: 'busy' }, 'extension||support': { do: 'answer' } },
    waiting: { 'department||desk': 0 },
  };
  const stored = testOf(flow, place([900, '1'], conditions), { name: ' sales is busy ', path: true });
  expect(stored).toEqual({
    name: 'sales is busy',
    script: '1',
    at: '2026-06-01T08:00:00.000Z',
    caller: null,
    agents: { 'extension||sales': 'busy' },
    expect: {
      outcome: 'connected',
      destination: 'extension||support',
      visited: ['ivr||main', 'department||desk'],
    },
  });
  const reading = readTestCase(JSON.parse(JSON.stringify(stored)));
  expect(reading.ok).toBe(true);
  expect(runStored(flow, entry, stored)).toMatchObject({ passed: true, differences: [] });
});

test('a test that fails says what differed, and one that cannot be read says why', () => {
  const failing = { name: 'x', script: '2,1', expect: { destination: 'extension||support' } };
  expect(runStored(flow, entry, failing)).toMatchObject({
    passed: false,
    differences: ['destination: expected extension||support, was extension||sales.'],
  });
  expect(runStored(flow, entry, { name: 'x', script: 'jump', expect: { cause: 16 } })).toMatchObject({
    passed: false,
    trace: null,
  });
});

test('a call that was hung up on says why in its expectation', () => {
  const { outcome } = simulate(flow, { entry: 'voicemail||none' });
  expect(outcome.reason).toBe('destination-missing');
  const away = { 'extension||sales': { do: 'busy' }, 'extension||support': { do: 'busy' } } as const;
  const stored = testOf(flow, place([900, '1'], { ...plain, agents: away }), { name: 'none', path: false });
  expect(stored['expect']).toEqual({
    outcome: 'hung-up',
    destination: 'voicemail||none',
    reason: 'destination-missing',
  });
});

test('a test keeps who is signed out of which department', () => {
  const signedOut = { 'department||desk': ['extension||sales'] };
  const stored = testOf(flow, place([900, '1'], { ...plain, signedOut }), {
    name: 'signed out',
    path: false,
  });
  expect(stored).toMatchObject({ signed_out: signedOut, expect: { destination: 'extension||support' } });
  expect(runStored(flow, entry, stored)).toMatchObject({ passed: true, differences: [] });
  expect(runStored(flow, entry, { ...stored, signed_out: {} }).passed).toBe(false);
});

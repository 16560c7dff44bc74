import { expect, test } from 'vitest';
import { readScenario } from '../../../../src/flow/simulation/scenario.ts';
import { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import { aFlow, aMenu } from '../../../../src/flow/testing/samples.ts';
import { scriptedOutside } from './outside.ts';

const hangUp = 'hangup||now';

test('a system answers with the members that are filled in, nested as their pointers say', () => {
  const requests = {
    'request||1': {
      does: 'choice vip',
      values: { '/order/state': 'shipped', '/order/items/0': 'tea', '/note': '', '/a~1b/__proto__': 'x' },
    },
  } as const;
  const { requests: scripted } = scriptedOutside({ requests, bots: {} });
  expect(JSON.stringify(scripted?.['request||1'])).toBe(
    '{"answer":{"order":{"state":"shipped","items":{"0":"tea"}},"a/b":{"__proto__":"x"},"choice":"vip"}}',
  );
});

test('what is chosen is a scenario that the service understands', () => {
  const outside = scriptedOutside({
    requests: { 'request||1': { does: 'fails', values: {} }, 'request||2': { does: 'answers', values: {} } },
    bots: { 'stream||1': 'to extension||7', 'stream||2': 'fails', 'stream||3': 'ends' },
  });
  const read = readScenario(JSON.parse(JSON.stringify(outside)));
  expect(read).toMatchObject({ ok: true, scenario: outside });
  expect(scriptedOutside({ requests: {}, bots: {} })).toEqual({});
});

test('a call goes where the chosen answer leads, also if it is chosen during the call', () => {
  const flow = aFlow([
    aMenu('main', { options: [{ keys: '1', destination: 'request||1', smsTemplate: null }] }),
    aMenu('vip'),
    {
      kind: 'request',
      ref: 'request||1',
      name: 'Who calls',
      method: 'POST',
      url: 'https://shop.example.com/',
      body: [],
      timeoutMs: 3_000,
      save: [{ variable: 'state', pointer: '/order/state' }],
      choices: [{ answer: 'vip', destination: 'ivr||vip' }],
      waitRecording: null,
      next: hangUp,
      failed: hangUp,
    },
  ]);
  const requests = { 'request||1': { does: 'choice vip', values: { '/order/state': 'shipped' } } } as const;
  const chosen = scriptedOutside({ requests, bots: {} });
  const call = new SimulatedCall(flow, { entry: 'ivr||main' });
  call.behave({}, chosen);
  call.press('1', 100);
  while (!call.over && call.next());
  const { visited, variables } = call.trace();
  expect(visited).toContain('ivr||vip');
  expect(variables).toMatchObject({ state: 'shipped' });
});

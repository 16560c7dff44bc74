import { expect, test } from 'vitest';
import { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import { aFlow, aMenu } from '../../../../src/flow/testing/samples.ts';
import { PacedCall, type Speed } from './paced-call.ts';

const flow = aFlow([
  aMenu('main', {
    options: [
      { keys: '1', destination: 'extension||sales', smsTemplate: null },
      { keys: '12', destination: 'extension||support', smsTemplate: null },
    ],
  }),
]);
const paced = (speed: Speed = 1) => new PacedCall(new SimulatedCall(flow, { entry: 'ivr||main' }), speed);
const phase = ({ call }: PacedCall) => call.state.phase.name;

test('time passes as fast as it is said to', () => {
  const call = paced();
  call.tick(3_000);
  expect(call.nowMs).toBe(3_000);
  expect(phase(call)).toBe('prompt');
  call.setSpeed(4);
  call.tick(500);
  expect(call.nowMs).toBe(5_000);
  expect(phase(call)).toBe('waiting');
});

test('nothing happens while it is paused', () => {
  const call = paced();
  call.setPaused(true);
  call.tick(60_000);
  expect(call.nowMs).toBe(0);
  call.setPaused(false);
  call.tick(4_000);
  expect(phase(call)).toBe('waiting');
});

test('skip goes to the next thing that happens: the end of the prompt, then the time-out', () => {
  const call = paced();
  call.tick(1_000);
  call.skip();
  expect([call.nowMs, phase(call)]).toEqual([4_000, 'waiting']);
  call.skip();
  expect([call.nowMs, phase(call)]).toEqual([9_000, 'retrying']);
});

test('at once means up to the moment a key is asked for, and then as long as the person likes', () => {
  const call = paced('instant');
  call.tick(16);
  expect([call.nowMs, phase(call)]).toEqual([4_000, 'waiting']);
  call.tick(60_000);
  expect([call.nowMs, phase(call)]).toEqual([4_000, 'waiting']);
  // 12 is an option too: the time for a second key is real.
  call.press('1');
  call.tick(1_000);
  expect(phase(call)).toBe('collecting');
  call.tick(1_000);
  call.tick(16);
  expect(call.call.trace().outcome).toMatchObject({ kind: 'connected', destination: 'extension||sales' });
  expect(call.over).toBe(true);
});

test('at once goes to the end when the caller’s part is written', () => {
  const call = new PacedCall(new SimulatedCall(flow, { entry: 'ivr||main' }), 'instant', true);
  call.tick(16);
  expect(call.over).toBe(true);
});

test('keys are kept with whole milliseconds at which nothing else happened', () => {
  const call = paced();
  call.press('9');
  call.tick(0.4);
  call.press('9');
  expect(call.inputs).toEqual([
    { atMs: 1, key: '9' },
    { atMs: 2, key: '9' },
  ]);
  call.hangUp();
  expect(call.inputs.at(-1)).toEqual({ atMs: 3, key: null });
  expect(call.over).toBe(true);
  call.press('1');
  expect(call.inputs).toHaveLength(3);
});

test('listeners are called on each change', () => {
  const call = paced();
  let calls = 0;
  const leave = call.subscribe(() => {
    calls += 1;
  });
  call.tick(10);
  call.press('9');
  expect(calls).toBe(2);
  leave();
  call.skip();
  expect(calls).toBe(2);
  expect(call.version).toBe(3);
});

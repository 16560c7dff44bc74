import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../simulate.ts';
import { aDepartment, aFlow, aMenu, anAgent } from '../testing/samples.ts';
import type { ScriptStep } from './script.ts';
import { SimulatedCall } from './simulated-call.ts';

const flow = aFlow([aMenu('main'), anAgent('sales', { failover: 'extension||support' })]);
const entry = 'ivr||main';
const codes = (call: SimulatedCall) => call.steps.map(({ atMs, code }) => `${atMs} ${code}`);

test('a call is held at a moment: what comes later has not happened yet', () => {
  const call = new SimulatedCall(flow, { entry });
  expect(call.state.phase.name).toBe('prompt');
  expect(call.playing).toMatchObject({ atMs: 0, sound: { kind: 'recording' } });
  call.advanceTo(3_999);
  expect(call.state.phase.name).toBe('prompt');
  call.advanceTo(4_000);
  expect(call.state.phase.name).toBe('waiting');
  expect(call.playing).toBeNull();
  expect(codes(call).at(-1)).toBe('4000 waiting');
});

test('a key that is pressed at a moment counts then, and what would have come is forgotten', () => {
  const call = new SimulatedCall(flow, { entry });
  call.press('1', 1_234);
  expect(call.state.phase.name).toBe('ringing');
  expect(call.over).toBe(false);
  while (call.next());
  expect(call.over).toBe(true);
  expect(call.trace().outcome).toMatchObject({ kind: 'connected', destination: 'extension||sales' });
  expect(call.trace().durationMs).toBe(4_234);
  call.press('2', 9_000);
  expect(codes(call).filter((line) => line.endsWith('key-pressed'))).toHaveLength(1);
});

test('next() lets one thing happen, and says when nothing will', () => {
  const call = new SimulatedCall(flow, { entry });
  expect(call.next(3_999)).toBe(false);
  expect(call.next()).toBe(true);
  expect(call.atMs).toBe(4_000);
  call.hangUp(4_500);
  expect(call.next()).toBe(false);
  expect(call.trace().outcome).toMatchObject({ kind: 'caller-hung-up' });
  expect(call.trace().durationMs).toBe(4_500);
});

test('who is busy can be told in the course of a call', () => {
  const call = new SimulatedCall(flow, { entry });
  call.behave({ 'extension||sales': { do: 'busy' } });
  call.press('1', 500);
  while (call.next());
  expect(call.trace().outcome).toMatchObject({ destination: 'extension||support' });
  const blocked = new SimulatedCall(flow, { entry, agents: { 'extension||sales': { do: 'busy' } } });
  blocked.behave({ 'extension||sales': { do: 'blocked' } });
  blocked.press('1', 500);
  expect(blocked.steps.map(({ code }) => code)).toContain('agent-blocked');
});

test('who is signed out of a department is not rung for it, and for another one is', () => {
  const signedOut = { 'department||a': ['extension||sales'] };
  const offices = aFlow([
    aDepartment('a', { agents: ['extension||sales', 'extension||support'] }),
    aDepartment('b', { agents: ['extension||sales'] }),
  ]);
  const ends = (at: string) => simulate(offices, { entry: at, signedOut });
  const held = ends('department||a');
  expect(held.outcome.destination).toBe('extension||support');
  expect(held.steps.find(({ code }) => code === 'agent-paused')?.text).toContain('signed out of');
  expect(ends('department||b').outcome.destination).toBe('extension||sales');
  // The own number rings.
  expect(ends('extension||sales').outcome.destination).toBe('extension||sales');
});

test('who signs in to a department again in the course of a call is rung for it', () => {
  const offices = aFlow([
    aMenu('main', { options: [{ keys: '1', destination: 'department||a', smsTemplate: null }] }),
    aDepartment('a', { agents: ['extension||sales', 'extension||support'] }),
  ]);
  const call = new SimulatedCall(offices, { entry, signedOut: { 'department||a': ['extension||sales'] } });
  call.behave({}, { signedOut: {} });
  call.press('1', 500);
  while (call.next());
  expect(call.trace().outcome.destination).toBe('extension||sales');
});

test('a trace that is looked at in between ends what is heard there, and changes nothing', () => {
  const call = new SimulatedCall(flow, { entry });
  call.advanceTo(1_000);
  expect(call.trace().heard).toEqual([{ atMs: 0, ms: 0, sound: call.playing?.sound }]);
  while (call.next());
  expect(call.trace()).toEqual(simulate(flow, { entry }));
});

const anyInput = fc.record({ gapMs: fc.integer({ min: 1, max: 9_000 }), key: fc.constantFrom(...'0129#') });

test('keys pressed by hand and the same keys as timed waits of a script make the same call', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 6 }), (inputs) => {
      const call = new SimulatedCall(flow, { entry });
      const script: ScriptStep[] = [];
      let atMs = 0;
      for (const { gapMs, key } of inputs) {
        atMs += gapMs;
        call.press(key, atMs + 0.5);
        if (call.atMs !== atMs + 0.5) break;
        script.push({ do: 'wait', ms: gapMs }, { do: 'press', keys: key });
      }
      while (call.next());
      const half = script.map((step, index) =>
        index === 0 && step.do === 'wait' ? { ...step, ms: (step.ms ?? 0) + 0.5 } : step,
      );
      expect(call.trace().events).toEqual(simulate(flow, { entry, script: half }).events);
    }),
    { numRuns: 200 },
  );
});

test('the events of a call, told again, are the same call', () => {
  const trace = simulate(flow, {
    entry,
    script: [{ do: 'press', keys: '9' }, { do: 'wait' }, { do: 'press', keys: '1' }],
    agents: { 'extension||sales': { do: 'no-answer' } },
  });
  const retold = new SimulatedCall(flow, { entry }, trace.events);
  while (retold.next());
  expect(retold.trace().steps).toEqual(trace.steps);
  expect(retold.trace().heard).toEqual(trace.heard);
  expect(retold.trace().outcome).toEqual(trace.outcome);
});

test('a call told again goes past the moment somebody answered', () => {
  const { events } = simulate(flow, { entry, script: [{ do: 'press', keys: '1' }] });
  const retold = new SimulatedCall(flow, { entry }, [...events, { type: 'agent-hung-up', atMs: 60_000 }]);
  while (retold.next());
  expect(retold.state.phase).toMatchObject({ name: 'ended', end: { code: 'agent-hung-up' } });
  expect(retold.atMs).toBe(60_000);
});

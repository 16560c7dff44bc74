// When the caller of a simulated call takes which step of the script.
import { expect, test } from 'vitest';
import { runScript } from '../testing/run-script.ts';
import { aFlow, aMenu, anAgent, anAnnouncement } from '../testing/samples.ts';
import type { Scenario } from './scenario.ts';
import type { Trace } from './trace.ts';

// The prompt of each menu lasts 4 s, the wait for a key 5 s more, a retry announcement 2 s.
const flow = aFlow([
  aMenu('main'),
  aMenu('quiet', { timeoutTries: 0, timeoutDestination: 'extension||desk' }),
  anAgent('desk', { failover: 'ivr||main' }),
  anAnnouncement('a', 'extension||desk'),
]);
const run = (script: string, scenario: Partial<Scenario> = {}): Trace => runScript(flow, script, scenario);
const keysOf = ({ events }: Trace): string[] =>
  events.flatMap((event) => (event.type === 'key-pressed' ? `${event.atMs} ${event.key}` : []));
const entry = 'announcement||a';

test('a silent caller hangs up when the menu’s time is over, not when its prompt is', () => {
  const trace = run('wait,hangup');
  expect(trace.outcome.kind).toBe('caller-hung-up');
  expect(trace.durationMs).toBe(9_000);
  expect(trace.unusedSteps).toEqual([]);
});

test('a key that comes as late as the second prompt is the step of that prompt', () => {
  const trace = run('9@16s,1');
  expect(keysOf(trace)).toEqual(['16000 9', '19500 1']);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('after a timed wait keys are pressed at once; the step after them waits for a menu again', () => {
  expect(keysOf(run('wait 1s,9,1'))).toEqual(['1000 9', '4500 1']);
  expect(keysOf(run('wait 1s,wait,1'))).toEqual(['11500 1']);
  expect(keysOf(run('wait 1s,busy,1', { entry }))).toEqual(['3500 1']);
});

test('keys for a menu are not pressed while a phone rings, even if the menu before got none', () => {
  // The prompt and the last announcement take 11.5 s; the phone rings for 25 s.
  expect(keysOf(run('no-answer,1', { entry: 'ivr||quiet' }))).toEqual(['37000 1']);
});

test.each([
  ['busy', 'agent-busy'],
  ['unreachable', 'agent-unreachable'],
  ['no-answer', 'no-answer'],
  ['answer 1s', 'connected'],
])('“%s” waits until a phone rings', (step, code) => {
  const trace = run(step, { entry });
  expect(trace.steps.map((each) => each.code)).toContain(code);
  expect(trace.unusedSteps).toEqual([]);
});

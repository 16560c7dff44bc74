import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';
import { readBehaviour, readScenario } from './simulation/scenario.ts';
import { parseScript } from './simulation/script.ts';
import { traceJson } from './simulation/trace.ts';
import { replay } from './testing/call-harness.ts';
import { aFlow, aMenu, anAgent, anAnnouncement } from './testing/samples.ts';
import { clockText, renderTimeline } from './timeline.ts';

const flow = aFlow([aMenu('main')]);

function withoutColour(text: string): string {
  return text
    .split('\u001b')
    .map((part) => part.replace(/^\[\d+m/, ''))
    .join('');
}

function steps(text: string) {
  const reading = parseScript(text);
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.steps;
}

test('simulation of "9,wait,1" hears the invalid recording, the time-out retry and then connects', () => {
  const trace = simulate(flow, { entry: 'ivr||main', script: steps('9,wait,1') });
  expect(trace.steps.map(({ atMs, code }) => `${atMs} ${code}`)).toEqual([
    '0 call-started',
    '0 arrived',
    '0 answered',
    '0 playing',
    '500 key-pressed',
    '2500 invalid-retry',
    '2500 playing',
    '3500 playing',
    '7500 waiting',
    '12500 timeout-retry',
    '12500 playing',
    '14500 playing',
    '15000 key-pressed',
    '15000 option-matched',
    '15000 arrived',
    '15000 ringing',
    '18000 connected',
  ]);
  expect(trace.outcome).toMatchObject({ kind: 'connected', destination: 'extension||sales' });
  expect(trace.unusedSteps).toEqual([]);
});

test('simulation takes the script’s word on who answers before the agents’ own', () => {
  const failing = aFlow([aMenu('main'), anAgent('sales', { failover: 'extension||support' })]);
  const agents = { 'extension||support': { do: 'busy' } } as const;
  const trace = simulate(failing, { entry: 'ivr||main', script: steps('1,busy,answer 8s'), agents });
  expect(trace.outcome).toMatchObject({ kind: 'connected', destination: 'extension||support' });
  expect(trace.durationMs).toBe(8_500);
});

test('simulation blocks an agent for one call without touching the flow', () => {
  const agents = { 'extension||sales': { do: 'blocked' } } as const;
  const blocked = simulate(flow, { entry: 'ivr||main', script: steps('1'), agents });
  expect(blocked.outcome.reason).toBe('agent-blocked');
  expect(simulate(flow, { entry: 'ivr||main', script: steps('1') }).outcome.kind).toBe('connected');
});

test('simulation names the steps of the script that were never reached', () => {
  const trace = simulate(flow, { entry: 'ivr||main', script: steps('1,2,3') });
  expect(trace.unusedSteps).toEqual(steps('2,3'));
});

test('simulation is bounded by its number of events', () => {
  const trace = simulate(flow, { entry: 'ivr||main', maxEvents: 2 });
  expect(trace.outcome).toMatchObject({ kind: 'unfinished', reason: 'unfinished' });
});

test('simulation’s events make the same trail again', () => {
  const trace = simulate(flow, { entry: 'ivr||main', script: steps('9,wait,1') });
  expect(replay(flow, trace.events)).toEqual(trace.steps);
});

test('simulated hour of announcements takes milliseconds', () => {
  const long = aFlow([anAnnouncement('a', 'hangup||', { recording: 'long' })]);
  const trace = simulate(
    {
      ...long,
      recordings: long.recordings.with([['long', { id: 'long', name: 'L', durationMs: 3_600_000 }]]),
    },
    { entry: 'announcement||a' },
  );
  expect(trace.durationMs).toBe(3_600_000);
});

test('timeline is one line per step, with the outcome last', () => {
  const text = renderTimeline(simulate(flow, { entry: 'ivr||main', script: steps('1') }));
  expect(text).toBe(`0:00.000               A call from +15550100 to “Menu main”.
0:00.000  Menu main    Arrives at the menu “Menu main”.
0:00.000               The call is answered.
0:00.000  Menu main    Plays the menu: “Welcome”.
0:00.500  Menu main    The caller pressed 1.
0:00.500  Menu main    Option 1 leads to “Agent sales”: no longer option begins like this.
0:00.500  Agent sales  Arrives at the agent “Agent sales”.
0:00.500  Agent sales  Rings “Agent sales” on 1001 for 25 s.
0:03.500  Agent sales  “Agent sales” on 1001 answered: both sides are connected.

connected: Connected to “Agent sales”. normal-clearing, cause 16.
`);
});

test('timeline in colour says the same words, and control characters in names never reach the terminal', () => {
  const evil = aFlow([aMenu('main', { name: 'Evil \u001b[31m' })]);
  const trace = simulate(evil, { entry: 'ivr||main', script: steps('9,hangup') });
  const coloured = renderTimeline(trace, { colour: true });
  expect(coloured).toContain('\u001b[1m');
  expect(renderTimeline(trace)).not.toContain('\u001b');
  expect(withoutColour(coloured)).toBe(renderTimeline(trace));
});

test('clock of the timeline shows hours only when there are any', () => {
  expect(clockText(61_005)).toBe('1:01.005');
  expect(clockText(3_661_005)).toBe('1:01:01.005');
});

test('scenario is read from JSON', () => {
  const reading = readScenario({
    script: '1',
    at: '2026-12-24T18:00:00Z',
    caller: null,
    seed: 7,
    agents: { 'extension||sales': 'answer 5s', 'extension||support': 'blocked' },
    idle_since: { 'extension||sales': 1 },
    last_rung: { 'department||d': 'extension||sales' },
    waiting: { 'department||d': 2 },
    signed_out: { 'department||d': ['extension||support'] },
    unknown: 'members are ignored',
  });
  expect(reading).toEqual({
    ok: true,
    scenario: {
      script: [{ do: 'press', keys: '1' }],
      epochMs: Date.UTC(2026, 11, 24, 18),
      caller: null,
      seed: 7,
      agents: {
        'extension||sales': { do: 'answer', afterMs: 5_000 },
        'extension||support': { do: 'blocked' },
      },
      idleSince: { 'extension||sales': 1 },
      lastRung: { 'department||d': 'extension||sales' },
      waiting: { 'department||d': 2 },
      signedOut: { 'department||d': ['extension||support'] },
    },
  });
  expect(readScenario({})).toMatchObject({ ok: true, scenario: { script: [] } });
});

test('scenario names all its faults at once, each by its pointer', () => {
  const reading = readScenario({
    script: '1,wiat',
    at: 'tomorrow',
    caller: 5,
    seed: 'x',
    agents: { 'extension||a/b': 'asleep' },
    idle_since: [],
    last_rung: { d: 1 },
    signed_out: { d: 'extension||a', e: [1], f: [] },
  });
  expect(reading.ok ? [] : reading.faults.map(({ pointer }) => pointer)).toEqual([
    '/script',
    '/at',
    '/caller',
    '/seed',
    '/agents/extension||a~1b',
    '/idle_since',
    '/last_rung/d',
    '/signed_out/d',
    '/signed_out/e',
  ]);
  expect(readScenario('9,wait,1').ok).toBe(false);
});

test('agent’s behaviour is one word of the script, not several', () => {
  expect(readBehaviour('no-answer')).toEqual({ do: 'no-answer' });
  for (const wrong of ['1', 'wait', 'busy,busy', '', 5, null])
    expect(typeof readBehaviour(wrong)).toBe('string');
});

test('trace as JSON is snake_case and survives a round trip', () => {
  const json = traceJson(simulate(aFlow([aMenu('main', { recording: 'gone' })]), { entry: 'ivr||main' }));
  expect(json).toMatchObject({
    started_at: '2026-01-05T10:00:00.000Z',
    outcome: { kind: 'hung-up', destination: 'hangup||timeout' },
    heard: expect.arrayContaining([{ at_ms: 0, ms: 500, tone_instead_of: 'gone' }]),
    unused_steps: '',
  });
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
});

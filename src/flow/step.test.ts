import { expect, test } from 'vitest';
import { type Action, type CallEvent, NEW_CALL } from './call-state.ts';
import { changeFlow, type Flow } from './flow.ts';
import { step } from './step.ts';
import { codesOf, runScript } from './testing/run-script.ts';
import { aFlow, aMenu, anAgent, anAnnouncement } from './testing/samples.ts';

const option = (keys: string, destination: string, smsTemplate: string | null = null) => ({
  keys,
  destination,
  smsTemplate,
});

test('missing recording is a short tone and a line in the trail (call rule 8)', () => {
  const trace = runScript(aFlow([aMenu('main', { recording: 'gone' })]), 'wait 600ms,1');
  expect(trace.heard[0]).toMatchObject({ ms: 500, sound: { kind: 'tone', insteadOf: 'gone' } });
  expect(codesOf(trace)).toContain('recording-missing');
});

test('missing destination is unreachable: apology, then hang-up with a reason (call rule 8)', () => {
  const trace = runScript(aFlow([aMenu('main', { options: [option('1', 'extension||nobody')] })]), '1');
  expect(trace.heard.at(-1)?.sound).toEqual({ kind: 'system', prompt: 'apology' });
  expect(trace.outcome).toMatchObject({
    kind: 'hung-up',
    reason: 'destination-missing',
    destination: 'extension||nobody',
    cause: 1,
  });
});

test('missing entry ends the call with a reason as well (call rule 8)', () => {
  expect(runScript(aFlow([]), '').outcome.reason).toBe('destination-missing');
});

test('call goes on when the end of a sound is never reported (call rule 8)', () => {
  const flow = aFlow([aMenu('main')]);
  const { state, guard } = started(flow);
  const after = step(flow, state, { type: 'timer-expired', atMs: 20_000, ...guard });
  expect(after.state.phase.name).toBe('waiting');
  expect(after.actions.map(({ type }) => type)).toEqual(['note', 'stop-playing', 'note', 'start-timer']);
});

test('chain without caller input is cut after 20 hops with an apology (call rule 9)', () => {
  const flow = aFlow([anAnnouncement('a', 'announcement||b'), anAnnouncement('b', 'announcement||a')]);
  const trace = runScript(flow, '', { entry: 'announcement||a' });
  expect(trace.visited, 'the entry and 20 hops').toHaveLength(21);
  expect(trace.heard.at(-1)?.sound).toEqual({ kind: 'system', prompt: 'apology' });
  expect(trace.outcome).toMatchObject({ reason: 'hop-limit', cause: 25 });
});

test('menu whose time-out leads to itself is cut as well (call rule 9)', () => {
  const menu = aMenu('main', { timeoutDestination: 'ivr||main', timeoutTries: 0 });
  expect(runScript(aFlow([menu]), '').outcome.reason).toBe('hop-limit');
});

test('caller who presses keys may go round as often as they like (call rule 9)', () => {
  const menu = aMenu('main', { options: [option('1', 'ivr||main')] });
  const script = `${'1,'.repeat(60)}hangup`;
  expect(runScript(aFlow([menu]), script).outcome.reason).toBe('caller-hung-up');
});

test('call keeps the flow it started with while another is edited (call rule 10)', () => {
  const flow = aFlow([aMenu('main')]);
  const edited = changeFlow(flow, { removedNodes: ['ivr||main'] });
  expect(runScript(flow, '1').outcome.kind).toBe('connected');
  expect(runScript(edited, '1').outcome.reason).toBe('destination-missing');
});

test('every line of the trail has a time, a stable code and words (call rule 11)', () => {
  const trace = runScript(aFlow([aMenu('main')]), '9,wait,2');
  for (const entry of trace.steps) {
    expect(entry.text).toMatch(/\w.*\.?$/);
    expect(entry.atMs).toBeGreaterThanOrEqual(0);
  }
  expect(trace.steps.map(({ atMs }) => atMs)).toEqual(
    trace.steps.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
  );
});

test('caller who hangs up ends the call with cause 16 from any phase (call rule 11)', () => {
  for (const script of ['hangup', '9,hangup', '1,no-answer,hangup', 'wait,hangup']) {
    expect(runScript(aFlow([aMenu('main')]), script).outcome).toMatchObject({
      reason: 'caller-hung-up',
      cause: 16,
    });
  }
});

test('stale timer, playback and ring reports change nothing', () => {
  const flow = aFlow([aMenu('main')]);
  const { state, guard } = started(flow);
  const stale: CallEvent[] = [
    { type: 'timer-expired', atMs: 1, timer: guard.timer, generation: guard.generation + 90 },
    { type: 'timer-expired', atMs: 1, timer: 'inter-digit', generation: guard.generation },
    { type: 'playback-finished', atMs: 1, playback: 999 },
    { type: 'agent-answered', atMs: 1, attempt: 1, target: 'extension||sales/intercom' },
    { type: 'voicemail-recorded', atMs: 1, request: 1, saved: true },
    { type: 'directory-told', atMs: 1, request: 1, idleSince: {}, lastRung: null },
    { type: 'agent-hung-up', atMs: 1 },
    { type: 'call-started', atMs: 1, entry: 'ivr||other', epochMs: 0, seed: 1, caller: null },
  ];
  for (const event of stale) {
    const after = step(flow, state, event);
    expect(after.actions).toEqual([]);
    expect(after.state.phase).toEqual(state.phase);
  }
});

test('events before the start change nothing', () => {
  const event: CallEvent = { type: 'key-pressed', atMs: 0, key: '1' };
  expect(step(aFlow([]), NEW_CALL, event)).toEqual({ state: NEW_CALL, actions: [] });
});

test('step changes neither the state nor the flow it is given', () => {
  const flow = aFlow([aMenu('main')]);
  const { state } = started(flow);
  const before = JSON.stringify(state);
  step(flow, state, { type: 'key-pressed', atMs: 10, key: '1' });
  expect(JSON.stringify(state)).toBe(before);
});

test('a call lasts twelve hours at most where nothing else is set', () => {
  const started = {
    type: 'call-started',
    atMs: 0,
    entry: 'ivr||main',
    epochMs: 0,
    seed: 1,
    caller: null,
  } as const;
  const { actions } = step(aFlow([aMenu('main')]), NEW_CALL, started);
  expect(
    actions.filter((action) => action.type === 'start-timer' && action.timer === 'call-limit'),
  ).toMatchObject([{ ms: 43_200_000 }]);
});

test('call limit ends a conversation whose hang-up was lost', () => {
  const flow = aFlow([anAgent('sales')], { callLimitMs: 60_000 });
  const { state } = started(flow, 'extension||sales');
  if (state.phase.name !== 'ringing') throw new Error(state.phase.name);
  const { attempt } = state.phase;
  const answered = step(flow, state, {
    type: 'agent-answered',
    atMs: 10,
    attempt,
    target: 'extension||sales/intercom',
  });
  const generation = answered.state.timers['call-limit'];
  const ended = step(flow, answered.state, {
    type: 'timer-expired',
    atMs: 60_000,
    timer: 'call-limit',
    generation,
  });
  expect(ended.actions.at(-1)).toMatchObject({ type: 'hang-up', end: { code: 'call-limit', cause: 102 } });
});

function started(flow: Flow, entry = 'ivr||main') {
  const event: CallEvent = { type: 'call-started', atMs: 0, entry, epochMs: 0, seed: 1, caller: null };
  const { state, actions } = step(flow, NEW_CALL, event);
  const guard = actions.findLast(
    (action): action is Extract<Action, { type: 'start-timer' }> => action.type === 'start-timer',
  );
  if (!guard) throw new Error('no timer guards the call');
  return { state, guard: { timer: guard.timer, generation: guard.generation } };
}

test('a key begins the chain of hops anew, with its destination as the first one (call rule 9)', () => {
  const round = [anAnnouncement('a', 'announcement||b'), anAnnouncement('b', 'announcement||a')];
  const flow = aFlow([aMenu('main', { options: [option('1', 'announcement||a')] }), ...round]);
  const trace = runScript(flow, '1');
  expect(trace.outcome.reason).toBe('hop-limit');
  expect(trace.visited, 'the menu and 20 hops').toHaveLength(21);
});

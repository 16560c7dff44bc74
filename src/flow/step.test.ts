import { expect, test } from 'vitest';
import { type Action, type CallEvent, NEW_CALL } from './call-state.ts';
import { heardRecordings } from './expect.ts';
import { changeFlow, type Flow } from './flow.ts';
import { type Scenario, simulate, type Trace } from './simulate.ts';
import { parseScript } from './simulation/script.ts';
import { step } from './step.ts';
import { aFlow, aMenu, anAgent, anAnnouncement } from './testing/samples.ts';

function run(flow: Flow, script: string, scenario: Partial<Scenario> = {}): Trace {
  const reading = parseScript(script);
  if (!reading.ok) throw new Error(reading.fault.message);
  return simulate(flow, { entry: 'ivr||main', script: reading.steps, ...scenario });
}

function codes(trace: Trace): string[] {
  return trace.steps.map(({ code }) => code);
}

const option = (keys: string, destination: string, smsTemplate: string | null = null) => ({
  keys,
  destination,
  smsTemplate,
});

test('menu answers, then plays its recording (rule 1)', () => {
  const trace = run(aFlow([aMenu('main')]), 'hangup');
  expect(codes(trace)).toEqual(['call-started', 'arrived', 'answered', 'playing', 'ended']);
});

test('menu stops its prompt at the first key (rule 1)', () => {
  const trace = run(aFlow([aMenu('main')]), '1@700ms');
  expect(trace.heard[0]).toMatchObject({ ms: 700, sound: { id: 'welcome' } });
  expect(trace.outcome).toMatchObject({ kind: 'connected', destination: 'extension||sales' });
});

test('menu hears a key pressed in the first millisecond of its prompt (rule 1)', () => {
  expect(run(aFlow([aMenu('main')]), '2@0ms').outcome.destination).toBe('extension||support');
});

test('menu decides at once when no longer option could match (rule 2)', () => {
  const trace = run(aFlow([aMenu('main')]), '1@0ms');
  expect(trace.steps.find(({ code }) => code === 'option-matched')?.atMs).toBe(0);
});

test('menu prefers the longer option when its keys follow in time (rule 2)', () => {
  const options = [option('1', 'extension||sales'), option('12', 'extension||support')];
  const flow = aFlow([aMenu('main', { options })]);
  expect(run(flow, '12').outcome.destination).toBe('extension||support');
  expect(run(flow, '1').outcome.destination).toBe('extension||sales');
  const decided = run(flow, '1@0ms').steps.find(({ code }) => code === 'option-matched');
  expect(decided?.atMs, 'two seconds after the last key').toBe(2_000);
});

test('menu takes # as the end of the input when no option contains # (rule 2)', () => {
  const options = [option('1', 'extension||sales'), option('12', 'extension||support')];
  const trace = run(aFlow([aMenu('main', { options })]), '1#@0ms');
  expect(trace.steps.find(({ code }) => code === 'option-matched')?.atMs).toBe(200);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu takes # as a key when an option contains # (rule 2)', () => {
  const options = [option('1', 'extension||sales'), option('1#', 'extension||support')];
  expect(run(aFlow([aMenu('main', { options })]), '1#').outcome.destination).toBe('extension||support');
});

test('menu counts a lone # that no option contains as invalid (rules 2 and 4)', () => {
  expect(codes(run(aFlow([aMenu('main')]), '#'))).toContain('invalid-retry');
});

test('menu keeps options as text, so that 01 is not 1 (rule 2)', () => {
  const options = [option('01', 'extension||sales'), option('1', 'extension||support')];
  const flow = aFlow([aMenu('main', { options })]);
  expect(run(flow, '01').outcome.destination).toBe('extension||sales');
  expect(run(flow, '1').outcome.destination).toBe('extension||support');
});

test('menu settles a stuck key after 32 presses instead of collecting for ever (rule 2)', () => {
  const flow = aFlow([aMenu('main', { incorrectCount: 0 })]);
  const trace = run(flow, '9'.repeat(40));
  expect(trace.steps.filter(({ code }) => code === 'key-pressed')).toHaveLength(32);
  expect(trace.outcome.destination).toBe('hangup||invalid');
});

test('menu queues the option’s SMS when the setting is on (rule 3)', () => {
  const menu = aMenu('main', { options: [option('1', 'extension||sales', 't7')] });
  const trace = run(aFlow([menu], { smsTemplates: true }), '1');
  expect(trace.sms).toEqual(['t7']);
  expect(codes(trace)).toContain('sms-queued');
});

test('menu queues no SMS when the setting is off or the caller has no number (rule 3)', () => {
  const menu = aMenu('main', { options: [option('1', 'extension||sales', 't7')] });
  expect(run(aFlow([menu]), '1').sms).toEqual([]);
  const anonymous = run(aFlow([menu], { smsTemplates: true }), '1', { caller: null });
  expect(anonymous.sms).toEqual([]);
  expect(codes(anonymous)).toContain('sms-skipped');
});

test('menu asks again when an unlisted key is pressed (rule 4)', () => {
  const trace = run(aFlow([aMenu('main')]), '9,1');
  expect(heardRecordings(trace)).toEqual(['welcome', 'invalid', 'welcome']);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu allows n retries, so n+1 wrong attempts, before the invalid destination (rule 4)', () => {
  const trace = run(
    aFlow([aMenu('main', { incorrectCount: 2, recordingInvalid: 'invalid-final' })]),
    '9,9,9',
  );
  expect(codes(trace).filter((code) => code === 'invalid-retry')).toHaveLength(2);
  expect(heardRecordings(trace)).toEqual([
    'welcome',
    'invalid',
    'welcome',
    'invalid',
    'welcome',
    'invalid-final',
  ]);
  expect(trace.outcome).toMatchObject({ destination: 'hangup||invalid', reason: 'hang-up-reached' });
});

test('menu with no retries goes straight to the final step (rule 4)', () => {
  const trace = run(aFlow([aMenu('main', { incorrectCount: 0 })]), '9');
  expect(heardRecordings(trace)).toEqual(['welcome', 'invalid']);
  expect(trace.outcome.destination).toBe('hangup||invalid');
});

test('menu plays invalid_recording at the end when recording_invalid is absent (rule 4)', () => {
  const trace = run(aFlow([aMenu('main', { incorrectCount: 0, recordingInvalid: null })]), '9');
  expect(heardRecordings(trace).at(-1)).toBe('invalid');
});

test('menu takes a key during a retry recording as the next attempt (rule 4)', () => {
  const trace = run(aFlow([aMenu('main')]), 'wait 100ms,9,wait 2300ms,1');
  expect(heardRecordings(trace)).toEqual(['welcome', 'invalid']);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu ignores and notes keys while a final recording plays (rule 4)', () => {
  const flow = aFlow([
    aMenu('main', { incorrectCount: 0, invalidDestination: 'ivr||other' }),
    aMenu('other', { timeoutTries: 0 }),
  ]);
  const trace = run(flow, 'wait 100ms,9,wait 2300ms,1');
  expect(codes(trace)).toContain('key-ignored');
  expect(trace.outcome.destination).toBe('hangup||timeout');
});

test('menu waits its time-out from the end of the prompt, then retries (rule 5)', () => {
  const trace = run(aFlow([aMenu('main')]), 'wait,1');
  expect(trace.steps.find(({ code }) => code === 'timeout-retry')?.atMs).toBe(9_000);
  expect(heardRecordings(trace)).toEqual(['welcome', 'timeout-retry', 'welcome']);
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu goes to the time-out destination when its retries are used up (rule 5)', () => {
  const trace = run(aFlow([aMenu('main')]), '');
  expect(heardRecordings(trace)).toEqual(['welcome', 'timeout-retry', 'welcome', 'timeout-final']);
  expect(trace.outcome.destination).toBe('hangup||timeout');
});

test('menu with a time-out of 0 does not wait after its prompt (rule 5)', () => {
  const trace = run(aFlow([aMenu('main', { timeoutSeconds: 0, timeoutTries: 0 })]), '');
  expect(trace.steps.find(({ code }) => code === 'timeout-final')?.atMs).toBe(4_000);
  expect(codes(trace)).not.toContain('waiting');
});

test('menu counts keys followed by silence as invalid, not as a time-out (rule 5)', () => {
  const trace = run(aFlow([aMenu('main')]), '9');
  expect(codes(trace)).toContain('invalid-retry');
  expect(trace.steps.find(({ code }) => code === 'invalid-retry')?.atMs).toBe(2_500);
});

test('menu counts wrong keys and time-outs apart (rule 6)', () => {
  const trace = run(aFlow([aMenu('main')]), '9,wait,1');
  expect(codes(trace)).toEqual(expect.arrayContaining(['invalid-retry', 'timeout-retry']));
  expect(trace.outcome.destination).toBe('extension||sales');
});

test('menu begins both counters anew at every visit (rule 6)', () => {
  const menu = aMenu('main', { options: [option('1', 'ivr||main')] });
  const trace = run(aFlow([menu]), '9,1,9,1,9,wait 3s,hangup');
  expect(codes(trace).filter((code) => code === 'invalid-retry')).toHaveLength(3);
  expect(codes(trace)).not.toContain('invalid-final');
});

test('missing recording is a short tone and a line in the trail (rule 8)', () => {
  const trace = run(aFlow([aMenu('main', { recording: 'gone' })]), 'wait 600ms,1');
  expect(trace.heard[0]).toMatchObject({ ms: 500, sound: { kind: 'tone', insteadOf: 'gone' } });
  expect(codes(trace)).toContain('recording-missing');
});

test('missing destination is unreachable: apology, then hang-up with a reason (rule 8)', () => {
  const trace = run(aFlow([aMenu('main', { options: [option('1', 'extension||nobody')] })]), '1');
  expect(trace.heard.at(-1)?.sound).toEqual({ kind: 'system', prompt: 'apology' });
  expect(trace.outcome).toMatchObject({
    kind: 'hung-up',
    reason: 'destination-missing',
    destination: 'extension||nobody',
    cause: 1,
  });
});

test('missing entry is answered with an apology as well (rule 8)', () => {
  expect(run(aFlow([]), '').outcome.reason).toBe('destination-missing');
});

test('call goes on when the end of a sound is never reported (rule 8)', () => {
  const flow = aFlow([aMenu('main')]);
  const { state, guard } = started(flow);
  const after = step(flow, state, { type: 'timer-expired', atMs: 20_000, ...guard });
  expect(after.state.phase.name).toBe('waiting');
  expect(after.actions.map(({ type }) => type)).toEqual(['note', 'stop-playing', 'note', 'start-timer']);
});

test('chain without caller input is cut after 20 hops with an apology (rule 9)', () => {
  const flow = aFlow([anAnnouncement('a', 'announcement||b'), anAnnouncement('b', 'announcement||a')]);
  const trace = run(flow, '', { entry: 'announcement||a' });
  expect(trace.visited, 'the entry and 20 hops').toHaveLength(21);
  expect(trace.heard.at(-1)?.sound).toEqual({ kind: 'system', prompt: 'apology' });
  expect(trace.outcome).toMatchObject({ reason: 'hop-limit', cause: 25 });
});

test('menu whose time-out leads to itself is cut as well (rule 9)', () => {
  const menu = aMenu('main', { timeoutDestination: 'ivr||main', timeoutTries: 0 });
  expect(run(aFlow([menu]), '').outcome.reason).toBe('hop-limit');
});

test('caller who presses keys may go round as often as they like (rule 9)', () => {
  const menu = aMenu('main', { options: [option('1', 'ivr||main')] });
  const script = `${'1,'.repeat(60)}hangup`;
  expect(run(aFlow([menu]), script).outcome.reason).toBe('caller-hung-up');
});

test('call keeps the flow it started with while another is edited (rule 10)', () => {
  const flow = aFlow([aMenu('main')]);
  const edited = changeFlow(flow, { removedNodes: ['ivr||main'] });
  expect(run(flow, '1').outcome.kind).toBe('connected');
  expect(run(edited, '1').outcome.reason).toBe('destination-missing');
});

test('every line of the trail has a time, a stable code and words (rule 11)', () => {
  const trace = run(aFlow([aMenu('main')]), '9,wait,2');
  for (const entry of trace.steps) {
    expect(entry.text).toMatch(/\w.*\.?$/);
    expect(entry.atMs).toBeGreaterThanOrEqual(0);
  }
  expect(trace.steps.map(({ atMs }) => atMs)).toEqual(
    trace.steps.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
  );
});

test('caller who hangs up ends the call with cause 16 from any phase (rule 11)', () => {
  for (const script of ['hangup', '9,hangup', '1,no-answer,hangup', 'wait,hangup']) {
    expect(run(aFlow([aMenu('main')]), script).outcome).toMatchObject({
      reason: 'caller-hung-up',
      cause: 16,
    });
  }
});

test('keys typed during an announcement are given to the next menu, whose prompt is skipped', () => {
  const flow = aFlow([anAnnouncement('a', 'ivr||main'), aMenu('main')]);
  const trace = run(flow, 'wait 500ms,2', { entry: 'announcement||a' });
  expect(heardRecordings(trace)).toEqual(['notice']);
  expect(trace.heard[0]?.ms, 'the announcement is heard to its end').toBe(3_000);
  expect(trace.outcome.destination).toBe('extension||support');
});

test('keys typed ahead beyond a match are carried into the menu after it', () => {
  const first = aMenu('main', { options: [option('5', 'ivr||second')] });
  const flow = aFlow([anAnnouncement('a', 'ivr||main'), first, aMenu('second')]);
  const trace = run(flow, 'wait 100ms,52', { entry: 'announcement||a' });
  expect(trace.outcome.destination).toBe('extension||support');
  expect(codes(trace).filter((code) => code === 'keys-typed-ahead')).toHaveLength(2);
});

test('keys typed ahead behind a wrong entry are dropped and noted', () => {
  const flow = aFlow([anAnnouncement('a', 'ivr||main'), aMenu('main')]);
  const trace = run(flow, 'wait 100ms,9#1', { entry: 'announcement||a' });
  expect(codes(trace)).toContain('keys-dropped');
  expect(trace.outcome.destination).toBe('hangup||timeout');
});

test('keys typed ahead are dropped where no menu follows', () => {
  const flow = aFlow([anAnnouncement('a', 'extension||sales')]);
  expect(codes(run(flow, 'wait 100ms,1', { entry: 'announcement||a' }))).toContain('keys-dropped');
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

// A call that fails before anything was answered, and sound of a phone that has not answered.
import { describe, expect, test } from 'vitest';
import { type Action, type CallEvent, type CallState, NEW_CALL } from './call-state.ts';
import { isTalking } from './conversation.ts';
import { FAILED_CALLS, type Flow } from './flow.ts';
import { lintFlow } from './lint.ts';
import { simulate } from './simulate.ts';
import { step } from './step.ts';
import { codesOf, runScript } from './testing/run-script.ts';
import { aDepartment, aFlow, aMenu, anAgent } from './testing/samples.ts';

const BUSY = { 'extension||sales': { do: 'busy' } } as const;
const APOLOGY = { kind: 'system', prompt: 'apology' };
const DESK = 'extension||sales/intercom';
const MOBILE = 'extension||sales/follow-me';

describe('a call that fails before anything was answered', () => {
  test.each([
    ['status', [], ['status-sent', 'ended']],
    ['announce', [APOLOGY], ['apology', 'playing', 'ended']],
    ['answer', [APOLOGY], ['apology', 'answered', 'playing', 'ended']],
  ] as const)('%s: the caller hears %j', (failedCalls, heard, last) => {
    const trace = simulate(aFlow([], { failedCalls }), { entry: 'extension||sales', agents: BUSY });
    expect(trace.heard.map(({ sound }) => sound)).toEqual(heard);
    expect(codesOf(trace).slice(-last.length)).toEqual(last);
    expect(codesOf(trace).includes('answered')).toBe(failedCalls === 'answer');
    expect(trace.outcome).toMatchObject({ kind: 'hung-up', reason: 'agent-busy', cause: 17 });
  });

  test.each(FAILED_CALLS)('%s: the linter says what callers of an empty department get', (failedCalls) => {
    const empty = aDepartment('empty', { agents: [], failover: null });
    const menu = aMenu('main', {
      options: [{ keys: '1', destination: 'department||empty', smsTemplate: null }],
    });
    const flow = aFlow([menu, empty], { failedCalls });
    const { heard } = simulate(flow, { entry: 'department||empty' });
    const said = (node: string): string =>
      lintFlow(flow, ['ivr||main']).find((finding) => finding.node === node && finding.code === 'dead-end')
        ?.message ?? '';
    expect(said('department||empty').includes('get a status')).toBe(heard.length === 0);
    expect(said('department||empty')).toContain('apology');
    expect(said('ivr||main')).toMatch(/callers hear an apology and are hung up on\.$/);
  });

  test('an announcement asks for 183, and its end for the hang-up', () => {
    const flow = aFlow([], { failedCalls: 'announce' });
    const { state, actions } = started(flow, 'ivr||gone');
    expect(types(actions)).toEqual(['start-timer', 'progress', 'play', 'start-timer']);
    expect(state.phase).toMatchObject({ name: 'hang-up', end: 'destination-missing' });
    const playback = state.phase.name === 'hang-up' ? state.phase.playback : 0;
    const end = step(flow, state, { type: 'playback-finished', atMs: 9, playback });
    expect(types(end.actions)).toEqual(['stop-timer', 'stop-timer', 'hang-up']);
  });

  test.each(FAILED_CALLS)('%s: a menu has answered, so its callers hear an apology', (failedCalls) => {
    const menu = aMenu('main', {
      options: [{ keys: '1', destination: 'extension||sales', smsTemplate: null }],
    });
    const trace = runScript(aFlow([menu], { failedCalls }), '1', { agents: BUSY });
    expect(trace.heard.at(-1)?.sound).toEqual(APOLOGY);
    expect(codesOf(trace)).toContain('answered');
  });

  test.each(FAILED_CALLS)('%s: a caller whom an earlier call answered hears an apology', (failedCalls) => {
    const { actions } = started(aFlow([], { failedCalls }), 'ivr||gone', true);
    expect(types(actions)).toEqual(['start-timer', 'play', 'start-timer']);
  });

  test('the failover comes first', () => {
    const flow = aFlow([anAgent('sales', { failover: 'hangup||busy' })]);
    const trace = simulate(flow, { entry: 'extension||sales', agents: BUSY });
    expect(trace.outcome.reason).toBe('busy-reached');
    expect(codesOf(trace)).not.toContain('status-sent');
  });
});

describe('sound of a phone that has not answered', () => {
  const flow = aFlow([anAgent('sales', { followMeNumber: '+4930' })]);

  test('is heard when the phone rings alone, once', () => {
    const alone = aFlow([anAgent('sales', { followMeNumber: null })]);
    const { state } = started(alone, 'extension||sales');
    const early = report(alone, state, 'early-media', DESK);
    expect(types(early.actions)).toEqual(['connect-early']);
    expect(isTalking(early.state.phase)).toBe(true);
    expect(report(alone, early.state, 'early-media', DESK).actions).toEqual([]);
    const key: CallEvent = { type: 'key-pressed', atMs: 3, key: 'A' };
    expect(step(alone, early.state, key).actions).toEqual([]);
    expect(step(alone, early.state, { ...key, key: '1' }).actions).toEqual([]);
    expect(types(report(alone, early.state, 'agent-answered', DESK).actions)).toEqual([
      'stop-timer',
      'answer',
      'connect',
    ]);
  });

  test('is not heard while another phone rings, and is when that one is gone', () => {
    const { state } = started(flow, 'extension||sales');
    const early = report(flow, state, 'early-media', MOBILE);
    expect(types(early.actions)).toEqual([]);
    expect(isTalking(early.state.phase)).toBe(false);
    const alone = report(flow, early.state, 'agent-busy', DESK);
    expect(alone.actions).toContainEqual(expect.objectContaining({ type: 'connect-early', target: MOBILE }));
  });

  test('of one phone is not heard when another one is left', () => {
    const { state } = started(flow, 'extension||sales');
    const early = report(flow, state, 'early-media', MOBILE);
    const left = report(flow, early.state, 'agent-busy', MOBILE);
    expect(types(left.actions)).toEqual([]);
    expect(left.state.phase).toMatchObject({ name: 'ringing', targets: [{ id: DESK }] });
  });

  test('does not change how long the phone rings, and the next one begins with ringback', () => {
    const department = aFlow([aDepartment('d', { strategy: 'in_order' })]);
    const { state } = started(department, 'department||d');
    const early = report(department, state, 'early-media', DESK);
    expect(early.state.timers.ring).toBe(state.timers.ring);
    const next = report(department, early.state, 'agent-busy', DESK);
    expect(types(next.actions)).toEqual(['stop-timer', 'ring', 'start-timer']);
    expect(next.state.phase).toMatchObject({ name: 'ringing', early: [] });
  });
});

function started(flow: Flow, entry: string, isAnswered = false) {
  const event = { type: 'call-started', atMs: 0, entry, epochMs: 0, seed: 1, caller: null } as const;
  return step(flow, NEW_CALL, isAnswered ? { ...event, answered: true } : event);
}

function report(
  flow: Flow,
  state: CallState,
  type: 'early-media' | 'agent-busy' | 'agent-answered',
  target: string,
) {
  const attempt = state.phase.name === 'ringing' ? state.phase.attempt : 0;
  return step(flow, state, { type, atMs: 2, attempt, target });
}

const types = (actions: readonly Action[]): string[] =>
  actions.flatMap(({ type }) => (type === 'note' ? [] : type));

import { describe, expect, test } from 'vitest';
import { type Action, type CallEvent, type CallState, NEW_CALL } from './call-state.ts';
import type { Flow } from './flow.ts';
import type { DepartmentNode, QueueRules } from './node.ts';
import { positionPrompt } from './queueing.ts';
import { simulate } from './simulate.ts';
import { readBehaviour, type Scenario } from './simulation/scenario.ts';
import type { Trace } from './simulation/trace.ts';
import { step } from './step.ts';
import { chooseAgents } from './strategy.ts';
import { aDepartment, aFlow, anAgent, aQueue } from './testing/samples.ts';

const SALES = 'extension||sales';
const SUPPORT = 'extension||support';

function line(rules: Partial<QueueRules> = {}, department: Partial<DepartmentNode> = {}): Flow {
  return aFlow([aDepartment('d', { agents: [SALES, SUPPORT], queue: aQueue(rules), ...department })]);
}

const call = (flow: Flow, scenario: Partial<Scenario> = {}): Trace =>
  simulate(flow, { entry: 'department||d', ...scenario });
const codes = (trace: Trace): string[] => trace.steps.map(({ code }) => code);
const atMs = (trace: Trace, code: string): number | undefined =>
  trace.steps.find((each) => each.code === code)?.atMs;
const busy = (sales: number | null, support: number | null): NonNullable<Scenario['agents']> => ({
  [SALES]: sales === null ? { do: 'busy' } : { do: 'busy', forMs: sales },
  [SUPPORT]: support === null ? { do: 'busy' } : { do: 'busy', forMs: support },
});

describe('a department with a queue', () => {
  test('rings a free agent at once, and its caller neither waits nor pays', () => {
    const trace = call(line(), { agents: { [SALES]: { do: 'answer', afterMs: 1_000 } } });
    expect(codes(trace)).toEqual([
      'call-started',
      'arrived',
      'queue-turn',
      'ringing',
      'answered',
      'connected',
    ]);
    expect(trace.outcome).toMatchObject({ kind: 'connected', destination: SALES });
    expect(trace.heard).toEqual([]);
  });

  test('lets callers wait with music until an agent is free', () => {
    const trace = call(line(), { agents: busy(null, 42_000) });
    expect(atMs(trace, 'queue-turn')).toBe(42_000);
    expect(trace.heard).toEqual([
      { atMs: 0, ms: 42_000, sound: { kind: 'system', prompt: 'music-on-hold' } },
    ]);
    expect(trace.outcome).toMatchObject({ kind: 'connected', destination: SUPPORT });
  });

  test('plays the music it was given, and its own where that does not exist', () => {
    const own = call(line({ music: 'welcome' }), { agents: busy(null, 5_000) });
    expect(own.heard[0]?.sound).toEqual({ kind: 'recording', id: 'welcome' });
    const missing = call(line({ music: 'gone' }), { agents: busy(null, 5_000) });
    expect(missing.heard[0]?.sound).toEqual({ kind: 'system', prompt: 'music-on-hold' });
    expect(codes(missing)).toContain('recording-missing');
  });

  test('serves those before the caller first, and announces the position in line from time to time', () => {
    const trace = call(line({ announceSeconds: 30 }), {
      agents: busy(10_000, 40_000),
      waiting: { 'department||d': 2 },
    });
    // The first agent is free at 10 s and talks for a minute with the first caller, the second at 40 s with the next.
    expect(atMs(trace, 'queue-turn')).toBe(70_000);
    expect(trace.steps.filter(({ code }) => code === 'queue-joined')[0]?.text).toContain('number 3');
    const announced = trace.heard.flatMap(({ atMs: when, sound }) =>
      sound.kind === 'system' && sound.prompt.startsWith('position-') ? [[when, sound.prompt]] : [],
    );
    expect(announced).toEqual([
      [30_000, 'position-2'],
      [60_000, 'position-1'],
    ]);
  });

  test('goes on to its failover when the longest wait is over', () => {
    const flow = line({ maxWaitSeconds: 20 }, { failover: 'hangup||busy' });
    const trace = call(flow, { agents: busy(null, null) });
    expect(atMs(trace, 'queue-timeout')).toBe(20_000);
    expect(trace.outcome.reason).toBe('busy-reached');
    const none = call(line({ maxWaitSeconds: 20 }), { agents: busy(null, null) });
    expect(none.outcome).toMatchObject({ reason: 'queue-timeout', cause: 19 });
    expect(none.heard.at(-1)?.sound).toEqual({ kind: 'system', prompt: 'apology' });
  });

  test('does not cut a ringing phone off when the wait is over meanwhile, but goes on after it', () => {
    const trace = call(line({ maxWaitSeconds: 12 }, { failover: 'hangup||busy' }), {
      agents: { [SALES]: { do: 'no-answer' }, [SUPPORT]: { do: 'no-answer' } },
    });
    expect(atMs(trace, 'queue-timeout')).toBe(20_000);
  });

  test('refuses callers who find the queue full, or no agent present', () => {
    const full = call(line({ maxWaiting: 2 }), { agents: busy(null, null), waiting: { 'department||d': 2 } });
    expect(full.outcome).toMatchObject({ reason: 'queue-full', cause: 17 });
    const agents = { [SALES]: { do: 'unreachable' }, [SUPPORT]: { do: 'blocked' } } as const;
    expect(call(line(), { agents }).outcome.reason).toBe('agents-unavailable');
    expect(codes(call(line({ joinWhenEmpty: true, maxWaitSeconds: 5 }), { agents }))).toContain(
      'queue-joined',
    );
  });

  test('offers the next agent to a caller whom the first did not answer, then the first again', () => {
    const trace = call(line(), { agents: { [SALES]: { do: 'no-answer' }, [SUPPORT]: { do: 'busy' } } });
    const rung = trace.steps.filter(({ code }) => code === 'ringing').slice(0, 3);
    expect(rung.map((each) => each.atMs)).toEqual([0, 20_000, 40_000]);
    const both = call(line(), { agents: { [SALES]: { do: 'no-answer' } } });
    expect(both.outcome).toMatchObject({ kind: 'connected', destination: SUPPORT });
    expect(codes(both)).not.toContain('queue-returned');
  });

  test('rings all free agents at once when simultaneous, and goes round when round robin', () => {
    const all = call(line({}, { strategy: 'simultaneous' }));
    expect(all.steps.find(({ code }) => code === 'ringing')?.text).toMatch(/sales.*support/);
    const next = call(line({}, { strategy: 'round_robin' }), { lastRung: { 'department||d': SALES } });
    expect(next.outcome.destination).toBe(SUPPORT);
  });

  test('is left by the exit key where there is a failover; other keys do nothing', () => {
    const script = [
      { do: 'wait', ms: 5_000 },
      { do: 'press', keys: '30' },
    ] as const;
    const agents = busy(null, null);
    const left = call(line({ exitKey: '0' }, { failover: 'hangup||busy' }), { script, agents });
    expect(codes(left)).toEqual(expect.arrayContaining(['key-ignored', 'queue-left', 'failover']));
    expect(left.outcome.reason).toBe('busy-reached');
    expect(codes(call(line({ exitKey: '0', maxWaitSeconds: 9 }), { script, agents }))).not.toContain(
      'queue-left',
    );
  });
});

describe('the machine in line', () => {
  function wait(flow: Flow): { state: CallState; request: number } {
    const started: CallEvent = {
      type: 'call-started',
      atMs: 0,
      entry: 'department||d',
      epochMs: 0,
      seed: 1,
      caller: null,
    };
    const joined = step(flow, NEW_CALL, started);
    const join = joined.actions.find((action) => action.type === 'join-queue');
    const request = join?.request ?? 0;
    const { state } = step(flow, joined.state, { type: 'queue-position', atMs: 0, request, position: 1 });
    return { state, request };
  }
  const types = (actions: readonly Action[]): string[] =>
    actions.flatMap(({ type }) => (type === 'note' || type.endsWith('-timer') ? [] : [type]));

  test('leaves at once when the caller hangs up', () => {
    const { state, request } = wait(line());
    const { actions } = step(line(), state, { type: 'caller-hung-up', atMs: 9 });
    expect(types(actions)).toEqual(['stop-playing', 'leave-queue', 'hang-up']);
    expect(actions.find(({ type }) => type === 'leave-queue')).toMatchObject({ request, servedBy: null });
  });

  test('says who served the caller', () => {
    const flow = line();
    const { state, request } = wait(flow);
    const turn = step(flow, state, { type: 'queue-turn', atMs: 5, request, agents: [SUPPORT] });
    const ring = turn.actions.find((action) => action.type === 'ring');
    const { actions } = step(flow, turn.state, {
      type: 'agent-answered',
      atMs: 6,
      attempt: ring?.attempt ?? 0,
      target: `${SUPPORT}/intercom`,
    });
    expect(actions).toContainEqual({ type: 'leave-queue', request, servedBy: SUPPORT });
  });

  test('waits with music without announcements of the position', () => {
    const flow = line();
    const started: CallEvent = {
      type: 'call-started',
      atMs: 0,
      entry: 'department||d',
      epochMs: 0,
      seed: 1,
      caller: null,
    };
    const { state } = step(flow, NEW_CALL, started);
    const generation = state.timers.directory;
    const late = step(flow, state, { type: 'timer-expired', atMs: 1_000, timer: 'directory', generation });
    expect(late.state.phase).toMatchObject({ name: 'queued', hears: 'built-in-music' });
  });

  test('takes the built-in music when the end of the music is reported: its file cannot be read', () => {
    const flow = line({ music: 'welcome' });
    const { state } = wait(flow);
    const playback = 'playback' in state.phase ? state.phase.playback : 0;
    const { actions } = step(flow, state, { type: 'playback-finished', atMs: 3, playback });
    expect(actions).toMatchObject([
      { type: 'play', sound: { kind: 'system', prompt: 'music-on-hold' }, loop: true },
    ]);
  });

  test('rings no agent without a phone, and asks for the next turn', () => {
    const flow = aFlow([anAgent('mute', { intercom: '' }), aDepartment('d', { queue: aQueue() })]);
    const { state, request } = wait(flow);
    const { actions } = step(flow, state, {
      type: 'queue-turn',
      atMs: 5,
      request,
      agents: ['extension||mute'],
    });
    expect(types(actions)).toEqual(['stop-playing', 'resume-queue']);
  });
});

test('places up to ten have a prompt of their own', () => {
  expect([1, 10, 11, 999].map(positionPrompt)).toEqual([
    'position-1',
    'position-10',
    'position-many',
    'position-many',
  ]);
});

test('the strategy chooses among the free ones alone', () => {
  const list = ['a', 'b', 'c', 'd'];
  const standing = {
    idleSince: (agent: string) => ({ a: 9, b: 5, c: 2, d: 7 })[agent],
    lastRung: 'c',
    random: () => 0.99,
  };
  const of = (strategy: Parameters<typeof chooseAgents>[0], free: string): string =>
    chooseAgents(strategy, list, (agent) => free.includes(agent), standing).join('');
  expect(of('simultaneous', 'bd')).toBe('bd');
  expect(of('in_order', 'bd')).toBe('b');
  expect(of('random', 'bd')).toBe('d');
  expect(of('round_robin', 'abd')).toBe('d');
  // Who was rung last is busy: it goes on behind them all the same.
  expect(of('round_robin', 'ab')).toBe('a');
  expect(of('longest_idle', 'abd')).toBe('b');
  expect(of('longest_idle', '')).toBe('');
  const levels: Record<string, number> = { a: 2, b: 3, c: 2, d: 1 };
  const levelled = (strategy: Parameters<typeof chooseAgents>[0], free: string): string =>
    chooseAgents(strategy, list, (agent) => free.includes(agent), {
      ...standing,
      levelOf: (agent) => levels[agent] ?? 1,
    }).join('');
  expect(levelled('simultaneous', 'abcd')).toBe('d');
  expect(levelled('simultaneous', 'abc')).toBe('ac');
  expect(levelled('longest_idle', 'abc')).toBe('c');
  expect(levelled('round_robin', 'abc')).toBe('a');
  expect(levelled('in_order', 'b')).toBe('b');
  expect(levelled('random', '')).toBe('');
});

test('an agent may be busy for a time', () => {
  expect(readBehaviour('busy 30s')).toEqual({ do: 'busy', forMs: 30_000 });
  expect(readBehaviour('busy soon')).toContain('is not a time');
});

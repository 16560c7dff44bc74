// The limits of waiting in a queue, and a queue that an edit removes while a call waits in it.
import { expect, test } from 'vitest';
import { type CallEvent, type CallState, NEW_CALL } from './call-state.ts';
import { changeFlow, type Flow } from './flow.ts';
import type { DepartmentNode, QueueRules } from './node.ts';
import { simulate } from './simulate.ts';
import type { Scenario } from './simulation/scenario.ts';
import type { Trace } from './simulation/trace.ts';
import { step } from './step.ts';
import { aDepartment, aFlow, aMenu, anAnnouncement, aQueue } from './testing/samples.ts';

const SALES = 'extension||sales';
const entry = 'department||d';
const flowOf = (rules: Partial<QueueRules>, parts: Partial<DepartmentNode> = {}): Flow =>
  aFlow([aDepartment('d', { agents: [SALES], queue: aQueue(rules), failover: 'hangup||busy', ...parts })]);
const call = (flow: Flow, scenario: Partial<Scenario> = {}): Trace => simulate(flow, { entry, ...scenario });
const codes = (trace: Trace): string[] => trace.steps.map(({ code }) => code);
const textOf = (trace: Trace, code: string) => trace.steps.find((each) => each.code === code)?.text;

test('a caller whose time is up when the phone stops ringing does not return; one with a millisecond left does', () => {
  const noAnswer = { agents: { [SALES]: { do: 'no-answer' } } } as const;
  // The phone rings for 10 s.
  expect(codes(call(flowOf({ maxWaitSeconds: 10 }), noAnswer))).not.toContain('queue-returned');
  const busyFirst = (forMs: number) => {
    const flow = flowOf({ maxWaitSeconds: 11 });
    const after = call(flow, { agents: { [SALES]: { do: 'busy', forMs } }, script: [{ do: 'no-answer' }] });
    return codes(after);
  };
  expect(busyFirst(999)).toContain('queue-returned');
  expect(busyFirst(1_000)).not.toContain('queue-returned');
});

test('a limit and an announcement of one second count', () => {
  const busy = { agents: { [SALES]: { do: 'busy' } } } as const;
  expect(
    call(flowOf({ maxWaitSeconds: 1 }), busy).steps.find(({ code }) => code === 'queue-timeout')?.atMs,
  ).toBe(1_000);
  const announced = call(flowOf({ maxWaitSeconds: 9, announceSeconds: 1 }), busy);
  expect(announced.steps.find(({ code }) => code === 'queue-position')?.atMs).toBe(1_000);
});

test('the music goes on after an announcement, and is noted once', () => {
  const trace = call(flowOf({ music: 'welcome', announceSeconds: 5 }), {
    agents: { [SALES]: { do: 'busy', forMs: 9_000 } },
  });
  expect(trace.heard.map(({ atMs, sound }) => [atMs, sound.kind === 'recording' ? sound.id : sound])).toEqual(
    [
      [0, 'welcome'],
      [5_000, { kind: 'system', prompt: 'position-1' }],
      [8_000, 'welcome'],
    ],
  );
  expect(trace.steps.filter(({ text }) => text.includes('Plays the music'))).toHaveLength(1);
});

test('the trail says whether the queue was full or without agents, and how long the caller waited', () => {
  const busy = { [SALES]: { do: 'busy' } } as const;
  const full = call(flowOf({ maxWaiting: 1 }), { agents: busy, waiting: { [entry]: 1 } });
  expect(textOf(full, 'queue-full')).toBe('The queue is full.');
  const empty = call(flowOf({}), { agents: { [SALES]: { do: 'unreachable' } } });
  expect(textOf(empty, 'queue-empty')).toBe('No agent is there to wait for.');
  const long = call(flowOf({ maxWaitSeconds: 1_200 }), { agents: busy });
  expect(textOf(long, 'queue-timeout')).toBe('The caller has waited for 1200 s: no longer.');
});

test('overflow by length and by wait goes to a destination of its own, otherwise to the failover', () => {
  const agents = { [SALES]: { do: 'busy' } } as const;
  const wayOf = (rules: Partial<QueueRules>, waiting = 0) =>
    call(flowOf({ maxWaiting: 2, maxWaitSeconds: 30, ...rules }), {
      agents,
      waiting: { [entry]: waiting },
    }).steps.find(({ code }) => code === 'failover')?.destination;
  const own = { fullDestination: 'hangup||full', timeoutDestination: 'hangup||late' };
  expect([wayOf(own), wayOf(own, 2)]).toEqual(['hangup||late', 'hangup||full']);
  expect([wayOf({}), wayOf({}, 2)]).toEqual(['hangup||busy', 'hangup||busy']);
});

test('the priority of a call is that of the number, until an option changes it', () => {
  const menu = aMenu('m', {
    options: [
      { keys: '1', destination: entry, smsTemplate: null, priority: 7 },
      { keys: '2', destination: entry, smsTemplate: null, priority: 0 },
      { keys: '3', destination: entry, smsTemplate: null },
    ],
  });
  const department = aDepartment('d', { agents: [SALES], queue: aQueue({}) });
  const joinedBy = (key: string, dialled?: number) => {
    const started = {
      type: 'call-started',
      atMs: 0,
      entry: 'ivr||m',
      epochMs: 0,
      seed: 1,
      caller: null,
    } as const;
    const first = dialled === undefined ? started : { ...started, priority: dialled };
    const { state } = step(aFlow([menu, department]), NEW_CALL, first);
    const { actions } = step(aFlow([menu, department]), state, { type: 'key-pressed', atMs: 1, key });
    return actions.flatMap((action) => (action.type === 'join-queue' ? [action.priority] : []));
  };
  expect([joinedBy('1'), joinedBy('2', 3), joinedBy('3', 3), joinedBy('3')]).toEqual([
    [7],
    [undefined],
    [3],
    [undefined],
  ]);
});

test('a caller who leaves by the exit key may go through as many nodes as a new call', () => {
  const leave = (hopLimit: number) =>
    simulate(
      aFlow(
        [
          anAnnouncement('in', entry),
          aDepartment('d', {
            agents: [SALES],
            queue: aQueue({ exitKey: '0' }),
            failover: 'announcement||out',
          }),
          anAnnouncement('out', 'announcement||last'),
          anAnnouncement('last', 'hangup||busy'),
          aMenu('main'),
        ],
        { hopLimit },
      ),
      {
        entry: 'announcement||in',
        agents: { [SALES]: { do: 'busy' } },
        script: [
          { do: 'wait', ms: 5_000 },
          { do: 'press', keys: '0' },
        ],
      },
    );
  const trace = leave(3);
  expect(codes(leave(2))).toContain('hop-limit');
  expect(codes(trace)).toContain('queue-left');
  expect(codes(trace)).not.toContain('hop-limit');
  expect(trace.outcome.reason).toBe('busy-reached');
});

function after(flow: Flow, ...events: ((state: CallState) => CallEvent)[]): CallState {
  let { state } = step(flow, NEW_CALL, {
    type: 'call-started',
    atMs: 0,
    entry,
    epochMs: 0,
    seed: 1,
    caller: null,
  });
  for (const event of events) state = step(flow, state, event(state)).state;
  return state;
}
const requestOf = ({ phase }: CallState): number => ('queue' in phase ? (phase.queue?.request ?? 0) : 0);
const position = (state: CallState): CallEvent => ({
  type: 'queue-position',
  atMs: 1,
  request: requestOf(state),
  position: 1,
});
const turn = (state: CallState): CallEvent => ({
  type: 'queue-turn',
  atMs: 2,
  request: requestOf(state),
  agents: [SALES],
});

test('a call whose queue is gone when the phone stops ringing ends with an apology', () => {
  const flow = flowOf({});
  const ringing = after(flow, position, turn);
  const removed = changeFlow(flow, { removedNodes: [entry] });
  const { state, actions } = step(removed, ringing, {
    type: 'timer-expired',
    atMs: 10_002,
    timer: 'ring',
    generation: ringing.timers.ring,
  });
  expect(state.phase).toMatchObject({ name: 'hang-up', node: entry, end: 'destination-missing' });
  expect(actions).toContainEqual(expect.objectContaining({ type: 'play' }));
});

test('a caller whose queue is gone when the announcement is due hears no announcement and no error', () => {
  const flow = flowOf({ announceSeconds: 5 });
  const waiting = after(flow, position);
  const { state, actions } = step(changeFlow(flow, { removedNodes: [entry] }), waiting, {
    type: 'timer-expired',
    atMs: 5_001,
    timer: 'queue-announce',
    generation: waiting.timers['queue-announce'],
  });
  expect(state.phase).toEqual(waiting.phase);
  expect(actions.map(({ type }) => type)).toEqual(['ask-position']);
});

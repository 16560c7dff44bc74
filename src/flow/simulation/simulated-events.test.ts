// Which events a simulated call takes place by, at which moments, and which it leaves out.
import { expect, test } from 'vitest';
import type { CallEvent } from '../call-state.ts';
import { simulate } from '../simulate.ts';
import {
  aDepartment,
  aFlow,
  aMenu,
  anAgent,
  anAnnouncement,
  aQueue,
  aVoicemail,
} from '../testing/samples.ts';
import type { Scenario } from './scenario.ts';
import { SimulatedCall } from './simulated-call.ts';
import { type Trace, traceJson } from './trace.ts';

const SALES = 'extension||sales';
const SUPPORT = 'extension||support';
const flow = aFlow([
  aMenu('main'),
  aDepartment('d'),
  aDepartment('line', { queue: aQueue() }),
  aDepartment('idle', { strategy: 'longest_idle' }),
  aVoicemail('box'),
]);
const eventsOf = ({ events }: Trace): string[] => events.map(({ atMs, type }) => `${atMs} ${type}`);
const eventsAt = (entry: string, scenario: Partial<Scenario> = {}): string[] =>
  eventsOf(simulate(flow, { entry, ...scenario }));

const STALE: readonly CallEvent[] = [
  { type: 'timer-expired', atMs: 1, timer: 'call-limit', generation: 999 },
  { type: 'playback-finished', atMs: 2, playback: 999 },
  { type: 'agent-answered', atMs: 3, attempt: 999, target: `${SALES}/intercom` },
  { type: 'agent-busy', atMs: 4, attempt: 999, target: `${SALES}/intercom` },
  { type: 'agent-unreachable', atMs: 5, attempt: 999, target: `${SALES}/intercom` },
  { type: 'queue-turn', atMs: 6, request: 999, agents: [SALES] },
  { type: 'queue-position', atMs: 7, request: 999, position: 1 },
  { type: 'queue-refused', atMs: 8, request: 999, why: 'queue-full' },
];

test.each(['ivr||main', SALES, 'department||line', 'department||idle', 'voicemail||box'])(
  'at %s no event of an earlier timer, sound, attempt or request is part of a replayed call',
  (entry) => {
    const call = new SimulatedCall(flow, { entry }, STALE);
    expect(call.next()).toBe(false);
    expect(call.atMs).toBe(0);
    expect(eventsOf(call.trace())).toEqual(['0 call-started']);
  },
);

test('a replayed call has no events but its own, in a queue as elsewhere', () => {
  const waiting = new SimulatedCall(flow, { entry: 'department||line' }, []);
  expect(waiting.next()).toBe(false);
  expect(waiting.state.phase.name).toBe('joining');
  const listening = new SimulatedCall(flow, { entry: 'ivr||main' }, []);
  expect(listening.next()).toBe(false);
  expect(listening.state.phase.name).toBe('prompt');
});

test('a key ends the prompt and restarts the wait for the next key: neither old end occurs', () => {
  const script = [
    { do: 'press', keys: '99' },
    { do: 'press', keys: '1' },
  ] as const;
  expect(eventsAt('ivr||main', { script })).toEqual([
    '0 call-started',
    '500 key-pressed',
    '700 key-pressed',
    '2700 timer-expired',
    '3700 playback-finished',
    '4200 key-pressed',
    '7200 agent-answered',
  ]);
});

test('a phone that would be picked up after its time to ring is not picked up', () => {
  const agents = {
    [SALES]: { do: 'answer', afterMs: 12_000 },
    [SUPPORT]: { do: 'answer', afterMs: 5_000 },
  } as const;
  expect(eventsAt('department||d', { agents })).toEqual([
    '0 call-started',
    '10000 timer-expired',
    '15000 agent-answered',
  ]);
});

test('the directory and a phone that is off or busy answer without delay', () => {
  const agents = { [SALES]: { do: 'unreachable' }, [SUPPORT]: { do: 'busy' } } as const;
  expect(eventsAt('department||idle', { agents }).slice(0, 4)).toEqual([
    '0 call-started',
    '0 directory-told',
    '0 agent-unreachable',
    '0 agent-busy',
  ]);
});

test('an unanswered caller returns to the queue by one position and one turn', () => {
  const agents = { [SALES]: { do: 'no-answer' }, [SUPPORT]: { do: 'busy' } } as const;
  const { events } = simulate(flow, { entry: 'department||line', agents });
  expect(events.slice(0, 5)).toMatchObject([
    { type: 'call-started' },
    { type: 'queue-turn', atMs: 0, agents: [SALES] },
    { type: 'timer-expired', atMs: 10_000, timer: 'ring' },
    { type: 'queue-position', atMs: 10_000, position: 1 },
    { type: 'queue-turn', atMs: 20_000, agents: [SALES] },
  ]);
});

test('an announced position sends no SMS, and an SMS records no message', () => {
  const announcing = aFlow([aDepartment('d', { queue: aQueue({ announceSeconds: 5 }) })]);
  const busy = { do: 'busy', forMs: 12_000 } as const;
  const agents = { [SALES]: busy, [SUPPORT]: busy };
  const waited = simulate(announcing, { entry: 'department||d', agents });
  expect(waited.heard.map(({ sound }) => sound)).toContainEqual({ kind: 'system', prompt: 'position-1' });
  expect(waited.sms).toEqual([]);
  const option = { keys: '1', destination: SALES, smsTemplate: 'thanks' };
  const texted = simulate(aFlow([aMenu('main', { options: [option] })], { smsTemplates: true }), {
    entry: 'ivr||main',
    script: [{ do: 'press', keys: '1' }, { do: 'no-answer' }],
  });
  expect(texted.sms).toEqual(['thanks']);
  expect(eventsOf(texted)).toEqual([
    '0 call-started',
    '500 key-pressed',
    '25500 timer-expired',
    '28500 playback-finished',
  ]);
});

test('the # key ends a message at that moment; a message of the caller’s own lasts five seconds', () => {
  const script = [
    { do: 'wait', ms: 6_000 },
    { do: 'press', keys: '#' },
  ] as const;
  const short = simulate(flow, { entry: 'voicemail||box', script });
  const saved = (trace: Trace) => trace.steps.find(({ code }) => code === 'voicemail-saved')?.atMs;
  const started = (trace: Trace) => trace.steps.find(({ code }) => code === 'voicemail-started')?.atMs ?? 0;
  expect(saved(short)).toBe(6_000);
  const whole = simulate(flow, { entry: 'voicemail||box' });
  expect(saved(whole)).toBe(started(whole) + 5_000);
  expect(short.events.find(({ type }) => type === 'voicemail-recorded')?.atMs).toBe(6_000);
});

test('what is heard lasts from its own beginning to its end', () => {
  const script = [
    { do: 'press', keys: '9' },
    { do: 'press', keys: '1', afterMs: 700 },
  ] as const;
  const { heard } = simulate(flow, { entry: 'ivr||main', script });
  expect(heard.map(({ atMs, ms }) => [atMs, ms])).toEqual([
    [0, 500],
    [2_500, 1_000],
    [3_500, 700],
  ]);
});

test('how many wait can change in the course of a call, and stays as it is where nothing is said', () => {
  const queue = aFlow([
    anAnnouncement('a', 'department||d'),
    aDepartment('d', { agents: [SALES], queue: aQueue() }),
    anAgent('sales'),
  ]);
  const joined = (waiting?: Scenario['waiting']) => {
    const call = new SimulatedCall(queue, { entry: 'announcement||a', waiting: { 'department||d': 2 } });
    call.behave({ [SALES]: { do: 'busy', forMs: 9_000 } }, waiting ? { waiting } : {});
    call.advanceTo(3_000);
    return call.steps.find(({ code }) => code === 'queue-joined')?.text;
  };
  expect(joined()).toBe('Waits in the queue as number 3.');
  expect(joined({ 'department||d': 4 })).toBe('Waits in the queue as number 5.');
});

test('a replayed call has each event once, its start among them', () => {
  const { events } = simulate(flow, { entry: 'ivr||main', script: [{ do: 'press', keys: '1' }] });
  const retold = new SimulatedCall(flow, { entry: 'ivr||main' }, events);
  while (retold.next());
  expect(retold.trace().events).toEqual(events);
});

test('a simulation ends after its greatest number of events, the start included, unfinished', () => {
  for (const maxEvents of [1, 2, 3]) {
    const { events, outcome } = simulate(flow, { entry: 'ivr||main', maxEvents });
    expect(events).toHaveLength(maxEvents);
    expect(outcome).toEqual({
      kind: 'unfinished',
      destination: 'ivr||main',
      reason: 'unfinished',
      cause: 31,
      word: 'normal-unspecified',
      text: 'The simulation was cut: too many events.',
    });
  }
});

test('a simulation that says nothing else ends after 10,000 events', () => {
  const meaningless: CallEvent = { type: 'key-pressed', key: 'A', atMs: 1 };
  const call = new SimulatedCall(flow, { entry: 'ivr||main' }, Array(10_010).fill(meaningless));
  while (call.next());
  expect(call.trace().events).toHaveLength(10_000);
  expect(call.trace().outcome.kind).toBe('unfinished');
});

test('a simulation that says nothing else has the seed 1', () => {
  expect(simulate(flow, { entry: SALES }).events[0]).toMatchObject({ seed: 1 });
});

test('what is heard is named in JSON by its recording, its prompt or the recording that is missing', () => {
  const heardIn = (entry: string, node = aMenu('gone', { recording: 'gone' })) =>
    traceJson(simulate(aFlow([node, aMenu('main'), aVoicemail('box')]), { entry })).heard;
  expect(heardIn('ivr||main')[0]).toEqual({ at_ms: 0, ms: 4_000, recording: 'welcome' });
  expect(heardIn('ivr||gone')[0]).toEqual({ at_ms: 0, ms: 500, tone_instead_of: 'gone' });
  expect(heardIn('voicemail||box').at(-1)).toEqual({ at_ms: 8_000, ms: 3_000, prompt: 'message-saved' });
});

test('steps in JSON have the name of the place, if they and it have one', () => {
  const named = (entry: string) =>
    traceJson(simulate(flow, { entry })).steps.map(({ node, node_name }) => [node, node_name]);
  expect(named('ivr||main')).toContainEqual(['ivr||main', 'Menu main']);
  expect(named('ivr||main')).toContainEqual([null, null]);
  expect(named('ivr||gone')).toContainEqual(['ivr||gone', null]);
});

test('what the call does not wait for where it is leaves no event', () => {
  const early: CallEvent[] = [
    { type: 'agent-hung-up', atMs: 1 },
    { type: 'voicemail-recorded', request: 1, saved: true, atMs: 1 },
    { type: 'room-left', request: 1, why: 'closed', atMs: 1 },
  ];
  const call = new SimulatedCall(flow, { entry: 'ivr||main' }, early);
  while (call.next());
  const types = new Set(call.trace().events.map(({ type }) => type));
  expect(types).toContain('call-started');
  for (const { type } of early) expect(types).not.toContain(type);
});

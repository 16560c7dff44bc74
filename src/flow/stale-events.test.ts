// Reports that come too late, or for something else, change nothing; and a call whose destination is taken away under it ends with an
// apology instead of silence.
import { describe, expect, test } from 'vitest';
import { type CallEvent, type CallState, NEW_CALL, type Phase } from './call-state.ts';
import { changeFlow, type Flow } from './flow.ts';
import { step } from './step.ts';
import { aDepartment, aFlow, aMenu, anAgent, aQueue, aVoicemail } from './testing/samples.ts';

const FLOW = aFlow([
  aMenu('main', { options: [{ keys: '12', destination: 'extension||sales', smsTemplate: null }] }),
  aDepartment('idle', { strategy: 'longest_idle' }),
  aDepartment('queue', {
    queue: aQueue({ announceSeconds: 5, maxWaitSeconds: 60, exitKey: '*' }),
    failover: 'hangup||',
  }),
  aVoicemail('box', { silenceSeconds: 4 }),
  anAgent('mobile', { intercom: '', followMeNumber: '4930555' }),
]);

const started = (entry: string): CallEvent => ({
  type: 'call-started',
  atMs: 0,
  entry,
  epochMs: 0,
  seed: 1,
  caller: null,
});

function after(flow: Flow, ...events: CallEvent[]): CallState {
  return events.reduce((state, event) => step(flow, state, event).state, NEW_CALL);
}

const atMs = 1_000;
const playbackOf = (state: CallState): number => ('playback' in state.phase ? state.phase.playback : -1);

/** The call after its first sound. */
function played(entry: string): CallState {
  const state = after(FLOW, started(entry));
  return step(FLOW, state, { type: 'playback-finished', atMs, playback: playbackOf(state) }).state;
}

const timerOf = (
  { timers }: CallState,
  timer: keyof CallState['timers'],
  generation = timers[timer],
): CallEvent => ({
  type: 'timer-expired',
  atMs,
  timer,
  generation,
});

const ringing = after(FLOW, started('extension||sales'));
const lookingUp = after(FLOW, started('department||idle'));
const joining = after(FLOW, started('department||queue'));
const recording = played('voicemail||box');
const prompt = after(FLOW, started('ivr||main'));
const waiting = played('ivr||main');
const collecting = step(FLOW, waiting, { type: 'key-pressed', atMs, key: '1' }).state;
const retrying = step(FLOW, waiting, timerOf(waiting, 'first-key')).state;
const requestOf = ({ phase }: CallState): number =>
  'request' in phase ? phase.request : 'queue' in phase && phase.queue ? phase.queue.request : -1;
const queued = step(FLOW, joining, {
  type: 'queue-position',
  atMs,
  request: requestOf(joining),
  position: 2,
}).state;
const hearing = step(FLOW, queued, {
  type: 'queue-position',
  atMs,
  request: requestOf(joining),
  position: 2,
}).state;

describe('a stale report', () => {
  const attempt = ringing.phase.name === 'ringing' ? ringing.phase.attempt : -1;
  const target = 'extension||sales/intercom';
  const reports: [string, CallState, CallEvent][] = [
    ...(
      ['agent-answered', 'agent-busy', 'agent-unreachable', 'ring-failed', 'ring-progressed'] as const
    ).flatMap((type): [string, CallState, CallEvent][] => [
      [`${type} of another attempt`, ringing, { type, atMs, attempt: attempt + 1, target }],
      [`${type} of another phone`, ringing, { type, atMs, attempt, target: 'extension||sales/gone' }],
      [`${type} while nothing rings`, waiting, { type, atMs, attempt, target }],
    ]),
    [
      'directory-told of another request',
      lookingUp,
      { type: 'directory-told', atMs, request: requestOf(lookingUp) + 1, idleSince: {}, lastRung: null },
    ],
    [
      'directory-told with the number of a recording',
      recording,
      { type: 'directory-told', atMs, request: requestOf(recording), idleSince: {}, lastRung: null },
    ],
    [
      'voicemail-recorded of another request',
      recording,
      { type: 'voicemail-recorded', atMs, request: requestOf(recording) + 1, saved: true },
    ],
    [
      'voicemail-recorded with the number of a question',
      lookingUp,
      { type: 'voicemail-recorded', atMs, request: requestOf(lookingUp), saved: true },
    ],
    [
      'queue-turn of another request',
      queued,
      { type: 'queue-turn', atMs, request: -2, agents: ['extension||sales'] },
    ],
    ['queue-position of another request', queued, { type: 'queue-position', atMs, request: -2, position: 1 }],
    [
      'queue-refused of another request',
      joining,
      { type: 'queue-refused', atMs, request: -2, why: 'queue-full' },
    ],
    [
      'queue-refused while it waits already',
      queued,
      { type: 'queue-refused', atMs, request: requestOf(queued), why: 'queue-full' },
    ],
    [
      'queue-position while one is announced',
      hearing,
      { type: 'queue-position', atMs, request: requestOf(hearing), position: 1 },
    ],
    ['playback-finished of another sound', prompt, { type: 'playback-finished', atMs, playback: 99 }],
    ['a timer of generation 0', prompt, timerOf(prompt, 'ring', 0)],
    ['a timer that does not run, of music that has none', queued, timerOf(queued, 'playback', 0)],
    ['a timer of another generation', prompt, timerOf(prompt, 'playback', 99)],
    ['agent-hung-up before anybody answered', ringing, { type: 'agent-hung-up', atMs }],
    ['a second call-started', prompt, started('ivr||main')],
  ];

  test.each(reports)('%s changes nothing', (_name, state, event) => {
    const { state: next, actions } = step(FLOW, state, event);
    expect(actions).toEqual([]);
    expect({ ...next, atMs: 0 }).toEqual({ ...state, atMs: 0 });
  });

  const timers = [
    'playback',
    'first-key',
    'inter-digit',
    'ring',
    'directory',
    'voicemail',
    'queue-wait',
  ] as const;
  test.each([...timers, 'queue-announce' as const])(
    'timer %s that runs in a phase which has none does nothing',
    (timer) => {
      const phase: Phase = {
        name: 'connected',
        node: 'x',
        target: { id: 'x', owner: 'x', via: 'number', number: '1' },
        sinceMs: 0,
      };
      const state = { ...ringing, phase, timers: { ...ringing.timers, [timer]: 77 } };
      const after = step(FLOW, state, timerOf(state, timer));
      expect(after.actions).toEqual([]);
      expect(after.state.phase).toEqual(phase);
    },
  );
});

describe('a call whose destination is taken away under it', () => {
  const without = changeFlow(FLOW, {
    removedNodes: ['ivr||main', 'department||idle', 'department||queue', 'voicemail||box'],
    settings: { failedCalls: 'answer' },
  });
  const request = requestOf(joining);
  const greeting = after(FLOW, started('voicemail||box'));
  const cases: [string, CallState, CallEvent][] = [
    ['prompt, key', prompt, { type: 'key-pressed', atMs, key: '1' }],
    ['waiting, key', waiting, { type: 'key-pressed', atMs, key: '1' }],
    ['waiting, time-out', waiting, timerOf(waiting, 'first-key')],
    ['collecting, silence', collecting, timerOf(collecting, 'inter-digit')],
    ['retrying, played', retrying, { type: 'playback-finished', atMs, playback: playbackOf(retrying) }],
    ['prompt, played', prompt, { type: 'playback-finished', atMs, playback: playbackOf(prompt) }],
    [
      'looking up, answered',
      lookingUp,
      { type: 'directory-told', atMs, request: requestOf(lookingUp), idleSince: {}, lastRung: null },
    ],
    ['looking up, silence', lookingUp, timerOf(lookingUp, 'directory')],
    ['joining, position', joining, { type: 'queue-position', atMs, request, position: 1 }],
    ['joining, turn', joining, { type: 'queue-turn', atMs, request, agents: ['extension||sales'] }],
    ['joining, refused', joining, { type: 'queue-refused', atMs, request, why: 'queue-full' }],
    ['joining, silence', joining, timerOf(joining, 'directory')],
    ['queued, key', queued, { type: 'key-pressed', atMs, key: '*' }],
    ['queued, wait over', queued, timerOf(queued, 'queue-wait')],
    ['queued, sound ended', hearing, { type: 'playback-finished', atMs, playback: playbackOf(hearing) }],
    ['greeting, played', greeting, { type: 'playback-finished', atMs, playback: playbackOf(greeting) }],
  ];

  test.each(cases)('%s: it ends with an apology', (_name, state, event) => {
    const { state: next, actions } = step(without, state, event);
    const codes = actions.flatMap((action) => (action.type === 'note' ? action.entry.code : []));
    expect(codes).toContain('apology');
    expect(next.phase).toMatchObject({ name: 'hang-up', end: 'destination-missing' });
  });
});

test('the caller who leaves a voicemail, or hears that it is saved, has left it', () => {
  const leaves = step(FLOW, recording, { type: 'caller-hung-up', atMs });
  expect(leaves.actions.map(({ type }) => type)).toContain('stop-recording');
  const notes = leaves.actions.flatMap((action) => (action.type === 'note' ? action.entry.code : []));
  expect(notes).toContain('voicemail-saved');
  const limit = step(FLOW, recording, timerOf(recording, 'call-limit'));
  expect(limit.actions).toContainEqual({ type: 'stop-recording', request: requestOf(recording) });
  const empty = step(FLOW, recording, {
    type: 'voicemail-recorded',
    atMs,
    request: requestOf(recording),
    saved: false,
    empty: true,
  });
  expect(empty.actions.flatMap((action) => (action.type === 'note' ? action.entry.code : []))).toContain(
    'voicemail-empty',
  );
  const stopped = step(FLOW, recording, { type: 'key-pressed', atMs, key: '#' });
  expect(stopped.actions.flatMap((action) => (action.type === 'start-timer' ? action.timer : []))).toEqual([
    'voicemail',
  ]);
});

// Asking for a call-back in a queue, step by step.
import { describe, expect, it } from 'vitest';
import { type Action, type CallEvent, type CallState, NEW_CALL } from './call-state.ts';
import { lintFlow } from './lint.ts';
import type { CallbackRules } from './node.ts';
import { simulate } from './simulate.ts';
import { parseScript } from './simulation/script.ts';
import { step } from './step.ts';
import { aDepartment, aFlow, anAgent, aQueue } from './testing/samples.ts';
import type { TimerName } from './timer.ts';

const RULES: CallbackRules = {
  key: '5',
  offerSeconds: 20,
  recording: null,
  first: 'agent',
  attempts: 3,
  pauseSeconds: 60,
  hours: null,
  perHour: 30,
};
const flowOf = (rules: Partial<CallbackRules> = {}) =>
  aFlow([
    aDepartment('d', {
      agents: ['extension||a'],
      queue: aQueue({ maxWaitSeconds: 600, callback: { ...RULES, ...rules } }),
    }),
    anAgent('a'),
  ]);

type Untimed = CallEvent extends infer Event
  ? Event extends CallEvent
    ? Omit<Event, 'atMs'>
    : never
  : never;

/** A caller who waits as number two. */
function waiting(caller: string | null = '+4930123', flow = flowOf()) {
  let state: CallState = NEW_CALL;
  let actions: readonly Action[] = [];
  let atMs = 0;
  const send = (event: Untimed): void => {
    ({ state, actions } = step(flow, state, { ...event, atMs } as CallEvent));
  };
  send({ type: 'call-started', entry: 'department||d', epochMs: 0, seed: 1, caller });
  const request = 'queue' in state.phase && state.phase.queue ? state.phase.queue.request : 0;
  send({ type: 'queue-position', request, position: 2 });
  return {
    send,
    press: (keys: string) => {
      for (const key of keys) send({ type: 'key-pressed', key });
    },
    finish: () =>
      send({ type: 'playback-finished', playback: 'playback' in state.phase ? state.phase.playback : 0 }),
    expire: (timer: TimerName, afterMs: number) => {
      atMs += afterMs;
      send({ type: 'timer-expired', timer, generation: state.timers[timer] });
    },
    turn: () => send({ type: 'queue-turn', request, agents: ['extension||a'] }),
    answer: (answer: 'stored' | 'limit') =>
      send({
        type: 'callback-answered',
        request: state.phase.name === 'callback' ? state.phase.request : 0,
        answer,
      }),
    phase: () => state.phase,
    heard: () =>
      actions.flatMap((action) =>
        action.type === 'play' && action.sound.kind === 'system' ? [action.sound.prompt] : [],
      ),
    acted: () => actions.map(({ type }) => type),
    asked: () => actions.find((action) => action.type === 'ask-callback'),
  };
}

describe('a caller in a queue', () => {
  it('hears the offer, the key of it, and the music again', () => {
    const call = waiting();
    call.expire('queue-offer', 20_000);
    expect(call.heard()).toEqual(['callback-offer']);
    call.finish();
    expect(call.heard()).toEqual(['digit-5']);
    call.finish();
    expect(call.heard()).toEqual(['music-on-hold']);
  });

  it('hears the number to its last digit, confirms it and leaves the queue when it is stored', () => {
    const call = waiting('+49');
    // Too short for a number: it is asked for.
    call.press('5');
    expect(call.phase()).toMatchObject({ stage: 'entry' });
    const known = waiting('+4930123');
    known.press('5');
    const heard: string[] = known.heard();
    for (let prompts = 0; prompts < 8; prompts++) {
      known.finish();
      heard.push(...known.heard());
    }
    expect(heard.join(' ')).toBe(
      'callback-number digit-4 digit-9 digit-3 digit-0 digit-1 digit-2 digit-3 callback-confirm',
    );
    known.press('1');
    expect(known.asked()).toMatchObject({ number: '+4930123', typed: false });
    known.answer('stored');
    expect(known.acted()).toContain('leave-queue');
    expect(known.heard()).toEqual(['callback-saved']);
    known.send({ type: 'caller-hung-up' });
    expect(known.phase()).toMatchObject({ name: 'ended', end: { code: 'callback-asked' } });
  });

  it('types another number, begins it again, and must confirm it', () => {
    const call = waiting();
    call.press('52030*030');
    call.expire('inter-digit', 5_000);
    expect(call.phase()).toMatchObject({ stage: 'confirm', number: '030', typed: true });
    call.press('1');
    expect(call.asked()).toMatchObject({ number: '030', typed: true });
  });

  it.each([
    ['by the star', (call: ReturnType<typeof waiting>) => call.press('5*')],
    [
      'without a key',
      (call: ReturnType<typeof waiting>) => {
        call.press('5');
        for (let tries = 0; tries < 3; tries++) {
          for (let prompts = 0; prompts < 9; prompts++) call.finish();
          call.expire('first-key', 10_000);
        }
      },
    ],
  ])('goes on waiting %s', (_, deed) => {
    const call = waiting();
    deed(call);
    expect(call.phase()).toMatchObject({ name: 'queued', queue: { sinceMs: 0 } });
    expect(call.heard()).toEqual(['music-on-hold']);
  });

  it('is told that it is not possible, and goes on waiting', () => {
    const call = waiting();
    call.press('51');
    call.answer('limit');
    expect(call.heard()).toEqual(['callback-refused']);
    call.finish();
    expect(call.phase()).toMatchObject({ name: 'queued' });
  });

  it('whose turn it is while the number is asked for is connected', () => {
    const call = waiting();
    call.press('5');
    call.turn();
    expect(call.phase()).toMatchObject({ name: 'ringing' });
  });

  it('whose turn it is while the request is stored is connected if it was refused', () => {
    const call = waiting();
    call.press('51');
    call.turn();
    expect(call.phase()).toMatchObject({ name: 'callback', stage: 'asking' });
    call.answer('limit');
    expect(call.phase()).toMatchObject({ name: 'ringing' });
  });
});

it('a simulated caller is called back', () => {
  const script = parseScript('wait 5s,5,wait 5s,1');
  if (!script.ok) throw new Error('The script is wrong.');
  const trace = simulate(flowOf(), {
    entry: 'department||d',
    script: script.steps,
    agents: { 'extension||a': { do: 'busy' } },
  });
  expect(trace.outcome).toMatchObject({ reason: 'callback-asked' });
});

it('the linter misses the hours and the recording of call-backs', () => {
  const flow = flowOf({ hours: 'timegroup||gone', recording: 'gone' });
  const found = lintFlow(flow, ['department||d']).map(({ pointer }) => pointer);
  expect(found).toEqual(expect.arrayContaining(['/callback_hours', '/callback_recording']));
});

// What waiting callers hear between the music: the position with the estimated wait, and the department's recording.
import { describe, expect, test } from 'vitest';
import { type Action, type CallEvent, type CallState, NEW_CALL } from './call-state.ts';
import type { Flow } from './flow.ts';
import type { QueueRules } from './node.ts';
import { waitPrompt } from './queueing.ts';
import { simulate } from './simulate.ts';
import { step } from './step.ts';
import { aDepartment, aFlow, aQueue } from './testing/samples.ts';

const MINUTE = 60_000;
const RULES = {
  key: '5',
  recording: null,
  first: 'agent',
  attempts: 3,
  pauseSeconds: 60,
  hours: null,
  perHour: 30,
} as const;
const SALES = 'extension||sales';

const line = (rules: Partial<QueueRules>): Flow =>
  aFlow([aDepartment('d', { agents: [SALES], queue: aQueue(rules) })]);

class Waiting {
  readonly #flow: Flow;
  #state: CallState = NEW_CALL;
  actions: readonly Action[] = [];

  constructor(rules: Partial<QueueRules>, estimateMs?: number) {
    this.#flow = line(rules);
    const started = { entry: 'department||d', epochMs: 0, seed: 1, caller: null };
    this.do({ type: 'call-started', atMs: 0, ...started });
    this.position(3, estimateMs);
  }

  do(event: CallEvent): void {
    const { state, actions } = step(this.#flow, this.#state, event);
    this.#state = state;
    this.actions = actions;
  }

  position(position: number, estimateMs?: number): void {
    const { phase, atMs } = this.#state;
    const request = 'queue' in phase && phase.queue ? phase.queue.request : 0;
    const event = { type: 'queue-position', atMs, request, position } as const;
    this.do(estimateMs === undefined ? event : { ...event, estimateMs });
  }

  expire(timer: 'queue-announce' | 'queue-message' | 'queue-offer'): void {
    const { timers, atMs } = this.#state;
    this.do({ type: 'timer-expired', atMs, timer, generation: timers[timer] });
  }

  soundEnds(): void {
    const { phase, atMs } = this.#state;
    this.do({ type: 'playback-finished', atMs, playback: 'playback' in phase ? phase.playback : 0 });
  }

  /** What begins to play. */
  get heard(): string[] {
    return this.actions.flatMap((action) => {
      if (action.type !== 'play') return [];
      const { sound } = action;
      return [sound.kind === 'system' ? sound.prompt : sound.kind === 'recording' ? sound.id : sound.kind];
    });
  }

  get noted(): string[] {
    return this.actions.flatMap((action) => (action.type === 'note' ? [action.entry.text] : []));
  }
}

describe('the estimated wait', () => {
  test('follows the position, then the music goes on', () => {
    const caller = new Waiting({ announceSeconds: 30, announceWait: true }, 3.5 * MINUTE);
    expect(caller.noted[0]).toBe('Waits in the queue as number 3, about 4 min to wait.');
    caller.expire('queue-announce');
    caller.position(2, 2 * MINUTE);
    expect(caller.noted[0]).toBe('The caller is told: number 2 in the queue, about 2 min to wait.');
    expect(caller.heard).toEqual(['position-2']);
    caller.soundEnds();
    expect(caller.heard).toEqual(['wait-2']);
    caller.soundEnds();
    expect(caller.heard).toEqual(['music-on-hold']);
  });

  test('is not announced where it is not known, or not wanted', () => {
    const rules = [
      { announceSeconds: 30, announceWait: true, estimateMs: undefined },
      { announceSeconds: 30, estimateMs: MINUTE },
    ] as const;
    for (const { estimateMs, ...each } of rules) {
      const caller = new Waiting(each);
      caller.expire('queue-announce');
      caller.position(2, estimateMs);
      expect(caller.noted[0]).toBe('The caller is told: number 2 in the queue.');
      caller.soundEnds();
      expect(caller.heard).toEqual(['music-on-hold']);
    }
  });

  test('is announced in minutes, rounded up', () => {
    const minutes = [0, 0.1, 1, 1.1, 10, 10.1, 15, 16, 29, 30, 31, 999];
    expect(minutes.map((each) => waitPrompt(each * MINUTE))).toEqual([
      'wait-1',
      'wait-1',
      'wait-1',
      'wait-2',
      'wait-10',
      'wait-15',
      'wait-15',
      'wait-20',
      'wait-30',
      'wait-30',
      'wait-many',
      'wait-many',
    ]);
  });
});

test('the record says what the caller hears, not what was measured', () => {
  const spokenOf = (position: number, minutes: number) => {
    const caller = new Waiting({ announceSeconds: 30, announceWait: true });
    caller.position(position, minutes * MINUTE);
    return caller.noted[0];
  };
  expect([spokenOf(3, 12), spokenOf(10, 30), spokenOf(11, 47)]).toEqual([
    'The caller is told: number 3 in the queue, about 15 min to wait.',
    'The caller is told: number 10 in the queue, about 30 min to wait.',
    'The caller is told: more than 10 callers before, more than 30 min to wait.',
  ]);
});

describe('announcements that are due together', () => {
  const message = { recording: 'welcome', seconds: 60 };

  test('are all heard, one after the other, at every interval', () => {
    const trace = simulate(line({ announceSeconds: 60, message }), {
      entry: 'department||d',
      agents: { [SALES]: { do: 'busy', forMs: 150_000 } },
    });
    const heard = trace.heard.map(({ sound }) => (sound.kind === 'system' ? sound.prompt : sound.kind));
    const once = ['recording', 'music-on-hold', 'position-1', 'music-on-hold'];
    expect(heard).toEqual(['music-on-hold', ...once, ...once]);
  });

  test('follow each once, with the position as it is then, and not again while they are heard', () => {
    const callback = { ...RULES, offerSeconds: 60 };
    const caller = new Waiting({ announceSeconds: 60, message, callback });
    const heard: string[] = [];
    caller.expire('queue-message');
    for (let times = 0; times < 3; times++) {
      for (const timer of ['queue-announce', 'queue-offer', 'queue-message'] as const) caller.expire(timer);
      expect(caller.heard).toEqual([]);
    }
    for (let sounds = 0; sounds < 3; sounds++) {
      caller.soundEnds();
      heard.push(...caller.heard);
    }
    expect(heard).toEqual(['callback-offer', 'digit-5', 'music-on-hold']);
    expect(caller.actions.map(({ type }) => type)).toContain('ask-position');
    caller.position(1);
    expect(caller.heard).toEqual(['position-1']);
    caller.soundEnds();
    expect(caller.heard).toEqual(['music-on-hold']);
    expect(caller.actions.map(({ type }) => type)).not.toContain('ask-position');
  });

  test('a position that is answered while another is heard is asked for again', () => {
    const caller = new Waiting({ announceSeconds: 60, message });
    caller.expire('queue-announce');
    caller.expire('queue-message');
    caller.position(2);
    expect(caller.heard).toEqual([]);
    caller.soundEnds();
    expect(caller.actions.map(({ type }) => type)).toContain('ask-position');
  });
});

describe('the department’s recording', () => {
  const message = { recording: 'welcome', seconds: 20 };

  test('is heard at its interval, between the music', () => {
    const trace = simulate(line({ message }), {
      entry: 'department||d',
      agents: { [SALES]: { do: 'busy', forMs: 50_000 } },
    });
    const starts = trace.heard.flatMap(({ atMs, sound }) => (sound.kind === 'recording' ? [atMs] : []));
    expect(starts).toEqual([20_000, 40_000]);
    expect(trace.heard[2]?.sound).toEqual({ kind: 'system', prompt: 'music-on-hold' });
    expect(trace.outcome).toMatchObject({ kind: 'connected' });
  });

  test('does not cut an announcement short', () => {
    const caller = new Waiting({ announceSeconds: 20, message });
    caller.expire('queue-announce');
    caller.position(1);
    caller.expire('queue-message');
    expect(caller.heard).toEqual([]);
    caller.soundEnds();
    expect(caller.heard).toEqual(['welcome']);
  });

  test('is a tone where it does not exist', () => {
    const caller = new Waiting({ message: { recording: 'gone', seconds: 20 } });
    caller.expire('queue-message');
    expect(caller.heard).toEqual(['tone']);
  });
});

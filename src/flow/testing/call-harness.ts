// Drives a call for property tests: performs its actions, reports random events, timely or stale, and throws when the machine breaks
// an invariant.

import { type Action, type CallEvent, type CallState, NEW_CALL } from '../call-state.ts';
import type { AskingCallback } from '../callback-phase.ts';
import { MAX_TALKS } from '../conversation.ts';
import { type Flow, resolve } from '../flow.ts';
import { isAtRoom } from '../hang-up.ts';
import { isConversation } from '../hidden-keys.ts';
import { REQUEST_FAILURES, type RequestOutcome } from '../logic-phase.ts';
import { isAnnouncement } from '../queueing.ts';
import { step } from '../step.ts';
import { STREAM_FAILURES, type Streaming } from '../stream-phase.ts';
import type { TimerName } from '../timer.ts';
import type { TrailEntry } from '../trail.ts';
import { MAX_VARIABLES } from '../variables.ts';

const MOST_STEPS = 20_000;
const RING_REPORTS = [
  'ring-progressed',
  'early-media',
  'agent-answered',
  'agent-busy',
  'agent-unreachable',
  'ring-failed',
] as const;

const PICKER = { id: 'extension||c/pickup', owner: 'extension||c', via: 'intercom', number: '103' } as const;

export class CallHarness {
  readonly flow: Flow;
  state: CallState = NEW_CALL;
  readonly events: CallEvent[] = [];
  /** The actions that each event caused, in the same order. */
  readonly actions: (readonly Action[])[] = [];
  readonly trail: TrailEntry[] = [];
  readonly #timers = new Map<TimerName, number>();
  /** Requests of the queues that it joined and did not leave. */
  readonly #places = new Set<number>();
  /** The same of conference rooms. */
  readonly #rooms = new Set<number>();
  /** That wait for an answer. */
  readonly #asked = new Set<number>();
  readonly #streams = new Set<number>();
  #hangUps = 0;
  #atMs = 0;

  constructor(flow: Flow, entry: string, seed: number) {
    this.flow = flow;
    this.#happen({
      type: 'call-started',
      atMs: 0,
      entry,
      epochMs: Date.UTC(2026, 2, 29),
      seed,
      caller: '+4930123456',
    });
  }

  /** One arbitrary event; `choice` decides which, and how stale its numbers are. */
  disturb(choice: number): void {
    this.#atMs += choice % 4_000;
    if (choice % 8 === 0) this.expire(choice >> 5);
    else this.#happen(choice % 8 < 5 ? this.#fittingEvent(choice >> 3) : this.#anyEvent(choice >> 3));
  }

  /** Something that may well happen now: random events alone would seldom get a call past its first menu. */
  #fittingEvent(choice: number): CallEvent {
    const atMs = this.#atMs;
    const { phase } = this.state;
    if (phase.name === 'ringing') {
      const target = phase.targets[choice % phase.targets.length]?.id ?? '';
      const type = RING_REPORTS[(choice >> 4) % RING_REPORTS.length] ?? 'agent-busy';
      return { type, atMs, attempt: phase.attempt, target };
    }
    if (phase.name === 'looking-up') {
      const { request } = phase;
      return { type: 'directory-told', atMs, request, idleSince: {}, lastRung: null };
    }
    if (phase.name === 'recording') {
      const saved = choice % 4 !== 0;
      const empty = !saved && choice % 8 === 0;
      const full = !saved && choice % 16 === 4;
      return { type: 'voicemail-recorded', atMs, request: phase.request, saved, empty, full };
    }
    if (phase.name === 'joining' || (phase.name === 'queued' && choice % 3 === 0)) {
      return this.#queueEvent(phase.queue.request, choice >> 2);
    }
    if (isAtRoom(phase) && (phase.name !== 'room-name' || choice % 2 === 0))
      return this.#roomEvent(phase.request, choice >> 1);
    if (phase.name === 'callback') return this.#callbackEvent(phase, choice);
    if (phase.name === 'requesting' && choice % 4 > 0) return this.#answerEvent(phase.request, choice >> 2);
    if (phase.name === 'streaming' && phase.request !== 0 && choice % 4 > 0)
      return this.#streamEvent(phase, choice >> 2);
    if (phase.name === 'connected' && this.flow.hasLogic && choice % 2 === 0)
      return { type: 'agent-hung-up', atMs };
    if ('playback' in phase && choice % 2 === 0) {
      return { type: 'playback-finished', atMs, playback: phase.playback };
    }
    // Callers who wait press the key for a call-back, or another.
    const keys = phase.name === 'queued' ? '29291' : '123*#';
    return { type: 'key-pressed', atMs, key: keys.charAt((choice >> 1) % keys.length) };
  }

  #callbackEvent({ stage, request, playback, queue }: AskingCallback, choice: number): CallEvent {
    const atMs = this.#atMs;
    if (choice % 7 === 0) return this.#queueEvent(queue.request, choice >> 3);
    const refusal = (['number', 'open', 'limit', 'failed'] as const)[(choice >> 1) % 4] ?? 'failed';
    const answer = choice % 2 === 0 ? 'stored' : refusal;
    if (stage === 'asking') return { type: 'callback-answered', atMs, request, answer };
    if (playback !== 0 && choice % 3 === 0) return { type: 'playback-finished', atMs, playback };
    return { type: 'key-pressed', atMs, key: '111112#*3'.charAt((choice >> 2) % 9) };
  }

  #answerEvent(request: number, choice: number): CallEvent {
    const atMs = this.#atMs;
    const failure = REQUEST_FAILURES[(choice >> 2) % REQUEST_FAILURES.length] ?? 'timeout';
    const choices = [null, 'x', 'y', 'unlisted'];
    const outcome: RequestOutcome =
      choice % 4 === 0
        ? { ok: false, failure, detail: 'status 500' }
        : {
            ok: true,
            choice: choices[(choice >> 2) % 4] ?? null,
            values: { one: '1', v3: 'x'.repeat(2_000) },
          };
    return { type: 'request-answered', atMs, request, outcome };
  }

  #streamEvent({ node, request, stage }: Streaming, choice: number): CallEvent {
    const atMs = this.#atMs;
    const failure = STREAM_FAILURES[(choice >> 2) % STREAM_FAILURES.length] ?? 'broken';
    const listed = resolve(this.flow, node);
    const asked = listed?.kind === 'stream' ? (listed.destinations[0] ?? 'ivr||a') : 'ivr||a';
    if (stage === 'opening' && choice % 4 > 0) return { type: 'stream-opened', atMs, request };
    switch (choice % 4) {
      case 0:
        return { type: 'stream-ended', atMs, request, outcome: { ok: false, failure, detail: 'x' } };
      case 1:
        return { type: 'stream-ended', atMs, request, outcome: { ok: true } };
      case 2:
        return { type: 'stream-variables', atMs, request, values: { one: '1', v3: 'x'.repeat(2_000) } };
      default:
        return { type: 'stream-transfer', atMs, request, destination: choice % 8 < 4 ? asked : 'ivr||gone' };
    }
  }

  #roomEvent(request: number, choice: number): CallEvent {
    const atMs = this.#atMs;
    const refusals = ['wrong-pin', 'pins-refused', 'full', 'locked', 'elsewhere', 'failed'] as const;
    const answers = ['entered', 'waits', 'name', ...refusals] as const;
    const answer = answers[(choice >> 2) % answers.length] ?? 'entered';
    if (choice % 4 > 0) return { type: 'room-answered', atMs, request, answer };
    const why = (['closed', 'removed', 'failed'] as const)[(choice >> 2) % 3] ?? 'closed';
    return { type: 'room-left', atMs, request, why };
  }

  #queueEvent(request: number, choice: number): CallEvent {
    const atMs = this.#atMs;
    const agents = [`extension||${'abc'.charAt(choice % 3)}`];
    const kinds: CallEvent[] = [
      { type: 'queue-turn', atMs, request, agents },
      { type: 'queue-turn', atMs, request, agents: [...agents, 'extension||gone', 'extension||b'] },
      { type: 'queue-position', atMs, request, position: 1 + (choice % 12) },
      { type: 'queue-position', atMs, request, position: 1 },
      { type: 'queue-refused', atMs, request, why: choice % 2 === 0 ? 'queue-full' : 'queue-empty' },
    ];
    return kinds[(choice >> 3) % kinds.length] ?? { type: 'queue-turn', atMs, request, agents };
  }

  #anyEvent(choice: number): CallEvent {
    const atMs = this.#atMs;
    const { phase } = this.state;
    const guess = choice % 40;
    const current = choice % 5 !== 0;
    const playback = current && 'playback' in phase ? phase.playback : guess;
    const ours = 'request' in phase ? phase.request : 'queue' in phase ? phase.queue?.request : undefined;
    const request = (current ? ours : undefined) ?? guess;
    const attempt = current && phase.name === 'ringing' ? phase.attempt : guess;
    const targets = phase.name === 'ringing' ? phase.targets : [];
    const target = targets[choice % Math.max(1, targets.length)]?.id ?? 'extension||a/intercom';
    const idleSince = { 'extension||b': 1 };
    const kinds: CallEvent[] = [
      { type: 'key-pressed', atMs, key: '123*#9A'.charAt((choice >> 5) % 7) },
      { type: 'key-pressed', atMs, key: '123'.charAt((choice >> 5) % 3) },
      { type: 'playback-finished', atMs, playback },
      { type: 'playback-finished', atMs, playback },
      { type: 'timer-expired', atMs, timer: 'first-key', generation: guess },
      { type: 'agent-busy', atMs, attempt, target },
      { type: 'agent-unreachable', atMs, attempt, target },
      { type: (choice >> 6) % 2 === 0 ? 'agent-paused' : 'ring-failed', atMs, attempt, target },
      { type: 'ring-progressed', atMs, attempt, target },
      { type: choice % 3 === 0 ? 'agent-answered' : 'ring-failed', atMs, attempt, target },
      { type: 'directory-told', atMs, request, idleSince, lastRung: 'extension||a' },
      { type: 'voicemail-recorded', atMs, request, saved: choice % 2 === 0 },
      this.#reply(request, choice >> 4),
      { type: choice % 3 === 0 ? 'caller-hung-up' : 'agent-hung-up', atMs },
      { type: 'picked-up', atMs, target: PICKER },
      { type: 'party-replaced', atMs, target: choice % 2 === 0 ? PICKER : null, caller: null, text: '' },
    ];
    return kinds[choice % kinds.length] ?? { type: 'agent-hung-up', atMs };
  }

  /** A reply to whatever the call asked for. */
  #reply(request: number, choice: number): CallEvent {
    const { phase } = this.state;
    if (phase.name === 'requesting') return this.#answerEvent(request, choice);
    if (phase.name === 'streaming') return this.#streamEvent({ ...phase, request }, choice);
    return isAtRoom(phase) ? this.#roomEvent(request, choice) : this.#queueEvent(request, choice);
  }

  /** Lets the n-th running timer expire, other than the call limit. */
  expire(n: number): void {
    const running = [...this.#timers].filter(([name]) => name !== 'call-limit');
    const chosen = running[n % Math.max(1, running.length)];
    if (!chosen) return;
    const [timer, generation] = chosen;
    this.#happen({ type: 'timer-expired', atMs: this.#atMs, timer, generation });
  }

  /** No more reports come: the call's own timers must bring it to its end. */
  drain(): void {
    for (let steps = 0; this.state.phase.name !== 'ended'; steps += 1) {
      if (steps >= MOST_STEPS) throw new Error('the call does not end');
      if (isConversation(this.state.phase)) this.#happen({ type: 'caller-hung-up', atMs: this.#atMs });
      else this.expire(0);
    }
  }

  #happen(event: CallEvent): void {
    const before = this.state;
    this.events.push(event);
    const { state, actions } = step(this.flow, before, event);
    this.actions.push(actions);
    if (before.phase.name === 'ended') {
      if (actions.length > 0) throw new Error('an action came after the end');
      return;
    }
    this.state = state;
    const isRefused = event.type === 'room-answered' && !['entered', 'waits', 'name'].includes(event.answer);
    if (
      isRefused &&
      'request' in before.phase &&
      before.phase.request === event.request &&
      this.#asks(before)
    )
      this.#rooms.delete(event.request);
    if (event.type === 'timer-expired' && this.#timers.get(event.timer) === event.generation) {
      this.#timers.delete(event.timer);
    }
    if (event.type === 'stream-ended' && 'request' in before.phase && before.phase.request === event.request)
      this.#streams.delete(event.request);
    for (const action of actions) this.#perform(action);
    this.#check();
  }

  #perform(action: Action): void {
    if (this.#hangUps > 0) throw new Error(`${action.type} came after the hang-up`);
    if (action.type === 'note') this.trail.push(action.entry);
    if (action.type === 'hang-up') this.#hangUps += 1;
    if (action.type === 'join-queue') this.#places.add(action.request);
    if (action.type === 'leave-queue' && !this.#places.delete(action.request)) {
      throw new Error('it left a queue that it was not in');
    }
    if (action.type === 'send-request') this.#asked.add(action.request);
    if (action.type === 'cancel-request' && !this.#asked.delete(action.request))
      throw new Error('it cancelled a request that it did not send');
    if (action.type === 'open-stream') this.#streams.add(action.request);
    if (action.type === 'close-stream' && !this.#streams.delete(action.request))
      throw new Error('it closed a stream that was not open');
    if (action.type === 'join-room') this.#rooms.add(action.request);
    if (action.type === 'leave-room' && !this.#rooms.delete(action.request)) {
      throw new Error('it left a room that it was not in');
    }
    if (action.type === 'start-timer') this.#timers.set(action.timer, action.generation);
    if (action.type === 'stop-timer' && this.#timers.get(action.timer) === action.generation) {
      this.#timers.delete(action.timer);
    }
  }

  /** A wait in a queue has its own end, and the sound that is heard has one too unless it is music. */
  #checkWait(speaks: boolean): void {
    if (!this.#timers.has('queue-wait')) throw new Error('a wait in a queue without an end');
    if (this.#timers.has('playback') !== speaks)
      throw new Error('the sound of the queue and its timer differ');
  }

  #asks({ phase: { name } }: CallState): boolean {
    return name === 'room-joining' || name === 'room-name' || name === 'room-waiting';
  }

  #check(): void {
    const { phase, hops, talks, timers } = this.state;
    const line = 'queue' in phase ? phase.queue : null;
    const places = [...this.#places];
    if (places.length !== (line ? 1 : 0) || (line && places[0] !== line.request)) {
      throw new Error(`${phase.name} holds ${places.length} places in queues`);
    }
    if (this.#streams.size !== (phase.name === 'streaming' && phase.request !== 0 ? 1 : 0))
      throw new Error(`${phase.name} has ${this.#streams.size} streams`);
    if (this.#rooms.size !== (isAtRoom(phase) ? 1 : 0))
      throw new Error(`${phase.name} is in ${this.#rooms.size} rooms`);
    const running = Object.values(timers).filter((generation) => generation !== 0);
    if (running.length !== this.#timers.size) throw new Error('a timer was lost');
    for (const [name, generation] of this.#timers) {
      if (timers[name] !== generation) throw new Error(`timer ${name} has another generation`);
    }
    if ((phase.name === 'ended') !== (this.#hangUps === 1)) throw new Error('the end and the hang-up differ');
    const guards = this.#timers.size - (this.#timers.has('call-limit') ? 1 : 0);
    if (phase.name === 'ended') {
      if (this.#timers.size > 0) throw new Error('a timer outlived the call');
      return;
    }
    if (phase.name === 'queued') this.#checkWait(isAnnouncement(phase.hears));
    else if (!isConversation(phase) && guards !== 1) {
      throw new Error(`${phase.name} waits on ${guards} timers`);
    }
    if (Object.keys(this.state.variables).length > MAX_VARIABLES) throw new Error('too many variables');
    if (talks > MAX_TALKS) throw new Error(`${talks} conversations`);
    if (hops > this.flow.settings.hopLimit) throw new Error(`${hops} hops`);
    if (!('visit' in phase)) return;
    const menu = resolve(this.flow, phase.visit.menu);
    if (menu?.kind !== 'menu') throw new Error('a visit of no menu');
    const final = phase.name === 'closing' ? 1 : 0;
    const { invalid, timeouts } = phase.visit;
    if (invalid > menu.incorrectCount + final || timeouts > menu.timeoutTries + final) {
      throw new Error(`counters ${invalid} and ${timeouts} exceed their limits`);
    }
  }
}

/** The trail that the same events make again, its state stored and read in between after every eighth. */
export function replay(flow: Flow, events: readonly CallEvent[]): TrailEntry[] {
  const trail: TrailEntry[] = [];
  let state = NEW_CALL;
  for (const [index, event] of events.entries()) {
    const after = step(flow, state, event);
    state = index % 8 === 0 ? JSON.parse(JSON.stringify(after.state)) : after.state;
    for (const action of after.actions) if (action.type === 'note') trail.push(action.entry);
  }
  return trail;
}

// One live call: event → step → actions. Events are queued and handled one at a time, so nothing that a leg reports while an
// action is carried out overtakes it. An exception ends this call and no other.

import { type CallEvent, type CallState, NEW_CALL } from '../../flow/call-state.ts';
import type { Flow } from '../../flow/flow.ts';
import { step } from '../../flow/step.ts';
import type { EndReason } from '../../flow/trail.ts';
import type { KeySource, Leg, ListenMode } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import {
  type Answer,
  type CallEnd,
  type CallFacts,
  type CallResult,
  ownEnd,
  type Transfer,
} from '../records/call-record.ts';
import { NOT_RECORDED, type Recorded, recordedIn } from '../records/recorded.ts';
import type { Arrival, LegWithSlot } from './arrival.ts';
import { CallHistory, lostEnd } from './call-history.ts';
import type { Side, UntimedEvent } from './call-input.ts';
import { CallLegs } from './call-legs.ts';
import { Effects, type EffectsHost } from './effects.ts';
import { type EndedLeg, isWhole, type LegRecord, wholeLegs } from './ended-leg.ts';
import { perform } from './perform.ts';

const APOLOGY_MS = 10_000;

export interface CallHost {
  /** A blind transfer by one side; whether the other side goes on elsewhere. */
  transfer(call: Call, by: Side, dialled: string): boolean;
  callFailed(call: Call, error: unknown): void;
  /** By the service itself. */
  callerAnswered(call: Call, atMs: number): void;
  callAnswered(call: Call, answer: Answer): void;
  /** All legs have ended, and the result is complete. */
  callEnded(call: Call, result: CallResult): void;
}

export class Call implements EffectsHost {
  readonly facts: CallFacts;
  readonly flow: Flow;
  readonly arrival: Arrival;
  readonly history: CallHistory;
  readonly legs: CallLegs;
  readonly #host: CallHost;
  readonly #effects: Effects;
  readonly #queue: CallEvent[] = [];
  #state: CallState = NEW_CALL;
  #isHandling = false;
  #end: CallEnd | null = null;
  #isFinished = false;

  constructor(context: AccountContext, host: CallHost, facts: CallFacts, flow: Flow, arrival: Arrival) {
    this.facts = facts;
    this.flow = flow;
    this.arrival = arrival;
    this.history = new CallHistory(context.services, facts, flow);
    this.legs = new CallLegs(context, arrival, facts.direction, this, this.history.times);
    this.#host = host;
    this.#effects = new Effects(context, this);
  }

  start(): void {
    const { id, entry, startedAtMs: epochMs, caller } = this.facts;
    // The random part of the id.
    const seed = Number.parseInt(id.slice(-8), 16) || 1;
    this.report({ type: 'call-started', entry, epochMs, seed, caller });
  }

  get phase(): CallState['phase'] {
    return this.#state.phase;
  }

  /** Its legs may live on for a moment. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  hangUp(code: 'service-stopped' | 'operator-hung-up'): void {
    if (this.#end) return;
    const { cause } = this.#endBy(code);
    this.legs.hangUp(cause);
  }

  /** Hands one side over to another call: `leaving` and all other legs are hung up, and this call ends as transferred. */
  release(leaving: Side, transfer: Transfer, dialled: string): LegWithSlot | null {
    if (this.#end || (leaving === 'caller' && this.phase.name !== 'connected')) return null;
    this.history.transferredTo = transfer;
    this.#endBy('transferred', `${transfer.by.name} transferred the call to ${dialled}.`);
    return this.legs.release(leaving);
  }

  /**
   * A third leg joins the conversation: it hears both sides; with whisper the agent hears it, with barge both do. It must have
   * been dialled near `legs.callerLeg`, and is hung up with the call. Again: changes the mode. False: not connected.
   */
  listenIn(leg: Leg, mode: ListenMode): boolean {
    const { phase } = this;
    if (phase.name !== 'connected' || this.#end) return false;
    // Whispers are for agents: where neither side is one (a call from outside, sent on outside), never for the caller.
    const isAgentCalled = phase.target.owner.startsWith('extension||');
    const isToCalled = isAgentCalled || this.arrival.agent === null;
    return this.legs.recorder.listenIn(leg, mode, isToCalled ? 'called' : 'caller');
  }

  report(event: UntimedEvent): void {
    if (this.#end) return;
    const first = timed(event, this.history.nowMs());
    if (this.#isHandling) {
      this.#queue.push(first);
      return;
    }
    this.#isHandling = true;
    try {
      for (let next: CallEvent | undefined = first; next; next = this.#queue.shift()) this.#handle(next);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isHandling = false;
    }
  }

  keyHeard(key: string, source: KeySource): void {
    this.history.keepKey(key, source, this.#state);
  }

  soundMissing(): void {
    this.history.note('recording-missing', 'Its sound cannot be read: a short tone is played instead.');
  }

  transferAsked(by: Side, dialled: string): boolean {
    try {
      return this.phase.name === 'connected' && this.#host.transfer(this, by, dialled);
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  flowEnded(end: EndReason): void {
    const lost = lostEnd(end.code, this.legs.lost);
    if (lost) this.history.note('ended', lost.text);
    this.#endWith(lost ?? end);
  }

  callerAnswered(atMs: number): void {
    this.#host.callerAnswered(this, atMs);
  }

  answered(answer: Answer): void {
    this.#host.callAnswered(this, answer);
  }

  legsCleared(): void {
    if (!this.#end || this.#isFinished) return;
    this.#isFinished = true;
    const { endedLegs } = this.legs;
    if (endedLegs.length > 1) endedLegs.sort((one, other) => one.beganMs - other.beganMs);
    // Without a promise where everything is there already, as for most calls.
    if (this.#effects.recordings.length === 0 && endedLegs.every(isWhole))
      this.#finish(this.#end, endedLegs, NOT_RECORDED);
    else
      this.#finishLater(this.#end, endedLegs).catch((error: unknown) => this.#host.callFailed(this, error));
  }

  failed(error: unknown): void {
    this.#fail(error);
  }

  #handle(event: CallEvent): void {
    this.history.keepEvent(event, this.#state);
    const { state, actions } = step(this.flow, this.#state, event);
    this.#state = state;
    for (const action of actions) perform(action, this.#effects);
  }

  #fail(error: unknown): void {
    this.#queue.length = 0;
    if (this.#end) {
      this.#host.callFailed(this, error);
      return;
    }
    const { cause } = this.#endBy('internal-error');
    this.#host.callFailed(this, error);
    this.legs.apologise(cause, APOLOGY_MS);
  }

  #endBy(code: Parameters<typeof ownEnd>[0], text?: string): CallEnd {
    const end = ownEnd(code);
    this.history.note('ended', text ?? end.text);
    this.#endWith(end);
    return end;
  }

  #endWith(end: CallEnd): void {
    // The flow leaves the queue by itself; this is for calls that the service ends.
    this.#effects.leaveQueue(null);
    this.#end = end;
    this.history.ended();
    if (this.legs.liveLegs === 0) this.legsCleared();
  }

  /** Waits for the statistics of the legs and the outcome of the recordings. */
  async #finishLater(end: CallEnd, legs: readonly EndedLeg[]): Promise<void> {
    const [whole, recorded] = await Promise.all([wholeLegs(legs), recordedIn(this.#effects.recordings)]);
    if (recorded.voicemail !== null) this.history.noteMessage();
    const isWithout = end.code === 'voicemail-left' && recorded.voicemail === null;
    const known = isWithout ? this.history.withoutMessage(recorded.messageFailed, this.legs.lost) : end;
    this.#finish(known, whole, recorded);
  }

  #finish(end: CallEnd, legs: readonly LegRecord[], recorded: Recorded): void {
    this.#host.callEnded(this, this.history.result(end, legs, this.legs.endedLegs, recorded));
  }
}

/** Adds the time to the event itself, not to a copy: its reporter made it for the call alone. */
function timed(event: UntimedEvent, atMs: number): CallEvent {
  const whole = event as UntimedEvent & { atMs?: number };
  whole.atMs = atMs;
  return whole as CallEvent;
}

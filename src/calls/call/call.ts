// One live call: event → step → actions. Events are queued and handled one at a time, so nothing that a leg reports while an
// action is carried out overtakes it. An exception ends this call and no other.

import { type CallEvent, type CallState, NEW_CALL } from '../../flow/call-state.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Ref } from '../../flow/node.ts';
import { step } from '../../flow/step.ts';
import type { EndReason } from '../../flow/trail.ts';
import type { Variables } from '../../flow/variables.ts';
import type { KeySource, Leg, ListenMode, ReplacedLeg, TransferAnswer } from '../../telephony/telephony.ts';
import type { AccountContext, WantedRecording } from '../account-context.ts';
import {
  type Answer,
  type CallEnd,
  type CallFacts,
  type CallResult,
  ownEnd,
  type Transfer,
} from '../records/call-record.ts';
import { NOT_RECORDED, type Recorded, recordedIn } from '../records/recorded.ts';
import type { LostCall, StoredCalled } from '../recovery/stored-call.ts';
import { type CallSpeechFailure, UNSPOKEN } from '../speech.ts';
import type { Arrival, LegWithSlot, ReleasedLeg } from './arrival.ts';
import { CallHistory, lostEnd } from './call-history.ts';
import { otherSide, type Side, timed, type UntimedEvent } from './call-input.ts';
import { CallLegs } from './call-legs.ts';
import { oneWayText, SHARING_LOST } from './call-notes.ts';
import { knownOf, seedOf, startedEvent, withVariables } from './call-start.ts';
import { Effects, type EffectsHost } from './effects.ts';
import { type EndedLeg, isWhole, type LegRecord, wholeLegs } from './ended-leg.ts';
import { isInRoom, isListenable } from './listenable.ts';
import { type Party, partyOf } from './party.ts';
import { perform } from './perform.ts';

const APOLOGY_MS = 10_000;
/** The machine numbers its own from 1; the recorder's are -1 and -2. */
const HOLD_PLAYBACK = -3;
/** How often sides of one call are replaced or lent: each time leaves a leg in its record, and a recording where calls are recorded. */
const MAX_CHANGES = 50;

export interface CallHost {
  /** A transfer by one side; whether the other side goes on elsewhere. `replaces`: the leg of another call, which it is joined with. */
  transfer(call: Call, by: Side, dialled: string, replaces: ReplacedLeg | null): TransferAnswer;
  callFailed(call: Call, error: unknown): void;
  /** Another node would need other facts of its legs. */
  legChanged(call: Call): void;
  /** By the service itself. */
  callerAnswered(call: Call, atMs: number): void;
  callAnswered(call: Call, answer: Answer): void;
  /** All legs have ended, and the result is complete. */
  callEnded(call: Call, result: CallResult): void;
}

export class Call implements EffectsHost {
  facts: CallFacts;
  readonly flow: Flow;
  /** One side of it is in another call meanwhile; null: it is not. */
  consultation: { readonly id: string } | null = null;
  readonly history: CallHistory;
  readonly legs: CallLegs;
  readonly #host: CallHost;
  readonly #effects: Effects;
  readonly #queue: CallEvent[] = [];
  #state: CallState = NEW_CALL;
  #isHandling = false;
  #end: CallEnd | null = null;
  #isFinished = false;
  #changes = 0;

  constructor(context: AccountContext, host: CallHost, facts: CallFacts, flow: Flow, arrival: Arrival) {
    this.facts = facts;
    this.flow = flow;
    const { recovered } = arrival;
    this.history = new CallHistory(context.services, facts, flow, recovered?.ageMs);
    this.legs = new CallLegs(context, arrival, facts, this, this.history.times);
    this.#host = host;
    this.#effects = new Effects(context, this);
  }

  start(): void {
    const { arrival, facts } = this;
    const priority = Math.max(arrival.priority ?? 0, this.#effects.priority);
    this.report(startedEvent(this.flow, arrival, facts, priority));
  }

  /** In place of start(): the node that had the call died. `called`: the side that it was connected with. */
  resume(
    { stored, facts, answer, from, by, silentMs }: LostCall,
    called: (LegWithSlot & { readonly called: StoredCalled }) | null,
  ): void {
    const { history } = this;
    history.times.restore(stored, called && answer ? answer.atMs : null);
    history.restore(this.arrival.recovered?.trail ?? [], called?.called.target.owner ?? null);
    const seconds = (silentMs / 1000).toFixed(1);
    history.note(
      'recovered',
      `Node ${from} ended without warning; node ${by} went on with the call after ${seconds} s.`,
    );
    if (called) this.legs.resume(called, called.called, this.#effects.holdSound);
    const { startedAtMs: epochMs, caller } = facts;
    const seed = seedOf(facts);
    const talkedTo = called?.called.target ?? null;
    const { node, priority = 0, variables } = stored;
    const given = variables ? { variables, known: knownOf(this.facts) } : {};
    this.report({ type: 'call-recovered', node, talkedTo, epochMs, seed, caller, priority, ...given });
    if (called) this.#effects.recordAgain(stored.recording);
  }

  /** The caller's side. */
  get arrival(): Arrival {
    return this.legs.arrival;
  }

  /** What is recorded of the conversation; null: it is not. */
  get recording(): WantedRecording | null {
    return this.#effects.wantedRecording;
  }

  /** Another node has the call, and makes its record: nothing is sent, and `callEnded` is not called. */
  abandon(): void {
    if (this.#end) return;
    this.#queue.length = 0;
    this.#end = ownEnd('interrupted');
    this.#isFinished = true;
    this.#effects.forgetQueue();
    this.#effects.leaveRoom();
    this.#effects.leaveSystems();
    this.legs.abandon();
  }

  legChanged(): void {
    this.#host.legChanged(this);
  }

  /** In queues. */
  get priority(): number {
    return this.#state.priority;
  }

  get variables(): Variables {
    return this.#state.variables;
  }

  get phase(): CallState['phase'] {
    return this.#state.phase;
  }

  /** It waits for one side that is in another call meanwhile, or is that call. */
  get isConsulting(): boolean {
    return this.consultation !== null || this.arrival.consultationLeg?.isWaiting === true;
  }

  /** A third party talks in it or rings for it, or its caller is in a conference room: no other takes the place of one side. */
  get isThreeWay(): boolean {
    return isInRoom(this.phase) || this.legs.recorder.hasThirdParty;
  }

  /** Whether a side may be replaced or lent once more. */
  get mayChange(): boolean {
    return this.#changes < MAX_CHANGES;
  }

  /** Its legs may live on for a moment. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  hangUp(code: 'service-stopped' | 'operator-hung-up' | 'consultation-ended'): void {
    if (this.#end) return;
    const { cause } = this.#endBy(code);
    this.legs.hangUp(cause);
  }

  /** Hands one side over to another call: `leaving` and all other legs are hung up, and this call ends as transferred. */
  release(leaving: Side, transfer: Transfer, dialled: string): ReleasedLeg | null {
    if (this.#end || (leaving === 'caller' && this.phase.name !== 'connected')) return null;
    if (!this.legs.legOf(otherSide(leaving))) return null;
    this.history.transferredTo = transfer;
    const after = transfer.attended ? ' after consulting' : '';
    this.#endBy('transferred', `${transfer.by.name} transferred the call to ${dialled}${after}.`);
    return this.legs.release(leaving);
  }

  /** One side goes to another call, and may come back; the other one is on hold meanwhile. Null: they are not connected. */
  detach(side: Side, consultation: { readonly id: string }, text: string): LegWithSlot | null {
    if (this.#end || this.phase.name !== 'connected' || this.consultation) return null;
    const lent = this.legs.legOf(otherSide(side)) && this.legs.detach(side);
    if (!lent) return null;
    this.#changes += 1;
    this.consultation = consultation;
    this.#effects.talkEnded();
    this.history.note('consultation-started', text);
    this.#waitAlone(otherSide(side));
    return lent;
  }

  /** The side that was lent is back: both talk again. */
  reattach(side: Side, leg: LegWithSlot, text: string): void {
    const party = partyOf(this, side);
    this.consultation = null;
    this.history.note('consultation-ended', text);
    if (party) this.#put(side, party, leg);
  }

  /** The side that was lent has ended. */
  lost(side: Side): void {
    this.consultation = null;
    this.report({ type: side === 'caller' ? 'caller-hung-up' : 'agent-hung-up' });
  }

  /** One side has another leg from now on, in any phase, and is the same party; the former leg is hung up. */
  takeOver(side: Side, party: Party, leg: LegWithSlot, text: string): void {
    this.replace(side, party, leg, text, true);
  }

  /** Another takes the place of one side, whose leg is hung up. */
  replace(side: Side, party: Party, leg: LegWithSlot, text: string, isOwn = false): void {
    const { caller, priority = 0 } = party.arrival;
    const isFirstAnswer = side === 'caller' && this.legs.caller.answeredMs === null;
    const target = side === 'called' ? party.target : null;
    const plain = { type: 'party-replaced', target, caller, text } as const;
    this.report(priority > 0 ? { ...plain, priority } : plain);
    if (this.#end) return;
    this.#changes += 1;
    this.#put(side, party, leg, isOwn);
    if (isFirstAnswer) this.#host.callerAnswered(this, this.history.nowMs());
  }

  #put(side: Side, { arrival, target }: Party, leg: LegWithSlot, isOwn = false): void {
    const { recovered: _, consultationLeg, ...plain } = arrival;
    const joined = {
      id: this.facts.id,
      alreadyAnswered: true,
      joinedMs: this.history.nowMs(),
      dialledAt: null,
      ...(isOwn && consultationLeg ? { consultationLeg } : {}),
    };
    const onHold = this.#effects.holdSound;
    const former = this.legs.legOf(side);
    if (side === 'caller') this.legs.putCaller({ ...plain, ...leg, ...joined }, onHold);
    else this.legs.putCalled(leg, { target, agent: arrival.agent }, onHold);
    if (this.consultation) this.#waitAlone(side);
    else if (this.phase.name === 'connected') {
      this.#effects.talkChanged(this.phase.target.owner);
      this.legs.recorder.rejoin(this.#whisperedTo(this.phase.target.owner), isOwn);
    }
    if (former) this.#effects.callerMoved(former);
    this.legChanged();
  }

  /** The other side is in another call. */
  #waitAlone(side: Side): void {
    this.legs.recorder.rejoin(side);
    this.legs.legOf(side)?.play(HOLD_PLAYBACK, this.#effects.holdSound, { loop: true });
  }

  /**
   * A third leg joins the conversation: it hears both sides; with whisper the agent hears it, with barge both do. It must have
   * been dialled near `legs.callerLeg`, and is hung up with the call. Again: changes the mode. False: not connected.
   */
  listenIn(leg: Leg, mode: ListenMode): boolean {
    const { phase } = this;
    if (!isListenable(phase, mode) || this.#end) return false;
    const to = phase.name === 'connected' ? this.#whisperedTo(phase.target.owner) : 'caller';
    return this.legs.recorder.listenIn(leg, mode, to);
  }

  /** Whispers are for agents: where neither side is one (a call from outside, sent on outside), never for the caller. */
  #whisperedTo(owner: Ref): Side {
    return owner.startsWith('extension||') || this.arrival.agent === null ? 'called' : 'caller';
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

  speechFailed(why: CallSpeechFailure): void {
    this.history.note('speech-failed', `The text is not spoken: ${UNSPOKEN[why]}.`);
  }

  oneWay(side: Side, from: string | null): void {
    this.history.note('audio-one-way', oneWayText(side, from));
  }

  sharingLost(): void {
    this.history.noteOnce('sharing-lost', SHARING_LOST);
  }

  transferAsked(by: Side, dialled: string, replaces: ReplacedLeg | null): TransferAnswer {
    if (this.phase.name !== 'connected') return 'forbidden';
    try {
      return this.#host.transfer(this, by, dialled, replaces);
    } catch (error) {
      this.#fail(error);
      return 'forbidden';
    }
  }

  flowEnded(end: EndReason): void {
    const lost = lostEnd(end.code, this.legs.lost);
    if (lost) this.history.note('ended', lost.text);
    this.#endWith(lost ?? end);
  }

  readonly callerHeld = (isHeld: boolean): void => this.#effects.callerHeld(isHeld);

  readonly callerAnswered = (atMs: number): void => this.#host.callerAnswered(this, atMs);

  answered(answer: Answer): void {
    this.#host.callAnswered(this, answer);
  }

  legsCleared(): void {
    if (!this.#end || this.#isFinished) return;
    this.#isFinished = true;
    const { endedLegs } = this.legs;
    if (endedLegs.length > 1) endedLegs.sort((one, other) => one.beganMs - other.beganMs);
    // Without a promise where everything is there already, as for most calls.
    const { recordings, noting } = this.#effects;
    if (recordings.length === 0 && noting === null && endedLegs.every(isWhole))
      this.#finish(this.#end, endedLegs, NOT_RECORDED);
    else
      this.#finishLater(this.#end, endedLegs).catch((error: unknown) => this.#host.callFailed(this, error));
  }

  readonly failed = (error: unknown): void => this.#fail(error);

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
    this.#effects.leaveRoom();
    this.#effects.leaveSystems();
    this.#end = end;
    this.history.ended();
    if (this.legs.liveLegs === 0) this.legsCleared();
  }

  /** Waits for the statistics of the legs and the outcome of the recordings. */
  async #finishLater(end: CallEnd, legs: readonly EndedLeg[]): Promise<void> {
    const { recordings, noting } = this.#effects;
    const [whole, recorded] = await Promise.all([wholeLegs(legs), recordedIn(recordings), noting]);
    // A call that is over lets those that go on come first: its statistics arrive together with their keys.
    await new Promise(setImmediate);
    if (recorded.voicemail !== null) this.history.noteMessage();
    const isWithout = end.code === 'voicemail-left' && recorded.voicemail === null;
    const known = isWithout ? this.history.withoutMessage(recorded.messageFailed, this.legs.lost) : end;
    this.#finish(known, whole, recorded);
  }

  #finish(end: CallEnd, legs: readonly LegRecord[], recorded: Recorded): void {
    const result = this.history.result(end, legs, this.legs.endedLegs, recorded);
    this.#host.callEnded(this, withVariables(result, this.variables));
  }
}

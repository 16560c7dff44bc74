// The legs of one call (the B2BUA side): the caller's, those that ring, and the one that answered. Carries out what perform.ts
// says and reports what happens; it decides nothing.

import type { Action, RingTarget } from '../../flow/call-state.ts';
import type { EndReason } from '../../flow/trail.ts';
import type { Claimed } from '../../sharing/ports/agent-states.ts';
import type { Release } from '../../sharing/ports/slots.ts';
import type { Leg, LegEnd, PlayableSound, Target } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import { type Answer, type CallFacts, ownEnd } from '../records/call-record.ts';
import type { StoredCalled } from '../recovery/stored-call.ts';
import { agentIdOf } from '../routing/dialling.ts';
import type { Arrival, LegWithSlot, ReleasedLeg } from './arrival.ts';
import { type CallInput, otherSide, type Side } from './call-input.ts';
import { CallTimers } from './call-timers.ts';
import type { CallTimes } from './call-times.ts';
import { CallerLeg, type CallerLegOwner } from './caller-leg.ts';
import { type EndedLeg, keepLeg, type Loss, lossOf, MOVED, soFar } from './ended-leg.ts';
import { type Claiming, dialLeg, OutboundLeg, type OutboundLegOwner, type Ring } from './outbound-leg.ts';
import { type ConversationLegs, Recorder } from './recorder.ts';
import { failureOf, type Unreachable, unreachable } from './ring-failure.ts';

export class CallLegs implements CallerLegOwner, OutboundLegOwner, ConversationLegs {
  caller: CallerLeg;
  readonly timers: CallTimers;
  readonly endedLegs: EndedLeg[] = [];
  /** What ended it without a hang-up. */
  lost: Loss | null = null;
  readonly #context: AccountContext;
  arrival: Arrival;
  readonly #id: string;
  readonly #input: CallInput;
  readonly #times: CallTimes;
  /** By target. Made with the first phone that rings: most calls ring none. */
  #ringing: Map<string, OutboundLeg> | null = null;
  /** By target: those that wait for their outbound-call slot. */
  #awaited: Map<string, Ring> | null = null;
  /** Phones that ring as soon as their agents are claimed. */
  #claiming: Claiming | null = null;
  #called: OutboundLeg | null = null;
  #recorder: Recorder | null = null;
  /** How the phones that were rung last refused, by what the flow makes of it. */
  #refusals: Partial<Record<string, LegEnd>> | null = null;
  #liveLegs = 1;

  constructor(
    context: AccountContext,
    arrival: Arrival,
    { id }: Pick<CallFacts, 'id'>,
    input: CallInput,
    times: CallTimes,
  ) {
    this.#context = context;
    this.arrival = arrival;
    this.#id = id;
    this.#input = input;
    this.#times = times;
    this.timers = new CallTimers(context.services.clock, input);
    this.caller = new CallerLeg(context, arrival, id, input, this, times);
  }

  ring({ attempt, node, targets }: Extract<Action, { type: 'ring' }>): void {
    const { account, services } = this.#context;
    this.caller.playRingback();
    this.#refusals = null;
    const agents = targets.map(({ owner }) => agentIdOf(account.id, owner));
    const claiming: Claiming = { attempt, node, targets, agents, stopped: null };
    const claimed = services.agentStates.claim(this.#id, agents, this.#context.isShared(node));
    if (!(claimed instanceof Promise)) {
      this.#ringClaimed(claiming, claimed);
      return;
    }
    this.#claiming = claiming;
    claimed
      .then((answer) => this.#ringClaimed(claiming, answer))
      .catch((error: unknown) => this.#input.failed(error));
  }

  stopRinging(targets: readonly string[], cause?: number): void {
    const claiming = this.#claiming;
    if (claiming) claiming.stopped = [...(claiming.stopped ?? []), ...targets];
    for (const id of targets) {
      this.#awaited?.delete(id);
      const outbound = this.#takeRinging(id);
      // Before the leg's end: the next step of the flow may ring the same agent, who is not busy with a call that was given up.
      outbound?.free();
      outbound?.leg.hangUp(cause);
    }
  }

  /** The caller hears a phone that rings, in place of ringback. */
  connectEarly(target: string): void {
    const outbound = this.#ringing?.get(target);
    if (outbound) this.caller.connectEarly(outbound.leg);
  }

  connect(target: RingTarget, onHold: PlayableSound): void {
    const outbound = this.#takeRinging(target.id);
    if (!outbound) return;
    this.#called = outbound;
    this.caller.connect(outbound.leg, onHold);
    this.#context.services.dialogs.changed(outbound.agent);
  }

  /** The called side of a call that began at another node. */
  resume(dialled: LegWithSlot, stored: StoredCalled, onHold: PlayableSound): void {
    const { beganMs, rangMs, answeredMs } = stored;
    Object.assign(this.putCalled(dialled, stored, onHold), { beganMs, rangMs, answeredMs });
  }

  /** The called side for another node; null: none could go on with it. */
  storedCalled(): StoredCalled | null {
    return this.#called?.stored() ?? null;
  }

  /** Another node has the call: phones that ring are given up, and both sides hear nothing of it. */
  abandon(): void {
    this.#stopAll();
    const called = this.#called;
    this.#called = null;
    called?.leg.abandon?.();
    called?.releaseOutboundSlot();
    called?.free();
    this.caller.abandon();
  }

  legChanged(): void {
    this.#input.legChanged();
  }

  hangUp(endCause: number, refusal?: LegEnd): void {
    // To the flow the failure of one side is a hang-up; the other side gets the true cause.
    const cause = this.lost === 'service' ? ownEnd('internal-error').cause : endCause;
    this.#stopAll();
    this.#called?.leg.hangUp(cause);
    const { consultationLeg } = this.arrival;
    const isBack = consultationLeg?.isWaiting && consultationLeg.reattach(() => this.detach('caller'));
    if (!isBack) this.caller.hangUp(cause, refusal);
  }

  /** By the flow: where phones refused, a caller who was not answered gets what they said. */
  end({ code, cause }: Pick<EndReason, 'code' | 'cause'>): void {
    this.hangUp(cause, this.#refusals?.[code]);
  }

  /** The state machine has failed: the caller hears an apology of `maxMs` at most, the called side is hung up. */
  apologise(cause: number, maxMs: number): void {
    this.#stopAll();
    this.#called?.leg.hangUp(cause);
    this.caller.apologise(cause, maxMs);
  }

  /** Transfer: one side goes on to another call; the leaving one is for the caller to hang up. Null: there is no such side. */
  release(leaving: Side): ReleasedLeg | null {
    const gone = this.legOf(leaving);
    if (!this.legOf(otherSide(leaving))) return null;
    this.#stopAll();
    if (leaving === 'called') this.#called?.free();
    const released = this.detach(otherSide(leaving));
    return released && { ...released, hangUpLeaving: () => gone?.hangUp() };
  }

  /** One side goes on to another call. Null: there is no such side. */
  detach(side: Side): LegWithSlot | null {
    const leg = this.legOf(side);
    if (!leg) return null;
    this.#recorder?.endTalk();
    leg.disconnect();
    leg.stopPlaying();
    const called = side === 'called' ? this.#called : null;
    const { releaseOutboundSlot } = called ?? this.arrival;
    keepLeg(this.endedLegs, called ? called.record(soFar(leg), MOVED, null) : this.caller.release());
    called?.free();
    if (called) this.#called = null;
    this.#legGone();
    return { leg, releaseOutboundSlot };
  }

  /** Another leg is the caller's from now on; the former one is hung up. */
  putCaller(arrival: Arrival, onHold: PlayableSound): void {
    const former = this.caller;
    this.#recorder?.endTalk();
    former.leg?.disconnect();
    this.arrival = arrival;
    this.#liveLegs += 1;
    this.caller = new CallerLeg(this.#context, arrival, this.#id, this.#input, this, this.#times);
    this.#called?.leg.stopPlaying();
    if (this.#called) this.caller.connect(this.#called.leg, onHold);
    else if (this.#ringing?.size || this.#awaited?.size || this.#claiming) this.caller.ringAsBefore(former);
    else this.caller.playAsBefore(former);
    former.hangUp();
  }

  /** Another leg is the called side's from now on; the former one is hung up. */
  putCalled(dialled: LegWithSlot, to: Pick<Ring, 'target' | 'agent'>, onHold: PlayableSound): OutboundLeg {
    const former = this.#called;
    this.#recorder?.endTalk();
    this.caller.leg?.disconnect();
    const outbound = this.#outbound(dialled, { ...to, attempt: 0, call: this.#id });
    outbound.answeredMs = outbound.beganMs;
    this.#called = outbound;
    outbound.leg.listen(outbound);
    this.caller.connect(outbound.leg, onHold);
    former?.free();
    former?.leg.hangUp();
    return outbound;
  }

  /** A phone that was not rung answers in place of those that are. */
  pickUp(leg: LegWithSlot, target: RingTarget, agent: string | null): void {
    const outbound = this.#outbound(leg, { target, attempt: 0, agent, call: this.#id });
    outbound.answeredMs = outbound.beganMs;
    this.#ringing ??= new Map();
    this.#ringing.set(target.id, outbound);
    outbound.leg.listen(outbound);
    outbound.leg.answer();
    this.#input.report({ type: 'picked-up', target });
  }

  endTalk(): void {
    this.#recorder?.endTalk();
    this.caller.disconnect();
  }

  stopRecording(): void {
    this.#recorder?.stop();
  }

  /** Made on demand: most calls are neither recorded nor listened to. */
  get recorder(): Recorder {
    this.#recorder ??= new Recorder(this, this.#context.services.clock, (error) => this.#input.failed(error));
    return this.#recorder;
  }

  /** Legs of listeners are dialled near it: all of a conversation is in one media worker. */
  get callerLeg(): Leg | null {
    return this.caller.leg;
  }

  /** Those that ring, and the one that answered. */
  get outbound(): readonly OutboundLeg[] {
    return [...(this.#ringing?.values() ?? []), ...(this.#called ? [this.#called] : [])];
  }

  get calledLeg(): Leg | null {
    return this.#called?.leg ?? null;
  }

  /** For the journal. */
  get calledTimes(): Pick<Answer, 'leg'> {
    if (!this.#called) return {};
    const { beganMs, rangMs } = this.#called;
    return { leg: { beganMs, rangMs } };
  }

  /** Null if it has ended, or belongs to another call now. */
  legOf(side: Side): Leg | null {
    return side === 'caller' ? this.callerLeg : this.calledLeg;
  }

  /** The phone that it rings; null: it is not one that rings for this call. */
  ringingAt(leg: Leg): RingTarget | null {
    for (const outbound of this.#ringing?.values() ?? []) if (outbound.leg === leg) return outbound.target;
    return null;
  }

  get liveLegs(): number {
    return this.#liveLegs;
  }

  isRinging(outbound: OutboundLeg): boolean {
    return this.#ringing?.get(outbound.target.id) === outbound;
  }

  recorderPlayed(playback: number): void {
    this.#recorder?.played(playback);
  }

  callerEnded(leg: EndedLeg, by: CallerLeg): void {
    keepLeg(this.endedLegs, leg);
    if (by === this.caller && this.arrival.consultationLeg?.isWaiting) this.arrival.consultationLeg.left();
    if (by !== this.caller) {
      this.#legGone();
      return;
    }
    this.lost ??= lossOf(leg.end, 'caller');
    this.#recorder?.callerEnded();
    this.#input.report({ type: 'caller-hung-up' });
    this.#legGone();
  }

  outboundEnded(outbound: OutboundLeg, end: LegEnd, statistics: EndedLeg['statistics']): void {
    const { leg, target, attempt } = outbound;
    keepLeg(this.endedLegs, outbound.record(leg, end, statistics));
    if (this.#called === outbound) {
      this.lost ??= lossOf(end, 'called');
      this.#called = null;
      this.#input.report({ type: 'agent-hung-up' });
    } else if (this.isRinging(outbound)) {
      this.#takeRinging(target.id);
      const failure = failureOf(end, target);
      const code = failure.type === 'ring-failed' ? 'agent-unreachable' : failure.type;
      this.#refusals = { ...this.#refusals, [code]: end };
      this.#input.report({ ...failure, attempt, target: target.id });
    }
    this.#legGone();
  }

  #ringClaimed(claiming: Claiming, { busy, isLocal }: Claimed): void {
    const { attempt, node, targets, agents, stopped } = claiming;
    if (this.#claiming === claiming) this.#claiming = null;
    try {
      for (const [index, target] of targets.entries()) {
        if (stopped?.includes(target.id)) continue;
        if (isLocal) this.#input.sharingLost();
        const agent = agents[index] ?? null;
        const barred = agent === null ? null : this.#context.barred(agent, node, busy);
        const failure = barred === null ? this.#ringTarget(attempt, target, agent) : { type: barred };
        if (failure !== null) this.#input.report({ ...failure, attempt, target: target.id });
      }
    } finally {
      this.#context.services.agentStates.settle(this.#id, agents);
    }
  }

  /** Null if it rings, or it will when the nodes have counted it. */
  #ringTarget(attempt: number, target: RingTarget, agent: string | null): Unreachable | null {
    const { account, services } = this.#context;
    const to = this.#context.targetOf(target, this.arrival);
    if (to === null || typeof to === 'string') return unreachable(to);
    const slot = services.outboundSlots.acquire(account, to, this.arrival.callId);
    const ring = { target, attempt, agent, call: this.#id };
    if (!(slot instanceof Promise)) return this.#ringBy(slot, to, ring);
    this.#ringLater(slot, to, ring);
    return null;
  }

  /** The call does not finish before the slot is known, or it would never be released. */
  #ringLater(slot: Promise<Release | null>, to: Target, ring: Ring): void {
    const { agentStates } = this.#context.services;
    const { target, attempt, agent } = ring;
    this.#liveLegs += 1;
    // The claim is settled before the leg exists.
    if (agent !== null) agentStates.occupy(this.#id, agent);
    this.#awaited ??= new Map();
    this.#awaited.set(target.id, ring);
    slot
      .then((release) => {
        const isWanted = this.#awaited?.get(target.id) === ring;
        if (isWanted) this.#awaited?.delete(target.id);
        const failure = isWanted ? this.#ringBy(release, to, ring) : null;
        if (!isWanted) release?.();
        if (failure !== null) this.#input.report({ ...failure, attempt, target: target.id });
      })
      .catch((error: unknown) => this.#input.failed(error))
      .finally(() => {
        if (agent !== null) agentStates.free(this.#id, agent);
        this.#legGone();
      });
  }

  #ringBy(releaseOutboundSlot: Release | null, to: Target, ring: Ring): Unreachable | null {
    const { arrival, caller } = this;
    if (!releaseOutboundSlot) return unreachable('max_outbound_calls');
    const leg = dialLeg(this.#context, arrival, caller.leg, to, ring, releaseOutboundSlot);
    if (leg === null || typeof leg === 'string') return unreachable(leg);
    const outbound = this.#outbound({ leg, releaseOutboundSlot }, ring);
    this.#ringing ??= new Map();
    this.#ringing.set(ring.target.id, outbound);
    outbound.leg.listen(outbound);
    return null;
  }

  #outbound(dialled: LegWithSlot, ring: Ring): OutboundLeg {
    this.#liveLegs += 1;
    return new OutboundLeg(dialled, ring, this.#context, this.#input, this, this.#times);
  }

  #takeRinging(id: string): OutboundLeg | undefined {
    const outbound = this.#ringing?.get(id);
    this.#ringing?.delete(id);
    if (outbound && outbound.rangMs !== null) this.#times.phoneStopped();
    return outbound;
  }

  #stopAll(): void {
    this.#recorder?.end();
    this.timers.stopAll();
    this.#awaited?.clear();
    if (this.#ringing) this.stopRinging([...this.#ringing.keys()]);
    this.stopRinging(this.#claiming?.targets.map(({ id }) => id) ?? []);
  }

  #legGone(): void {
    this.#liveLegs -= 1;
    if (this.#liveLegs === 0) this.#input.legsCleared();
  }
}

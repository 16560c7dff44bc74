// The legs of one call (the B2BUA side): the caller's, those that ring, and the one that answered. Carries out what perform.ts
// says and reports what happens; it decides nothing.

import type { Action, RingTarget } from '../../flow/call-state.ts';
import type { Leg, LegEnd } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import { legQuotas } from '../call-caps.ts';
import { NO_SLOT } from '../outbound-slots.ts';
import { type Answer, type CallDirection, ownEnd } from '../records/call-record.ts';
import { agentIdOf } from '../routing/dialling.ts';
import type { Arrival, LegWithSlot } from './arrival.ts';
import type { CallInput, Side } from './call-input.ts';
import { CallTimers } from './call-timers.ts';
import type { CallTimes } from './call-times.ts';
import { CallerLeg, type CallerLegOwner } from './caller-leg.ts';
import { type EndedLeg, failureOf, type Loss, lossOf, MOVED, soFar } from './ended-leg.ts';
import { OutboundLeg, type OutboundLegOwner } from './outbound-leg.ts';
import { type ConversationLegs, Recorder } from './recorder.ts';

/** Legs that the call's record lists; of a call that rings hundreds of phones the first, and those that talked. */
const MAX_LEG_RECORDS = 50;

export class CallLegs implements CallerLegOwner, OutboundLegOwner, ConversationLegs {
  readonly caller: CallerLeg;
  readonly timers: CallTimers;
  readonly endedLegs: EndedLeg[] = [];
  /** What ended it without a hang-up. */
  lost: Loss | null = null;
  readonly #context: AccountContext;
  readonly #arrival: Arrival;
  readonly #direction: CallDirection;
  readonly #input: CallInput;
  readonly #times: CallTimes;
  /** By target. Made with the first phone that rings: most calls ring none. */
  #ringing: Map<string, OutboundLeg> | null = null;
  #called: OutboundLeg | null = null;
  #recorder: Recorder | null = null;
  #liveLegs = 1;

  constructor(
    context: AccountContext,
    arrival: Arrival,
    direction: CallDirection,
    input: CallInput,
    times: CallTimes,
  ) {
    this.#context = context;
    this.#arrival = arrival;
    this.#direction = direction;
    this.#input = input;
    this.#times = times;
    this.timers = new CallTimers(context.services.clock, input);
    this.caller = new CallerLeg(context, arrival, input, this, times);
  }

  ring({ attempt, targets }: Extract<Action, { type: 'ring' }>): void {
    this.caller.playRingback();
    for (const target of targets) {
      const failure = this.#ringTarget(attempt, target);
      if (failure !== null) this.#input.report({ type: failure, attempt, target: target.id });
    }
  }

  stopRinging(targets: Iterable<string>): void {
    for (const id of targets) {
      const outbound = this.#takeRinging(id);
      // Before the leg's end: the next step of the flow may ring the same agent, who is not busy with a call that was given up.
      outbound?.free();
      outbound?.leg.hangUp();
    }
  }

  connect(target: RingTarget): void {
    const outbound = this.#takeRinging(target.id);
    if (!outbound) return;
    this.#called = outbound;
    this.caller.connect(outbound.leg);
  }

  hangUp(endCause: number): void {
    // To the flow the failure of one side is a hang-up; the other side gets the true cause.
    const cause = this.lost === 'service' ? ownEnd('internal-error').cause : endCause;
    this.#stopAll();
    this.#called?.leg.hangUp(cause);
    this.caller.hangUp(cause);
  }

  /** The state machine has failed: the caller hears an apology of `maxMs` at most, the called side is hung up. */
  apologise(cause: number, maxMs: number): void {
    this.#stopAll();
    this.#called?.leg.hangUp(cause);
    this.caller.apologise(cause, maxMs);
  }

  /** Blind transfer: one side goes on to another call, all other legs are hung up. Null: there is no such side. */
  release(leaving: Side): LegWithSlot | null {
    const called = this.#called;
    const caller = this.caller.leg;
    if (!caller || (leaving === 'caller' && !called)) return null;
    this.#stopAll();
    caller.disconnect();
    called?.free();
    if (leaving === 'called' || !called) {
      this.#keep(this.caller.release());
      called?.leg.hangUp();
      this.#legGone();
      return { leg: caller, releaseOutboundSlot: this.#arrival.releaseOutboundSlot };
    }
    this.#keep(called.record(soFar(called.leg), MOVED, null));
    this.#called = null;
    caller.hangUp();
    this.#legGone();
    return { leg: called.leg, releaseOutboundSlot: called.releaseOutboundSlot };
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

  get calledLeg(): Leg | null {
    return this.#called?.leg ?? null;
  }

  /** For the journal. */
  get calledTimes(): Pick<Answer, 'leg'> {
    if (!this.#called) return {};
    const { beganMs, rangMs } = this.#called;
    return { leg: { beganMs, rangMs } };
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

  callerEnded(leg: EndedLeg): void {
    this.#keep(leg);
    this.lost ??= lossOf(leg.end, 'caller');
    this.#recorder?.callerEnded();
    this.#input.report({ type: 'caller-hung-up' });
    this.#legGone();
  }

  outboundEnded(outbound: OutboundLeg, end: LegEnd, statistics: EndedLeg['statistics']): void {
    const { leg, target, attempt } = outbound;
    this.#keep(outbound.record(leg, end, statistics));
    if (this.#called === outbound) {
      this.lost ??= lossOf(end, 'called');
      this.#called = null;
      this.#input.report({ type: 'agent-hung-up' });
    } else if (this.isRinging(outbound)) {
      this.#takeRinging(target.id);
      this.#input.report({ type: failureOf(end), attempt, target: target.id });
    }
    this.#legGone();
  }

  /** Null: it rings. */
  #ringTarget(attempt: number, target: RingTarget): 'agent-busy' | 'agent-unreachable' | null {
    const context = this.#context;
    const agent = agentIdOf(context.account.id, target.owner);
    if (agent !== null && this.#isBusy(agent)) return 'agent-busy';
    const dialled = this.#dial(target, agent);
    if (!dialled) return 'agent-unreachable';
    const outbound = new OutboundLeg(
      dialled,
      { target, attempt, agent },
      context,
      this.#input,
      this,
      this.#times,
    );
    this.#liveLegs += 1;
    this.#ringing ??= new Map();
    this.#ringing.set(target.id, outbound);
    outbound.leg.listen(outbound);
    return null;
  }

  #isBusy(agent: string): boolean {
    const { account, services } = this.#context;
    if (account.settings.several_calls_per_agent || !services.agentStates.isBusy(agent)) return false;
    // The two phones of one agent ring together: the first makes the agent busy for other calls, not for the second.
    for (const other of this.#ringing?.values() ?? []) if (other.agent === agent) return false;
    return true;
  }

  #dial(target: RingTarget, agent: string | null): LegWithSlot | null {
    const { account, services } = this.#context;
    const to = this.#context.targetOf(target, this.#arrival, this.#direction);
    const releaseOutboundSlot = to?.kind === 'trunk' ? services.outboundSlots.acquire(account) : NO_SLOT;
    if (!to || !releaseOutboundSlot) return null;
    const { caller, callerName } = this.#arrival;
    const near = this.caller.leg;
    let leg: Leg | null = null;
    try {
      const quotas = legQuotas(account, agent);
      leg = services.telephony.dial(to, { caller, callerName, quotas, ...(near ? { near } : {}) });
    } finally {
      if (!leg) releaseOutboundSlot();
    }
    return leg && { leg, releaseOutboundSlot };
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
    if (this.#ringing) this.stopRinging([...this.#ringing.keys()]);
  }

  #keep(leg: EndedLeg): void {
    const isSide = leg.role === 'caller' || leg.answeredMs !== null;
    if (isSide || this.endedLegs.length < MAX_LEG_RECORDS) this.endedLegs.push(leg);
  }

  #legGone(): void {
    this.#liveLegs -= 1;
    if (this.#liveLegs === 0) this.#input.legsCleared();
  }
}

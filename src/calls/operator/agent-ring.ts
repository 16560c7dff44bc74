// The leg that rings an agent for a click to call, or one side of a call-back, until it is answered. Without an answer it leaves the record
// of a call.
import { type EndCode, endReason, type TrailEntry } from '../../flow/trail.ts';
import type { Leg, LegEnd, LegStatistics } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { LegWithSlot } from '../call/arrival.ts';
import { callLadder } from '../call/call-ladder.ts';
import { LegListener } from '../call/leg-listener.ts';
import { type CallEnd, type CallFacts, type CallResult, NO_RESULT, ownEnd } from '../records/call-record.ts';

export interface AgentRingEvents {
  /** The agent is busy after the answer, until release(). */
  readonly keepsAgent?: true;
  readonly stopped: () => void;
  readonly answered: () => void;
  readonly failed: (result: CallResult) => void;
  /** A bug of ours: there is no record. */
  readonly unrecorded: (error: unknown) => void;
}

export class AgentRing extends LegListener {
  readonly facts: CallFacts;
  readonly leg: Leg;
  readonly releaseOutboundSlot: () => void;
  /** Null for a caller who is called back. */
  readonly agentId: string | null;
  readonly #events: AgentRingEvents;
  readonly beganMs: number;
  /** When its 180 came. */
  rangMs: number | null = null;
  readonly #context: AccountContext;
  readonly #cancelTimeout: () => void;
  /** Null if not cancelled. */
  #cancelled: 'operator-hung-up' | 'service-stopped' | null = null;
  #isHeld = true;
  isOver = false;

  constructor(
    context: AccountContext,
    facts: CallFacts,
    { leg, releaseOutboundSlot }: LegWithSlot,
    agentId: string | null,
    events: AgentRingEvents,
  ) {
    super();
    const { account, services } = context;
    this.#context = context;
    this.facts = facts;
    this.leg = leg;
    this.releaseOutboundSlot = releaseOutboundSlot;
    this.agentId = agentId;
    this.#events = events;
    this.beganMs = services.clock.nowMs();
    if (agentId !== null) services.agentStates.occupy(facts.id, agentId);
    this.#cancelTimeout = services.clock.after(account.settings.ring_seconds * 1000, () => leg.hangUp());
  }

  cancel(why: 'operator-hung-up' | 'service-stopped'): void {
    this.#cancelled = why;
    this.leg.hangUp();
  }

  override ringing(): void {
    this.rangMs ??= this.#context.services.clock.nowMs();
  }

  override answered(): void {
    this.#stop(this.#events.keepsAgent !== true);
    this.#events.answered();
  }

  override ended(end: LegEnd, statistics: LegStatistics | Promise<LegStatistics>): void {
    this.isOver = true;
    this.releaseOutboundSlot();
    this.#stop(true);
    const nowMs = this.#context.services.clock.nowMs();
    const reason = this.#cancelled === null ? endReason(codeOf(end)) : ownEnd(this.#cancelled);
    Promise.resolve(statistics)
      .then((whole) => this.#events.failed(this.#result(reason, end, whole, nowMs)))
      .catch(this.#events.unrecorded);
  }

  /** The agent is free of this leg. Idempotent. */
  release(): void {
    if (this.#isHeld && this.agentId !== null)
      this.#context.services.agentStates.free(this.facts.id, this.agentId);
    this.#isHeld = false;
  }

  #stop(isFree: boolean): void {
    this.#cancelTimeout();
    this.#events.stopped();
    if (isFree) this.release();
  }

  #result(reason: CallEnd, end: LegEnd, statistics: LegStatistics, endedMs: number): CallResult {
    const { callerName, caller, dialled, callback } = this.facts;
    const durationMs = Math.round(endedMs - this.beganMs);
    const rangAtMs = this.rangMs === null ? null : Math.round(this.rangMs - this.beganMs);
    const calls = callback ? `Calls ${dialled} back.` : `Calls ${dialled}.`;
    const text = this.agentId === null ? calls : `Rings ${callerName}, who is to call ${dialled}.`;
    const trail: TrailEntry[] = [{ atMs: 0, node: null, code: 'ringing', text }];
    if (rangAtMs !== null)
      trail.push({ atMs: rangAtMs, node: null, code: 'ring-progressed', text: `${caller} is ringing.` });
    trail.push({ atMs: durationMs, node: null, code: 'ended', text: reason.text });
    return {
      ...NO_RESULT,
      end: reason,
      durationMs,
      ringMs: rangAtMs === null ? 0 : durationMs - rangAtMs,
      trail,
      ladder: callLadder([this.leg.ladder?.()], this.beganMs),
      legs: [
        {
          role: 'caller',
          number: caller ?? '',
          agent: this.#context.agentName(this.agentId),
          beganMs: 0,
          rangMs: rangAtMs,
          answeredMs: null,
          endedMs: durationMs,
          end,
          statistics,
        },
      ],
    };
  }
}

function codeOf({ outcome }: LegEnd): EndCode {
  if (outcome === 'busy' || outcome === 'declined') return 'agent-busy';
  return outcome === 'no-answer' ? 'no-answer' : 'agent-unreachable';
}

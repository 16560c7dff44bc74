// One leg that a call dials, from its first ring to its end. It keeps its agent busy and holds its outbound-call slot.
import type { RingTarget } from '../../flow/call-state.ts';
import type { Leg, LegEnd } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { LegWithSlot } from './arrival.ts';
import type { CallInput } from './call-input.ts';
import type { CallTimes } from './call-times.ts';
import type { EndedLeg } from './ended-leg.ts';
import { LegListener } from './leg-listener.ts';

export interface OutboundLegOwner {
  isRinging(leg: OutboundLeg): boolean;
  outboundEnded(leg: OutboundLeg, end: LegEnd, statistics: EndedLeg['statistics']): void;
}

export class OutboundLeg extends LegListener {
  readonly leg: Leg;
  readonly target: RingTarget;
  readonly attempt: number;
  /** As AgentStates names them; null: the phone is not an agent's. */
  readonly agent: string | null;
  readonly releaseOutboundSlot: () => void;
  readonly #input: CallInput;
  readonly #owner: OutboundLegOwner;
  readonly #context: AccountContext;
  readonly #times: CallTimes;
  readonly beganMs: number;
  /** Its 180 came while it was to ring. Since the call began. */
  rangMs: number | null = null;
  answeredMs: number | null = null;
  #isOccupied: boolean;

  constructor(
    { leg, releaseOutboundSlot }: LegWithSlot,
    ring: Pick<OutboundLeg, 'target' | 'attempt' | 'agent'>,
    context: AccountContext,
    input: CallInput,
    owner: OutboundLegOwner,
    times: CallTimes,
  ) {
    super();
    this.leg = leg;
    this.target = ring.target;
    this.attempt = ring.attempt;
    this.agent = ring.agent;
    this.releaseOutboundSlot = releaseOutboundSlot;
    this.#context = context;
    this.#times = times;
    this.beganMs = times.nowMs();
    this.#input = input;
    this.#owner = owner;
    this.#isOccupied = ring.agent !== null;
    if (ring.agent !== null) context.services.agentStates.occupy(ring.agent);
  }

  /** The agent is no longer busy with this leg. Idempotent. */
  free(): void {
    const { agentStates, clock } = this.#context.services;
    if (this.#isOccupied && this.agent !== null) agentStates.free(this.agent, clock.epochMs());
    this.#isOccupied = false;
  }

  override ringing(): void {
    if (this.rangMs === null && this.#owner.isRinging(this)) {
      this.#times.phoneRang();
      this.rangMs = this.#times.nowMs();
    }
    this.#input.report({ type: 'ring-progressed', attempt: this.attempt, target: this.target.id });
  }

  override answered(): void {
    // One that answers after it was given up is cleared without an event.
    if (!this.#owner.isRinging(this)) {
      this.leg.hangUp();
      return;
    }
    this.answeredMs = this.#times.nowMs();
    this.#input.report({ type: 'agent-answered', attempt: this.attempt, target: this.target.id });
  }

  override transferAsked(dialled: string, answer: (accepted: boolean) => void): void {
    answer(this.#input.transferAsked('called', dialled));
  }

  /** What the call's record has of it, once it has ended or has left the call. */
  record(leg: EndedLeg['leg'], end: EndedLeg['end'], statistics: EndedLeg['statistics']): EndedLeg {
    return {
      role: 'called',
      number: this.target.number,
      agent: this.#context.agentName(this.agent),
      beganMs: this.beganMs,
      rangMs: this.rangMs,
      answeredMs: this.answeredMs,
      endedMs: this.#times.nowMs(),
      end,
      statistics,
      leg,
    };
  }

  override ended(end: LegEnd, statistics: EndedLeg['statistics']): void {
    this.releaseOutboundSlot();
    this.free();
    this.#owner.outboundEnded(this, end, statistics);
  }
}

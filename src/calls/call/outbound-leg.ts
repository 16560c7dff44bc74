// One leg that a call dials, from its first ring to its end. It keeps its agent busy and holds its outbound-call slot.
import type { RingTarget } from '../../flow/call-state.ts';
import type { Ref } from '../../flow/node.ts';
import type { Release } from '../../sharing/ports/slots.ts';
import type { Leg, LegEnd, Quota, ReplacedLeg, Target, TransferAnswer } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import { type LegLimit, legQuotas, limitOf } from '../call-caps.ts';
import type { StoredCalled } from '../recovery/stored-call.ts';
import type { Arrival, LegWithSlot } from './arrival.ts';
import type { CallInput } from './call-input.ts';
import type { CallTimes } from './call-times.ts';
import type { EndedLeg } from './ended-leg.ts';
import { LegListener } from './leg-listener.ts';

export type Ring = Pick<OutboundLeg, 'target' | 'attempt' | 'agent' | 'call'>;

/** A ring that waits for its agents. */
export interface Claiming {
  readonly attempt: number;
  readonly node: Ref;
  readonly targets: readonly RingTarget[];
  /** The agents of the targets, in their order; null: no agent's phone. */
  readonly agents: readonly (string | null)[];
  /** Targets that were given up meanwhile. */
  stopped: readonly string[] | null;
}

export interface OutboundLegOwner {
  isRinging(leg: OutboundLeg): boolean;
  legChanged(): void;
  outboundEnded(leg: OutboundLeg, end: LegEnd, statistics: EndedLeg['statistics']): void;
}

/** Who is shown to be calling. */
type Shown = Pick<Arrival, 'caller' | 'callerName' | 'isContact' | 'autoAnswer'>;

/** Null, or the limit that is reached: it cannot be reached, and the slot is released. */
export function dialLeg(
  { account, services }: AccountContext,
  { caller, callerName, isContact, autoAnswer }: Shown,
  near: Leg | null,
  to: Target,
  { agent, target }: { readonly agent: string | null; readonly target?: RingTarget },
  releaseOutboundSlot: Release,
): Leg | LegLimit | null {
  let leg: Leg | null = null;
  let reached: LegLimit | null = null;
  const full = (quota: Quota): void => {
    reached = limitOf(quota);
  };
  try {
    const quotas = legQuotas(account, agent, services.counts);
    // Names of contacts go to phones of the account, and not over trunks or to SIP addresses.
    const shown = { caller, callerName: isContact && to.kind !== 'phones' ? '' : callerName };
    const asked = { ...shown, quotas, full, ...(near ? { near } : {}) };
    const isAutomatic = autoAnswer !== undefined && autoAnswer === target?.owner;
    leg = services.telephony.dial(to, isAutomatic ? { ...asked, autoAnswer: true } : asked);
  } finally {
    if (!leg) releaseOutboundSlot();
  }
  return leg ?? reached;
}

export class OutboundLeg extends LegListener {
  readonly leg: Leg;
  readonly target: RingTarget;
  readonly attempt: number;
  /** As AgentStates names them; null: the phone is not an agent's. */
  readonly agent: string | null;
  readonly call: string;
  readonly releaseOutboundSlot: () => void;
  readonly #input: CallInput;
  readonly #owner: OutboundLegOwner;
  readonly #context: AccountContext;
  readonly #times: CallTimes;
  beganMs: number;
  /** Its 180 came while it was to ring. Since the call began. */
  rangMs: number | null = null;
  answeredMs: number | null = null;
  #isOccupied: boolean;

  constructor(
    { leg, releaseOutboundSlot }: LegWithSlot,
    ring: Ring,
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
    this.call = ring.call;
    this.releaseOutboundSlot = releaseOutboundSlot;
    this.#context = context;
    this.#times = times;
    this.beganMs = times.nowMs();
    this.#input = input;
    this.#owner = owner;
    this.#isOccupied = ring.agent !== null;
    if (ring.agent === null) return;
    context.services.agentStates.occupy(ring.call, ring.agent);
    context.services.dialogs.changed(ring.agent);
  }

  /** For another node; null: none could go on with it. */
  stored(): StoredCalled | null {
    const leg = this.leg.stored?.() ?? null;
    const { agent, beganMs, rangMs, answeredMs } = this;
    // What was sent to a SIP address is left out: the call goes on without dialling it again.
    const { sip: _, ...target } = this.target;
    return leg === null ? null : { leg, target, agent, beganMs, rangMs, answeredMs };
  }

  /** The agent is no longer busy with this leg. Idempotent. */
  free(): void {
    const { agentStates, dialogs } = this.#context.services;
    if (!this.#isOccupied || this.agent === null) return;
    this.#isOccupied = false;
    agentStates.free(this.call, this.agent);
    dialogs.changed(this.agent);
  }

  override ringing(): void {
    if (this.rangMs === null && this.#owner.isRinging(this)) {
      this.#times.phoneRang();
      this.rangMs = this.#times.nowMs();
      this.#context.services.dialogs.changed(this.agent);
    }
    this.#input.report({ type: 'ring-progressed', attempt: this.attempt, target: this.target.id });
  }

  override oneWay(from: string | null): void {
    this.#input.oneWay('called', from);
  }

  override earlyMedia(): void {
    this.#input.report({ type: 'early-media', attempt: this.attempt, target: this.target.id });
  }

  override changed(): void {
    this.#owner.legChanged();
  }

  override answered(): void {
    if (this.answeredMs !== null) return;
    // One that answers after it was given up is cleared without an event.
    if (!this.#owner.isRinging(this)) {
      this.leg.hangUp();
      return;
    }
    this.answeredMs = this.#times.nowMs();
    this.#input.report({ type: 'agent-answered', attempt: this.attempt, target: this.target.id });
  }

  override transferAsked(
    dialled: string,
    replaces: ReplacedLeg | null,
    answer: (answer: TransferAnswer) => void,
  ): void {
    answer(this.#input.transferAsked('called', dialled, replaces));
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

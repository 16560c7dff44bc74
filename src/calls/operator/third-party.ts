// A three-way call: a third party is rung for a conversation, and hears and is heard by both sides once it has answered. It leaves by
// itself, or with the conversation.
import { normaliseNumber } from '../../kinds/number-text.ts';
import type { Release } from '../../sharing/ports/slots.ts';
import { when } from '../../sharing/ports/when.ts';
import type { Leg, Target } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Call } from '../call/call.ts';
import { LegListener } from '../call/leg-listener.ts';
import { dialLeg } from '../call/outbound-leg.ts';
import type { LegLimit } from '../call-caps.ts';
import { outRoute, splitGlobalId, trunkTarget } from '../routing/dialling.ts';

export type ListenOutcome =
  | 'rings'
  | 'changed'
  | 'unknown'
  | 'not-connected'
  /** One side of the conversation is in another call, or belongs to one: no third party joins. */
  | 'consulting'
  | 'full'
  | 'agent-unknown'
  | 'agent-busy'
  | 'agent-unreachable'
  | LegLimit;

export type AddOutcome = ListenOutcome | 'number-not-allowed' | 'outbound-full';

/** By a number that an agent may dial: a colleague's intercom number, or one outside that a trunk lets agents call. */
export function addParty(
  call: Call,
  context: AccountContext,
  number: string,
  byAgent: (eid: string) => ListenOutcome | Promise<ListenOutcome>,
): AddOutcome | Promise<AddOutcome> {
  const { account, services } = context;
  if (call.phase.name !== 'connected') return 'not-connected';
  if (call.isConsulting) return 'consulting';
  const colleague = account.intercoms.get(number);
  if (colleague) return byAgent(colleague.eid);
  const target = outsideTarget(call, context, number);
  if (!target) return 'number-not-allowed';
  return when(services.outboundSlots.acquire(account, target, call.arrival.callId), (slot) => {
    if (!slot) return 'outbound-full';
    const refusal = refusalOf(call);
    if (refusal) slot();
    return refusal ?? ring(call, context, target, number, slot);
  });
}

/** The caller ID is that of the agent in the conversation. */
function outsideTarget({ arrival, phase }: Call, { account }: AccountContext, text: string): Target | null {
  const number = normaliseNumber(text);
  const route = number === null ? null : outRoute(account, number, true);
  if (number === null || !route) return null;
  const owner = phase.name === 'connected' ? phase.target.owner : '';
  const called = owner.startsWith('extension||') ? owner.slice('extension||'.length) : null;
  const calling = arrival.agent === null ? null : splitGlobalId(arrival.agent).id;
  return trunkTarget(account, route, number, called ?? calling, arrival.caller);
}

function refusalOf(call: Call): 'not-connected' | 'consulting' | 'full' | null {
  if (call.phase.name !== 'connected' || call.isOver) return 'not-connected';
  if (call.isConsulting) return 'consulting';
  return call.legs.callerLeg && call.legs.recorder.hasRoom ? null : 'full';
}

function ring(
  call: Call,
  context: AccountContext,
  target: Target,
  number: string,
  slot: Release,
): 'rings' | 'agent-unreachable' | LegLimit {
  const { account, services } = context;
  const shown = { caller: call.arrival.caller, callerName: '' };
  const leg = dialLeg(context, shown, call.legs.callerLeg, target, { agent: null }, slot);
  if (leg === null || typeof leg === 'string') return leg ?? 'agent-unreachable';
  const cancelTimeout = services.clock.after(account.settings.ring_seconds * 1000, () => leg.hangUp());
  call.legs.recorder.expect(leg, 'barge');
  leg.listen(new Party(call, leg, number, slot, cancelTimeout));
  return 'rings';
}

class Party extends LegListener {
  readonly #call: Call;
  readonly #leg: Leg;
  readonly #number: string;
  readonly #releaseSlot: Release;
  readonly #cancelTimeout: () => void;
  #isIn = false;

  constructor(call: Call, leg: Leg, number: string, releaseSlot: Release, cancelTimeout: () => void) {
    super();
    this.#call = call;
    this.#leg = leg;
    this.#number = number;
    this.#releaseSlot = releaseSlot;
    this.#cancelTimeout = cancelTimeout;
  }

  override answered(): void {
    this.#cancelTimeout();
    // The conversation may have ended meanwhile.
    this.#isIn = this.#call.listenIn(this.#leg, 'barge');
    if (this.#isIn) this.#call.history.note('party-joined', `${this.#number} joined the conversation.`);
    else this.#leg.hangUp();
  }

  override ended(): void {
    this.#cancelTimeout();
    this.#releaseSlot();
    this.#call.legs.recorder.forget(this.#leg);
    if (this.#isIn && !this.#call.isOver)
      this.#call.history.note('party-left', `${this.#number} left the conversation.`);
  }
}

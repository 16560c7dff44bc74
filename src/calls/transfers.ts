// Transfers and pick-ups: legs that go from call to call. By REFER and by INVITE with Replaces (RFC 3891) of phones, and by the API.
import { newId } from '../domain/id.ts';
import { resolve } from '../flow/flow.ts';
import type { Ref } from '../flow/node.ts';
import type { IncomingCall, Leg, Refusal, ReplacedLeg, TransferAnswer } from '../telephony/telephony.ts';
import type { AccountContext } from './account-context.ts';
import type { Arrival, ConsultationLeg, LegWithSlot } from './call/arrival.ts';
import type { Call } from './call/call.ts';
import { otherSide, type Side } from './call/call-input.ts';
import { partyOf, phoneAt, pickUpTarget } from './call/party.ts';
import { BUSY, takeOver, takeoverOf } from './call-takeover.ts';
import { NO_SLOT } from './outbound-slots.ts';
import { parkedAt, parkingAt, spotOf } from './parking/parking.ts';
import { type Agents, ringingAt } from './parking/pickups.ts';
import type { TransferredBy } from './records/call-record.ts';
import { type Destination, dialledByAgent, flowChosen, splitGlobalId } from './routing/dialling.ts';
import type { AccountRoutes } from './routing/routing.ts';
import type { SwitchboardEnvironment } from './switchboard-environment.ts';
import type { ConsultOrder, ConsultOutcome, TransferOutcome } from './transfer-outcome.ts';

/** The registry of live calls. */
export interface TransferHost extends Iterable<Call> {
  readonly environment: Pick<SwitchboardEnvironment, 'routing' | 'clock'>;
  find(accountId: string, id: string): Call | undefined;
  contextOf(account: AccountRoutes): AccountContext;
  isFull(account: AccountRoutes): boolean;
  begin(arrival: Arrival, to: Destination): void;
  callFailed(call: Call, error: unknown): void;
}

/** The next call of one side of a call that is transferred. */
interface NextCall {
  readonly dialled: string;
  /** The destination in the trail of the former call. */
  readonly shown: string;
  readonly alreadyAnswered: boolean;
  readonly to: Destination;
  readonly by: TransferredBy;
}

/** A leg of a call that a dialog was named by. */
interface Named {
  readonly call: Call;
  readonly side: Side | 'ringing';
  /** The agent whose registered phone it is. */
  readonly phone: string;
}

/** By request: no phone waits for the result. */
const NOT_ASKED = (): void => undefined;

/** As an INVITE with Replaces, or a REFER, that names a dialog which is not theirs to take: as one that does not exist. */
const NO_DIALOG: Refusal = { status: 481 };
const NOTHING_RINGS: Refusal = { status: 480 };
const NOTHING_PARKED: Refusal = { status: 404 };

/** What is recorded for a mailbox, or ends by itself in a moment, is not handed over. */
const CLOSED: ReadonlySet<string> = new Set(['new', 'recording', 'hang-up', 'ended']);

/** For another in the place of one side. */
const isOpen = (call: Call): boolean =>
  !call.isOver && !call.isThreeWay && call.mayChange && !CLOSED.has(call.phase.name);

export class Transfers {
  readonly #host: TransferHost;

  constructor(host: TransferHost) {
    this.#host = host;
  }

  /** Sends one side of a call elsewhere, in any phase of the call; the other side is hung up. */
  to(accountId: string, id: string, party: Side, entry: Ref, by: TransferredBy): TransferOutcome {
    const call = this.#host.find(accountId, id);
    const account = this.#host.environment.routing.account(accountId);
    if (!call || !account) return 'unknown';
    // Checked first: a wrong destination must not end the conversation.
    const node = resolve(account.flow, entry);
    if (!node) return 'destination-unknown';
    if (call.isConsulting) return 'consulting';
    const alreadyAnswered = call.legs.caller.answeredMs !== null;
    const { direction } = call.facts;
    const flow = direction === 'outbound' ? flowChosen(account.flow, entry) : account.flow;
    const to = { account, flow, entry, direction };
    const next = { dialled: entry, shown: node.name, alreadyAnswered, to, by };
    return this.#move(call, otherSide(party), next) ? 'transferred' : 'not-connected';
  }

  /** By REFER. Only agents may transfer, and only to where they may call; `replaces`: to a call that is their own, too. */
  referred(call: Call, by: Side, dialled: string, replaces: ReplacedLeg | null): TransferAnswer {
    const account = this.#host.environment.routing.account(call.facts.accountId);
    const phone = phoneAt(call, by);
    if (!account || phone === null) return 'forbidden';
    const asked = this.#agent(account, phone);
    if (replaces) return this.#attended(call, by, phone, replaces, asked);
    if (call.isConsulting) return 'forbidden';
    const spot = spotOf(account, dialled);
    if (spot !== null && parkedAt(this.#host, account.id, spot)) return 'forbidden';
    const { id: eid } = splitGlobalId(phone);
    const to = spot === null ? dialledByAgent(account, dialled) : parkingAt(account, spot, eid);
    if ('status' in to) return 'forbidden';
    const next = { dialled, shown: dialled, alreadyAnswered: true, to, by: asked };
    return this.#guarded(call, (done) => this.#move(call, by, next, done));
  }

  /** INVITE with Replaces: the phone takes its own place, or that of one that rings or talks in the same account; a visitor its own. */
  pickUp(invite: IncomingCall, replaces: Leg): Refusal | null {
    const { leg, peer } = invite;
    const own = takeoverOf(this.#host, peer, replaces);
    if (own && peer.kind === 'guest') return takeOver(own, invite, 'The visitor');
    if (peer.kind !== 'phone') return NO_DIALOG;
    const { accountId, id: eid } = splitGlobalId(peer.id);
    const account = this.#host.environment.routing.account(accountId);
    if (own && account) {
      const { name } = this.#agent(account, peer.id);
      return this.whileBusy(accountId, own.call.facts.id, peer.id, () => takeOver(own, invite, name));
    }
    const named = account && this.#named(accountId, replaces);
    if (!account || !named || named.call.isConsulting) return NO_DIALOG;
    const { call, side } = named;
    if (side !== 'ringing' && call.isThreeWay) return NO_DIALOG;
    if (side !== 'ringing' && !call.mayChange) return BUSY;
    const target = pickUpTarget(eid, account.agents.get(eid)?.intercom ?? invite.caller ?? '');
    const comer = { leg, releaseOutboundSlot: NO_SLOT };
    if (side === 'ringing') {
      if (call.phase.name !== 'ringing') return NO_DIALOG;
      call.legs.pickUp(comer, target, peer.id);
      return null;
    }
    const { caller, callerName, callId } = invite;
    const { identity: _, ...place } = call.arrival;
    const arrival: Arrival = { ...place, ...comer, peer, agent: peer.id, caller, callerName, callId };
    const name = this.#agent(account, peer.id).name || target.number;
    const former = this.#agent(account, named.phone).name;
    leg.answer();
    const text = `${name} takes the call over from ${former}.`;
    const replace = (): void => call.replace(side, { arrival, target }, comer, text);
    this.whileBusy(account.id, call.facts.id, peer.id, replace);
    return null;
  }

  /** By a star code: the oldest call that rings at one of these agents. */
  pickUpAt(invite: IncomingCall, agents: Agents): Refusal | null {
    const { accountId } = splitGlobalId(invite.peer.kind === 'phone' ? invite.peer.id : '');
    const found = ringingAt(this.#host, accountId, agents);
    return found ? this.pickUp(invite, found) : NOTHING_RINGS;
  }

  /** The caller who waits in a parking spot. */
  retrieve(invite: IncomingCall, account: AccountRoutes, spot: Ref): Refusal | null {
    const { leg, peer, caller } = invite;
    const parked = parkedAt(this.#host, account.id, spot);
    if (!parked || peer.kind !== 'phone') return NOTHING_PARKED;
    const { id: eid } = splitGlobalId(peer.id);
    const target = pickUpTarget(eid, account.agents.get(eid)?.intercom ?? caller ?? '');
    parked.legs.pickUp({ leg, releaseOutboundSlot: NO_SLOT }, target, peer.id);
    return null;
  }

  /** Either call of a consultation may be named. */
  consult(accountId: string, id: string, order: ConsultOrder, by: TransferredBy): ConsultOutcome {
    if (order.kind === 'begin') return this.#beginConsultation(accountId, id, order.party, order.to, by);
    const found = this.#consultation(accountId, id);
    if (!(found instanceof Consultation)) return found;
    const call = this.#host.find(accountId, found.id);
    if (order.kind === 'cancel') call?.hangUp('consultation-ended');
    else if (call?.isThreeWay) return 'three-way';
    else if (!this.join(found, by)) return 'not-joinable';
    return { id: found.id };
  }

  #beginConsultation(
    accountId: string,
    id: string,
    party: Side,
    entry: Ref,
    by: TransferredBy,
  ): ConsultOutcome {
    const call = this.#host.find(accountId, id);
    const account = this.#host.environment.routing.account(accountId);
    if (!call || !account) return 'unknown';
    const node = resolve(account.flow, entry);
    if (!node) return 'destination-unknown';
    if (call.isConsulting) return 'consulting';
    if (call.isThreeWay || node.kind === 'room') return 'three-way';
    const side = otherSide(party);
    const agent = call.phase.name === 'connected' ? partyOf(call, side) : null;
    if (!agent) return 'not-connected';
    if (agent.arrival.agent === null) return 'no-agent';
    if (this.#host.isFull(account) || !call.mayChange) return 'full';
    const consultationLeg = new Consultation(
      this,
      call,
      side,
      newId(this.#host.environment.clock.epochMs()),
      by,
    );
    const text = `${by.name}: ${consultationLeg.name} consults ${node.name}, call ${consultationLeg.id}.`;
    const to = { account, flow: account.flow, entry, direction: 'internal' } as const;
    const isDetached = this.whileBusy(accountId, consultationLeg.id, agent.arrival.agent, () => {
      const lent = call.detach(side, consultationLeg, text);
      if (lent) this.#host.begin(consulting(agent.arrival, lent, consultationLeg, entry), to);
      return lent !== null;
    });
    if (!isDetached) return 'not-connected';
    return { id: consultationLeg.id };
  }

  /** The party that waits takes the agent's place in the consultation. */
  join({ held, side, id }: Consultation, by: TransferredBy): boolean {
    const call = this.#host.find(held.facts.accountId, id);
    return call !== undefined && this.#join(held, side, call, 'caller', by);
  }

  /** An agent who goes from one call to another is not free in between: a queue would ring the phone. */
  whileBusy<T>(accountId: string, call: string, agent: string | null, move: () => T): T {
    const account = this.#host.environment.routing.account(accountId);
    if (agent === null || !account) return move();
    const { agentStates } = this.#host.contextOf(account).services;
    agentStates.occupy(call, agent);
    agentStates.talks(call, agent);
    try {
      return move();
    } finally {
      agentStates.free(call, agent);
    }
  }

  agentName(call: Call, agent: string | null): string {
    const account = this.#host.environment.routing.account(call.facts.accountId);
    return account && agent !== null ? this.#agent(account, agent).name : '';
  }

  #consultation(accountId: string, id: string): Consultation | 'unknown' | 'not-consulting' {
    const call = this.#host.find(accountId, id);
    if (!call) return 'unknown';
    const found = call.consultation ?? call.arrival.consultationLeg ?? null;
    return found instanceof Consultation && found.isWaiting ? found : 'not-consulting';
  }

  #attended(
    call: Call,
    by: Side,
    phone: string,
    replaces: ReplacedLeg,
    asked: TransferredBy,
  ): TransferAnswer {
    const named = replaces === 'unknown' ? null : this.#named(call.facts.accountId, replaces);
    if (!named || named.side === 'ringing' || named.call === call || named.phone !== phone) return 'no-call';
    const { call: other, side } = named;
    if (call.isConsulting || call.isThreeWay || other.isConsulting || !isOpen(other)) return 'no-call';
    return this.#guarded(call, (done) => this.#join(call, by, other, side, asked, done));
  }

  /** The side of `call` that does not leave takes the place of `side` in `other`; both legs of who asked for it are hung up. */
  #join(
    call: Call,
    leaving: Side,
    other: Call,
    side: Side,
    by: TransferredBy,
    done: () => void = NOT_ASKED,
  ): boolean {
    if (call.isThreeWay || !isOpen(other)) return false;
    const party = partyOf(call, otherSide(leaving));
    if (!party) return false;
    const shown = partyOf(other, otherSide(side))?.arrival.caller ?? other.facts.dialled;
    const left = partyOf(other, side)?.arrival ?? null;
    const who = party.arrival.caller ?? 'The caller';
    const place = this.agentName(other, left?.agent ?? null) || (left?.caller ?? '');
    const text = `${who} takes the place of ${place}: ${by.name} transferred the call.`;
    return this.whileBusy(call.facts.accountId, other.facts.id, party.arrival.agent, () => {
      const released = call.release(leaving, { callId: other.facts.id, by, attended: true }, shown);
      if (!released) return false;
      const { hangUpLeaving, ...staying } = released;
      try {
        other.facts = { ...other.facts, transferredFrom: { callId: call.facts.id, by, attended: true } };
        other.replace(side, party, staying, text);
        done();
      } finally {
        hangUpLeaving();
      }
      return true;
    });
  }

  /** One side of the call becomes the caller of another, and both records name each other. False: there is no such side. */
  #move(call: Call, leaving: Side, next: NextCall, done: () => void = NOT_ASKED): boolean {
    const { dialled, shown, alreadyAnswered, to, by } = next;
    const staying = partyOf(call, otherSide(leaving));
    const id = newId(this.#host.environment.clock.epochMs());
    if (!staying) return false;
    const { isEarly } = call.legs.caller;
    return this.whileBusy(call.facts.accountId, id, staying.arrival.agent, () => {
      const released = call.release(leaving, { callId: id, by }, shown);
      if (!released) return false;
      const { hangUpLeaving, ...leg } = released;
      // The next call cannot be refused. It begins after the hang-up: the leg counts against limits that it may meet.
      done();
      hangUpLeaving();
      const transferredFrom = { callId: call.facts.id, by };
      const { recovered: _, consultationLeg: __, joinedMs: ___, ...plain } = staying.arrival;
      this.#host.begin(
        { ...plain, ...leg, id, dialled, alreadyAnswered, isEarly, transferredFrom, dialledAt: null },
        to,
      );
      return true;
    });
  }

  /** Legs of phones alone: no other is given away to who knows its tags. */
  #named(accountId: string, leg: Leg): Named | null {
    for (const call of this.#host) {
      if (call.facts.accountId !== accountId || call.isOver) continue;
      for (const side of ['caller', 'called'] as const) {
        const phone = call.legs.legOf(side) === leg ? phoneAt(call, side) : null;
        if (phone !== null) return { call, side, phone };
      }
      const target = call.legs.ringingAt(leg);
      if (target?.via === 'intercom') return { call, side: 'ringing', phone: target.owner };
    }
    return null;
  }

  #agent(account: AccountRoutes, agent: string): TransferredBy & { readonly kind: 'agent' } {
    const { eid, name } = this.#host.contextOf(account).agentName(agent) ?? { eid: '', name: '' };
    return { kind: 'agent', id: eid, name };
  }

  #guarded(call: Call, move: (done: () => void) => unknown): TransferAnswer {
    return (done) => {
      try {
        move(done);
      } catch (error) {
        this.#host.callFailed(call, error);
      }
    };
  }
}

/** One side of `held` is in another call, that of `id`. */
class Consultation implements ConsultationLeg {
  readonly held: Call;
  readonly side: Side;
  readonly id: string;
  readonly name: string;
  readonly #transfers: Transfers;
  readonly #by: TransferredBy;

  constructor(transfers: Transfers, held: Call, side: Side, id: string, by: TransferredBy) {
    this.#transfers = transfers;
    this.held = held;
    this.side = side;
    this.id = id;
    this.#by = by;
    this.name = transfers.agentName(held, partyOf(held, side)?.arrival.agent ?? null);
  }

  get heldId(): string {
    return this.held.facts.id;
  }

  get isWaiting(): boolean {
    return !this.held.isOver && this.held.consultation === this;
  }

  reattach(take: () => LegWithSlot | null): boolean {
    const { held, side, name } = this;
    const agent = partyOf(held, side)?.arrival.agent ?? null;
    return this.#transfers.whileBusy(held.facts.accountId, this.heldId, agent, () => {
      const leg = take();
      if (leg) held.reattach(side, leg, `${name} is back: both sides are connected again.`);
      return leg !== null;
    });
  }

  /** An agent who hangs up has transferred the call, where that is possible. */
  left(): void {
    if (!this.#transfers.join(this, this.#by)) this.held.lost(this.side);
  }
}

/** The agent's side as the caller of the consultation. */
function consulting(agent: Arrival, lent: LegWithSlot, consultationLeg: Consultation, entry: Ref): Arrival {
  const { recovered: _, joinedMs: __, ...plain } = agent;
  const coming = { id: consultationLeg.id, dialled: entry, alreadyAnswered: true, transferredFrom: null };
  return { ...plain, ...lent, ...coming, callId: lent.leg.callId, dialledAt: null, consultationLeg };
}

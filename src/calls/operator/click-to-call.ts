// Click to call, and calls that the API places: rings the agent's phones, or the number, first; the leg that answers becomes the caller of an ordinary call to the number. Until
// then there is no Call, only a ringing leg that is kept here; without an answer it leaves a record of its own.

import { nameOf, resolve } from '../../flow/flow.ts';
import type { Ref } from '../../flow/node.ts';
import type { Agent } from '../../kinds/agent.ts';
import { normaliseNumber } from '../../kinds/number-text.ts';
import type { Allowance } from '../../sharing/ports/allowance.ts';
import type { Release } from '../../sharing/ports/slots.ts';
import { when } from '../../sharing/ports/when.ts';
import type { Target } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Arrival } from '../call/arrival.ts';
import { dialLeg } from '../call/outbound-leg.ts';
import { ACCOUNT_FULL, type LegLimit } from '../call-caps.ts';
import type { CallRegistry } from '../call-registry.ts';
import type { CallFacts } from '../records/call-record.ts';
import {
  type Destination,
  dialledByAgent,
  flowChosen,
  globalId,
  outRoute,
  trunkTarget,
} from '../routing/dialling.ts';
import { AgentRing } from './agent-ring.ts';

/** Agents of one account whose phones ring for it at the same time. */
export const MAX_RINGING = 20;
const MINUTE_MS = 60_000;

export type ClickRefusal =
  | 'agent-unknown'
  | 'product-not-applied'
  | 'agent-blocked'
  | 'agent-busy'
  | 'agent-unreachable'
  | 'number-unknown'
  | 'number-not-allowed'
  | 'number-unreachable'
  | 'destination-unknown'
  | 'outbound-full'
  | 'too-many'
  | LegLimit;

export interface ClickRefused {
  readonly refused: ClickRefusal;
  readonly retryAfterSeconds?: number;
}

/** Null if the agent's phones ring. */
export type ClickOutcome = ClickRefused | null | Promise<ClickRefused | null>;

export interface Click {
  /** The id that was promised for the call. */
  readonly id: string;
  readonly eid: string;
  readonly number: string;
}

/** A call that the API places: whoever answers the number is put into the destination. */
export interface PlacedCall {
  readonly id: string;
  readonly number: string;
  readonly destination: Ref;
  readonly variables: Readonly<Record<string, string>>;
}

export type AskedCall = Click | PlacedCall;

export class ClickToCall {
  readonly #calls: CallRegistry;
  /** The allowance of all nodes together; null: this is the only one. */
  readonly #allowance: Allowance | null;
  readonly #ringing = new Map<string, AgentRing>();
  /** By account: the times of its requests within the last minute. */
  readonly #requestedMs = new Map<string, number[]>();

  constructor(calls: CallRegistry, allowance: Allowance | null) {
    this.#calls = calls;
    this.#allowance = allowance;
  }

  get count(): number {
    return this.#ringing.size;
  }

  factsOf(accountId: string): CallFacts[] {
    const all = [...this.#ringing.values()].map(({ facts }) => facts);
    return all.filter((facts) => facts.accountId === accountId);
  }

  cancel(accountId: string, id: string): boolean {
    if (!this.isRinging(accountId, id)) return false;
    this.#ringing.get(id)?.cancel('operator-hung-up');
    return true;
  }

  isRinging(accountId: string, id: string): boolean {
    return this.#ringing.get(id)?.facts.accountId === accountId;
  }

  cancelAll(): void {
    for (const ring of [...this.#ringing.values()]) ring.cancel('service-stopped');
  }

  start(context: AccountContext, click: Click): ClickOutcome {
    const { account, services } = context;
    const agent = account.agents.get(click.eid);
    if (!agent) return { refused: 'agent-unknown' };
    if (agent.product_clicktocall !== 1) return { refused: 'product-not-applied' };
    if (agent.custom_status === 1) return { refused: 'agent-blocked' };
    const to = dialledByAgent(account, click.number);
    if ('status' in to) return { refused: to.status === 404 ? 'number-unknown' : 'number-not-allowed' };
    if (to.direction === 'outbound' && services.outboundSlots.isFull(account))
      return { refused: 'outbound-full' };
    const claim = [globalId(account.id, agent.eid)];
    const settle = (): void => services.agentStates.settle(click.id, claim);
    return when(services.agentStates.claim(click.id, claim, false), ({ busy }) => {
      let outcome: ClickOutcome = { refused: 'agent-busy' };
      try {
        if (busy.length === 0) outcome = this.#ringClaimed(context, click, agent, to);
      } finally {
        if (!(outcome instanceof Promise)) settle();
      }
      return outcome instanceof Promise ? outcome.finally(settle) : outcome;
    });
  }

  /** Dials the number as agents may: who asks may be one who makes no trunks. It counts as a click to call does. */
  place(context: AccountContext, placed: PlacedCall): ClickOutcome {
    const { account, services } = context;
    const number = normaliseNumber(placed.number);
    const route = number === null ? null : outRoute(account, number, true);
    if (number === null || !route) return { refused: 'number-not-allowed' };
    const node = resolve(account.flow, placed.destination);
    if (!node || (node.kind === 'number' && !outRoute(account, node.number, true)))
      return { refused: 'destination-unknown' };
    if (this.#calls.isFull(account))
      return { refused: 'too-many', retryAfterSeconds: ACCOUNT_FULL.retryAfterSeconds };
    const retryAfterSeconds = this.#countRequest(context);
    if (retryAfterSeconds > 0) return { refused: 'too-many', retryAfterSeconds };
    const target = trunkTarget(account, route, number, null, null);
    const dial = (release: Release | null): ClickRefused | null =>
      release ? this.#dialPlaced(context, placed, number, target, release) : { refused: 'outbound-full' };
    const ring = (): ClickOutcome => when(services.outboundSlots.acquire(account, target, placed.id), dial);
    const allowance = this.#allowance;
    if (!allowance) return ring();
    return when(allowance.take(account.id, account.settings.clicks_per_minute), (isTaken) =>
      isTaken ? ring() : { refused: 'too-many', retryAfterSeconds: allowance.secondsLeft },
    );
  }

  #dialPlaced(
    context: AccountContext,
    { id, destination: entry, variables }: PlacedCall,
    number: string,
    target: Target,
    releaseOutboundSlot: Release,
  ): ClickRefused | null {
    const { account, services } = context;
    const shown = { caller: null, callerName: '' };
    const leg = dialLeg(context, shown, null, target, { agent: null }, releaseOutboundSlot);
    if (leg === null || typeof leg === 'string') return { refused: leg ?? 'number-unreachable' };
    const flow = flowChosen(account.flow, entry);
    const facts: CallFacts = {
      id,
      accountId: account.id,
      callId: leg.callId,
      direction: 'outbound',
      caller: number,
      callerName: account.contacts.nameOf(number),
      dialled: number,
      entry,
      entryName: nameOf(flow, entry),
      startedAtMs: services.clock.epochMs(),
    };
    const to: Destination = { account, flow, entry, direction: 'outbound' };
    const ring = new AgentRing(context, facts, { leg, releaseOutboundSlot }, null, {
      stopped: () => void this.#ringing.delete(facts.id),
      answered: () => this.#calls.begin({ ...arrivalOf(ring, target), variables }, to),
      failed: (result) => this.#calls.recordCall(facts, result),
      unrecorded: (error) => this.#calls.observer.failed(error, facts, []),
    });
    this.#ringing.set(id, ring);
    this.#calls.observer.began?.(facts, true);
    leg.listen(ring);
    return null;
  }

  #ringClaimed(context: AccountContext, click: Click, agent: Agent, to: Destination): ClickOutcome {
    if (this.#calls.isFull(context.account))
      return { refused: 'too-many', retryAfterSeconds: ACCOUNT_FULL.retryAfterSeconds };
    const retryAfterSeconds = this.#countRequest(context);
    if (retryAfterSeconds > 0) return { refused: 'too-many', retryAfterSeconds };
    const ring = (): ClickOutcome => this.#ring(context, click, agent, to);
    const allowance = this.#allowance;
    if (!allowance) return ring();
    const { id, settings } = context.account;
    return when(allowance.take(id, settings.clicks_per_minute), (isTaken) =>
      isTaken ? ring() : { refused: 'too-many', retryAfterSeconds: allowance.secondsLeft },
    );
  }

  #ring(context: AccountContext, click: Click, agent: Agent, to: Destination): ClickOutcome {
    const { account, services } = context;
    const target = targetOf(context, agent, click.number);
    if (!target) return { refused: 'agent-unreachable' };
    // The agent's outside telephone takes a slot, too (docs/threat-model.md T1).
    const slot = services.outboundSlots.acquire(account, target, click.id);
    const dial = (release: Release | null): ClickRefused | null =>
      release ? this.#dial(context, click, agent, to, target, release) : { refused: 'outbound-full' };
    return slot instanceof Promise ? slot.then(dial) : dial(slot);
  }

  #dial(
    context: AccountContext,
    click: Click,
    agent: Agent,
    to: Destination,
    target: Target,
    releaseOutboundSlot: Release,
  ): ClickRefused | null {
    const { account, services } = context;
    // The agent's phone shows the number that will be called.
    const agentId = globalId(account.id, agent.eid);
    const shown = account.contacts.shown(click.number);
    const leg = dialLeg(context, shown, null, target, { agent: agentId }, releaseOutboundSlot);
    if (leg === null || typeof leg === 'string') return { refused: leg ?? 'agent-unreachable' };
    const facts: CallFacts = {
      id: click.id,
      accountId: account.id,
      callId: leg.callId,
      direction: to.direction,
      caller: agent.intercom,
      callerName: agent.name,
      madeBy: agent.eid,
      dialled: click.number,
      entry: to.entry,
      entryName: nameOf(to.flow, to.entry),
      startedAtMs: services.clock.epochMs(),
    };
    const ring = new AgentRing(context, facts, { leg, releaseOutboundSlot }, agentId, {
      stopped: () => void this.#ringing.delete(facts.id),
      answered: () => this.#calls.begin(arrivalOf(ring, target), to),
      failed: (result) => this.#calls.recordCall(facts, result),
      unrecorded: (error) => this.#calls.observer.failed(error, facts, []),
    });
    this.#ringing.set(facts.id, ring);
    this.#calls.observer.began?.(facts, true);
    leg.listen(ring);
    return null;
  }

  /** 0: the request is within the limits; otherwise the seconds to wait. */
  #countRequest({ account: { id, settings }, services }: AccountContext): number {
    if (this.factsOf(id).length >= MAX_RINGING) return 1;
    const nowMs = services.clock.nowMs();
    const recent = (this.#requestedMs.get(id) ?? []).filter((atMs) => atMs > nowMs - MINUTE_MS);
    const oldest = recent[0];
    if (recent.length >= settings.clicks_per_minute)
      return oldest === undefined ? 60 : Math.ceil((oldest + MINUTE_MS - nowMs) / 1000);
    recent.push(nowMs);
    this.#requestedMs.set(id, recent);
    return 0;
  }
}

/** The registered phones that can be reached; without any the follow-me number, where a trunk routes it. */
export function targetOf(
  { account, services }: AccountContext,
  agent: Agent,
  dialled: string,
): Target | null {
  const { eid, follow_me_number: number } = agent;
  const id = globalId(account.id, eid);
  if (services.telephony.phonesOf(id).some(({ reachable }) => reachable)) return { kind: 'phones', id };
  const route = number === '' ? null : outRoute(account, number, false);
  return route && trunkTarget(account, route, number, eid, dialled);
}

function arrivalOf(ring: AgentRing, target: Target): Arrival {
  const { facts, leg, releaseOutboundSlot, agentId, beganMs, rangMs } = ring;
  return {
    leg,
    releaseOutboundSlot,
    // An agent on an outside telephone may talk, but not transfer.
    peer: target.kind === 'phones' && agentId !== null ? { kind: 'phone', id: agentId } : { kind: 'local' },
    agent: agentId,
    dialled: facts.dialled,
    caller: facts.caller,
    callerName: facts.callerName,
    ...(agentId === null ? { isContact: true } : {}),
    callId: leg.callId,
    alreadyAnswered: true,
    id: facts.id,
    transferredFrom: null,
    dialledAt: { beganMs, rangMs },
  };
}

// Listening in: rings a third phone for a conversation, which joins it when it is answered. The end of the call ends it, too.

import { when } from '../../sharing/ports/when.ts';
import type { IncomingCall, Leg, ListenMode } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Call } from '../call/call.ts';
import { LegListener } from '../call/leg-listener.ts';
import { isListenable } from '../call/listenable.ts';
import { dialLeg } from '../call/outbound-leg.ts';
import { NO_SLOT } from '../outbound-slots.ts';
import { globalId } from '../routing/dialling.ts';
import { type AddOutcome, addParty, type ListenOutcome } from './third-party.ts';

/** A call, and what its account shares. */
export interface Talk {
  readonly call: Call;
  readonly context: AccountContext;
}

export class ListeningIn {
  /** By call and agent. */
  readonly #listeners = new Map<string, Listener>();
  readonly #find: (accountId: string, id: string) => Talk | 'not-connected' | 'unknown';

  constructor(find: (accountId: string, id: string) => Talk | 'not-connected' | 'unknown') {
    this.#find = find;
  }

  listenIn(
    accountId: string,
    id: string,
    eid: string,
    mode: ListenMode,
  ): ListenOutcome | Promise<ListenOutcome> {
    const talk = this.#find(accountId, id);
    return typeof talk === 'string' ? talk : this.listen(talk.call, talk.context, eid, mode);
  }

  /** A three-way call. */
  addParty(accountId: string, id: string, number: string): AddOutcome | Promise<AddOutcome> {
    const talk = this.#find(accountId, id);
    if (typeof talk === 'string') return talk;
    const { call, context } = talk;
    return addParty(call, context, number, (eid) => this.listen(call, context, eid, 'barge'));
  }

  /** An INVITE whose Replaces names a leg that listens, of the same agent: a page that was loaded again. False: it is none of these. */
  takeOver({ leg, peer }: Pick<IncomingCall, 'leg' | 'peer'>, replaced: Leg): boolean {
    for (const [key, former] of this.#listeners) {
      if (former.leg !== replaced) continue;
      if (peer.kind !== 'phone' || peer.id !== former.agentId || !former.isAnswered) return false;
      this.#add(key, (left) => former.goesOnBy(leg, left));
      return true;
    }
    return false;
  }

  #add(key: string, make: (left: () => void) => Listener): void {
    const listener = make(() => {
      if (this.#listeners.get(key) === listener) this.#listeners.delete(key);
    });
    this.#listeners.set(key, listener);
  }

  /** Again for the same agent: changes the mode. */
  listen(
    call: Call,
    context: AccountContext,
    eid: string,
    mode: ListenMode,
  ): ListenOutcome | Promise<ListenOutcome> {
    const { account, services } = context;
    if (!isListenable(call.phase, mode)) return 'not-connected';
    if (mode === 'barge' && call.isConsulting) return 'consulting';
    if (!account.agents.has(eid)) return 'agent-unknown';
    const key = `${call.facts.id} ${eid}`;
    if (this.#change(key, mode)) return 'changed';
    const agentId = globalId(account.id, eid);
    return when(services.agentStates.claim(key, [agentId], false), ({ busy }) => {
      try {
        if (busy.length > 0) return 'agent-busy';
        // The call may have ended while the claim was made, and another request may have rung the agent.
        if (!isListenable(call.phase, mode) || call.isOver) return 'not-connected';
        if (mode === 'barge' && call.isConsulting) return 'consulting';
        return this.#change(key, mode) ? 'changed' : this.#ring(key, call, context, agentId, mode);
      } finally {
        services.agentStates.settle(key, [agentId]);
      }
    });
  }

  /** False: the agent does not listen to the call. */
  #change(key: string, mode: ListenMode): boolean {
    const present = this.#listeners.get(key);
    present?.setMode(mode);
    return present !== undefined;
  }

  #ring(key: string, call: Call, context: AccountContext, agentId: string, mode: ListenMode): ListenOutcome {
    if (!call.legs.recorder.hasRoom) return 'full';
    const shown = { caller: call.facts.caller, callerName: '' };
    const near = call.legs.callerLeg;
    const leg = dialLeg(context, shown, near, { kind: 'phones', id: agentId }, { agent: agentId }, NO_SLOT);
    if (leg === null || typeof leg === 'string') return leg ?? 'agent-unreachable';
    this.#add(key, (left) => new Listener({ context, call, leg, agentId, mode, key }, left));
    return 'rings';
  }
}

interface Listening {
  readonly context: AccountContext;
  readonly call: Call;
  readonly leg: Leg;
  readonly agentId: string;
  readonly mode: ListenMode;
  readonly key: string;
}

class Listener extends LegListener {
  readonly #listening: Listening;
  readonly #left: () => void;
  readonly #cancelTimeout: () => void;
  #mode: ListenMode;
  #isAnswered = false;

  constructor(listening: Listening, left: () => void) {
    super();
    const { context, call, leg, agentId, mode, key } = listening;
    const { account, services } = context;
    this.#listening = listening;
    this.#left = left;
    this.#mode = mode;
    services.agentStates.occupy(key, agentId);
    call.legs.recorder.expect(leg, mode);
    this.#cancelTimeout = services.clock.after(account.settings.ring_seconds * 1000, () => leg.hangUp());
    leg.listen(this);
  }

  get leg(): Leg {
    return this.#listening.leg;
  }

  get agentId(): string {
    return this.#listening.agentId;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** The same by another leg; this one is hung up. */
  goesOnBy(leg: Leg, left: () => void): Listener {
    const former = this.#listening;
    // It has the place of the former leg, and needs no other.
    former.call.legs.recorder.forget(former.leg);
    const next = new Listener({ ...former, leg, mode: this.#mode }, left);
    leg.answer();
    next.answered();
    former.leg.hangUp();
    return next;
  }

  /** One who has not answered yet joins in that mode. */
  setMode(mode: ListenMode): void {
    this.#mode = mode;
    const { call, leg } = this.#listening;
    if (this.#isAnswered) call.listenIn(leg, mode);
    else call.legs.recorder.expect(leg, mode);
  }

  override answered(): void {
    this.#cancelTimeout();
    this.#isAnswered = true;
    const { context, call, leg, agentId, key } = this.#listening;
    context.services.agentStates.talks(key, agentId);
    // The conversation may have ended meanwhile.
    if (!call.listenIn(leg, this.#mode)) leg.hangUp();
  }

  override ended(): void {
    this.#cancelTimeout();
    this.#left();
    const { context, call, leg, agentId, key } = this.#listening;
    call.legs.recorder.forget(leg);
    context.services.agentStates.free(key, agentId);
  }
}

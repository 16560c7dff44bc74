// Listening in: rings a third phone for a conversation, which joins it when it is answered. The end of the call ends it, too.

import { when } from '../../sharing/ports/when.ts';
import type { Leg, ListenMode } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Call } from '../call/call.ts';
import { LegListener } from '../call/leg-listener.ts';
import { legQuotas } from '../call-caps.ts';
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

  /** Again for the same agent: changes the mode. */
  listen(
    call: Call,
    context: AccountContext,
    eid: string,
    mode: ListenMode,
  ): ListenOutcome | Promise<ListenOutcome> {
    const { account, services } = context;
    if (call.phase.name !== 'connected') return 'not-connected';
    if (mode === 'barge' && call.isConsulting) return 'consulting';
    if (!account.agents.has(eid)) return 'agent-unknown';
    const key = `${call.facts.id} ${eid}`;
    if (this.#change(key, mode)) return 'changed';
    const agentId = globalId(account.id, eid);
    return when(services.agentStates.claim(key, [agentId], false), ({ busy }) => {
      try {
        if (busy.length > 0) return 'agent-busy';
        // The call may have ended while the claim was made, and another request may have rung the agent.
        if (call.phase.name !== 'connected' || call.isOver) return 'not-connected';
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
    const { account, services } = context;
    if (!call.legs.recorder.hasRoom) return 'full';
    const near = call.legs.callerLeg;
    const leg = services.telephony.dial(
      { kind: 'phones', id: agentId },
      {
        caller: call.facts.caller,
        callerName: '',
        quotas: legQuotas(account, agentId, services.counts),
        ...(near ? { near } : {}),
      },
    );
    if (!leg) return 'agent-unreachable';
    const listener = new Listener(context, call, leg, agentId, mode, key, () => this.#listeners.delete(key));
    this.#listeners.set(key, listener);
    leg.listen(listener);
    return 'rings';
  }
}

class Listener extends LegListener {
  readonly #services: AccountContext['services'];
  readonly #call: Call;
  readonly #leg: Leg;
  readonly #agentId: string;
  readonly #key: string;
  readonly #left: () => void;
  readonly #cancelTimeout: () => void;
  #mode: ListenMode;
  #isAnswered = false;

  constructor(
    { account, services }: AccountContext,
    call: Call,
    leg: Leg,
    agentId: string,
    mode: ListenMode,
    key: string,
    left: () => void,
  ) {
    super();
    this.#services = services;
    this.#call = call;
    this.#leg = leg;
    this.#agentId = agentId;
    this.#key = key;
    this.#left = left;
    this.#mode = mode;
    services.agentStates.occupy(key, agentId);
    call.legs.recorder.expect(leg, mode);
    this.#cancelTimeout = services.clock.after(account.settings.ring_seconds * 1000, () => leg.hangUp());
  }

  /** One who has not answered yet joins in that mode. */
  setMode(mode: ListenMode): void {
    this.#mode = mode;
    if (this.#isAnswered) this.#call.listenIn(this.#leg, mode);
    else this.#call.legs.recorder.expect(this.#leg, mode);
  }

  override answered(): void {
    this.#cancelTimeout();
    this.#isAnswered = true;
    this.#services.agentStates.talks(this.#key, this.#agentId);
    // The conversation may have ended meanwhile.
    if (!this.#call.listenIn(this.#leg, this.#mode)) this.#leg.hangUp();
  }

  override ended(): void {
    this.#cancelTimeout();
    this.#left();
    this.#call.legs.recorder.forget(this.#leg);
    this.#services.agentStates.free(this.#key, this.#agentId);
  }
}

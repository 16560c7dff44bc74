// Listening in: rings a third phone for a conversation, which joins it when it is answered. The end of the call ends it, too.

import type { Leg, ListenMode } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Call } from '../call/call.ts';
import { LegListener } from '../call/leg-listener.ts';
import { legQuotas } from '../call-caps.ts';
import { globalId } from '../routing/dialling.ts';

export type ListenOutcome =
  | 'rings'
  | 'changed'
  | 'unknown'
  | 'not-connected'
  | 'full'
  | 'agent-unknown'
  | 'agent-busy'
  | 'agent-unreachable';

export class ListeningIn {
  /** By call and agent. */
  readonly #listeners = new Map<string, Listener>();

  /** Again for the same agent: changes the mode. */
  listen(call: Call, context: AccountContext, eid: string, mode: ListenMode): ListenOutcome {
    const { account, services } = context;
    if (call.phase.name !== 'connected') return 'not-connected';
    if (!account.agents.has(eid)) return 'agent-unknown';
    const key = `${call.facts.id} ${eid}`;
    const present = this.#listeners.get(key);
    if (present) {
      present.setMode(mode);
      return 'changed';
    }
    const agentId = globalId(account.id, eid);
    if (services.agentStates.isBusy(agentId)) return 'agent-busy';
    if (!call.legs.recorder.hasRoom) return 'full';
    const near = call.legs.callerLeg;
    const leg = services.telephony.dial(
      { kind: 'phones', id: agentId },
      {
        caller: call.facts.caller,
        callerName: '',
        quotas: legQuotas(account, agentId),
        ...(near ? { near } : {}),
      },
    );
    if (!leg) return 'agent-unreachable';
    const listener = new Listener(context, call, leg, agentId, mode, () => this.#listeners.delete(key));
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
    left: () => void,
  ) {
    super();
    this.#services = services;
    this.#call = call;
    this.#leg = leg;
    this.#agentId = agentId;
    this.#left = left;
    this.#mode = mode;
    services.agentStates.occupy(agentId);
    call.legs.recorder.expect(leg);
    this.#cancelTimeout = services.clock.after(account.settings.ring_seconds * 1000, () => leg.hangUp());
  }

  /** One who has not answered yet joins in that mode. */
  setMode(mode: ListenMode): void {
    this.#mode = mode;
    if (this.#isAnswered) this.#call.listenIn(this.#leg, mode);
  }

  override answered(): void {
    this.#cancelTimeout();
    this.#isAnswered = true;
    // The conversation may have ended meanwhile.
    if (!this.#call.listenIn(this.#leg, this.#mode)) this.#leg.hangUp();
  }

  override ended(): void {
    const { agentStates, clock } = this.#services;
    this.#cancelTimeout();
    this.#left();
    this.#call.legs.recorder.forget(this.#leg);
    agentStates.free(this.#agentId, clock.epochMs());
  }
}

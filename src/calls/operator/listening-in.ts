// Listening in: a third phone is rung for a conversation, and joins it when it is picked up. The conversation itself ends it.

import type { Clock } from '../../clock.ts';
import type { Leg, ListenMode, Telephony } from '../../telephony/telephony.ts';
import type { Call } from '../call/call.ts';
import { QUIET } from '../call/quiet-leg.ts';
import type { AgentStates } from '../queues/agent-states.ts';
import { globalId } from '../routing/dialling.ts';
import type { AccountRoutes } from '../routing/routing.ts';

export type Listening =
  | 'rings'
  | 'changed'
  | 'unknown'
  | 'not-connected'
  | 'full'
  | 'agent-unknown'
  | 'agent-busy'
  | 'agent-unreachable';

export interface ListeningParts {
  readonly clock: Clock;
  readonly agentStates: AgentStates;
  readonly telephony: () => Telephony | null;
}

interface Listener {
  readonly leg: Leg;
  mode: ListenMode;
  isHere: boolean;
}

export class ListeningIn {
  readonly #parts: ListeningParts;
  /** By call and agent. */
  readonly #listeners = new Map<string, Listener>();

  constructor(parts: ListeningParts) {
    this.#parts = parts;
  }

  /** Again for the same agent: changes how they listen. */
  listen(call: Call, account: AccountRoutes, eid: string, mode: ListenMode): Listening {
    if (call.phase.name !== 'connected') return 'not-connected';
    const agent = account.agents.get(eid);
    if (!agent) return 'agent-unknown';
    const place = `${call.facts.id} ${eid}`;
    const present = this.#listeners.get(place);
    if (present) {
      present.mode = mode;
      // One who has not picked up yet joins in that mode.
      if (present.isHere) call.listenIn(present.leg, mode);
      return 'changed';
    }
    const agentId = globalId(account.id, eid);
    const { clock, agentStates } = this.#parts;
    if (agentStates.isBusy(agentId)) return 'agent-busy';
    if (!call.listeners.hasRoom) return 'full';
    const near = call.leg;
    const leg = this.#parts
      .telephony()
      ?.dial(
        { kind: 'phones', id: agentId },
        { caller: call.facts.caller, callerName: '', ...(near ? { near } : {}) },
      );
    if (!leg) return 'agent-unreachable';
    agentStates.begin(agentId);
    this.#ring(call, leg, place, mode, account.settings.ring_seconds, () =>
      agentStates.end(agentId, clock.epochMs()),
    );
    return 'rings';
  }

  #ring(call: Call, leg: Leg, place: string, mode: ListenMode, ringSeconds: number, free: () => void): void {
    const listener: Listener = { leg, mode, isHere: false };
    this.#listeners.set(place, listener);
    call.listeners.expect(leg);
    const late = this.#parts.clock.after(ringSeconds * 1000, () => leg.hangUp());
    leg.listen({
      ...QUIET,
      answered: () => {
        late();
        listener.isHere = true;
        // The conversation may be over by now.
        if (!call.listenIn(leg, listener.mode)) leg.hangUp();
      },
      ended: () => {
        late();
        this.#listeners.delete(place);
        call.listeners.forget(leg);
        free();
      },
    });
  }
}

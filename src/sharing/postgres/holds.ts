// The agents that calls of this node keep busy. A hold is one row of agent_claims: of one call and one agent, while a leg of the agent
// lasts, a claim is made, or the agent is offered to the call by a queue.

export interface Hold {
  readonly call: string;
  /** As globalId names them. */
  readonly agent: string;
  readonly holder: string;
  /** It leaves the agent free for others, as an agent's own outgoing call does. */
  readonly isShared: boolean;
  legs: number;
  /** Claims whose phones do not ring yet. */
  claims: number;
  isOffered: boolean;
  /** An agent who was rung or dialled is idle since the end. */
  hadLegs: boolean;
  /** The row is stored, as far as known: since that moment on the monotonic clock. */
  storedMs: number | null;
  /** Its release is on its way: it cannot be held again. */
  isLeaving: boolean;
  /** The other nodes did not answer in time: it is held whatever they say. */
  isForced: boolean;
  restMs: number;
  wrapupMs: number;
}

export const isHeld = ({ legs, claims, isOffered }: Hold): boolean => legs > 0 || claims > 0 || isOffered;

export class Holds {
  readonly #byAgent = new Map<string, Map<string, Hold>>();
  #made = 0;

  get(call: string, agent: string): Hold | undefined {
    const hold = this.#byAgent.get(agent)?.get(call);
    return hold?.isLeaving ? undefined : hold;
  }

  make(call: string, agent: string, isShared: boolean, holder = `${call}/${++this.#made}`): Hold {
    const hold: Hold = {
      call,
      agent,
      holder,
      isShared,
      legs: 0,
      claims: 0,
      isOffered: false,
      hadLegs: false,
      storedMs: null,
      isLeaving: false,
      isForced: false,
      restMs: 0,
      wrapupMs: 0,
    };
    const calls = this.#byAgent.get(agent) ?? new Map<string, Hold>();
    this.#byAgent.set(agent, calls.set(call, hold));
    return hold;
  }

  delete(hold: Hold): void {
    const calls = this.#byAgent.get(hold.agent);
    if (calls?.get(hold.call) !== hold) return;
    calls.delete(hold.call);
    if (calls.size === 0) this.#byAgent.delete(hold.agent);
  }

  /** By any call of this node. */
  isBusy(agent: string): boolean {
    for (const hold of this.#byAgent.get(agent)?.values() ?? []) if (isHeld(hold)) return true;
    return false;
  }

  find(agent: string, holder: string): Hold | undefined {
    for (const hold of this.#byAgent.get(agent)?.values() ?? []) if (hold.holder === holder) return hold;
    return undefined;
  }

  *all(): Iterable<Hold> {
    for (const calls of this.#byAgent.values()) yield* calls.values();
  }

  get size(): number {
    return this.#byAgent.size;
  }
}

// Which agents are on a call, since when the others are idle, and who was rung last. Agents and departments are named by account
// and id together (globalId).

/** Agents whose idle time is known, at most. The longest idle are dropped first: unknown means idle since ever. */
const MAX_KNOWN = 100_000;

export class AgentStates {
  /** How many legs keep the agent busy. */
  readonly #busy = new Map<string, number>();
  readonly #idleSince = new Map<string, number>();
  readonly #lastRung = new Map<string, string>();
  readonly #idleListeners: ((agent: string) => void)[] = [];

  /** Called whenever the last leg of an agent has ended. */
  onIdle(listener: (agent: string) => void): void {
    this.#idleListeners.push(listener);
  }

  isBusy(agent: string): boolean {
    return this.#busy.has(agent);
  }

  /** A leg of the agent begins: it rings, or the agent dials. */
  occupy(agent: string): void {
    this.#busy.set(agent, (this.#busy.get(agent) ?? 0) + 1);
  }

  free(agent: string, epochMs: number): void {
    const left = (this.#busy.get(agent) ?? 1) - 1;
    if (left > 0) {
      this.#busy.set(agent, left);
      return;
    }
    this.#busy.delete(agent);
    this.#idleSince.delete(agent);
    this.#idleSince.set(agent, epochMs);
    dropOldest(this.#idleSince);
    for (const listener of this.#idleListeners) listener(agent);
  }

  /** 0: no call so far. */
  idleSince(agent: string): number {
    return this.#idleSince.get(agent) ?? 0;
  }

  rang(department: string, agent: string): void {
    this.#lastRung.delete(department);
    this.#lastRung.set(department, agent);
    dropOldest(this.#lastRung);
  }

  lastRung(department: string): string | null {
    return this.#lastRung.get(department) ?? null;
  }

  get busyAgents(): number {
    return this.#busy.size;
  }
}

function dropOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_KNOWN) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

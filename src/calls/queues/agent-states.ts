// Who is on a call, who rang last and who is idle since when: what the telephones of all agents are doing right now.
// Agents and departments are named by account and reference together.

/** Agents with a past, at most; the longest idle are forgotten first, which is what "idle since ever" means anyway. */
const MAX_PAST = 100_000;

export class AgentStates {
  readonly #busy = new Map<string, number>();
  readonly #idleSince = new Map<string, number>();
  readonly #lastRung = new Map<string, string>();
  readonly #listeners: ((agent: string) => void)[] = [];

  /** Told whenever an agent's last call has ended. */
  onIdle(listener: (agent: string) => void): void {
    this.#listeners.push(listener);
  }

  isBusy(agent: string): boolean {
    return this.#busy.has(agent);
  }

  /** From the first ring, or from the agent's own dialling, until that leg ends. */
  begin(agent: string): void {
    this.#busy.set(agent, (this.#busy.get(agent) ?? 0) + 1);
  }

  end(agent: string, epochMs: number): void {
    const left = (this.#busy.get(agent) ?? 1) - 1;
    if (left > 0) {
      this.#busy.set(agent, left);
      return;
    }
    this.#busy.delete(agent);
    this.#idleSince.delete(agent);
    this.#idleSince.set(agent, epochMs);
    forgetOldest(this.#idleSince);
    for (const listener of this.#listeners) listener(agent);
  }

  /** 0 = no call so far. */
  idleSince(agent: string): number {
    return this.#idleSince.get(agent) ?? 0;
  }

  rang(department: string, agent: string): void {
    this.#lastRung.delete(department);
    this.#lastRung.set(department, agent);
    forgetOldest(this.#lastRung);
  }

  lastRung(department: string): string | null {
    return this.#lastRung.get(department) ?? null;
  }

  get busyAgents(): number {
    return this.#busy.size;
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_PAST) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

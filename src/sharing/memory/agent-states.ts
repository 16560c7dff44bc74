// The agents of one process.
import type { Ref } from '../../flow/node.ts';
import { type AgentStates, ALL_CLAIMED, type Claimed, type Standing } from '../ports/agent-states.ts';

/** Agents whose idle time is known, at most. The longest idle are dropped first: unknown means idle since ever. */
const MAX_KNOWN = 100_000;

export class MemoryAgentStates implements AgentStates {
  /** How many legs keep the agent busy. */
  readonly #busy = new Map<string, number>();
  readonly #idleSince = new Map<string, number>();
  readonly #lastRung = new Map<string, Ref>();
  readonly #epochMs: () => number;
  #idle: (agent: string) => void = () => undefined;

  constructor(epochMs: () => number) {
    this.#epochMs = epochMs;
  }

  /** Called whenever the last leg of an agent has ended. */
  onIdle(listener: (agent: string) => void): void {
    this.#idle = listener;
  }

  isBusy(agent: string): boolean {
    return this.#busy.has(agent);
  }

  claim(_call: string, agents: readonly (string | null)[], isShared: boolean): Claimed {
    const isTaken = (agent: string | null): agent is string => agent !== null && this.#busy.has(agent);
    return isShared || !agents.some(isTaken) ? ALL_CLAIMED : { busy: agents.filter(isTaken), isLocal: false };
  }

  /** The phones ring in the turn of the event loop that asked: nothing can come between. */
  settle(): void {}

  occupy(_call: string, agent: string): void {
    this.#busy.set(agent, (this.#busy.get(agent) ?? 0) + 1);
  }

  free(_call: string, agent: string): void {
    const left = (this.#busy.get(agent) ?? 1) - 1;
    if (left > 0) {
      this.#busy.set(agent, left);
      return;
    }
    this.#busy.delete(agent);
    this.#idleSince.delete(agent);
    this.#idleSince.set(agent, this.#epochMs());
    dropOldest(this.#idleSince);
    this.#idle(agent);
  }

  /** 0: no call so far. */
  idleSince(agent: string): number {
    return this.#idleSince.get(agent) ?? 0;
  }

  rang(_call: string, department: string, agent: Ref): void {
    this.#lastRung.delete(department);
    this.#lastRung.set(department, agent);
    dropOldest(this.#lastRung);
  }

  lastRung(department: string): Ref | null {
    return this.#lastRung.get(department) ?? null;
  }

  standing(department: string, agents: readonly string[]): Standing {
    const idleSince = new Map(agents.map((agent) => [agent, this.idleSince(agent)]));
    return { idleSince, lastRung: this.lastRung(department) };
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

// PORT: which agents are on a call, at any node; since when the others are idle, and who was rung last. Agents and departments are named
// by account and id together (globalId). Answers of one process are values, those of several nodes promises.
import type { Ref } from '../../flow/node.ts';

export interface Claimed {
  /** Those of the agents asked for whom other calls keep busy. */
  readonly busy: readonly string[];
  /** The other nodes could not be asked: an agent who is busy there alone is not in `busy`. */
  readonly isLocal: boolean;
}

export const ALL_CLAIMED: Claimed = { busy: [], isLocal: false };

/** What the ring strategies of a department go by. */
export interface Standing {
  /** By agent, in epoch milliseconds; 0: no call so far. */
  readonly idleSince: ReadonlyMap<string, number>;
  readonly lastRung: Ref | null;
}

export interface AgentStates {
  /**
   * A call is to ring these agents; null: a phone of no agent. An agent who is on another call is in `busy` and must not be rung, unless
   * `isShared` (several calls per agent). The others are reserved for the call until `settle`. Never rejects.
   */
  claim(call: string, agents: readonly (string | null)[], isShared: boolean): Claimed | Promise<Claimed>;
  /** The phones ring: agents of the claim without a leg of the call are free again. */
  settle(call: string, agents: readonly (string | null)[]): void;
  /** A leg of the agent begins: it rings, or the agent dials. Excludes nothing by itself. */
  occupy(call: string, agent: string): void;
  /** A leg of the agent has ended. */
  free(call: string, agent: string): void;
  /** The call rings an agent of the department. */
  rang(call: string, department: string, agent: Ref): void;
  /** Never rejects: without the other nodes, what is known here. */
  standing(department: string, agents: readonly string[]): Standing | Promise<Standing>;
}

import type { Ref } from '../../../../src/flow/node.ts';
import type { AgentBehaviour, Scenario } from '../../../../src/flow/simulation/scenario.ts';

/** The conditions of a call beside its keys. */
export interface Conditions {
  readonly epochMs: number;
  /** Null if withheld. */
  readonly caller: string | null;
  readonly agents: { readonly [agent: Ref]: AgentBehaviour };
  readonly waiting: { readonly [department: Ref]: number };
  readonly signedOut: { readonly [department: Ref]: readonly Ref[] };
  readonly requests?: NonNullable<Scenario['requests']>;
  readonly streams?: NonNullable<Scenario['streams']>;
}

// Running calls of all nodes, for the others: what the live list shows, and what is left of a call when its node dies. Written in
// batches, so some hundred milliseconds late.

import type { NodeIdentity } from './nodes.ts';

export interface LiveCallRow {
  readonly id: string;
  readonly accountId: string;
  /** As the live list shows it. */
  readonly state: string;
  /** The node of the flow where it is. */
  readonly at: string | null;
  /** eid of the connected agent. */
  readonly agent: string | null;
  /** Since its begin, by the clock of its node. */
  readonly ageMs: number;
  /** How it began, and its answer: what a record can be made of. */
  readonly json: string;
  /** What another node needs to go on with it; null: none can. */
  readonly recovery: string | null;
}

export interface StoredLiveCall extends LiveCallRow {
  readonly node: string;
  readonly run: string;
  /** By the database's clock: its age was `ageMs` then. */
  readonly writtenAtMs: number;
}

export interface LiveCallStorage {
  /**
   * Adds, replaces and removes calls of one run of a node, in one commit. No call is in both. `taken`: those that another node has claimed
   * are not replaced.
   */
  saveLiveCalls(input: {
    readonly node: string;
    readonly run: string;
    readonly saved: readonly LiveCallRow[];
    readonly removed: readonly string[];
  }): Promise<{ readonly taken: readonly string[] }>;
  /** Lists the calls of an account, oldest first. */
  listLiveCalls(input: { readonly accountId: string; readonly limit: number }): Promise<StoredLiveCall[]>;
  /** Lists the calls of a node, by id. `exceptRun`: those of its former runs alone. */
  leftLiveCalls(input: {
    readonly node: string;
    readonly exceptRun: string | null;
    readonly after: string;
    readonly limit: number;
  }): Promise<StoredLiveCall[]>;
  /**
   * Some of what leftLiveCalls() lists and another node can go on with become calls of the run of `claimer`, each of one claim alone.
   * Without `exceptRun` the node must have been declared dead. With the database's clock.
   */
  claimLiveCalls(input: {
    readonly node: string;
    readonly exceptRun: string | null;
    readonly claimer: NodeIdentity;
    readonly limit: number;
  }): Promise<{ readonly calls: readonly StoredLiveCall[]; readonly nowMs: number }>;
  /** How many of them are left to claim. */
  countClaimable(input: { readonly node: string; readonly exceptRun: string | null }): Promise<number>;
  /** Those of these calls of a killed node that another one has, or can still claim. */
  callsGoingOn(input: { readonly node: string; readonly ids: readonly string[] }): Promise<string[]>;
  /** As leftLiveCalls() lists them. */
  dropLiveCalls(input: { readonly node: string; readonly exceptRun: string | null }): Promise<void>;
}

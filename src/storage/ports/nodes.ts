// The nodes that use one database. Times are the database's clock: nodes never compare their own.

/** A node that was silent for so long is dead. */
export const DEAD_AFTER_MS = 5_000;

export const NODE_STATES = ['running', 'draining', 'dead', 'left'] as const;
export type NodeState = (typeof NODE_STATES)[number];

export interface NodeIdentity {
  readonly id: string;
  /** The id of this start of the node: another process with the same id has another one. */
  readonly run: string;
}

export interface NodeBeat extends NodeIdentity {
  /** Where other nodes reach its HTTP. */
  readonly url: string;
  readonly version: string;
  /** Whether it shares the database with other nodes. */
  readonly cluster: boolean;
  readonly state: 'running' | 'draining';
  readonly calls: number;
}

export interface StoredNode extends NodeIdentity {
  readonly url: string;
  readonly version: string;
  readonly cluster: boolean;
  readonly startedAtMs: number;
  readonly heartbeatAtMs: number;
  /** Since its heartbeat. */
  readonly silentMs: number;
  readonly state: NodeState;
  /** An operator wants it to take no new calls. */
  readonly drain: boolean;
  readonly calls: number;
  /** Changes each time that the node is declared dead or leaves. */
  readonly deaths: number;
}

export type JoinResult =
  /** `formerSeenAtMs`: the last heartbeat of the process that had the id before; null: there was none. */
  | { readonly joined: true; readonly deaths: number; readonly formerSeenAtMs: number | null }
  /** `id`: a live node has this id. `cluster`: a live node is there, and one of the two does not share. */
  | { readonly joined: false; readonly reason: 'id' | 'cluster'; readonly by: StoredNode };

export type BeatResult =
  | { readonly alive: true; readonly deaths: number; readonly drain: boolean }
  /** Another process has started with this id. */
  | { readonly alive: false };

export interface NodeStorage {
  /** At the start. A node that was silent for longer than `deadAfterMs` does not count, nor one whose process is known to have ended. */
  joinNode(
    input: NodeBeat & { readonly deadAfterMs: number; readonly formerRun?: string | null },
  ): Promise<JoinResult>;
  /** `deaths` other than before: the node was declared dead meanwhile. A dead node is alive again. */
  beatNode(input: NodeBeat): Promise<BeatResult>;
  /** At a clean end. */
  leaveNode(input: NodeIdentity): Promise<void>;
  /** By id. */
  listNodes(): Promise<StoredNode[]>;
  /** Declares nodes dead that were silent for so long; returns the dead ones, and those that left, that are not cleared yet. */
  deadNodes(input: { readonly deadAfterMs: number }): Promise<StoredNode[]>;
  /** Declares that run dead, if it was silent for so long. False: it was not, or it is dead already. */
  declareDead(input: NodeIdentity & { readonly silentMs: number }): Promise<{ readonly declared: boolean }>;
  /** What the node had is cleared. Ignored if it was declared dead once more since. */
  clearedNode(input: { readonly id: string; readonly deaths: number }): Promise<void>;
  /** Whether the node is there. */
  setDrain(input: { readonly id: string; readonly drain: boolean }): Promise<{ readonly found: boolean }>;
  /** Dead ones and those that left, once cleared. */
  forgetNodes(input: {
    readonly silentMs: number;
    readonly limit: number;
  }): Promise<{ readonly forgotten: number }>;
}

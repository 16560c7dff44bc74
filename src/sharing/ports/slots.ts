// PORT: calls that cost money, counted over all nodes against a limit: an account's outbound calls, a trunk's calls. Strict: two nodes
// never hold more than the limit together, except that calls which came in without asking, and those placed while the database was
// away, are counted afterwards.

export interface SlotLimit {
  /** What is counted, such as one trunk. */
  readonly key: string;
  readonly most: number;
}

/** Gives the slots back. Idempotent. */
export type Release = () => void;

export interface Slots {
  /** Whether other nodes share the counts. If not, telephony's own count of incoming trunk calls is all there is. */
  readonly isShared: boolean;
  /** A slot of each limit, or of none: null. `call`: whose they are. Waits for the database once, in memory not at all. */
  acquire(limits: readonly SlotLimit[], call: string): Release | null | Promise<Release | null>;
  /** Counts one that is there already, whatever the limit, without waiting. */
  note(key: string, call: string): Release;
  /** The slots that all nodes use, as this one knows: its own exactly, those of others as of a second ago. */
  used(key: string): number;
  /** The node runs no more: frees its slots. */
  nodeDied(node: string): void | Promise<void>;
}

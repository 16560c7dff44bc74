// PORT: what each node has of something, such as an account's calls, so that a limit holds for all nodes together. Eventual: the
// others' counts are those of about a second ago, so nodes that fill up at the same moment may exceed the limit by what they begin
// within that second.

export interface NodeCounts {
  /** What this node has of it now. */
  set(key: string, count: number): void;
  /** What the other nodes have together, as last heard. */
  others(key: string): number;
}

export const NO_OTHERS: NodeCounts = {
  set: () => undefined,
  others: () => 0,
};

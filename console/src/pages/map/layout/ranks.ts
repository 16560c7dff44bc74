// The column of each node: one to the right of all its sources, except for cycles. Nodes are indices 0 to n - 1: the layout runs
// on arrays.

export interface Links {
  /** By node: its targets. */
  readonly to: readonly (readonly number[])[];
  /** By node: its sources. */
  readonly from: readonly (readonly number[])[];
}

export interface Ranks {
  readonly rank: readonly number[];
  /** The order of the walk from the entries: the initial order in columns. */
  readonly order: readonly number[];
}

export function ranksOf({ to, from }: Links): Ranks {
  const { finished, order } = walk({ to, from });
  const rank = new Array<number>(to.length).fill(0);
  const finishedAt = new Array<number>(to.length).fill(0);
  for (const [index, node] of finished.entries()) finishedAt[node] = index;
  // Reverse postorder is a topological order; edges against it close a cycle.
  for (let index = finished.length - 1; index >= 0; index -= 1) {
    const node = finished[index] ?? 0;
    for (const next of to[node] ?? []) {
      const forward = (finishedAt[next] ?? 0) < index;
      if (forward) rank[next] = Math.max(rank[next] ?? 0, (rank[node] ?? 0) + 1);
    }
  }
  return { rank, order };
}

/** Depth first, without recursion: a chain of menus may be very long. */
function walk({ to, from }: Links): { finished: number[]; order: number[] } {
  const seen = new Uint8Array(to.length);
  const finished: number[] = [];
  const order: number[] = [];
  const stack: { node: number; next: number }[] = [];
  const visit = (start: number): void => {
    if (seen[start]) return;
    const enter = (node: number): void => {
      seen[node] = 1;
      order.push(node);
      stack.push({ node, next: 0 });
    };
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = to[top.node]?.[top.next];
      top.next += 1;
      if (next === undefined) {
        finished.push(top.node);
        stack.pop();
      } else if (!seen[next]) enter(next);
    }
  };
  // Nodes without sources first; the rest is in cycles.
  for (let node = 0; node < to.length; node += 1) if (from[node]?.length === 0) visit(node);
  for (let node = 0; node < to.length; node += 1) visit(node);
  return { finished, order };
}

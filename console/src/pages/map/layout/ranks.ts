// Which column each node stands in: one further right than everything that leads to it, except where calls go in circles.
// Nodes are numbers here, 0 to n - 1: the layout runs on arrays.

export interface Links {
  /** By node: where it leads. */
  readonly to: readonly (readonly number[])[];
  /** By node: what leads to it. */
  readonly from: readonly (readonly number[])[];
}

export interface Ranks {
  readonly rank: readonly number[];
  /** The order in which a walk from the entries comes by: the first guess at who stands above whom. */
  readonly order: readonly number[];
}

export function ranksOf({ to, from }: Links): Ranks {
  const { finished, order } = walk({ to, from });
  const rank = new Array<number>(to.length).fill(0);
  const place = new Array<number>(to.length).fill(0);
  for (const [index, node] of finished.entries()) place[node] = index;
  // Backwards, the order in which a walk finishes nodes has every cause before its effects; ways against it close a circle.
  for (let index = finished.length - 1; index >= 0; index -= 1) {
    const node = finished[index] ?? 0;
    for (const next of to[node] ?? []) {
      const forward = (place[next] ?? 0) < index;
      if (forward) rank[next] = Math.max(rank[next] ?? 0, (rank[node] ?? 0) + 1);
    }
  }
  return { rank, order };
}

/** Depth first, without recursion: a chain of menus may be as long as the account is large. */
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
  // What nothing leads to comes first; what is left after that goes in circles only.
  for (let node = 0; node < to.length; node += 1) if (from[node]?.length === 0) visit(node);
  for (let node = 0; node < to.length; node += 1) visit(node);
  return { finished, order };
}

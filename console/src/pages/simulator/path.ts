import type { Ref } from '../../../../src/flow/node.ts';

/** A step of the machine, or of a record. */
interface Step {
  readonly code: string;
  readonly node?: Ref | null;
  readonly keys?: string;
}

export interface PathEdge {
  readonly from: Ref;
  /** The pressed keys, or the reason: invalid, timeout, open, closed, then, member or failover. */
  readonly label: string;
  readonly to: Ref;
}

export interface CallPath {
  /** Each node once, in the order of the visits. */
  readonly visited: readonly Ref[];
  readonly current: Ref | null;
  readonly edges: readonly PathEdge[];
}

export const NO_PATH: CallPath = { visited: [], current: null, edges: [] };

export function pathOf(steps: readonly Step[]): CallPath {
  const visited = new Set<Ref>();
  const edges = new Map<string, PathEdge>();
  let current: Ref | null = null;
  let why: { readonly from: Ref; readonly label: string; readonly to?: Ref } | null = null;
  const go = (edge: PathEdge): void => void edges.set(`${edge.from} ${edge.label} ${edge.to}`, edge);
  for (const step of steps) {
    const { node = null, code } = step;
    if (node === null) continue;
    if (code === 'arrived' || code === 'destination-missing' || code === 'hop-limit') {
      if (why && why.from !== node) go({ from: why.from, label: why.label, to: node });
      visited.add(node);
      current = node;
      why = { from: node, label: 'then' };
    } else if (code === 'connected' && node !== current) {
      if (current !== null) go({ from: current, label: 'member', to: node });
      visited.add(node);
      current = node;
    } else {
      const label = labelOf(step);
      if (label !== null) why = { from: node, label };
    }
  }
  return { visited: [...visited], current, edges: [...edges.values()] };
}

/** Why the call goes on from here, if this step is the reason. */
function labelOf({ code, keys }: Step): string | null {
  switch (code) {
    case 'option-matched':
      return keys ?? null;
    case 'invalid-final':
      return 'invalid';
    case 'timeout-final':
      return 'timeout';
    case 'hours-open':
      return 'open';
    case 'hours-closed':
      return 'closed';
    case 'failover':
      return 'failover';
    default:
      return null;
  }
}

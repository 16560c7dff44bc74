// The way a simulated call has taken: which nodes and which lines light up.
import type { MapGraph, NodeId } from '../graph.ts';
import { lineKey } from '../sketch.ts';
import { rowOf } from './overlay.ts';

/** As the simulator tells it. */
export interface CallPath {
  readonly visited: readonly string[];
  readonly current: string | null;
  /** By the keys that were pressed, or by the reason. */
  readonly edges: readonly { readonly from: string; readonly label: string; readonly to?: string }[];
}

export interface LitPath {
  readonly nodes: ReadonlySet<NodeId>;
  readonly lines: ReadonlySet<string>;
  readonly current: NodeId | null;
}

export const UNLIT: LitPath = { nodes: new Set(), lines: new Set(), current: null };

export function litPath(graph: MapGraph, path: CallPath | null, entry: NodeId | null): LitPath {
  if (!path) return UNLIT;
  const nodes = new Set<NodeId>(path.visited.filter((id) => graph.byId.has(id)));
  const lines = new Set<string>();
  // A call that was tried from a number comes over that number's line.
  if (entry !== null && graph.byId.get(entry)?.kind === 'dialled' && path.visited.length > 0) {
    nodes.add(entry);
    lines.add(lineKey(entry, 0));
  }
  for (const { from, label } of path.edges) {
    const node = graph.byId.get(from);
    const row = node ? rowOf(node, label) : -1;
    if (row >= 0) lines.add(lineKey(from, row));
  }
  return { nodes, lines, current: path.current };
}

// The path of a simulated call: which nodes and lines are highlighted.
import type { MapGraph, NodeId } from '../graph.ts';
import { lineKey } from '../sketch.ts';
import { rowOf } from './overlay.ts';

/** As the simulator reports it. */
export interface CallPath {
  readonly visited: readonly string[];
  readonly current: string | null;
  /** The pressed keys, or the reason. */
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
  // A call from a number starts with that number's line.
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

// The linter's findings, at their node and row.
import type { Findings } from '../../../../../client/operations.ts';
import type { MapGraph, NodeId } from '../graph.ts';
import { NO_ROWS, type NodeMark, type Overlay, type RowMark, rowAt } from './overlay.ts';

export type Finding = Findings['data'][number];

/** By node, the most severe first. */
export function findingsByNode(findings: readonly Finding[]): ReadonlyMap<NodeId, readonly Finding[]> {
  const found = new Map<NodeId, Finding[]>();
  for (const finding of findings) {
    const list = found.get(finding.node);
    if (list) list.push(finding);
    else found.set(finding.node, [finding]);
  }
  for (const list of found.values()) list.sort((a, b) => weight(a) - weight(b));
  return found;
}

const weight = ({ severity }: Finding): number => (severity === 'error' ? 0 : 1);
const toneOf = ({ severity }: Finding): 'bad' | 'warn' => (severity === 'error' ? 'bad' : 'warn');

export function checksOverlay(
  graph: MapGraph,
  found: ReadonlyMap<NodeId, readonly Finding[]>,
  count: (findings: number) => string,
): Overlay {
  const overlay = new Map<NodeId, NodeMark>();
  for (const [id, list] of found) {
    const node = graph.byId.get(id);
    const worst = list[0];
    if (!node || !worst) continue;
    const rows = new Map<number, RowMark>();
    for (const finding of list) {
      const row = rowAt(node, finding.pointer);
      // The list has the most severe first.
      if (row >= 0 && !rows.has(row)) rows.set(row, { text: '!', tone: toneOf(finding), share: null });
    }
    const text = list.map(({ message }) => message).join(' ');
    overlay.set(id, { tone: toneOf(worst), badge: count(list.length), text, rows });
  }
  return overlay;
}

/** The same on the plain map: a mark at each node, with the text on request. */
export function markedOverlay(
  graph: MapGraph,
  found: ReadonlyMap<NodeId, readonly Finding[]>,
  count: (findings: number) => string,
): Overlay {
  const marked = [...checksOverlay(graph, found, count)];
  return new Map(marked.map(([id, mark]) => [id, { ...mark, rows: NO_ROWS, brief: true }]));
}

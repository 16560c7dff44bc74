// The calls in progress: a count at each node, and a dot for each call.
import type { LiveCall } from '../../../../../client/operations.ts';
import type { MapGraph, NodeId } from '../graph.ts';
import type { Layout } from '../layout.ts';
import { NO_ROWS, type NodeMark, type Overlay } from './overlay.ts';

export type MapCall = Pick<LiveCall, 'id' | 'node' | 'agent' | 'entry'>;

/** No more dots than this; the counts are still complete. */
export const MOST_DOTS = 300;
const DOT_STEP = 16;
const DOTS_IN_ROW = 12;

/** The agent on the call, else the call's node, else its entry. */
export function nodeOf(graph: MapGraph, { node, agent, entry }: MapCall): NodeId | null {
  const wanted = [agent === null ? null : `extension||${agent}`, node, entry];
  return wanted.find((id) => id !== null && graph.byId.has(id)) ?? null;
}

export function liveOverlay(
  graph: MapGraph,
  calls: readonly MapCall[],
  count: (calls: number) => { readonly badge: string; readonly text: string },
): Overlay {
  const counts = new Map<NodeId, number>();
  for (const call of calls) {
    const id = nodeOf(graph, call);
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const overlay = new Map<NodeId, NodeMark>();
  for (const [id, calling] of counts) overlay.set(id, { tone: 'info', ...count(calling), rows: NO_ROWS });
  return overlay;
}

export interface Dot {
  readonly call: string;
  readonly x: number;
  readonly y: number;
}

/** Side by side above their node, in the order of their ids, so that a dot does not move when later ones come and go. */
export function dotsOf(graph: MapGraph, layout: Layout, calls: readonly MapCall[]): Dot[] {
  const dotsAt = new Map<NodeId, number>();
  const dots: Dot[] = [];
  for (const call of calls.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const id = nodeOf(graph, call);
    const box = id === null ? undefined : layout.boxes.get(id);
    if (id === null || !box || dots.length >= MOST_DOTS) continue;
    const index = dotsAt.get(id) ?? 0;
    dotsAt.set(id, index + 1);
    const [column, row] = [index % DOTS_IN_ROW, Math.floor(index / DOTS_IN_ROW)];
    dots.push({ call: call.id, x: box.x + 14 + column * DOT_STEP, y: box.y - 8 - row * DOT_STEP });
  }
  return dots;
}

// Moving over the map by keyboard and by search.
import { type MapGraph, type NodeId, targetsOf } from './graph.ts';
import type { Layout } from './layout.ts';
import type { Size, View } from './sketch.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The position of the arrow keys: a node, reached from another. Up and down move among the targets of that other node. */
export interface Stand {
  readonly at: NodeId;
  readonly via: NodeId | null;
}

export function step(graph: MapGraph, layout: Layout, stand: Stand, direction: Direction): Stand {
  const node = graph.byId.get(stand.at);
  if (!node) return stand;
  const sources = graph.sources.get(stand.at) ?? [];
  const via = stand.via !== null && sources.includes(stand.via) ? stand.via : (sources[0] ?? null);
  if (direction === 'right') {
    const to = targetsOf(node).find((id) => id !== stand.at && graph.byId.has(id));
    return to === undefined ? stand : { at: to, via: stand.at };
  }
  if (direction === 'left') {
    const to = via === stand.at ? sources.find((id) => id !== stand.at) : via;
    return to ? { at: to, via: null } : stand;
  }
  const from = via === null ? undefined : graph.byId.get(via);
  const beside = from
    ? targetsOf(from).filter((id) => graph.byId.has(id))
    : sameColumn(graph, layout, stand.at);
  const at = beside[beside.indexOf(stand.at) + (direction === 'down' ? 1 : -1)];
  return at === undefined ? stand : { at, via };
}

/** A node without sources, such as a number, has the others of its column as neighbours, from top to bottom. */
function sameColumn({ sources, nodes }: MapGraph, { boxes }: Layout, at: NodeId): NodeId[] {
  const topOf = (id: NodeId): number => boxes.get(id)?.y ?? 0;
  return nodes
    .map(({ id }) => id)
    .filter((id) => (sources.get(id)?.length ?? 0) === 0 && boxes.get(id)?.x === boxes.get(at)?.x)
    .sort((a, b) => topOf(a) - topOf(b));
}

const MARGIN = 48;
const LEAST_ZOOM = 0.04;
export const MOST_ZOOM = 1.75;
export const ZOOM_RANGE = [LEAST_ZOOM, MOST_ZOOM] as const;

/** The view that shows the whole map, at most at zoom 1. */
export function fitted({ bounds }: Layout, size: Size): View {
  const room = Math.min(
    (size.width - 2 * MARGIN) / Math.max(1, bounds.width),
    (size.height - 2 * MARGIN) / Math.max(1, bounds.height),
  );
  const zoom = Math.max(LEAST_ZOOM, Math.min(1, room));
  return {
    x: (size.width - bounds.width * zoom) / 2 - bounds.x * zoom,
    y: (size.height - bounds.height * zoom) / 2 - bounds.y * zoom,
    zoom,
  };
}

/** From this zoom on everything can be read: the smallest text of a card is 12.5 px. */
export const READ_ZOOM = 0.88;
/** Smaller maps open at a readable zoom; larger ones as a whole. */
const FEW = 400;

/** The first view: the whole map, or its left edge at a readable zoom. */
export function opened(layout: Layout, size: Size): View {
  const whole = fitted(layout, size);
  if (whole.zoom >= READ_ZOOM || layout.boxes.size > FEW) return whole;
  const height = layout.bounds.height * READ_ZOOM;
  const y = Math.max(MARGIN, (size.height - height) / 2);
  return { x: Math.min(MARGIN, size.width / 10), y, zoom: READ_ZOOM };
}

/** The view with a node in its middle. */
export function centred({ boxes }: Layout, id: NodeId, size: Size, zoom: number): View | null {
  const box = boxes.get(id);
  if (!box) return null;
  const x = size.width / 2 - (box.x + box.width / 2) * zoom;
  // A node taller than the window is shown from its head.
  const tall = Math.min(box.height, (size.height - 2 * MARGIN) / zoom);
  return { x, y: size.height / 2 - (box.y + tall / 2) * zoom, zoom };
}

export function isSeen({ boxes }: Layout, id: NodeId, size: Size, { x, y, zoom }: View): boolean {
  const box = boxes.get(id);
  if (!box) return true;
  const [left, top] = [box.x * zoom + x, box.y * zoom + y];
  const fits = (from: number, length: number, room: number): boolean =>
    from >= 8 && from + length <= room - 8;
  return fits(left, box.width * zoom, size.width) && fits(top, box.height * zoom, size.height);
}

/** The node at a point of the map. */
export function nodeAt({ boxes }: Layout, x: number, y: number): NodeId | null {
  for (const [id, box] of boxes) {
    if (x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height) return id;
  }
  return null;
}

// The nodes that are elements of the page: those in view and near enough to be read.
import type { CardNode, CardRow } from './card.tsx';
import { exitsOf, isFixed } from './edit/changes.ts';
import type { MapGraph, MapNode, NodeId, Way } from './graph.ts';
import type { Labels } from './labels.ts';
import type { Layout } from './layout.ts';
import type { Overlay } from './overlays/overlay.ts';
import type { LitPath } from './overlays/path.ts';
import { lineKey, NEAR_ZOOM, type Size, type View, within } from './sketch.ts';

/** In map units: elements change when the view has moved this far, not with each move. */
const CELL = 480;
const MARGIN = 120;

/** The part of the map whose nodes are elements, as a comparable text; empty: zoomed out. */
export function cellOf({ x, y, zoom }: View, { width, height }: Size): string {
  if (zoom < NEAR_ZOOM || width === 0) return '';
  const down = (value: number): number => Math.floor((value - MARGIN) / CELL) * CELL;
  const up = (value: number): number => Math.ceil((value + MARGIN) / CELL) * CELL;
  const [left, top] = [-x / zoom, -y / zoom];
  return [down(left), down(top), up(left + width / zoom), up(top + height / zoom)].join(' ');
}

/** The nodes of one part of the map. */
export function nodesIn(cell: string, graph: MapGraph, { boxes }: Layout): MapNode[] {
  if (cell === '') return [];
  const isInside = within(cell);
  return graph.nodes.filter(({ id }) => {
    const box = boxes.get(id);
    return box !== undefined && isInside(box);
  });
}

export interface Shown {
  readonly graph: MapGraph;
  readonly layout: Layout;
  readonly labels: Labels;
  readonly overlay: Overlay;
  readonly lit: LitPath;
  readonly selected: NodeId | null;
  readonly standing: NodeId | null;
  /** Departments whose agents are shown. */
  readonly unfolded: ReadonlySet<NodeId>;
}

function cardOf(node: MapNode, shown: Shown): CardNode | null {
  const { graph, layout, labels, overlay, lit } = shown;
  const box = layout.boxes.get(node.id);
  if (!box) return null;
  const mark = overlay.get(node.id) ?? null;
  const size = { width: box.width, height: box.height };
  return {
    id: node.id,
    type: 'card',
    position: { x: box.x, y: box.y },
    ...size,
    measured: size,
    data: {
      node,
      name: labels.name(node),
      about: labels.about(node),
      rows: node.ways.map((way, index) => ({
        reason: labels.reason(way),
        // A rule is words, not keys.
        keys: way.reason === 'rule' ? '' : way.keys,
        goal: labels.goal(way),
        missing: way.to.some((id) => graph.byId.get(id)?.kind === 'missing'),
        unset: way.ends === 'unserved',
        fold: foldOf(way, node, shown),
        fixed: isFixed(node.kind),
        lit: lit.lines.has(lineKey(node.id, index)),
        mark: mark?.rows.get(index) ?? null,
      })),
      reachable: graph.sources.has(node.id),
      extends: node.kind === 'menu' || exitsOf(node).length > node.ways.length,
      mark,
      selected: node.id === shown.selected,
      standing: node.id === shown.standing,
      lit: lit.nodes.has(node.id),
      current: lit.current === node.id,
    },
  };
}

function foldOf({ reason, to }: Way, { id }: MapNode, { graph, unfolded }: Shown): CardRow['fold'] {
  if (reason !== 'member' || to.length === 0) return null;
  if (to.some((agent) => !graph.byId.has(agent))) return 'closed';
  return unfolded.has(id) ? 'open' : null;
}

/** Cards are cached: one that stays in view keeps its identity and does not render again. */
export function cardMaker(shown: Shown): (cell: string) => CardNode[] {
  const made = new Map<NodeId, CardNode | null>();
  return (cell) =>
    nodesIn(cell, shown.graph, shown.layout).flatMap((node) => {
      let card = made.get(node.id);
      if (card === undefined) {
        card = cardOf(node, shown);
        made.set(node.id, card);
      }
      return card ?? [];
    });
}

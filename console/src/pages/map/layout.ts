// The layout of the map: columns from left to right, as calls go. Deterministic. docs/decisions/0008-map-layout.md compares it
// with libraries.
import type { MapGraph, MapNode, NodeId } from './graph.ts';
import { columnsOf } from './layout/columns.ts';
import { withDetours } from './layout/detours.ts';
import { stack } from './layout/heights.ts';
import { type Links, ranksOf } from './layout/ranks.ts';

export const NODE_WIDTH = 220;
export const HEAD_HEIGHT = 52;
export const ROW_HEIGHT = 24;
/** Below the last row. */
export const FOOT_HEIGHT = 6;
const COLUMN_GAP = 88;
const WRAPPED_GAP = 36;
const GAP = 24;
const BAND_GAP = 140;
const ALIGNMENTS = 4;
/** Columns below this height are not cut. */
const LEAST_TALL = 2_400;
/** In larger maps lines are not routed around nodes. */
const MOST_ROUTED = 300;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line from a row of one node to the head of another. */
export interface MapLine {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly row: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** The columns it passes: the left edge of each, and the line's height in it. */
  readonly via: readonly Pass[];
}

export interface Pass {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly boxes: ReadonlyMap<NodeId, Box>;
  readonly lines: readonly MapLine[];
  readonly bounds: Box;
  /** The band below the rest, with nodes that no number reaches; null: none. */
  readonly band: Box | null;
}

export const heightOf = ({ ways }: Pick<MapNode, 'ways'>): number =>
  HEAD_HEIGHT + (ways.length === 0 ? 0 : ways.length * ROW_HEIGHT + FOOT_HEIGHT);

export function layOut(graph: MapGraph): Layout {
  const boxes = new Map<NodeId, Box>();
  const passes = new Map<NodeId, Pass[]>();
  const reached = layOutPart(
    graph.nodes.filter((node) => node.reached),
    0,
    boxes,
    passes,
  );
  const rest = graph.nodes.filter((node) => !node.reached);
  const bandTop = reached.height === 0 ? 0 : reached.height + BAND_GAP;
  const band = rest.length === 0 ? null : layOutPart(rest, bandTop, boxes, passes);
  const width = Math.max(reached.width, band?.width ?? 0);
  const bounds = { x: 0, y: 0, width, height: band ? band.y + band.height : reached.height };
  return { boxes, lines: linesOf(graph, boxes, passes), bounds, band };
}

/** Lays out some of the nodes below `top`, and returns their bounds. */
function layOutPart(
  nodes: readonly MapNode[],
  top: number,
  boxes: Map<NodeId, Box>,
  passes: Map<NodeId, Pass[]>,
): Box {
  if (nodes.length === 0) return { x: 0, y: top, width: 0, height: 0 };
  const direct = linksOf(nodes);
  const ranks = ranksOf(direct);
  const routed =
    nodes.length <= MOST_ROUTED ? withDetours(direct, ranks) : { links: direct, ranks, targets: [] };
  const heights = [...nodes.map(heightOf), ...routed.targets.map(() => 0)];
  const columns = wrapped(columnsOf(routed.links, routed.ranks), heights);
  const middles = align(columns, routed.links, heights);
  let highest = Number.POSITIVE_INFINITY;
  for (const [index, middle] of middles.entries())
    highest = Math.min(highest, middle - (heights[index] ?? 0) / 2);
  let [width, height] = [0, 0];
  for (const { nodes: column, x } of columns) {
    for (const index of column) {
      const [node, tall] = [nodes[index], heights[index] ?? 0];
      const y = top + Math.round((middles[index] ?? 0) - tall / 2 - highest);
      width = Math.max(width, x + NODE_WIDTH);
      height = Math.max(height, y + tall - top);
      const target = nodes[routed.targets[index - nodes.length] ?? -1];
      if (node) boxes.set(node.id, { x, y, width: NODE_WIDTH, height: tall });
      else if (target) passes.set(target.id, [...(passes.get(target.id) ?? []), { x, y }]);
    }
  }
  return { x: 0, y: top, width, height };
}

function linksOf(nodes: readonly MapNode[]): Links {
  const index = new Map(nodes.map(({ id }, at) => [id, at]));
  const from: number[][] = nodes.map(() => []);
  const to = nodes.map(({ ways }, at) => {
    const targets = new Set<number>();
    for (const way of ways) {
      for (const id of way.to) {
        const target = index.get(id);
        if (target !== undefined && target !== at) targets.add(target);
      }
    }
    for (const target of targets) from[target]?.push(at);
    return [...targets];
  });
  return { to, from };
}

interface Column {
  readonly nodes: readonly number[];
  readonly x: number;
  /** A part of a column that was cut. */
  readonly wrapped: boolean;
}

/** Tall columns, such as a thousand agents, are cut into parts side by side. */
function wrapped(columns: readonly (readonly number[])[], heights: readonly number[]): Column[] {
  let area = 0;
  for (const height of heights) area += (height + GAP) * (NODE_WIDTH + COLUMN_GAP);
  const tallest = Math.max(LEAST_TALL, Math.sqrt(area) * 0.9);
  const result: Column[] = [];
  let x = 0;
  for (const column of columns) {
    const parts = cut(column, heights, tallest);
    for (const [index, nodes] of parts.entries()) {
      result.push({ nodes, x, wrapped: parts.length > 1 });
      x += NODE_WIDTH + (index < parts.length - 1 ? WRAPPED_GAP : COLUMN_GAP);
    }
  }
  return result;
}

function cut(column: readonly number[], heights: readonly number[], tallest: number): number[][] {
  const sum = (nodes: readonly number[]): number =>
    nodes.reduce((total, node) => total + (heights[node] ?? 0) + GAP, 0);
  const share = sum(column) / Math.ceil(sum(column) / tallest);
  const parts: number[][] = [[]];
  let filled = 0;
  for (const node of column) {
    const height = (heights[node] ?? 0) + GAP;
    if (filled > 0 && filled + height / 2 > share) {
      parts.push([]);
      filled = 0;
    }
    parts.at(-1)?.push(node);
    filled += height;
  }
  return parts;
}

/** Pulls nodes towards their targets and their sources in turn; the sources come last. */
function align(columns: readonly Column[], links: Links, heights: readonly number[]): Float64Array {
  const middles = new Float64Array(heights.length);
  for (const { nodes } of columns) {
    const items = nodes.map((node) => ({ height: heights[node] ?? 0, wanted: 0 }));
    for (const [index, top] of stack(items, GAP).entries()) {
      middles[nodes[index] ?? 0] = top + (items[index]?.height ?? 0) / 2;
    }
  }
  for (let pass = 0; pass < ALIGNMENTS; pass += 1) {
    const neighbours = pass % 2 === 1 ? links.from : links.to;
    for (const { nodes, wrapped: stays } of pass % 2 === 1 ? columns : columns.toReversed()) {
      if (stays) continue;
      const items = nodes.map((node) => ({
        height: heights[node] ?? 0,
        wanted: mean(neighbours[node] ?? [], middles) ?? middles[node] ?? 0,
      }));
      for (const [index, top] of stack(items, GAP).entries()) {
        middles[nodes[index] ?? 0] = top + (items[index]?.height ?? 0) / 2;
      }
    }
  }
  return middles;
}

function mean(nodes: readonly number[], middles: Float64Array): number | null {
  let sum = 0;
  for (const node of nodes) sum += middles[node] ?? 0;
  return nodes.length === 0 ? null : sum / nodes.length;
}

function linesOf(
  graph: MapGraph,
  boxes: ReadonlyMap<NodeId, Box>,
  passes: ReadonlyMap<NodeId, readonly Pass[]>,
): MapLine[] {
  const lines: MapLine[] = [];
  for (const { id, ways, reached } of graph.nodes) {
    const source = boxes.get(id);
    if (!source) continue;
    for (const [row, { to }] of ways.entries()) {
      const y1 = source.y + HEAD_HEIGHT + (row + 0.5) * ROW_HEIGHT;
      for (const target of to) {
        const box = boxes.get(target);
        if (!box) continue;
        const x1 = source.x + source.width;
        const same = graph.byId.get(target)?.reached === reached;
        // Passes are in the order of the columns, left to right.
        const via = same
          ? (passes.get(target) ?? NO_PASSES).filter(({ x }) => x > source.x && x < box.x)
          : NO_PASSES;
        lines.push({ from: id, to: target, row, x1, y1, x2: box.x, y2: box.y + HEAD_HEIGHT / 2, via });
      }
    }
  }
  return lines;
}

const NO_PASSES: readonly Pass[] = [];

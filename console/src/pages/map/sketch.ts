// The map's canvas: all lines and, zoomed out, the nodes. Thousands of page elements cannot be moved thirty times a second; a
// canvas can.
import type { MapGraph, MapKind, MapNode, NodeId } from './graph.ts';
import { type Box, HEAD_HEIGHT, type Layout, type MapLine, NODE_WIDTH } from './layout.ts';
import type { Overlay, Tone } from './overlays/overlay.ts';

export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The theme's colours. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly accent: string;
  readonly font: string;
  readonly kinds: Readonly<Record<MapKind, string>>;
  readonly tones: Readonly<Record<Tone, string>>;
}

/** What is highlighted. */
export interface Emphasis {
  readonly selected: NodeId | null;
  /** By `lineKey`. */
  readonly litLines: ReadonlySet<string>;
  readonly litNodes: ReadonlySet<NodeId>;
  readonly overlay: Overlay;
  /** The part of the map whose nodes are elements of the page, and need not be drawn. */
  readonly cell: string;
}

/** From this zoom on nodes are elements of the page. */
export const NEAR_ZOOM = 0.45;
/** Below this zoom names are not readable. */
const NAMED_ZOOM = 0.22;
/** Below this zoom curves look straight. */
const CURVED_ZOOM = 0.16;

/** With more lines, those that only pass the view are drawn faintly. */
const MANY_LINES = 400;

/** Whether a box touches a part of the map, as cellOf() in cards.ts names it. */
export function within(cell: string): (box: Box) => boolean {
  if (cell === '') return () => false;
  const [left = 0, top = 0, right = 0, bottom = 0] = cell.split(' ').map(Number);
  return ({ x, y, width, height }) => x < right && y < bottom && x + width > left && y + height > top;
}

export const lineKey = (from: NodeId, row: number): string => `${from} ${row}`;

export function draw(
  context: CanvasRenderingContext2D,
  graph: MapGraph,
  layout: Layout,
  view: View,
  size: Size,
  palette: Palette,
  emphasis: Emphasis,
): void {
  const { zoom } = view;
  context.clearRect(0, 0, size.width, size.height);
  context.save();
  context.translate(view.x, view.y);
  context.scale(zoom, zoom);
  const seen: Box = {
    x: -view.x / zoom,
    y: -view.y / zoom,
    width: size.width / zoom,
    height: size.height / zoom,
  };
  drawLines(context, layout.lines, seen, zoom, palette, emphasis);
  drawBoxes(context, graph, layout, seen, zoom, palette, emphasis);
  context.restore();
}

function drawLines(
  context: CanvasRenderingContext2D,
  lines: readonly MapLine[],
  seen: Box,
  zoom: number,
  palette: Palette,
  { selected, litLines }: Emphasis,
): void {
  const [right, bottom] = [seen.x + seen.width, seen.y + seen.height];
  const standing: MapLine[] = [];
  // Usually none is lit: skip building the keys.
  const isLit = ({ from, row }: MapLine): boolean => litLines.size > 0 && litLines.has(lineKey(from, row));
  context.lineWidth = Math.max(1, 0.7 / zoom);
  context.strokeStyle = palette.line;
  const near = zoom >= NEAR_ZOOM;
  const many = lines.length > MANY_LINES;
  context.globalAlpha = near ? 0.9 : many ? 0.18 : 0.5;
  const here: MapLine[] = [];
  const passing: MapLine[] = [];
  for (const line of lines) {
    const { x1, y1, x2, y2 } = line;
    // A curve may extend by `bow`; lines out of view are skipped.
    if (Math.max(x1, x2) + 160 < seen.x || Math.min(x1, x2) - 160 > right) continue;
    if (line.via.length === 0 && (Math.max(y1, y2) < seen.y || Math.min(y1, y2) > bottom)) continue;
    if (line.from === selected || line.to === selected || isLit(line)) {
      standing.push(line);
      continue;
    }
    // Neither end is in view: drawn faintly, below the lines that begin here.
    if (near && many && !holds(seen, x1, y1) && !holds(seen, x2, y2)) {
      passing.push(line);
      continue;
    }
    here.push(line);
  }
  strokeAll(context, here, zoom);
  context.globalAlpha = 0.15;
  strokeAll(context, passing, zoom);
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  for (const line of standing) {
    const lit = isLit(line);
    context.lineWidth = Math.max(lit ? 3 : 1.5, (lit ? 2 : 1) / zoom);
    context.beginPath();
    trace(context, line, zoom);
    context.stroke();
  }
}

/** Long paths are slower to stroke than several short ones, and so are very many. */
function strokeAll(context: CanvasRenderingContext2D, lines: readonly MapLine[], zoom: number): void {
  for (let first = 0; first < lines.length; first += 64) {
    context.beginPath();
    for (const line of lines.slice(first, first + 64)) trace(context, line, zoom);
    context.stroke();
  }
}

const holds = ({ x, y, width, height }: Box, px: number, py: number): boolean =>
  px >= x && py >= y && px <= x + width && py <= y + height;

function trace(context: CanvasRenderingContext2D, { x1, y1, x2, y2, via }: MapLine, zoom: number): void {
  context.moveTo(x1, y1);
  let [x, y] = [x1, y1];
  const on = (toX: number, toY: number): void => {
    const reach = bow(x, toX);
    if (zoom < CURVED_ZOOM) context.lineTo(toX, toY);
    else context.bezierCurveTo(x + reach, y, toX - reach, toY, toX, toY);
  };
  for (const pass of via) {
    on(pass.x, pass.y);
    [x, y] = [pass.x + NODE_WIDTH, pass.y];
    context.lineTo(x, y);
  }
  on(x2, y2);
}

/** The reach of the control points: half the distance, or enough to leave the node for a back edge. */
const bow = (x1: number, x2: number): number => (x2 >= x1 ? Math.max(30, (x2 - x1) / 2) : 140);

function drawBoxes(
  context: CanvasRenderingContext2D,
  graph: MapGraph,
  layout: Layout,
  seen: Box,
  zoom: number,
  palette: Palette,
  emphasis: Emphasis,
): void {
  const [right, bottom] = [seen.x + seen.width, seen.y + seen.height];
  // As large as the head allows: readable also from afar.
  const textSize = Math.min(38, Math.max(16, 11 / zoom));
  context.font = `600 ${textSize}px ${palette.font}`;
  context.textBaseline = 'middle';
  const isCard = within(emphasis.cell);
  for (const node of graph.nodes) {
    const box = layout.boxes.get(node.id);
    if (!box || box.x > right || box.y > bottom || isCard(box)) continue;
    if (box.x + box.width < seen.x || box.y + box.height < seen.y) continue;
    const lit = emphasis.litNodes.has(node.id) || node.id === emphasis.selected;
    if (lit) frame(context, box, 3 / zoom, palette.accent);
    if (zoom < NAMED_ZOOM) speck(context, node, box, palette, emphasis);
    else plate(context, node, box, palette, emphasis, textSize);
  }
}

function frame(context: CanvasRenderingContext2D, box: Box, edge: number, colour: string): void {
  context.fillStyle = colour;
  context.fillRect(box.x - edge, box.y - edge, box.width + 2 * edge, box.height + 2 * edge);
}

/** Far: a box in the colour of its kind or mark. */
function speck(
  context: CanvasRenderingContext2D,
  { id, kind }: MapNode,
  box: Box,
  palette: Palette,
  { overlay }: Emphasis,
): void {
  const mark = overlay.get(id);
  context.fillStyle = palette.paper;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.fillStyle = palette.kinds[kind];
  context.globalAlpha = 0.3;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1;
  context.fillRect(box.x, box.y, box.width, HEAD_HEIGHT);
  if (!mark) return;
  context.fillStyle = palette.tones[mark.tone];
  context.fillRect(box.x + box.width / 2, box.y, box.width / 2, box.height);
}

/** Middle distance: with its name and badge. */
function plate(
  context: CanvasRenderingContext2D,
  { id, kind, name }: MapNode,
  box: Box,
  palette: Palette,
  { overlay }: Emphasis,
  textSize: number,
): void {
  const mark = overlay.get(id);
  const middle = box.y + HEAD_HEIGHT / 2;
  context.fillStyle = palette.paper;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.fillStyle = palette.kinds[kind];
  context.fillRect(box.x, box.y, 8, box.height);
  context.globalAlpha = 0.14;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1;
  if (mark) {
    // An estimate: measureText() is slow.
    const width = Math.min(110, 18 + mark.badge.length * textSize * 0.56);
    context.fillStyle = palette.tones[mark.tone];
    context.fillRect(box.x + box.width - width, box.y, width, HEAD_HEIGHT);
    context.fillStyle = mark.tone.startsWith('heat') ? palette.ink : palette.paper;
    context.fillText(short(mark.badge, fitting(width - 12, textSize)), box.x + box.width - width + 8, middle);
  }
  context.fillStyle = palette.ink;
  context.fillText(short(name, fitting(box.width - (mark ? 114 : 22), textSize)), box.x + 16, middle);
}

/** How many letters of a size fit; an estimate: measureText() is slow. */
const fitting = (width: number, textSize: number): number =>
  Math.max(2, Math.floor(width / (textSize * 0.55)));

const short = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

// Statistics on menus and their lines: a colour scale, always with the number.
import { HIDDEN_KEY } from '../../../../../src/flow/hidden-keys.ts';
import type { MapGraph, NodeId } from '../graph.ts';
import { NO_ROWS, type NodeMark, type Overlay, type RowMark, rowOf, type Tone } from './overlay.ts';

/** The figures of a menu; rates are 0 to 1, null without data. */
export interface MenuFigures {
  readonly visits: number;
  readonly dropOffRate: number | null;
  readonly invalidRate: number | null;
  readonly timeoutRate: number | null;
  readonly options: readonly { readonly keys: string; readonly count: number; readonly share: number }[];
}

/** The results of calls at a department or an agent. */
export interface PhoneFigures {
  readonly calls: number;
  readonly answered: number;
  readonly dropOffRate: number | null;
}

export const MEASURES = ['visits', 'dropOff', 'invalid', 'timeout'] as const;
export type Measure = (typeof MEASURES)[number];

export interface FigureWords {
  number(value: number): string;
  percent(value: number): string;
  /** All four figures in one sentence. */
  all(figures: MenuFigures): string;
  phone(figures: PhoneFigures): string;
}

/** The steps of the scale: losing a tenth of the callers is much, a third is a fault of the menu. */
const RATE_STEPS = [0.02, 0.05, 0.1, 0.2] as const;
const VISIT_STEPS = [0.05, 0.2, 0.4, 0.7] as const;
const HEATS: readonly Tone[] = ['heat-1', 'heat-2', 'heat-3', 'heat-4', 'heat-5'];

export function heatOf(value: number, steps: readonly number[]): Tone {
  return HEATS[steps.filter((step) => value >= step).length] ?? 'heat-5';
}

export function statisticsOverlay(
  graph: MapGraph,
  byMenu: ReadonlyMap<NodeId, MenuFigures>,
  byPhone: ReadonlyMap<NodeId, PhoneFigures>,
  measure: Measure,
  words: FigureWords,
): Overlay {
  let most = 0;
  for (const { visits } of byMenu.values()) most = Math.max(most, visits);
  for (const { calls } of byPhone.values()) most = Math.max(most, calls);
  const overlay = new Map<NodeId, NodeMark>();
  for (const node of graph.nodes) {
    if (node.kind === 'department' || node.kind === 'agent') {
      const mark = phoneMark(byPhone.get(node.id) ?? NO_CALLS, measure, most, words);
      if (mark) overlay.set(node.id, mark);
    }
    if (node.kind !== 'menu') continue;
    const figures = byMenu.get(node.id) ?? NONE;
    const { tone, badge } = painted(figures, measure, most, words);
    const rows = new Map<number, RowMark>();
    for (const [row, way] of node.ways.entries()) {
      const mark = way.reason === 'key' ? option(figures, way.keys, words) : null;
      if (mark) rows.set(row, mark);
    }
    addRate(rows, rowOf(node, 'invalid'), figures.invalidRate, words);
    addRate(rows, rowOf(node, 'timeout'), figures.timeoutRate, words);
    overlay.set(node.id, { tone, badge, text: words.all(figures), rows });
  }
  return overlay;
}

const NONE: MenuFigures = {
  visits: 0,
  dropOffRate: null,
  invalidRate: null,
  timeoutRate: null,
  options: [],
};

const NO_CALLS: PhoneFigures = { calls: 0, answered: 0, dropOffRate: null };

/** Wrong keys and timeouts exist for menus only. */
function phoneMark(
  figures: PhoneFigures,
  measure: Measure,
  most: number,
  words: FigureWords,
): NodeMark | null {
  const { calls, dropOffRate } = figures;
  const rest = { text: words.phone(figures), rows: NO_ROWS };
  if (measure === 'visits')
    return { tone: heatOf(most === 0 ? 0 : calls / most, VISIT_STEPS), badge: words.number(calls), ...rest };
  if (measure !== 'dropOff' || dropOffRate === null) return null;
  return { tone: heatOf(dropOffRate, RATE_STEPS), badge: words.percent(dropOffRate), ...rest };
}

function painted(figures: MenuFigures, measure: Measure, most: number, words: FigureWords) {
  if (measure === 'visits') {
    const { visits } = figures;
    return { tone: heatOf(most === 0 ? 0 : visits / most, VISIT_STEPS), badge: words.number(visits) };
  }
  const rates = {
    dropOff: figures.dropOffRate,
    invalid: figures.invalidRate,
    timeout: figures.timeoutRate,
  } as const;
  const rate = rates[measure];
  return { tone: heatOf(rate ?? 0, RATE_STEPS), badge: rate === null ? '–' : words.percent(rate) };
}

/** Unused options are marked too, unless the menu is sensitive. */
function option({ options }: MenuFigures, keys: string, words: FigureWords): RowMark | null {
  const found = options.find((each) => each.keys === keys);
  if (!found && options.some((each) => each.keys.startsWith(HIDDEN_KEY))) return null;
  const { count, share } = found ?? { count: 0, share: 0 };
  return { text: `${words.number(count)} · ${words.percent(share)}`, tone: null, share };
}

function addRate(rows: Map<number, RowMark>, row: number, rate: number | null, words: FigureWords): void {
  if (row < 0 || rate === null) return;
  rows.set(row, { text: words.percent(rate), tone: heatOf(rate, RATE_STEPS), share: rate });
}

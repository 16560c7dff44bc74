// The order within columns, by barycentres of sources and targets, to reduce crossings.
import type { Links, Ranks } from './ranks.ts';

const SWEEPS = 6;

export function columnsOf(links: Links, { rank, order }: Ranks): number[][] {
  const columns: number[][] = [];
  for (const node of order) {
    const index = rank[node] ?? 0;
    while (columns.length <= index) columns.push([]);
    columns[index]?.push(node);
  }
  const position = new Float64Array(rank.length);
  for (const column of columns) number(column, position);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const rightwards = sweep % 2 === 0;
    const neighbours = rightwards ? links.from : links.to;
    for (const column of rightwards ? columns : columns.toReversed()) {
      sortByNeighbours(column, neighbours, position);
      number(column, position);
    }
  }
  return columns;
}

/** Positions are shares of the column's length, comparable between columns. */
function number(column: readonly number[], position: Float64Array): void {
  for (const [index, node] of column.entries()) position[node] = (index + 0.5) / column.length;
}

function sortByNeighbours(
  column: number[],
  neighbours: readonly (readonly number[])[],
  position: Float64Array,
): void {
  const wanted = new Map<number, number>();
  for (const node of column) {
    const near = neighbours[node] ?? [];
    let sum = 0;
    for (const other of near) sum += position[other] ?? 0;
    wanted.set(node, near.length === 0 ? (position[node] ?? 0) : sum / near.length);
  }
  // Equal positions keep their order: the sort is stable.
  column.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
}

// Dummy nodes for lines that pass a column, so that they run between its nodes instead of behind them. Lines to the same target
// share their dummy nodes.
import type { Links, Ranks } from './ranks.ts';

export interface Detours {
  /** With the dummy nodes after the real ones. */
  readonly links: Links;
  readonly ranks: Ranks;
  /** By dummy node: the target of its lines. */
  readonly targets: readonly number[];
}

export function withDetours({ to, from }: Links, { rank, order }: Ranks): Detours {
  const count = to.length;
  const dummies = new Map<string, number>();
  const [tos, froms]: [number[][], number[][]] = [to.map(() => []), from.map(() => [])];
  const ranks = [...rank];
  const targets: number[] = [];
  const join = (a: number, b: number): void => {
    if (tos[a]?.includes(b)) return;
    tos[a]?.push(b);
    froms[b]?.push(a);
  };
  const dummyAt = (target: number, column: number): number => {
    const key = `${target} ${column}`;
    const known = dummies.get(key);
    if (known !== undefined) return known;
    const dummy = count + targets.length;
    dummies.set(key, dummy);
    targets.push(target);
    tos.push([]);
    froms.push([]);
    ranks.push(column);
    return dummy;
  };
  for (const [node, targetsOf] of to.entries()) {
    for (const target of targetsOf) {
      let last = node;
      for (let column = (rank[node] ?? 0) + 1; column < (rank[target] ?? 0); column += 1) {
        const dummy = dummyAt(target, column);
        join(last, dummy);
        last = dummy;
      }
      join(last, target);
    }
  }
  const behind = targets.map((_, index) => count + index);
  return { links: { to: tos, from: froms }, ranks: { rank: ranks, order: [...order, ...behind] }, targets };
}

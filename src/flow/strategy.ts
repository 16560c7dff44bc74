// In which order a department's agents are rung. Pure: who is idle since when and who was rung last are arguments.

import type { Ref, RingStrategy } from './node.ts';

export interface Standing {
  /** Since when each agent is idle, in epoch milliseconds; agents left out count as idle last. */
  readonly idleSince: (agent: Ref) => number | undefined;
  readonly lastRung: Ref | null;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Of the free agents of a list those to ring for one caller: all of them, or the one whose turn it is. */
export function chooseAgents(
  strategy: RingStrategy,
  agents: readonly Ref[],
  isFree: (agent: Ref) => boolean,
  standing: Standing,
): Ref[] {
  // The whole list goes round: who was rung last may well be busy now, and those behind them come next.
  const list = strategy === 'round_robin' ? rotated(agents, standing.lastRung) : agents;
  const free = [...new Set(list)].filter(isFree);
  switch (strategy) {
    case 'simultaneous':
      return free;
    case 'in_order':
    case 'round_robin':
      return free.slice(0, 1);
    case 'random':
      return shuffled(free, standing.random).slice(0, 1);
    case 'longest_idle':
      return longestIdleFirst(free, standing.idleSince).slice(0, 1);
    default:
      return strategy satisfies never;
  }
}

export function shuffled(refs: readonly Ref[], random: () => number): Ref[] {
  const left = [...refs];
  const drawn: Ref[] = [];
  while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}

export function rotated(refs: readonly Ref[], lastRung: Ref | null): Ref[] {
  const start = lastRung === null ? 0 : refs.indexOf(lastRung) + 1;
  return [...refs.slice(start), ...refs.slice(0, start)];
}

export function longestIdleFirst(refs: readonly Ref[], idleSince: Standing['idleSince']): Ref[] {
  const since = (ref: Ref): number => idleSince(ref) ?? Number.MAX_SAFE_INTEGER;
  return refs.toSorted((one, other) => since(one) - since(other));
}

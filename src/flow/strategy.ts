// In which order a department's agents are rung. Pure: who is idle since when and who was rung last are arguments.

import type { AgentNode, FlowNode, Ref, RingStrategy } from './node.ts';

export interface Standing {
  /** Since when each agent is idle, in epoch milliseconds; agents left out count as idle last. */
  readonly idleSince: (agent: Ref) => number | undefined;
  readonly lastRung: Ref | null;
  /** In [0, 1). */
  readonly random: () => number;
  /** Agents of a lower level come first. Absent: all are of one. */
  readonly levelOf?: (agent: Ref) => number;
  /** How many ring at once; absent: 1. */
  readonly together?: number;
}

/** The free agents of a list that ring for one caller: all of the lowest level, or those whose turn it is. */
export function chooseAgents(
  strategy: RingStrategy,
  agents: readonly Ref[],
  isFree: (agent: Ref) => boolean,
  standing: Standing,
): Ref[] {
  // The whole list goes round: who was rung last may well be busy now, and those behind them come next.
  const list = strategy === 'round_robin' ? rotated(agents, standing.lastRung) : agents;
  const all = [...new Set(list)].filter(isFree);
  const { together = 1 } = standing;
  const free = standing.levelOf ? lowestLevel(all, standing.levelOf) : all;
  switch (strategy) {
    case 'simultaneous':
      return free;
    case 'in_order':
    case 'round_robin':
      return free.slice(0, together);
    case 'random':
      return shuffled(free, standing.random).slice(0, together);
    case 'longest_idle':
      return longestIdleFirst(free, standing.idleSince).slice(0, together);
    default:
      return strategy satisfies never;
  }
}

/** The levels of a department: where none is set, all agents are of the first. */
export function levelsOf(node: FlowNode | null): (agent: Ref) => number {
  const levels = node?.kind === 'department' ? node.levels : undefined;
  return (agent) => levels?.[agent] ?? 1;
}

/** By level; within one as they were. */
export function inLevels(refs: readonly Ref[], levelOf: (agent: Ref) => number): Ref[] {
  return refs.toSorted((one, other) => levelOf(one) - levelOf(other));
}

/** Those of the lowest level among them. */
export function lowestLevel(refs: readonly Ref[], levelOf: (agent: Ref) => number): Ref[] {
  const levels = refs.map(levelOf);
  const lowest = Math.min(...levels);
  return refs.filter((_, index) => levels[index] === lowest);
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

/** Whether some phone of the agent can ring. */
export const canBeRung = ({ blocked, intercom, followMeNumber }: AgentNode): boolean =>
  !blocked && (intercom !== '' || (followMeNumber ?? '') !== '');

export const isRingable = (node: FlowNode | null): boolean => node?.kind === 'agent' && canBeRung(node);

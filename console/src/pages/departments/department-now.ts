// What a department's agents could do for the next caller.
import type { LiveAgent } from '../../data/live-state.ts';
import type { Tone } from '../../kit/badge.tsx';

export interface DepartmentNow {
  readonly free: number;
  /** Who answer now or soon: not those who are away, paused or without a phone. */
  readonly atWork: number;
  /** unknown: a node does not answer, and nobody is known to be free. */
  readonly look: 'free' | 'busy' | 'none' | 'empty' | 'unknown';
}

const AT_WORK: ReadonlySet<LiveAgent['state']> = new Set([
  'free',
  'unknown',
  'ringing',
  'talking',
  'wrap_up',
]);

export const DEPARTMENT_TONES: Readonly<Record<DepartmentNow['look'], Tone>> = {
  free: 'good',
  busy: 'warn',
  none: 'bad',
  empty: 'bad',
  unknown: 'neutral',
};

export function departmentNow(
  { id, agents }: { readonly id: string; readonly agents: readonly string[] },
  states: ReadonlyMap<string, LiveAgent>,
): DepartmentNow {
  if (agents.length === 0) return { free: 0, atWork: 0, look: 'empty' };
  const serving = agents.flatMap((eid) => {
    const agent = states.get(eid);
    return agent && !agent.signed_out.includes(id) && AT_WORK.has(agent.state) ? [agent] : [];
  });
  const free = serving.filter(({ state }) => state === 'free').length;
  const atWork = serving.length;
  const isHidden = serving.some(({ state }) => state === 'unknown');
  return { free, atWork, look: free > 0 ? 'free' : isHidden ? 'unknown' : atWork > 0 ? 'busy' : 'none' };
}

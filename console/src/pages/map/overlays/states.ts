// States of now on the map: what each agent does, who waits in a department's queue, and departments that nobody answers.
import { splitReference } from '../../../../../src/kinds/reference.ts';
import type { LiveAgent, LiveQueue } from '../../../data/live-state.ts';
import { STATE_TONES } from '../../../kit/agent-tones.ts';
import { departmentNow } from '../../departments/department-now.ts';
import type { NodeId } from '../graph.ts';
import { NO_ROWS, type NodeMark, type Overlay } from './overlay.ts';

export interface States {
  readonly agents: ReadonlyMap<string, LiveAgent>;
  readonly queues: ReadonlyMap<string, LiveQueue>;
  readonly departments: readonly { readonly id: string; readonly agents: readonly string[] }[];
}

export interface StateWords {
  readonly agent: (state: LiveAgent['state']) => string;
  readonly waiting: (count: number) => string;
  readonly nobody: string;
}

export const markOf = (tone: NodeMark['tone'], text: string): NodeMark => ({
  tone,
  badge: text,
  text,
  rows: NO_ROWS,
});

/** The states of every agent, and of departments that need a look. */
export function statesOverlay({ agents, queues, departments }: States, words: StateWords): Overlay {
  const overlay = new Map<NodeId, NodeMark>();
  for (const { eid, state } of agents.values()) {
    const tone = STATE_TONES[state];
    overlay.set(`extension||${eid}`, markOf(tone === 'neutral' ? 'info' : tone, words.agent(state)));
  }
  for (const department of departments) {
    const reference = `department||${department.id}`;
    const waiting = queues.get(department.id)?.waiting ?? 0;
    const { look } = departmentNow(department, agents);
    if (look === 'none' || look === 'empty') overlay.set(reference, markOf('bad', words.nobody));
    else if (waiting > 0) overlay.set(reference, markOf('warn', words.waiting(waiting)));
  }
  return overlay;
}

/** The marks of `above` where both have one; of agents in calls the calls say more. */
export function overlaid(below: Overlay, above: Overlay): Overlay {
  const both = new Map(below);
  for (const [id, mark] of above) {
    const under = below.get(id);
    const isWay = ['department', 'trunk', 'out'].includes(splitReference(id).kind);
    both.set(id, under && isWay && under.tone === 'bad' ? { ...mark, tone: 'bad' } : mark);
  }
  return both;
}

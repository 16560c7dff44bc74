// How a department's agents are rung: by its own times and failover, from its queue as from a list.

import type { AskingCallback } from './callback-phase.ts';
import { resolve } from './flow.ts';
import { apologise } from './hang-up.ts';
import type { AgentNode, DepartmentNode, Ref } from './node.ts';
import { type Joining, type Queued, stopWaiting } from './queueing.ts';
import { type RingPlan, ring, ringNext, targetsOf } from './ringing.ts';
import { inLevels, levelsOf } from './strategy.ts';
import type { Turn } from './turn.ts';

/** The call is first in the queue: these agents are free and reserved for it. The strategy has chosen them. */
export function queueTurn(
  turn: Turn,
  phase: Joining | Queued | AskingCallback,
  refs: readonly Ref[],
): Ref | null {
  const department = resolve(turn.flow, phase.node);
  if (department?.kind !== 'department') return apologise(turn, phase.node, 'destination-missing');
  stopWaiting(turn, phase);
  turn.note(
    phase.node,
    'queue-turn',
    `It is the caller’s turn: ${refs.map((ref) => turn.nameOf(ref)).join(', ')} can be rung.`,
  );
  const agents = refs.map((ref) => resolve(turn.flow, ref)).filter((node) => node?.kind === 'agent');
  return ringTogether(turn, { ...planFor(turn, department, []), queue: phase.queue }, agents);
}

function ringTogether(turn: Turn, plan: RingPlan, agents: readonly AgentNode[]): Ref | null {
  const targets = agents.flatMap(targetsOf);
  return targets.length > 0 ? ring(turn, plan, targets, []) : ringNext(turn, plan);
}

export function planFor(turn: Turn, department: DepartmentNode, left: readonly Ref[]): RingPlan {
  return {
    node: department.ref,
    left: department.levels ? inLevels(left, levelsOf(department)) : left,
    ringMs: (department.ringSeconds ?? turn.flow.settings.ringSeconds) * 1_000,
    failover: department.failover,
    failure: 'agent-unreachable',
    queue: null,
  };
}

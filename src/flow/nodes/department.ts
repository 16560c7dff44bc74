// The department: several agents, rung together or one after the other. While the department rings them,
// its own failover counts, not theirs.

import type { CallEvent, Phase } from '../call-state.ts';
import type { AskingCallback } from '../callback-phase.ts';
import { resolve } from '../flow.ts';
import type { AgentNode, DepartmentNode, Ref } from '../node.ts';
import { apologise, failOver } from '../parting.ts';
import { type Joining, joinQueue, type Queued, stopWaiting } from '../queueing.ts';
import { type RingPlan, ring, ringNext, targetsOf, whyNotOffered } from '../ringing.ts';
import { inLevels, levelsOf, longestIdleFirst, rotated, shuffled } from '../strategy.ts';
import type { Turn } from '../turn.ts';

/** The directory is in memory; an answer later than this is lost. */
const DIRECTORY_MS = 1_000;

type LookingUp = Extract<Phase, { name: 'looking-up' }>;

export function enterDepartment(turn: Turn, department: DepartmentNode): Ref | null {
  turn.dropTypedAhead(department.ref);
  turn.state.department = department.ref;
  if (department.queue !== null) return joinQueue(turn, department, department.queue);
  const agents = offeredAgents(turn, department);
  if (agents.length === 0) {
    return failOver(turn, department.ref, department.failover, 'agents-unavailable');
  }
  const refs = agents.map((agent) => agent.ref);
  switch (department.strategy) {
    case 'simultaneous':
    case 'in_order':
      return ringNext(turn, planFor(turn, department, refs));
    case 'random':
      return ringNext(
        turn,
        planFor(
          turn,
          department,
          shuffled(refs, () => turn.random()),
        ),
      );
    case 'round_robin':
    case 'longest_idle':
      return refs.length === 1
        ? ringNext(turn, planFor(turn, department, refs))
        : lookUp(turn, department, refs);
    default:
      return department.strategy satisfies never;
  }
}

/** Who was idle longest and whose turn it is lies outside the call, so the machine has to ask. */
function lookUp(turn: Turn, department: DepartmentNode, agents: readonly Ref[]): null {
  const request = turn.newId();
  turn.act({ type: 'ask-directory', request, node: department.ref, agents });
  turn.startTimer('directory', DIRECTORY_MS);
  turn.to({ name: 'looking-up', node: department.ref, request, agents });
  return null;
}

export function directoryAnswered(
  turn: Turn,
  phase: LookingUp,
  answer: Extract<CallEvent, { type: 'directory-told' }>,
): Ref | null {
  const department = resolve(turn.flow, phase.node);
  if (department?.kind !== 'department') return apologise(turn, phase.node, 'destination-missing');
  turn.stopTimer('directory');
  const agents =
    department.strategy === 'longest_idle'
      ? longestIdleFirst(phase.agents, (agent) => answer.idleSince[agent])
      : rotated(phase.agents, answer.lastRung);
  return ringNext(turn, planFor(turn, department, agents));
}

export function directoryTimedOut(turn: Turn, phase: LookingUp): Ref | null {
  const department = resolve(turn.flow, phase.node);
  if (department?.kind !== 'department') return apologise(turn, phase.node, 'destination-missing');
  turn.note(phase.node, 'directory-silent', 'The directory did not answer: the agents are rung as listed.');
  return ringNext(turn, planFor(turn, department, phase.agents));
}

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

function planFor(turn: Turn, department: DepartmentNode, left: readonly Ref[]): RingPlan {
  return {
    node: department.ref,
    left: department.levels ? inLevels(left, levelsOf(department)) : left,
    ringMs: (department.ringSeconds ?? turn.flow.settings.ringSeconds) * 1_000,
    failover: department.failover,
    failure: 'agent-unreachable',
    queue: null,
  };
}

function offeredAgents(turn: Turn, department: DepartmentNode): AgentNode[] {
  const offered: AgentNode[] = [];
  for (const ref of new Set(department.agents)) {
    const agent = resolve(turn.flow, ref);
    if (agent?.kind !== 'agent') {
      turn.note(department.ref, 'destination-missing', `Agent ${ref} does not exist.`, { destination: ref });
    } else if (whyNotOffered(turn, agent) === null) {
      offered.push(agent);
    }
  }
  return offered;
}

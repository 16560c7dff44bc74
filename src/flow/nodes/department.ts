// The department: several agents, rung together or one after the other. While the department rings them,
// its own failover counts, not theirs.

import type { CallEvent } from '../call-state.ts';
import {
  askForCallback,
  callbackAnswered,
  callbackKeyPressed,
  callbackPromptEnded,
  callbackTimedOut,
  callbackTurn,
  isCallbackKey,
} from '../callback.ts';
import { planFor, queueTurn } from '../department-plan.ts';
import { afterTalk, played, unasked } from '../facts.ts';
import { resolve } from '../flow.ts';
import { apologise, failOver } from '../hang-up.ts';
import { ignoreKey } from '../keys.ts';
import { missingCallbackHours } from '../lint/missing-here.ts';
import { endlessQueues } from '../lint/queue.ts';
import type { AgentNode, DepartmentNode, Ref } from '../node.ts';
import {
  announceDue,
  joinQueue,
  messageDue,
  offerDue,
  positionReported,
  queueKeyPressed,
  queueRefused,
  queueSoundEnded,
  queueWaitExpired,
} from '../queueing.ts';
import { pickedUp, ringNext, whyNotOffered } from '../ringing.ts';
import type { NodeRules, PhaseOf } from '../rules.ts';
import { isRingable, longestIdleFirst, rotated, shuffled } from '../strategy.ts';
import type { Turn } from '../turn.ts';

/** The directory is in memory; an answer later than this is lost. */
const DIRECTORY_MS = 1_000;

type LookingUp = PhaseOf<'looking-up'>;

function enterDepartment(turn: Turn, department: DepartmentNode): Ref | null {
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

function directoryAnswered(
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

function directoryTimedOut(turn: Turn, phase: LookingUp): Ref | null {
  const department = resolve(turn.flow, phase.node);
  if (department?.kind !== 'department') return apologise(turn, phase.node, 'destination-missing');
  turn.note(phase.node, 'directory-silent', 'The directory did not answer: the agents are rung as listed.');
  return ringNext(turn, planFor(turn, department, phase.agents));
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

export const department: NodeRules<DepartmentNode, 'looking-up' | 'joining' | 'queued' | 'callback'> = {
  enter: enterDepartment,
  phases: {
    'looking-up': {
      key: ignoreKey,
      timers: { directory: directoryTimedOut },
      on: { 'directory-told': directoryAnswered },
    },
    joining: {
      key: ignoreKey,
      timers: { directory: (turn, phase) => positionReported(turn, phase, null) },
      on: {
        'queue-turn': (turn, phase, { agents }) => queueTurn(turn, phase, agents),
        'queue-position': positionReported,
        'queue-refused': (turn, phase, { why }) => queueRefused(turn, phase, why),
        'picked-up': (turn, phase, { target }) => pickedUp(turn, phase, target),
      },
    },
    queued: {
      key: (turn, phase, key) =>
        isCallbackKey(turn, phase, key)
          ? askForCallback(turn, phase, key)
          : queueKeyPressed(turn, phase, key),
      played: queueSoundEnded,
      timers: {
        'queue-wait': queueWaitExpired,
        'queue-announce': announceDue,
        'queue-offer': offerDue,
        'queue-message': messageDue,
      },
      on: {
        'queue-turn': (turn, phase, { agents }) => queueTurn(turn, phase, agents),
        'queue-position': positionReported,
        'picked-up': (turn, phase, { target }) => pickedUp(turn, phase, target),
      },
    },
    callback: {
      key: callbackKeyPressed,
      played: callbackPromptEnded,
      timers: {
        'first-key': callbackTimedOut,
        'inter-digit': callbackTimedOut,
        directory: callbackTimedOut,
      },
      on: {
        'queue-turn': (turn, phase, { agents }) => callbackTurn(turn, phase, agents),
        'callback-answered': (turn, phase, { answer }) => callbackAnswered(turn, phase, answer),
      },
    },
  },
  edges: ({ failover, queue, afterCall }) => [
    ...unasked('/failover_destination', failover),
    ...unasked('/full_destination', queue?.fullDestination ?? null),
    ...unasked('/timeout_destination', queue?.timeoutDestination ?? null),
    ...afterTalk(afterCall),
  ],
  members: ({ agents }) => agents.map((to, index) => ({ pointer: `/agents/${index}`, to })),
  recordings: ({ queue, holdMusic = null }) => [
    ...played('/music_on_hold', queue?.music ?? holdMusic),
    ...played('/announce_recording', queue?.message?.recording ?? null),
    ...played('/callback_recording', queue?.callback?.recording ?? null),
  ],
  serves: ({ agents, failover }, flow, serves) =>
    agents.some((ref) => isRingable(resolve(flow, ref))) || serves(failover),
  rings: true,
  answersLate: true,
  missing: [missingCallbackHours],
  lint: [endlessQueues],
};

// Ringing phones: shared by agents, departments and outside numbers.

import type { CallEvent, Phase, RingFailure, RingTarget } from './call-state.ts';
import { type Flow, resolve } from './flow.ts';
import { openingAt } from './hours/opening.ts';
import type { AgentNode, Ref } from './node.ts';
import { failOver } from './parting.ts';
import { returnToQueue } from './queueing.ts';
import type { Turn } from './turn.ts';

type Ringing = Extract<Phase, { name: 'ringing' }>;
type TargetEvent = Extract<CallEvent, { attempt: number }>;

export type RingPlan = Pick<Ringing, 'node' | 'left' | 'ringMs' | 'failover' | 'failure' | 'queue'>;

export function ring(turn: Turn, plan: RingPlan, targets: readonly RingTarget[], left: readonly Ref[]): null {
  const attempt = turn.newId();
  const { node, ringMs, failover, failure, queue } = plan;
  const phones = targets.map(({ owner, number }) => phoneText(turn, owner, number)).join(', ');
  const rung = [...new Set(targets.map(({ owner }) => owner))];
  turn.note(node, 'ringing', `Rings ${phones} for ${ringMs / 1_000} s.`, { rung });
  turn.act({ type: 'ring', attempt, node, targets, ringMs });
  turn.startTimer('ring', ringMs);
  turn.to({ name: 'ringing', node, attempt, targets, left, ringMs, failover, failure, queue });
  return null;
}

/** A number outside is its own name. */
function phoneText(turn: Turn, owner: Ref, number: string): string {
  const name = turn.nameOf(owner);
  return name === `“${number}”` ? number : `${name} on ${number}`;
}

/** An agent's phones: the registered ones by intercom number and the number to follow, together (call rule 7). */
export function targetsOf(agent: AgentNode): RingTarget[] {
  const targets: RingTarget[] = [];
  const owner = agent.ref;
  if (agent.intercom !== '') {
    targets.push({ id: `${owner}/intercom`, owner, via: 'intercom', number: agent.intercom });
  }
  if (agent.followMeNumber !== null && agent.followMeNumber !== '') {
    targets.push({ id: `${owner}/follow-me`, owner, via: 'number', number: agent.followMeNumber });
  }
  return targets;
}

/** Whether calls are offered to the agent at that moment: not while blocked or off duty. */
export function isOffered(flow: Flow, agent: AgentNode, epochMs: number): boolean {
  if (agent.blocked) return false;
  const hours = agent.hours === null ? null : resolve(flow, agent.hours);
  return hours?.kind !== 'hours' || openingAt(hours, epochMs).open;
}

/** Why no call is offered to the agent at all, noted in the trail; null = it may be offered. */
export function whyNotOffered(turn: Turn, agent: AgentNode): 'agent-blocked' | 'agent-outside-hours' | null {
  if (agent.blocked) {
    turn.note(agent.ref, 'agent-blocked', `${agent.name} is blocked: no call is offered.`);
    return 'agent-blocked';
  }
  if (agent.hours === null) return null;
  const hours = resolve(turn.flow, agent.hours);
  if (hours?.kind !== 'hours') {
    const text = `The time group of ${agent.name} does not exist (${agent.hours}): the call is offered.`;
    turn.note(agent.ref, 'hours-missing', text);
    return null;
  }
  if (openingAt(hours, turn.state.startedEpochMs + turn.atMs).open) return null;
  turn.note(agent.ref, 'agent-outside-hours', `It is outside “${hours.name}”, the hours of ${agent.name}.`);
  return 'agent-outside-hours';
}

export function targetReported(turn: Turn, event: TargetEvent): Ref | null {
  const { phase } = turn.state;
  if (phase.name !== 'ringing' || phase.attempt !== event.attempt) return null;
  const target = phase.targets.find(({ id }) => id === event.target);
  if (!target) return null;
  switch (event.type) {
    case 'ring-progressed':
      turn.note(
        target.owner,
        'ring-progressed',
        `${phoneText(turn, target.owner, target.number)} is ringing.`,
      );
      return null;
    case 'agent-answered':
      return connect(turn, phase, target);
    case 'agent-busy':
      turn.note(target.owner, 'agent-busy', `${phoneText(turn, target.owner, target.number)} is busy.`);
      return withoutTarget(turn, phase, target, 'agent-busy');
    case 'agent-unreachable':
      turn.note(
        target.owner,
        'agent-unreachable',
        `${phoneText(turn, target.owner, target.number)} cannot be reached.`,
      );
      return withoutTarget(turn, phase, target, 'agent-unreachable');
    case 'ring-failed':
      turn.note(
        target.owner,
        'ring-failed',
        `Ringing ${phoneText(turn, target.owner, target.number)} failed.`,
      );
      return withoutTarget(turn, phase, target, 'agent-unreachable');
    default:
      return event satisfies never;
  }
}

export function ringTimeExpired(turn: Turn, phase: Ringing): Ref | null {
  turn.note(phase.node, 'no-answer', `Nobody answered within ${phase.ringMs / 1_000} s.`);
  turn.act({
    type: 'stop-ringing',
    attempt: phase.attempt,
    targets: phase.targets.map((target) => target.id),
  });
  return attemptFailed(turn, phase, moreTelling(phase.failure, 'no-answer'));
}

function connect(turn: Turn, phase: Ringing, target: RingTarget): null {
  turn.stopTimer('ring');
  const others = phase.targets.filter((other) => other !== target).map((other) => other.id);
  if (others.length > 0) turn.act({ type: 'stop-ringing', attempt: phase.attempt, targets: others });
  turn.answer();
  turn.note(
    target.owner,
    'connected',
    `${phoneText(turn, target.owner, target.number)} answered: both sides are connected.`,
  );
  turn.act({ type: 'connect', attempt: phase.attempt, target });
  if (phase.queue !== null) {
    turn.act({ type: 'leave-queue', request: phase.queue.request, servedBy: target.owner });
  }
  turn.to({ name: 'connected', node: target.owner, target });
  return null;
}

function withoutTarget(turn: Turn, phase: Ringing, target: RingTarget, failure: RingFailure): Ref | null {
  const targets = phase.targets.filter((other) => other !== target);
  const worst = moreTelling(phase.failure, failure);
  if (targets.length > 0) {
    turn.to({ ...phase, targets, failure: worst });
    return null;
  }
  turn.stopTimer('ring');
  return attemptFailed(turn, phase, worst);
}

function attemptFailed(turn: Turn, phase: Ringing, failure: RingFailure): Ref | null {
  return ringNext(turn, { ...phase, failure });
}

/** Rings the first agent left who has a phone; none left: back to the queue, where there is one, or failover. */
export function ringNext(turn: Turn, plan: RingPlan): Ref | null {
  for (const [index, ref] of plan.left.entries()) {
    const agent = resolve(turn.flow, ref);
    if (agent?.kind !== 'agent') continue;
    const targets = targetsOf(agent);
    if (targets.length > 0) return ring(turn, plan, targets, plan.left.slice(index + 1));
    turn.note(ref, 'agent-unreachable', `${agent.name} has neither an intercom number nor one to follow.`);
  }
  if (plan.queue !== null) return returnToQueue(turn, plan.node, plan.queue);
  return failOver(turn, plan.node, plan.failover, plan.failure);
}

/** Of two failures the more specific: busy, then no answer, then unreachable. */
function moreTelling(one: RingFailure, other: RingFailure): RingFailure {
  const order: RingFailure[] = ['agent-busy', 'no-answer', 'agent-unreachable'];
  return order.indexOf(one) <= order.indexOf(other) ? one : other;
}

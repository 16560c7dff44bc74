// Ringing phones: shared by agents, departments and outside numbers.

import type { RingFailure, RingRefusal, RingTarget } from './call-state.ts';
import { type Flow, resolve } from './flow.ts';
import { failOver } from './hang-up.ts';
import { openingAt } from './hours/opening.ts';
import { ignoreKey } from './keys.ts';
import type { AgentNode, Ref } from './node.ts';
import { type Joining, type Queued, returnToQueue, stopWaiting } from './queueing.ts';
import type { PhaseOf, PhaseRules } from './rules.ts';
import { levelsOf } from './strategy.ts';
import type { Turn } from './turn.ts';

type Ringing = PhaseOf<'ringing'>;

export type RingPlan = Pick<Ringing, 'node' | 'left' | 'ringMs' | 'failover' | 'failure' | 'queue'>;

export function ring(turn: Turn, plan: RingPlan, targets: readonly RingTarget[], left: readonly Ref[]): null {
  const attempt = turn.newId();
  const { node, ringMs, failover, failure, queue } = plan;
  const phones = targets.map(({ owner, number }) => phoneText(turn, owner, number)).join(', ');
  const rung = [...new Set(targets.map(({ owner }) => owner))];
  turn.note(node, 'ringing', `Rings ${phones} for ${ringMs / 1_000} s.`, { rung });
  turn.act({ type: 'ring', attempt, node, targets, ringMs });
  turn.startTimer('ring', ringMs);
  turn.to({ name: 'ringing', node, attempt, targets, left, ringMs, failover, failure, early: [], queue });
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
  if (agent.blocked || agent.doNotDisturb) return false;
  const hours = agent.hours === null ? null : resolve(flow, agent.hours);
  return hours?.kind !== 'hours' || openingAt(hours, epochMs).open;
}

type NotOffered = 'agent-blocked' | 'agent-outside-hours' | 'agent-busy';

/** Why no call is offered to the agent at all, noted in the trail; null = it may be offered. */
export function whyNotOffered(turn: Turn, agent: AgentNode): NotOffered | null {
  if (agent.blocked) {
    turn.note(agent.ref, 'agent-blocked', `${agent.name} is blocked: no call is offered.`);
    return 'agent-blocked';
  }
  if (agent.hours === null) return whyDisturbing(turn, agent);
  const hours = resolve(turn.flow, agent.hours);
  if (hours?.kind !== 'hours') {
    const text = `The time group of ${agent.name} does not exist (${agent.hours}): the call is offered.`;
    turn.note(agent.ref, 'hours-missing', text);
    return whyDisturbing(turn, agent);
  }
  if (openingAt(hours, turn.state.startedEpochMs + turn.atMs).open) return whyDisturbing(turn, agent);
  turn.note(agent.ref, 'agent-outside-hours', `It is outside “${hours.name}”, the hours of ${agent.name}.`);
  return 'agent-outside-hours';
}

function whyDisturbing(turn: Turn, agent: AgentNode): 'agent-busy' | null {
  if (!agent.doNotDisturb) return null;
  turn.note(agent.ref, 'do-not-disturb', `${agent.name} does not want to be disturbed.`);
  return 'agent-busy';
}

/** A number outside is rung here, by the trunks that agents may call by; what else there is goes on by itself. */
export function forward(turn: Turn, agent: AgentNode, to: Ref): Ref | null {
  turn.note(agent.ref, 'forwarded', `Calls to ${agent.name} are forwarded to ${turn.nameOf(to)}.`, {
    destination: to,
  });
  const node = resolve(turn.flow, to);
  if (node?.kind !== 'number') return to;
  const ringMs = turn.flow.settings.ringSeconds * 1_000;
  const plan: RingPlan = {
    node: to,
    left: [],
    ringMs,
    failover: agent.failover,
    failure: 'agent-unreachable',
    queue: null,
  };
  return ring(turn, plan, [{ id: to, owner: to, via: 'number', number: node.number, byAgent: true }], []);
}

/** Where a call goes on that the agent does not get. */
export function unserved(turn: Turn, plan: Pick<RingPlan, 'node' | 'failover' | 'failure'>): Ref | null {
  const { node, failover, failure } = plan;
  const agent = resolve(turn.flow, node);
  const forwards = agent?.kind === 'agent' ? agent.forwards : undefined;
  const to = failure === 'agent-busy' ? forwards?.busy : forwards?.noAnswer;
  if (agent?.kind === 'agent' && to) return forward(turn, agent, to);
  return failOver(turn, node, failover, failure);
}

/** Why a phone is not rung, as the end of a sentence. */
export const REFUSALS: Readonly<Record<RingRefusal, string>> = {
  host: 'the operator does not allow calls to its host',
  credentials: 'it does not accept the user name and the password',
  max_calls_per_agent: 'the agent has as many calls as the limit max_calls_per_agent allows',
  max_legs: 'the account has as many sides of calls as the limit max_legs allows',
  max_outbound_calls: 'max_outbound_calls of the account or max_calls of the trunk allows no more',
};

const unreached = (phone: string, why: RingRefusal | undefined): string =>
  why === undefined ? `${phone} cannot be reached.` : `${phone} cannot be reached: ${REFUSALS[why]}.`;

interface TargetReport {
  readonly target: string;
  readonly why?: RingRefusal;
}

/** What is said of one of the phones that may still answer. */
const ofTarget =
  (report: (turn: Turn, phase: Ringing, target: RingTarget, event: TargetReport) => Ref | null) =>
  (turn: Turn, phase: Ringing, event: TargetReport): Ref | null => {
    const target = phase.targets.find(({ id }) => id === event.target);
    return target ? report(turn, phase, target, event) : null;
  };

function noteRinging(turn: Turn, _phase: Ringing, { owner, number }: RingTarget): null {
  turn.note(owner, 'ring-progressed', `${phoneText(turn, owner, number)} is ringing.`);
  return null;
}

function isBusy(turn: Turn, phase: Ringing, target: RingTarget): Ref | null {
  const { owner, number } = target;
  turn.note(owner, 'agent-busy', `${phoneText(turn, owner, number)} is busy.`);
  return withoutTarget(turn, phase, target, 'agent-busy');
}

function isUnreachable(turn: Turn, phase: Ringing, target: RingTarget, { why }: TargetReport): Ref | null {
  const { owner, number } = target;
  turn.note(owner, 'agent-unreachable', unreached(phoneText(turn, owner, number), why));
  return withoutTarget(turn, phase, target, 'agent-unreachable');
}

function isPaused(turn: Turn, phase: Ringing, target: RingTarget): Ref | null {
  turn.note(target.owner, 'agent-paused', pausedText(turn, phase.node, target.owner));
  return withoutTarget(turn, phase, target, 'agent-unreachable');
}

function hasFailed(turn: Turn, phase: Ringing, target: RingTarget): Ref | null {
  const { owner, number } = target;
  turn.note(owner, 'ring-failed', `Ringing ${phoneText(turn, owner, number)} failed.`);
  return withoutTarget(turn, phase, target, 'agent-unreachable');
}

/** Only a single phone is heard early: among several that ring, chance would decide which one the caller hears. */
export function isHeardEarly({ targets, early }: Pick<Ringing, 'targets' | 'early'>): boolean {
  return targets.length === 1 && early.includes(targets[0]?.id ?? '');
}

function hasEarlyMedia(turn: Turn, phase: Ringing, target: RingTarget): null {
  if (phase.early.includes(target.id)) return null;
  const next = { ...phase, early: [...phase.early, target.id] };
  if (isHeardEarly(next)) return hearEarly(turn, next, target);
  const phone = phoneText(turn, target.owner, target.number);
  const text = `${phone} sends sound before it answers; the caller hears ringback while others ring.`;
  turn.note(target.owner, 'early-media', text);
  turn.to(next);
  return null;
}

function hearEarly(turn: Turn, phase: Ringing, target: RingTarget): null {
  const phone = phoneText(turn, target.owner, target.number);
  turn.note(target.owner, 'early-media', `The caller hears what ${phone} sends before it answers.`);
  turn.act({ type: 'connect-early', attempt: phase.attempt, target: target.id });
  turn.to(phase);
  return null;
}

function ringTimeExpired(turn: Turn, phase: Ringing): Ref | null {
  turn.note(phase.node, 'no-answer', `Nobody answered within ${phase.ringMs / 1_000} s.`);
  turn.act({
    type: 'stop-ringing',
    attempt: phase.attempt,
    targets: phase.targets.map((target) => target.id),
  });
  return attemptFailed(turn, phase, moreTelling(phase.failure, 'no-answer'));
}

/** Also a caller who waits: in a parking spot. */
export function pickedUp(turn: Turn, phase: Ringing | Joining | Queued, target: RingTarget): null {
  turn.note(target.owner, 'picked-up', `${phoneText(turn, target.owner, target.number)} picks the call up.`);
  if (phase.name === 'ringing') return connect(turn, phase, target);
  stopWaiting(turn, phase);
  return connect(turn, { attempt: 0, node: phase.node, targets: [], queue: phase.queue }, target);
}

function connect(
  turn: Turn,
  phase: Pick<Ringing, 'attempt' | 'node' | 'targets' | 'queue'>,
  target: RingTarget,
): null {
  turn.stopTimer('ring');
  const others = phase.targets.filter((other) => other !== target).map((other) => other.id);
  if (others.length > 0)
    turn.act({ type: 'stop-ringing', attempt: phase.attempt, targets: others, elsewhere: true });
  turn.answer();
  turn.note(
    target.owner,
    'connected',
    `${phoneText(turn, target.owner, target.number)} answered: both sides are connected.`,
  );
  // What was sent to a SIP address is no part of what is known of the conversation.
  const { sip: _, ...called } = target;
  turn.act({ type: 'connect', attempt: phase.attempt, target: called });
  if (phase.queue !== null) {
    turn.act({ type: 'leave-queue', request: phase.queue.request, servedBy: target.owner });
  }
  turn.state.agent = target.owner;
  turn.to({ name: 'connected', node: target.owner, target: called, via: phase.node, sinceMs: turn.atMs });
  return null;
}

function withoutTarget(turn: Turn, phase: Ringing, target: RingTarget, failure: RingFailure): Ref | null {
  const targets = phase.targets.filter((other) => other !== target);
  const worst = moreTelling(phase.failure, failure);
  const [first] = targets;
  if (first) {
    const next = { ...phase, targets, failure: worst };
    if (isHeardEarly(next)) return hearEarly(turn, next, first);
    turn.to(next);
    return null;
  }
  turn.stopTimer('ring');
  return attemptFailed(turn, phase, worst);
}

function attemptFailed(turn: Turn, phase: Ringing, failure: RingFailure): Ref | null {
  return ringNext(turn, { ...phase, failure });
}

/**
 * Rings the first agent left who has a phone, of a department that rings together those of the next level; none left: back to the queue,
 * where there is one, or failover.
 */
export function ringNext(turn: Turn, plan: RingPlan): Ref | null {
  for (let left = plan.left; left.length > 0; ) {
    const together = ringsTogether(turn.flow, plan.node, left);
    const targets = left.slice(0, together).flatMap((ref) => phonesOf(turn, ref));
    left = left.slice(together);
    if (targets.length > 0) return ring(turn, plan, targets, left);
  }
  if (plan.queue !== null) return returnToQueue(turn, plan.node, plan.queue);
  return unserved(turn, plan);
}

/** How many of those left ring together. They are in the order of their levels. */
function ringsTogether(flow: Flow, node: Ref, left: readonly Ref[]): number {
  const department = resolve(flow, node);
  if (department?.kind !== 'department') return 1;
  const { strategy, together = 1 } = department;
  const most = strategy === 'simultaneous' ? left.length : Math.min(together, left.length);
  if (most === 1) return 1;
  const levelOf = levelsOf(department);
  const next = left.findIndex((ref) => levelOf(ref) !== levelOf(left[0] ?? ''));
  return next < 0 ? most : Math.min(next, most);
}

function phonesOf(turn: Turn, ref: Ref): RingTarget[] {
  const agent = resolve(turn.flow, ref);
  if (agent?.kind !== 'agent') return [];
  const targets = targetsOf(agent);
  if (targets.length === 0)
    turn.note(ref, 'agent-unreachable', `${agent.name} has neither an intercom number nor one to follow.`);
  return targets;
}

function pausedText(turn: Turn, node: Ref, owner: Ref): string {
  return `${turn.nameOf(owner)} is paused, or signed out of ${turn.nameOf(node)}: the call is not offered.`;
}

/** The more specific of two failures: busy, then no answer, then unreachable. */
function moreTelling(one: RingFailure, other: RingFailure): RingFailure {
  const order: RingFailure[] = ['agent-busy', 'no-answer', 'agent-unreachable'];
  return order.indexOf(one) <= order.indexOf(other) ? one : other;
}

export const ringing: PhaseRules<Ringing> = {
  // Keys of a caller who is heard there are for that side.
  key: (turn, phase, key) => (isHeardEarly(phase) ? null : ignoreKey(turn, phase, key)),
  timers: { ring: ringTimeExpired },
  on: {
    'ring-progressed': ofTarget(noteRinging),
    'early-media': ofTarget(hasEarlyMedia),
    'agent-answered': ofTarget(connect),
    'agent-busy': ofTarget(isBusy),
    'agent-unreachable': ofTarget(isUnreachable),
    'agent-paused': ofTarget(isPaused),
    'ring-failed': ofTarget(hasFailed),
    'picked-up': (turn, phase, { target }) => pickedUp(turn, phase, target),
  },
};

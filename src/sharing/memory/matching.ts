// Which free agent is offered to which caller: the one rule for the queues of a process and for those that nodes share. Pure.

import { globalId } from '../../domain/global-id.ts';
import type { QueueRules, Ref, RingStrategy } from '../../flow/node.ts';
import { chooseAgents } from '../../flow/strategy.ts';
import { MAX_IN_LINE } from '../../kinds/department.ts';
import type { Duty } from '../ports/queues.ts';

/** An agent who was rung and did not answer is not offered to any queue for so long: others are tried first. */
export const MISSED_REST_MS = 10_000;

export interface Waiting {
  readonly accountId: string;
  readonly order: {
    readonly node: Ref;
    readonly agents: readonly Ref[];
    readonly strategy: RingStrategy;
    /** The priority of the caller, among those of departments with one priority; absent: 0. */
    readonly priority?: number;
  };
  /** Agents reserved for this caller while their phones ring. */
  readonly offered: readonly string[] | null;
}

export interface AgentsNow {
  readonly isFree: (agent: string) => boolean;
  readonly duty: Omit<Duty, 'isPresent'>;
  readonly idleSince: (agent: string) => number;
  readonly lastRung: (department: string) => Ref | null;
  readonly random: () => number;
}

export interface Offer<Caller> {
  readonly caller: Caller;
  readonly agents: readonly string[];
}

/** `callers`: in order of arrival. Those with an offer have had their turn. */
export function matchCallers<Caller extends Waiting>(
  callers: Iterable<Caller>,
  now: AgentsNow,
): Offer<Caller>[] {
  const offers: Offer<Caller>[] = [];
  const free = new Map<string, boolean>();
  // Callers of one snapshot share the list: without a free agent for the first of a department, there is none for those behind it.
  const exhausted = new Map<readonly Ref[], Set<Ref>>();
  for (const caller of byPriority(callers, now.duty)) {
    const { agents, node } = caller.order;
    if (caller.offered !== null || exhausted.get(agents)?.has(node)) continue;
    const chosen = choose(caller, now, free);
    if (chosen.length === 0) {
      exhausted.set(agents, (exhausted.get(agents) ?? new Set()).add(node));
      continue;
    }
    for (const agent of chosen) free.set(agent, false);
    offers.push({ caller, agents: chosen });
  }
  return offers;
}

function choose({ accountId, order }: Waiting, now: AgentsNow, free: Map<string, boolean>): string[] {
  const department = globalId(accountId, order.node);
  const isFree = (ref: Ref): boolean => {
    const agent = agentId(accountId, ref);
    if (!now.duty.isSignedIn(agent, department)) return false;
    let known = free.get(agent);
    if (known === undefined) {
      known = now.isFree(agent);
      free.set(agent, known);
    }
    return known;
  };
  const levels = now.duty.levelsOf(department);
  return chooseAgents(order.strategy, order.agents, isFree, {
    idleSince: (ref) => now.idleSince(agentId(accountId, ref)),
    lastRung: now.lastRung(department),
    ...(levels ? { levelOf: (ref: Ref) => levels[ref] ?? 1 } : {}),
    together: now.duty.togetherOf(department),
    random: now.random,
  }).map((ref) => agentId(accountId, ref));
}

/** More than any caller's priority. */
const ABOVE_ALL_CALLERS = 1_000;

export const priorityOf = ({ priority }: Waiting['order']): number => priority ?? 0;

/** In order of arrival within a priority; most accounts have one alone. */
function byPriority<Caller extends Waiting>(
  callers: Iterable<Caller>,
  duty: Pick<Duty, 'priorityOf'>,
): Iterable<Caller> {
  const priorities = new Map<Caller, number>();
  let isOne = true;
  let first: number | null = null;
  for (const caller of callers) {
    if (caller.offered !== null) continue;
    const ofDepartment = duty.priorityOf(globalId(caller.accountId, caller.order.node));
    const priority = ofDepartment * ABOVE_ALL_CALLERS + priorityOf(caller.order);
    first ??= priority;
    isOne &&= priority === first;
    priorities.set(caller, priority);
  }
  if (isOne) return priorities.keys();
  return [...priorities].sort(([, one], [, other]) => other - one).map(([caller]) => caller);
}

/** How many of a department are before the caller: those of a higher priority, and those who came before. */
export function ahead<Caller extends Pick<Waiting, 'order'>>(callers: Iterable<Caller>, own: Caller): number {
  const priority = priorityOf(own.order);
  let count = 0;
  let isBefore = true;
  for (const other of callers) {
    if (other === own) isBefore = false;
    else if (priorityOf(other.order) > priority) count += 1;
    else if (isBefore && priorityOf(other.order) === priority) count += 1;
  }
  return count;
}

/** The callers of a department, the next first. */
export const inTurn = <Caller extends Pick<Waiting, 'order'>>(callers: Iterable<Caller>): Caller[] =>
  [...callers].sort((one, other) => priorityOf(other.order) - priorityOf(one.order));

/** Whether an agent of the order is there to wait for. */
export function isStaffed(duty: Duty, accountId: string, { node, agents }: Waiting['order']): boolean {
  const department = globalId(accountId, node);
  return agents.some((ref) => {
    const agent = agentId(accountId, ref);
    return duty.isSignedIn(agent, department) && duty.isPresent(agent);
  });
}

/** Callers who may wait in the department at once. */
export const roomOf = ({ maxWaiting }: QueueRules): number =>
  maxWaiting > 0 ? Math.min(maxWaiting, MAX_IN_LINE) : MAX_IN_LINE;

export function agentId(accountId: string, agent: Ref): string {
  return globalId(accountId, agent.slice(agent.indexOf('||') + 2));
}

/** Those of the order that were offered, as it names them. */
export const offeredRefs = (accountId: string, agents: readonly Ref[], offered: readonly string[]): Ref[] =>
  agents.filter((ref) => offered.includes(agentId(accountId, ref)));

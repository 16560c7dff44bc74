// The lines of all departments: who waits since when, and which free agent is offered to whom. Strictly first come, first served:
// an agent who becomes free goes to the caller who has waited longest of all those the agent can serve, in whichever department.
import type { Clock } from '../../clock.ts';
import { MAX_IN_LINE } from '../../domain/department.ts';
import type { Action } from '../../flow/call-state.ts';
import type { Ref } from '../../flow/node.ts';
import { chooseAgents } from '../../flow/strategy.ts';
import type { Report } from '../call/call-legs.ts';
import { globalId } from '../routing/dialling.ts';
import type { AgentStates } from './agent-states.ts';

/** An agent who was rung and did not answer is left in peace by all lines for so long: others are tried first. */
export const MISSED_REST_MS = 10_000;
/** How soon it is noticed that a phone registered, an agent was unblocked, or a rest is over. */
const LOOK_MS = 500;

export type QueueOrder = Extract<Action, { type: 'join-queue' }>;
type QueueReport = Extract<Report, { type: 'queue-turn' | 'queue-position' | 'queue-refused' }>;

export interface Waiting {
  readonly accountId: string;
  readonly callId: string;
  readonly caller: string | null;
}

/** A place in line, as the call that has it sees it. */
export interface Place {
  /** Nobody answered: those who were offered rest, the place is kept. */
  resume(): void;
  askPosition(): void;
  /** Idempotent. */
  leave(servedBy: Ref | null): void;
}

export interface QueuesParts {
  readonly agentStates: AgentStates;
  readonly clock: Clock;
  /** Whether calls may be offered to the agent now, and some phone of theirs can be rung. Being busy does not count. */
  readonly isPresent: (agent: string) => boolean;
  readonly random: () => number;
}

interface Waiter extends Waiting {
  readonly order: QueueOrder;
  readonly line: Set<Waiter>;
  readonly sinceMs: number;
  readonly tell: (report: QueueReport) => void;
  /** Agents kept for this caller while their phones ring. */
  offered: readonly string[] | null;
}

export class Queues {
  readonly #parts: QueuesParts;
  /** Everybody, in the order in which they came. */
  readonly #waiters = new Set<Waiter>();
  /** By department, as the desk names it. */
  readonly #lines = new Map<string, Set<Waiter>>();
  readonly #kept = new Set<string>();
  /** Agents who rest, on the monotonic clock. */
  readonly #restUntilMs = new Map<string, number>();
  /** Agents in a call of a queue, with the rest that follows it. */
  readonly #wrapupMs = new Map<string, number>();
  #cancelLook: (() => void) | null = null;
  #lookAtMs = 0;

  constructor(parts: QueuesParts) {
    this.#parts = parts;
    parts.agentStates.onIdle((agent) => this.#freed(agent));
  }

  join(order: QueueOrder, who: Waiting, tell: (report: QueueReport) => void): Place {
    const department = globalId(who.accountId, order.node);
    const line = this.#lines.get(department) ?? new Set<Waiter>();
    const sinceMs = this.#parts.clock.epochMs();
    const waiter: Waiter = { ...who, order, line, sinceMs, tell, offered: null };
    const { request, agents, rules } = order;
    if (!rules.joinWhenEmpty && !agents.some((agent) => this.#parts.isPresent(idOf(waiter, agent)))) {
      tell({ type: 'queue-refused', request, why: 'queue-empty' });
      return NO_PLACE;
    }
    this.#lines.set(department, line);
    line.add(waiter);
    this.#waiters.add(waiter);
    this.#look();
    // Whoever can be served at once needs no room to wait in.
    const room = rules.maxWaiting > 0 ? Math.min(rules.maxWaiting, MAX_IN_LINE) : MAX_IN_LINE;
    if (waiter.offered === null && line.size > room) {
      this.#leave(waiter, null);
      tell({ type: 'queue-refused', request, why: 'queue-full' });
      return NO_PLACE;
    }
    if (waiter.offered === null) this.#tellPosition(waiter);
    return {
      resume: () => this.#resume(waiter),
      askPosition: () => this.#tellPosition(waiter),
      leave: (servedBy) => this.#leave(waiter, servedBy),
    };
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Who waits for the department, the first in line first. */
  lineOf(department: string): readonly (Waiting & { readonly sinceMs: number; readonly ringing: boolean })[] {
    return [...(this.#lines.get(department) ?? [])].map(
      ({ accountId, callId, caller, sinceMs, offered }) => ({
        accountId,
        callId,
        caller,
        sinceMs,
        ringing: offered !== null,
      }),
    );
  }

  /** Whether the agent rests: after a call of a queue, or after not answering one. */
  isResting(agent: string): boolean {
    const untilMs = this.#restUntilMs.get(agent);
    if (untilMs === undefined) return false;
    if (untilMs > this.#parts.clock.nowMs()) return true;
    this.#restUntilMs.delete(agent);
    return false;
  }

  /**
   * Offers whoever is free to whoever has waited longest. All agents are kept before anybody is told: what a call does with its
   * turn may bring us back here.
   */
  #look(): void {
    const turns: Waiter[] = [];
    const free = new Map<string, boolean>();
    // Calls of one snapshot share the list: if it held nobody for the first, it holds nobody for those behind.
    const exhausted = new Set<readonly Ref[]>();
    for (const waiter of this.#waiters) {
      const { agents } = waiter.order;
      if (waiter.offered !== null || exhausted.has(agents)) continue;
      const chosen = this.#choose(waiter, free);
      if (chosen.length === 0) {
        exhausted.add(agents);
        continue;
      }
      waiter.offered = chosen;
      for (const agent of chosen) {
        this.#kept.add(agent);
        free.set(agent, false);
      }
      turns.push(waiter);
    }
    for (const waiter of turns) this.#tellTurn(waiter);
    this.#lookAgain();
  }

  #choose(waiter: Waiter, free: Map<string, boolean>): string[] {
    const { agentStates, random } = this.#parts;
    const { order, accountId } = waiter;
    const isFree = (ref: Ref): boolean => {
      const agent = idOf(waiter, ref);
      let known = free.get(agent);
      if (known === undefined) {
        known = this.#isFree(agent);
        free.set(agent, known);
      }
      return known;
    };
    return chooseAgents(order.strategy, order.agents, isFree, {
      idleSince: (ref) => agentStates.idleSince(idOf(waiter, ref)),
      lastRung: agentStates.lastRung(globalId(accountId, order.node)),
      random,
    }).map((ref) => idOf(waiter, ref));
  }

  #isFree(agent: string): boolean {
    const { agentStates, isPresent } = this.#parts;
    return !this.#kept.has(agent) && !agentStates.isBusy(agent) && !this.isResting(agent) && isPresent(agent);
  }

  #tellTurn(waiter: Waiter): void {
    const { offered, order } = waiter;
    if (offered === null) return;
    const agents = order.agents.filter((ref) => offered.includes(idOf(waiter, ref)));
    waiter.tell({ type: 'queue-turn', request: order.request, agents });
  }

  #tellPosition(waiter: Waiter): void {
    let position = 1;
    for (const other of waiter.line) {
      if (other === waiter) break;
      position += 1;
    }
    waiter.tell({ type: 'queue-position', request: waiter.order.request, position });
  }

  #resume(waiter: Waiter): void {
    const untilMs = this.#parts.clock.nowMs() + MISSED_REST_MS;
    for (const agent of waiter.offered ?? []) this.#rest(agent, untilMs);
    this.#release(waiter);
    this.#look();
    if (waiter.offered === null) this.#tellPosition(waiter);
  }

  #leave(waiter: Waiter, servedBy: Ref | null): void {
    if (!this.#waiters.delete(waiter)) return;
    waiter.line.delete(waiter);
    if (waiter.line.size === 0) this.#lines.delete(globalId(waiter.accountId, waiter.order.node));
    const { wrapupSeconds } = waiter.order.rules;
    if (servedBy !== null && wrapupSeconds > 0) {
      this.#wrapupMs.set(idOf(waiter, servedBy), wrapupSeconds * 1_000);
    }
    this.#release(waiter);
    this.#lookSoon();
  }

  #release(waiter: Waiter): void {
    for (const agent of waiter.offered ?? []) this.#kept.delete(agent);
    waiter.offered = null;
  }

  #rest(agent: string, untilMs: number): void {
    this.#restUntilMs.set(agent, Math.max(untilMs, this.#restUntilMs.get(agent) ?? 0));
  }

  #freed(agent: string): void {
    const wrapupMs = this.#wrapupMs.get(agent);
    if (wrapupMs !== undefined) {
      this.#wrapupMs.delete(agent);
      this.#rest(agent, this.#parts.clock.nowMs() + wrapupMs);
    }
    this.#lookSoon();
  }

  /** Not at once: whoever frees an agent is still busy telling the agent's phone. Many at a time make one look. */
  #lookSoon(): void {
    this.#arm(0);
  }

  #lookAgain(): void {
    this.#arm(LOOK_MS);
  }

  /** One timer for everything, and none while nobody waits. */
  #arm(ms: number): void {
    const { clock } = this.#parts;
    if (this.#waiters.size === 0) {
      this.#cancelLook?.();
      this.#cancelLook = null;
      return;
    }
    const atMs = clock.nowMs() + ms;
    if (this.#cancelLook && this.#lookAtMs <= atMs) return;
    this.#cancelLook?.();
    this.#lookAtMs = atMs;
    this.#cancelLook = clock.after(ms, () => {
      this.#cancelLook = null;
      this.#look();
    });
  }
}

/** How the desk names the agent. */
function idOf({ accountId }: Waiting, agent: Ref): string {
  return globalId(accountId, agent.slice(agent.indexOf('||') + 2));
}

const nothing = (): void => undefined;
const NO_PLACE: Place = { resume: nothing, askPosition: nothing, leave: nothing };

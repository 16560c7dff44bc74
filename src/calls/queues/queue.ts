// The queues of all departments: who waits since when, and which free agent is offered to whom. Strictly first come, first served:
// an agent who becomes free goes to the caller who has waited longest among all whom the agent can serve, in any department.

import type { Clock } from '../../clock.ts';
import { MAX_IN_LINE } from '../../domain/department.ts';
import type { Action } from '../../flow/call-state.ts';
import type { Ref } from '../../flow/node.ts';
import { chooseAgents } from '../../flow/strategy.ts';
import type { CallInput } from '../call/call-input.ts';
import { globalId } from '../routing/dialling.ts';
import type { AgentStates } from './agent-states.ts';

/** An agent who was rung and did not answer is not offered to any queue for so long: others are tried first. */
export const MISSED_REST_MS = 10_000;
/** Delay until a registered phone, an unblocked agent or the end of a rest is noticed, at most. */
const POLL_MS = 500;

export type QueueOrder = Extract<Action, { type: 'join-queue' }>;

export interface QueuedCaller {
  readonly accountId: string;
  readonly callId: string;
  readonly caller: string | null;
}

export interface QueueEntry extends QueuedCaller {
  readonly order: QueueOrder;
  /** The department's queue, in order of arrival. */
  readonly queue: Set<QueueEntry>;
  readonly sinceMs: number;
  readonly input: Pick<CallInput, 'report'>;
  /** Agents reserved for this caller while their phones ring. */
  offered: readonly string[] | null;
}

export interface QueuesParts {
  readonly agentStates: AgentStates;
  readonly clock: Clock;
  /** Whether the agent is on duty and has a phone that can be rung, busy or not. */
  readonly isPresent: (agent: string) => boolean;
  readonly random: () => number;
}

export class Queues {
  readonly #parts: QueuesParts;
  /** Of all departments, in order of arrival. */
  readonly #entries = new Set<QueueEntry>();
  /** By department and account. */
  readonly #queues = new Map<string, Set<QueueEntry>>();
  readonly #reserved = new Set<string>();
  /** On the monotonic clock. */
  readonly #restUntilMs = new Map<string, number>();
  /** Agents in a call from a queue, with the wrap-up time that follows it. */
  readonly #wrapupMs = new Map<string, number>();
  #cancelTimer: (() => void) | null = null;
  #timerAtMs = 0;

  constructor(parts: QueuesParts) {
    this.#parts = parts;
    parts.agentStates.onIdle((agent) => this.#agentIdle(agent));
  }

  /** Null: refused, and the refusal is reported. */
  join(order: QueueOrder, who: QueuedCaller, input: QueueEntry['input']): QueueEntry | null {
    const department = globalId(who.accountId, order.node);
    const queue = this.#queues.get(department) ?? new Set<QueueEntry>();
    const sinceMs = this.#parts.clock.epochMs();
    const entry: QueueEntry = { ...who, order, queue, sinceMs, input, offered: null };
    const { request, agents, rules } = order;
    if (!rules.joinWhenEmpty && !agents.some((agent) => this.#parts.isPresent(agentId(entry, agent)))) {
      input.report({ type: 'queue-refused', request, why: 'queue-empty' });
      return null;
    }
    this.#queues.set(department, queue);
    queue.add(entry);
    this.#entries.add(entry);
    this.#offerAgents();
    // A caller who is served at once needs no room in the queue.
    const room = rules.maxWaiting > 0 ? Math.min(rules.maxWaiting, MAX_IN_LINE) : MAX_IN_LINE;
    if (entry.offered === null && queue.size > room) {
      this.leave(entry, null);
      input.report({ type: 'queue-refused', request, why: 'queue-full' });
      return null;
    }
    if (entry.offered === null) this.reportPosition(entry);
    return entry;
  }

  /** The offered agents did not answer: they rest, and the call keeps its position. */
  resume(entry: QueueEntry): void {
    const untilMs = this.#parts.clock.nowMs() + MISSED_REST_MS;
    for (const agent of entry.offered ?? []) this.#rest(agent, untilMs);
    this.#unreserve(entry);
    this.#offerAgents();
    if (entry.offered === null) this.reportPosition(entry);
  }

  reportPosition(entry: QueueEntry): void {
    let position = 1;
    for (const other of entry.queue) {
      if (other === entry) break;
      position += 1;
    }
    entry.input.report({ type: 'queue-position', request: entry.order.request, position });
  }

  /** Idempotent. */
  leave(entry: QueueEntry, servedBy: Ref | null): void {
    if (!this.#entries.delete(entry)) return;
    entry.queue.delete(entry);
    if (entry.queue.size === 0) this.#queues.delete(globalId(entry.accountId, entry.order.node));
    const { wrapupSeconds } = entry.order.rules;
    if (servedBy !== null && wrapupSeconds > 0) {
      this.#wrapupMs.set(agentId(entry, servedBy), wrapupSeconds * 1_000);
    }
    this.#unreserve(entry);
    this.#startTimer(0);
  }

  get waiting(): number {
    return this.#entries.size;
  }

  /** Of the caller who waits longest; 0: no caller waits. */
  get longestWaitMs(): number {
    const [first] = this.#entries;
    return first ? Math.max(0, this.#parts.clock.epochMs() - first.sinceMs) : 0;
  }

  /** The callers of a department, the next first. */
  callersOf(
    department: string,
  ): readonly (QueuedCaller & { readonly sinceMs: number; readonly ringing: boolean })[] {
    return [...(this.#queues.get(department) ?? [])].map(
      ({ accountId, callId, caller, sinceMs, offered }) => ({
        accountId,
        callId,
        caller,
        sinceMs,
        ringing: offered !== null,
      }),
    );
  }

  /** In wrap-up after a call from a queue, or after not answering one. */
  isResting(agent: string): boolean {
    const untilMs = this.#restUntilMs.get(agent);
    if (untilMs === undefined) return false;
    if (untilMs > this.#parts.clock.nowMs()) return true;
    this.#restUntilMs.delete(agent);
    return false;
  }

  /** Reserves all agents before it reports any turn: what a call does with its turn may lead back here. */
  #offerAgents(): void {
    const turns: QueueEntry[] = [];
    const free = new Map<string, boolean>();
    // Calls of one snapshot share the list: without a free agent for the first, there is none for those behind it.
    const exhausted = new Set<readonly Ref[]>();
    for (const entry of this.#entries) {
      const { agents } = entry.order;
      if (entry.offered !== null || exhausted.has(agents)) continue;
      const chosen = this.#choose(entry, free);
      if (chosen.length === 0) {
        exhausted.add(agents);
        continue;
      }
      entry.offered = chosen;
      for (const agent of chosen) {
        this.#reserved.add(agent);
        free.set(agent, false);
      }
      turns.push(entry);
    }
    for (const entry of turns) this.#reportTurn(entry);
    this.#startTimer(POLL_MS);
  }

  #choose(entry: QueueEntry, free: Map<string, boolean>): string[] {
    const { agentStates, random } = this.#parts;
    const { order, accountId } = entry;
    const isFree = (ref: Ref): boolean => {
      const agent = agentId(entry, ref);
      let known = free.get(agent);
      if (known === undefined) {
        known = this.#isFree(agent);
        free.set(agent, known);
      }
      return known;
    };
    return chooseAgents(order.strategy, order.agents, isFree, {
      idleSince: (ref) => agentStates.idleSince(agentId(entry, ref)),
      lastRung: agentStates.lastRung(globalId(accountId, order.node)),
      random,
    }).map((ref) => agentId(entry, ref));
  }

  #isFree(agent: string): boolean {
    const { agentStates, isPresent } = this.#parts;
    return (
      !this.#reserved.has(agent) && !agentStates.isBusy(agent) && !this.isResting(agent) && isPresent(agent)
    );
  }

  #reportTurn(entry: QueueEntry): void {
    const { offered, order, input } = entry;
    if (offered === null) return;
    const agents = order.agents.filter((ref) => offered.includes(agentId(entry, ref)));
    input.report({ type: 'queue-turn', request: order.request, agents });
  }

  #unreserve(entry: QueueEntry): void {
    for (const agent of entry.offered ?? []) this.#reserved.delete(agent);
    entry.offered = null;
  }

  #rest(agent: string, untilMs: number): void {
    this.#restUntilMs.set(agent, Math.max(untilMs, this.#restUntilMs.get(agent) ?? 0));
  }

  #agentIdle(agent: string): void {
    const wrapupMs = this.#wrapupMs.get(agent);
    if (wrapupMs !== undefined) {
      this.#wrapupMs.delete(agent);
      this.#rest(agent, this.#parts.clock.nowMs() + wrapupMs);
    }
    // Not at once: the call that frees the agent is still hanging up the agent's phone. Many at a time cause one look.
    this.#startTimer(0);
  }

  /** One timer for all queues, and none while they are empty. */
  #startTimer(ms: number): void {
    const { clock } = this.#parts;
    if (this.#entries.size === 0) {
      this.#cancelTimer?.();
      this.#cancelTimer = null;
      return;
    }
    const atMs = clock.nowMs() + ms;
    if (this.#cancelTimer && this.#timerAtMs <= atMs) return;
    this.#cancelTimer?.();
    this.#timerAtMs = atMs;
    this.#cancelTimer = clock.after(ms, () => {
      this.#cancelTimer = null;
      this.#offerAgents();
    });
  }
}

function agentId({ accountId }: QueuedCaller, agent: Ref): string {
  return globalId(accountId, agent.slice(agent.indexOf('||') + 2));
}

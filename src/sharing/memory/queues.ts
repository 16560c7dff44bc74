// The queues of one process.

import { globalId } from '../../domain/global-id.ts';
import type { Ref } from '../../flow/node.ts';
import type { Clock } from '../../kit/clock.ts';
import type {
  Agents,
  Duty,
  QueuedCall,
  QueuedCaller,
  QueueEntry,
  QueueLook,
  QueueOrder,
  Queues,
} from '../ports/queues.ts';
import { MemoryAgentStates } from './agent-states.ts';
import {
  agentId,
  ahead,
  inTurn,
  isStaffed,
  MISSED_REST_MS,
  matchCallers,
  offeredRefs,
  roomOf,
} from './matching.ts';
import { callbackPlace, placeAfter, placeAt, sinceOf } from './places.ts';

/** Delay until a registered phone, an unblocked agent or the end of a rest is noticed, at most. */
const POLL_MS = 500;

interface Entry extends QueueEntry {
  /** The department's queue, in order of arrival. */
  readonly queue: Set<Entry>;
  readonly sinceMs: number;
  readonly at: number;
  readonly call: QueuedCall;
  offered: readonly string[] | null;
}

export interface QueuesParts {
  readonly agentStates: MemoryAgentStates;
  readonly clock: Clock;
  readonly duty: Duty;
  readonly random: () => number;
}

export function memoryAgents(clock: Clock): Agents & { readonly agentStates: MemoryAgentStates } {
  const agentStates = new MemoryAgentStates(() => clock.epochMs());
  return {
    agentStates,
    openQueues: (duty) => new MemoryQueues({ agentStates, clock, duty, random: Math.random }),
    busyElsewhere: async () => new Set(),
    nodeDied: async () => undefined,
    claimAgain: async () => undefined,
    adopt: async () => undefined,
    close: async () => undefined,
  };
}

export class MemoryQueues implements Queues {
  readonly #parts: QueuesParts;
  /** The entries of all departments, in order of arrival. */
  readonly #entries = new Set<Entry>();
  /** By department and account. */
  readonly #queues = new Map<string, Set<Entry>>();
  readonly #reserved = new Set<string>();
  /** On the monotonic clock. */
  readonly #restUntilMs = new Map<string, number>();
  /** Agents in a call from a queue, with the wrap-up time that follows it. */
  readonly #wrapupMs = new Map<string, number>();
  #lastPlace = 0;
  #cancelTimer: (() => void) | null = null;
  #timerAtMs = 0;

  constructor(parts: QueuesParts) {
    this.#parts = parts;
    parts.agentStates.onIdle((agent) => this.#agentIdle(agent));
  }

  join(order: QueueOrder, who: QueuedCaller, call: QueuedCall): Entry | null {
    const department = globalId(who.accountId, order.node);
    const queue = this.#queues.get(department) ?? new Set<Entry>();
    const nowMs = this.#parts.clock.epochMs();
    const isNew = who.place === undefined;
    const at = who.place ?? placeAfter(Math.max(this.#lastPlace, placeAt(nowMs)));
    if (isNew) this.#lastPlace = at;
    const sinceMs = isNew ? nowMs : sinceOf(at);
    const entry: Entry = { ...who, order, queue, sinceMs, at, call, offered: null };
    const { request, rules } = order;
    if (isNew && !rules.joinWhenEmpty && !isStaffed(this.#parts.duty, who.accountId, order)) {
      call.report({ type: 'queue-refused', request, why: 'queue-empty' });
      return null;
    }
    this.#queues.set(department, queue);
    for (const each of [queue, this.#entries]) addInOrder(each, entry, isNew);
    this.#offerAgents();
    // A caller who is served at once needs no room in the queue.
    if (isNew && entry.offered === null && queue.size > roomOf(rules)) {
      this.leave(entry, null);
      call.report({ type: 'queue-refused', request, why: 'queue-full' });
      return null;
    }
    if (entry.offered === null) this.reportPosition(entry);
    return entry;
  }

  callbackPlace({ at }: Entry): number {
    return callbackPlace(at);
  }

  resume(entry: Entry): void {
    const untilMs = this.#parts.clock.nowMs() + MISSED_REST_MS;
    for (const agent of entry.offered ?? []) this.#rest(agent, untilMs);
    this.#unreserve(entry);
    this.#offerAgents();
    if (entry.offered === null) this.reportPosition(entry);
  }

  reportPosition(entry: Entry): void {
    const position = 1 + ahead(entry.queue, entry);
    entry.call.report({ type: 'queue-position', request: entry.order.request, position });
  }

  leave(entry: Entry, servedBy: Ref | null): void {
    const { accountId, order } = entry;
    if (!this.#entries.delete(entry)) return;
    entry.queue.delete(entry);
    if (entry.queue.size === 0) this.#queues.delete(globalId(accountId, order.node));
    const { wrapupSeconds } = order.rules;
    if (servedBy !== null && wrapupSeconds > 0)
      this.#wrapupMs.set(agentId(accountId, servedBy), wrapupSeconds * 1_000);
    this.#unreserve(entry);
    this.#startTimer(0);
  }

  forget(entry: Entry): void {
    this.leave(entry, null);
  }

  get waiting(): number {
    return this.#entries.size;
  }

  get longestWaitMs(): number {
    const [first] = this.#entries;
    return first ? Math.max(0, this.#parts.clock.epochMs() - first.sinceMs) : 0;
  }

  look(department: string, agents: readonly string[]): QueueLook {
    const { agentStates } = this.#parts;
    return {
      waiting: inTurn(this.#queues.get(department) ?? []).map(
        ({ accountId, callId, caller, sinceMs, offered }) => ({
          accountId,
          callId,
          caller,
          sinceMs,
          ringing: offered !== null,
        }),
      ),
      busy: new Set(agents.filter((agent) => agentStates.isBusy(agent))),
      resting: new Set(agents.filter((agent) => this.isResting(agent))),
    };
  }

  endRest(agent: string): void {
    if (this.#restUntilMs.delete(agent)) this.#startTimer(0);
  }

  isResting(agent: string): boolean {
    const untilMs = this.#restUntilMs.get(agent);
    if (untilMs === undefined) return false;
    if (untilMs > this.#parts.clock.nowMs()) return true;
    this.#restUntilMs.delete(agent);
    return false;
  }

  /** Reserves all agents before it reports any turn: what a call does with its turn may lead back here. */
  #offerAgents(): void {
    const { agentStates, duty, random } = this.#parts;
    const offers = matchCallers(this.#entries, {
      duty,
      isFree: (agent) => this.#isFree(agent),
      idleSince: (agent) => agentStates.idleSince(agent),
      lastRung: (department) => agentStates.lastRung(department),
      random,
    });
    for (const { caller, agents } of offers) {
      caller.offered = agents;
      for (const agent of agents) this.#reserved.add(agent);
    }
    for (const { caller } of offers) reportTurn(caller);
    this.#startTimer(POLL_MS);
  }

  #isFree(agent: string): boolean {
    const { agentStates, duty } = this.#parts;
    const isTaken = this.#reserved.has(agent) || agentStates.isBusy(agent) || this.isResting(agent);
    return !isTaken && duty.isPresent(agent);
  }

  #unreserve(entry: Entry): void {
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

/** One who came last is last. */
function addInOrder(entries: Set<Entry>, entry: Entry, isLast: boolean): void {
  const behind = isLast ? [] : [...entries].filter(({ at }) => at > entry.at);
  entries.add(entry);
  for (const each of behind) {
    entries.delete(each);
    entries.add(each);
  }
}

function reportTurn({ accountId, offered, order, call }: Entry): void {
  if (offered === null) return;
  const agents = offeredRefs(accountId, order.agents, offered);
  call.report({ type: 'queue-turn', request: order.request, agents });
}

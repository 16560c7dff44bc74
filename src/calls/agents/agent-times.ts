// The states of agents as they change: each change is published, and the time in each state is counted for statistics. A node counts the
// agents that its calls hold; all others are counted by one node, the one that has the lease.

import { AGENT_STATES, type AgentState, stateMeasure, workState } from '../../domain/agent-state.ts';
import { QUARTER_MS } from '../../domain/call-counts.ts';
import { globalId, splitGlobalId } from '../../domain/global-id.ts';
import { referenceTo } from '../../flow/node.ts';
import type { Clock } from '../../kit/clock.ts';
import type { AddedCounts } from '../../storage/ports/statistics.ts';

/** How often agents are looked at whose state changes without an event: hours, phones, the end of a wrap-up. */
const LOOK_MS = 1_000;
/** Agents that are looked at at once; of a larger service each comes in turn. */
const LOOKED_AT = 1_000;
/** A kill -9 loses the times of so long. */
const FLUSH_MS = 120_000;
/** States of those who do not work: counted for agents who worked within a day, so that agents who never do fill no table. */
const NOT_AT_WORK: ReadonlySet<AgentState> = new Set(['blocked', 'off_duty', 'unreachable']);
const DAY_MS = 24 * 3_600_000;
/** Changes of one agent within it are published as one. */
export const PUBLISH_MS = 500;
/** Sums that wait for the database; beyond them the newest are lost. */
const MAX_SUMS = 100_000;

interface Known {
  readonly state: AgentState;
  /** What its time counts as. */
  counted: AgentState;
  /** By the clock that is never set: a wall clock that jumps by years adds no time. */
  sinceMs: number;
  /** On the wall clock, when the state began; null: before this node looked. */
  readonly enteredAtMs: number | null;
}

export interface AgentTimesParts {
  readonly clock: Pick<Clock, 'after' | 'epochMs' | 'nowMs'>;
  /** Null if there is no such agent. */
  readonly stateOf: (agent: string) => AgentState | null;
  readonly canRing: (agent: string) => boolean;
  /** Calls of this node hold the agent. */
  readonly isActive: (agent: string) => boolean;
  readonly activeAgents: () => Iterable<string>;
  /** By account. */
  readonly agents: () => Iterable<readonly [accountId: string, eids: Iterable<string>]>;
  /** Whether this node counts the agents that no call holds; those of calls at other nodes are left out. */
  readonly isCounting: () => boolean;
  readonly isBusyElsewhere: (agent: string) => boolean;
  readonly publish: (agent: string, state: AgentState, previous: AgentState | null) => void;
  readonly store: (added: readonly AddedCounts[]) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

export class AgentTimes {
  readonly #parts: AgentTimesParts;
  /** The agents whose time this node counts. */
  readonly #known = new Map<string, Known>();
  /** When each agent was last seen at work. */
  readonly #atWorkMs = new Map<string, number>();
  /** Milliseconds by account, quarter of an hour, agent and state. */
  #sums = new Map<string, number>();
  /** Agents whose change is not published yet, with the state before it. */
  readonly #unpublished = new Map<string, AgentState | null>();
  #rest: string[] = [];
  #cancelPublish: (() => void) | null = null;
  #cancelLook: () => void = () => undefined;
  #flushedMs = 0;
  #flushing: Promise<void> = Promise.resolve();

  constructor(parts: AgentTimesParts) {
    this.#parts = parts;
  }

  open(): void {
    this.#flushedMs = this.#nowMs();
    this.#lookLater();
  }

  async close(): Promise<void> {
    this.#cancelLook();
    this.#cancelPublish?.();
    this.#cancelPublish = null;
    await this.flush();
  }

  /** Something that the agent's state depends on may have changed. */
  changed(agent: string): void {
    const { stateOf, canRing, isActive, isCounting, isBusyElsewhere } = this.#parts;
    const known = this.#known.get(agent);
    const state = stateOf(agent);
    const counted = state === null ? null : workState(state, () => canRing(agent));
    const nowMs = this.#nowMs();
    if (known && known.state === state) {
      if (!isActive(agent) && !(isCounting() && !isBusyElsewhere(agent))) this.#forget(agent, known);
      else if (counted !== null && counted !== known.counted) this.#recount(agent, known, counted, nowMs);
      return;
    }
    if (known) this.#count(agent, known, nowMs);
    const isOurs = isActive(agent) || (isCounting() && !isBusyElsewhere(agent));
    const enteredAtMs = known || isActive(agent) ? this.#parts.clock.epochMs() : null;
    if (state !== null && counted !== null && isOurs)
      this.#known.set(agent, { state, counted, sinceMs: nowMs, enteredAtMs });
    else this.#known.delete(agent);
    // What was not known before is no change, unless a call begins with it.
    if (state !== null && (known || isActive(agent))) this.#publishSoon(agent, known?.state ?? null);
  }

  /** When the present state began; null: not known here. */
  enteredAt(agent: string): number | null {
    return this.#known.get(agent)?.enteredAtMs ?? null;
  }

  /** Stores the time until now; what cannot be stored is tried again with the next flush. */
  flush(): Promise<void> {
    const nowMs = this.#nowMs();
    this.#flushedMs = nowMs;
    for (const [agent, known] of this.#known) {
      this.#count(agent, known, nowMs);
      known.sinceMs = nowMs;
    }
    this.#flushing = this.#flushing.then(() => this.#store());
    return this.#flushing;
  }

  async #store(): Promise<void> {
    const sums = this.#sums;
    if (sums.size === 0) return;
    this.#sums = new Map();
    try {
      await this.#parts.store(addedOf(sums));
    } catch (error) {
      this.#parts.failed(error);
      for (const [key, ms] of sums) this.#add(key, ms);
    }
  }

  /** The state stays, and its time counts as another one from here on. */
  #recount(agent: string, known: Known, counted: AgentState, nowMs: number): void {
    this.#count(agent, known, nowMs);
    known.sinceMs = nowMs;
    known.counted = counted;
  }

  #forget(agent: string, known: Known): void {
    this.#count(agent, known, this.#nowMs());
    this.#known.delete(agent);
  }

  /** Whole milliseconds: sums of them are exact. */
  #nowMs(): number {
    return Math.floor(this.#parts.clock.nowMs());
  }

  #count(agent: string, { counted: state, sinceMs }: Known, nowMs: number): void {
    if (!NOT_AT_WORK.has(state)) this.#atWorkMs.set(agent, nowMs);
    else if (!((this.#atWorkMs.get(agent) ?? Number.NEGATIVE_INFINITY) > nowMs - DAY_MS))
      this.#atWorkMs.delete(agent);
    if (!this.#atWorkMs.has(agent)) return;
    const { accountId, id } = splitGlobalId(agent);
    const untilMs = this.#parts.clock.epochMs();
    for (let fromMs = untilMs - (nowMs - sinceMs); fromMs < untilMs; ) {
      const quarter = Math.floor(fromMs / QUARTER_MS);
      const toMs = Math.min(untilMs, (quarter + 1) * QUARTER_MS);
      this.#add([accountId, quarter, id, state].join('\n'), toMs - fromMs);
      fromMs = toMs;
    }
  }

  #add(key: string, ms: number): void {
    const sum = this.#sums.get(key);
    if (sum === undefined && this.#sums.size >= MAX_SUMS) return;
    this.#sums.set(key, (sum ?? 0) + ms);
  }

  #publishSoon(agent: string, before: AgentState | null): void {
    if (!this.#unpublished.has(agent)) this.#unpublished.set(agent, before);
    this.#cancelPublish ??= this.#parts.clock.after(PUBLISH_MS, () => {
      this.#cancelPublish = null;
      const changes = [...this.#unpublished];
      this.#unpublished.clear();
      for (const [each, previous] of changes) {
        const state = this.#parts.stateOf(each);
        if (state !== null && state !== previous) this.#parts.publish(each, state, previous);
      }
    });
  }

  #lookLater(): void {
    this.#cancelLook = this.#parts.clock.after(LOOK_MS, () => {
      try {
        this.#look();
      } catch (error) {
        this.#parts.failed(error);
      }
      this.#lookLater();
    });
  }

  #look(): void {
    const { activeAgents, agents, isCounting } = this.#parts;
    for (const agent of activeAgents()) this.changed(agent);
    if (this.#rest.length === 0) {
      const all = new Set(this.#known.keys());
      if (isCounting())
        for (const [accountId, eids] of agents()) for (const eid of eids) all.add(globalId(accountId, eid));
      this.#rest = [...all];
    }
    for (const agent of this.#rest.splice(-LOOKED_AT)) this.changed(agent);
    if (this.#nowMs() - this.#flushedMs >= FLUSH_MS) void this.flush();
  }
}

function addedOf(sums: ReadonlyMap<string, number>): AddedCounts[] {
  const added = new Map<
    string,
    { accountId: string; atMs: number; counts: AddedCounts['counts'][number][] }
  >();
  for (const [key, value] of sums) {
    const [accountId = '', quarter = '', eid = '', state = ''] = key.split('\n');
    const at = `${accountId}\n${quarter}`;
    let of = added.get(at);
    if (!of) {
      of = { accountId, atMs: Number(quarter) * QUARTER_MS, counts: [] };
      added.set(at, of);
    }
    const measure = stateMeasure(AGENT_STATES.find((each) => each === state) ?? 'free');
    of.counts.push({ subject: referenceTo('agent', eid), measure, value });
  }
  return [...added.values()];
}

// Agents and queues that nodes share. What is stored of this node is compared with what its calls hold every few seconds, so a lost
// answer, a pause of this process, another node's mistaken reaping or an outage of the database leaves nothing behind. While the database
// does not answer, this node goes by what it knows.

import { globalId, splitGlobalId } from '../../domain/global-id.ts';
import type { Clock } from '../../kit/clock.ts';
import { placeAfter, placeAt } from '../memory/places.ts';
import type { Agents, Duty, Queues } from '../ports/queues.ts';
import { forgetOldStates, heldElsewhere } from './agent-sql.ts';
import { NOT_RUNG, PostgresAgentStates, type Removed } from './agent-states.ts';
import type { SharedDatabase } from './database.ts';
import { type Hold, isHeld } from './holds.ts';
import type { Entry } from './queue-entries.ts';
import { type NodeRows, readNode, removeNode } from './queue-sql.ts';

import { PostgresQueues } from './queues.ts';

const COMPARE_MS = 3_000;
/** While the database is away. */
const RETRY_MS = 500;
const FORGET_MS = 3_600_000;
/** How long close() waits for what is on its way. */
const CLOSE_MS = 2_000;

export interface AgentsParts {
  readonly database: Pick<SharedDatabase, 'run' | 'query' | 'together' | 'notices'>;
  readonly node: string;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly away: (error: unknown) => void;
  readonly back: () => void;
}

export class PostgresAgents implements Agents {
  readonly agentStates: PostgresAgentStates;
  readonly #parts: AgentsParts;
  #queues: PostgresQueues | null = null;
  #isAway = false;
  #isClosed = false;
  #comparing: Promise<void> | null = null;
  #cancelTimer: () => void = () => undefined;
  #forgetAtMs: number;

  constructor(parts: AgentsParts) {
    this.#parts = parts;
    this.#forgetAtMs = parts.clock.nowMs() + FORGET_MS;
    this.agentStates = new PostgresAgentStates({
      ...parts,
      isAway: () => this.#isAway,
      failed: (error) => this.#failed(error),
      freed: (accountId) => this.#queues?.matchAgain(accountId),
    });
  }

  openQueues(duty: Duty): Queues {
    const queues = new PostgresQueues({
      random: Math.random,
      ...this.#parts,
      agentStates: this.agentStates,
      duty,
      isAway: () => this.#isAway,
      failed: (error) => this.#failed(error),
    });
    this.#queues = queues;
    // What an earlier run of this node left behind.
    void this.compare();
    return queues;
  }

  busyElsewhere(): Promise<ReadonlySet<string>> {
    return heldElsewhere(this.#parts.database.query, this.#parts.node);
  }

  async nodeDied(nodeId: string): Promise<void> {
    const accounts = await removeNode(this.#parts.database, nodeId);
    for (const accountId of accounts) this.#queues?.matchAgain(accountId);
  }

  claimAgain(): Promise<void> {
    return this.compare();
  }

  async adopt(nodeId: string, calls: readonly string[]): Promise<void> {
    await this.#queues?.adopt(nodeId, calls);
  }

  async close(): Promise<void> {
    const untilMs = performance.now() + CLOSE_MS;
    this.#cancelTimer();
    while (!this.#isAway && !this.isIdle && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, 5));
    this.#isClosed = true;
    this.#cancelTimer();
    this.#queues?.close();
  }

  /** What is stored of this node becomes what it holds. */
  compare(): Promise<void> {
    this.#comparing ??= this.#compare().finally(() => {
      this.#comparing = null;
    });
    return this.#comparing;
  }

  async #compare(): Promise<void> {
    if (this.#isClosed) return;
    const { clock, database, node } = this.#parts;
    const asOfMs = clock.nowMs();
    let isBack = false;
    try {
      const rows = await readNode(database.query, node);
      const known = this.#compareCallers(rows);
      // First of all: a step of the queues must not offer an agent whom a call of this node has.
      const { stale, missing } = this.#compareClaims(rows, asOfMs);
      await this.agentStates.removeNow(stale);
      await this.agentStates.storeNow(missing);
      isBack = this.#isAway;
      if (isBack) this.#parts.back();
      this.#isAway = false;
      this.#restoreCallers(rows, known, asOfMs);
      for (const { agent } of stale) this.#queues?.matchAgain(splitGlobalId(agent).accountId);
      if (clock.nowMs() > this.#forgetAtMs) {
        this.#forgetAtMs = clock.nowMs() + FORGET_MS;
        await forgetOldStates(database.query);
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      // Steps were not possible before: once more, for rows that no call knows.
      if (this.#isAway) this.#compareIn(RETRY_MS);
      else this.#compareIn(isBack ? 0 : COMPARE_MS);
    }
  }

  /** Nothing is on its way to the database. */
  get isIdle(): boolean {
    return this.agentStates.isIdle && (this.#queues?.isIdle ?? true);
  }

  #compareIn(ms: number): void {
    this.#cancelTimer();
    if (!this.#isClosed) this.#cancelTimer = this.#parts.clock.after(ms, () => void this.compare());
  }

  #failed(error: unknown): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    this.#parts.away(error);
    this.#queues?.wentAway();
    this.#compareIn(RETRY_MS);
  }

  /** Offers that were not heard of, and rows that no call knows. The callers with a row. */
  #compareCallers({ callers }: NodeRows): ReadonlySet<Entry> {
    const known = new Set<Entry>();
    for (const [accountId, number, call, offer, offered] of callers) {
      const entry = this.#queues?.entries.find(accountId, number, call);
      if (entry) known.add(entry);
      else this.#queues?.removeRow(accountId, number);
      const agents = offered === null ? null : (JSON.parse(offered) as string[]);
      if (entry) this.#queues?.compare(entry, number, offer, agents);
    }
    return known;
  }

  /** Callers without a row get one, in the order of their waiting time by the database's clock. */
  #restoreCallers({ nowMs }: NodeRows, known: ReadonlySet<Entry>, asOfMs: number): void {
    const aheadMs = nowMs - this.#parts.clock.epochMs();
    /** By account: the number of the caller before. */
    const last = new Map<string, number>();
    for (const entry of this.#queues?.entries.all() ?? []) {
      const { accountId } = entry;
      const next = placeAfter(Math.max(placeAt(entry.sinceMs + aheadMs), last.get(accountId) ?? 0));
      const number = entry.number ?? next;
      last.set(accountId, number);
      if (known.has(entry) || entry.isOnItsWay || (entry.storedMs ?? 0) > asOfMs) continue;
      this.#queues?.restore(entry, number);
    }
  }

  /** Rows that no call knows, and claims without a row. */
  #compareClaims({ claims }: NodeRows, asOfMs: number): { stale: Removed[]; missing: Hold[] } {
    const { agentStates } = this;
    const stored = new Set<Hold>();
    const stale: Removed[] = [];
    for (const [accountId, agent, holder] of claims) {
      const named = globalId(accountId, agent);
      const hold = agentStates.holds.find(named, holder);
      if (!hold) stale.push({ ...NOT_RUNG, agent: named, holder });
      else {
        stored.add(hold);
        hold.storedMs ??= asOfMs;
      }
    }
    const missing = [...agentStates.holds.all()].filter((hold) => {
      if (stored.has(hold) || hold.isLeaving || !isHeld(hold)) return false;
      // One that is asked for now is stored by that, or refused.
      return hold.storedMs === null ? hold.isForced : hold.storedMs <= asOfMs;
    });
    return { stale, missing };
  }
}

// The agents of all nodes: a row of agent_claims for each call that keeps an agent busy. What this node holds is known here at once;
// what it asks for and gives up goes to the database in batches, those of an account in order.

import { splitGlobalId } from '../../domain/global-id.ts';
import type { Ref } from '../../flow/node.ts';
import type { Clock } from '../../kit/clock.ts';
import { MemoryAgentStates } from '../memory/agent-states.ts';
import { type AgentStates, ALL_CLAIMED, type Claimed, type Standing } from '../ports/agent-states.ts';
import { readStanding, removeHolds, storeHolds, storeRung } from './agent-sql.ts';
import type { SharedDatabase } from './database.ts';
import { type Hold, Holds, isHeld } from './holds.ts';
import { Lanes } from './lanes.ts';

/** How long a ring waits for the other nodes; then what this node knows decides. */
const WAIT_MS = 700;
const CONNECTIONS = 3;
const MAX_BATCH = 200;

export interface AgentStatesParts {
  readonly database: Pick<SharedDatabase, 'query' | 'together'>;
  readonly node: string;
  readonly clock: Clock;
  /** Whether the database did not answer last. */
  readonly isAway: () => boolean;
  readonly failed: (error: unknown) => void;
  /** An agent of the account may be free for a caller who waits, at any node. */
  readonly freed: (accountId: string) => void;
}

export type Removed = Pick<Hold, 'agent' | 'holder' | 'hadLegs' | 'restMs' | 'wrapupMs'>;

export const NOT_RUNG = { hadLegs: false, restMs: 0, wrapupMs: 0 } as const;

type Work =
  | {
      readonly type: 'store';
      readonly holds: readonly Hold[];
      answer(busy: readonly Hold[], isLocal: boolean): void;
    }
  | { readonly type: 'release'; readonly hold: Hold }
  | { readonly type: 'remove'; readonly removed: Removed }
  | { readonly type: 'rang'; readonly department: string; readonly agent: Ref };

type Query = SharedDatabase['query'];
type Of<Type extends Work['type']> = Extract<Work, { type: Type }>;

export class PostgresAgentStates implements AgentStates {
  readonly holds = new Holds();
  /** What this node knows by itself. */
  readonly local: MemoryAgentStates;
  readonly #parts: AgentStatesParts;
  readonly #lanes: Lanes<Work>;

  constructor(parts: AgentStatesParts) {
    this.#parts = parts;
    this.local = new MemoryAgentStates(() => parts.clock.epochMs());
    const run = (accountId: string, work: readonly Work[]): Promise<void> => this.#run(accountId, work);
    this.#lanes = new Lanes({ most: CONNECTIONS, batch: MAX_BATCH, run, failed: parts.failed });
  }

  claim(call: string, agents: readonly (string | null)[], isShared: boolean): Claimed | Promise<Claimed> {
    const busy: string[] = [];
    const made: Hold[] = [];
    for (const agent of new Set(agents)) {
      if (agent === null) continue;
      const own = this.holds.get(call, agent);
      if (own && (isShared || !own.isShared)) own.claims += 1;
      else if (!isShared && this.holds.isBusy(agent)) busy.push(agent);
      else {
        const hold = this.holds.make(call, agent, isShared);
        hold.claims = 1;
        made.push(hold);
      }
    }
    const isLocal = made.length > 0 && this.#parts.isAway();
    if (isLocal) for (const hold of made) hold.isForced = true;
    if (made.length > 0 && !isLocal) return this.#ask(made, busy);
    return busy.length === 0 && !isLocal ? ALL_CLAIMED : { busy, isLocal };
  }

  settle(call: string, agents: readonly (string | null)[]): void {
    for (const agent of new Set(agents)) {
      const hold = agent === null ? undefined : this.holds.get(call, agent);
      if (!hold || hold.claims === 0) continue;
      hold.claims -= 1;
      this.releaseUnheld(hold);
    }
  }

  occupy(call: string, agent: string): void {
    let hold = this.holds.get(call, agent);
    if (!hold) {
      hold = this.holds.make(call, agent, true);
      this.#storeSoon(hold);
    }
    hold.legs += 1;
    hold.hadLegs = true;
    this.local.occupy(call, agent);
  }

  free(call: string, agent: string): void {
    this.local.free(call, agent);
    const hold = this.holds.get(call, agent);
    if (!hold || hold.legs === 0) return;
    hold.legs -= 1;
    this.releaseUnheld(hold);
  }

  rang(call: string, department: string, agent: Ref): void {
    this.local.rang(call, department, agent);
    const { accountId, id } = splitGlobalId(department);
    if (!id.startsWith('department||') || this.#parts.isAway()) return;
    // The queue stored it together with its offer.
    const hold = this.holds.get(call, `${accountId}/${agent.slice(agent.indexOf('||') + 2)}`);
    if (!hold?.isOffered) this.#lanes.add(accountId, { type: 'rang', department: id, agent });
  }

  standing(department: string, agents: readonly string[]): Standing | Promise<Standing> {
    const local = (): Standing => this.local.standing(department, agents);
    if (this.#parts.isAway()) return local();
    const asked = readStanding(this.#parts.database.query, department, agents).catch((error: unknown) => {
      this.#parts.failed(error);
      return local();
    });
    return within(this.#parts.clock, asked, local);
  }

  /** A queue has offered the agent to the call; the row is stored. */
  offered(call: string, agent: string, holder: string | null): Hold {
    const hold = this.holds.make(call, agent, false, holder ?? undefined);
    hold.isOffered = true;
    if (holder === null) hold.isForced = true;
    else hold.storedMs = this.#parts.clock.nowMs();
    return hold;
  }

  #storeSoon(hold: Hold): void {
    hold.isForced = true;
    if (this.#parts.isAway()) return;
    const { accountId } = splitGlobalId(hold.agent);
    this.#lanes.add(accountId, { type: 'store', holds: [hold], answer: () => undefined });
  }

  // Now, also while the database counts as away.

  async removeNow(stale: readonly Removed[]): Promise<void> {
    for (const [accountId, all] of batchesOf(stale))
      await removeHolds(this.#parts.database.query, accountId, all);
  }

  /** Where another node has claimed the agent meanwhile, the row is tried again later. */
  async storeNow(missing: readonly Hold[]): Promise<void> {
    const { database, node, clock } = this.#parts;
    for (const [accountId, all] of batchesOf(missing)) {
      const holds = all.filter(isHeld);
      const granted = await storeHolds(database.query, accountId, node, holds);
      for (const hold of holds) {
        hold.storedMs = granted.has(hold.holder) ? clock.nowMs() : null;
        hold.isForced = true;
        if (!isHeld(hold)) this.remove(hold.agent, hold.holder);
      }
    }
  }

  releaseUnheld(hold: Hold): void {
    if (isHeld(hold)) return;
    if (this.#parts.isAway()) this.holds.delete(hold);
    else this.#lanes.add(splitGlobalId(hold.agent).accountId, { type: 'release', hold });
  }

  /** A row of this node that no call of it knows. */
  remove(agent: string, holder: string): void {
    const removed = { ...NOT_RUNG, agent, holder };
    this.#lanes.add(splitGlobalId(agent).accountId, { type: 'remove', removed });
  }

  get isIdle(): boolean {
    return this.#lanes.isIdle;
  }

  #ask(holds: readonly Hold[], locallyBusy: readonly string[]): Promise<Claimed> {
    const { clock } = this.#parts;
    const { accountId } = splitGlobalId(holds[0]?.agent ?? '');
    const asked = new Promise<Claimed>((resolve) => {
      const answer = (busy: readonly Hold[], isLocal: boolean): void =>
        resolve({ busy: [...locallyBusy, ...busy.map(({ agent }) => agent)], isLocal });
      this.#lanes.add(accountId, { type: 'store', holds, answer });
    });
    return within(clock, asked, () => {
      for (const hold of holds) hold.isForced = true;
      return { busy: locallyBusy, isLocal: true };
    });
  }

  async #run(accountId: string, work: readonly Work[]): Promise<void> {
    const asked = work.filter((each): each is Of<'store'> => each.type === 'store');
    const released = work.flatMap((each) => (each.type === 'release' ? [each.hold] : []));
    const removed = work.flatMap((each) => (each.type === 'remove' ? [each.removed] : []));
    const giveUp = (): void => {
      for (const { holds, answer } of asked) {
        for (const hold of holds) hold.isForced = true;
        answer([], true);
      }
      for (const hold of released) if (!isHeld(hold)) this.holds.delete(hold);
    };
    if (this.#parts.isAway()) {
      giveUp();
      return;
    }
    try {
      const rung = new Map<string, Ref>();
      for (const each of work) if (each.type === 'rang') rung.set(each.department, each.agent);
      // One round trip. An agent who is released and claimed is free by the time of the claim.
      await this.#parts.database.together((query) =>
        Promise.all([
          this.#release(query, accountId, [...new Set(released)], removed),
          this.#store(query, accountId, asked),
          rung.size > 0 ? storeRung(query, accountId, rung) : null,
        ]),
      );
    } catch (error) {
      this.#parts.failed(error);
      giveUp();
    }
  }

  /** One that is held again by now stays. */
  async #release(
    query: Query,
    accountId: string,
    released: readonly Hold[],
    removed: readonly Removed[],
  ): Promise<void> {
    const over = released.filter((hold) => !isHeld(hold));
    const all = [...over, ...removed];
    if (all.length === 0) return;
    for (const hold of over) hold.isLeaving = true;
    const isAwaited = await removeHolds(query, accountId, all);
    for (const hold of over) this.holds.delete(hold);
    if (isAwaited) this.#parts.freed(accountId);
  }

  async #store(query: Query, accountId: string, asked: readonly Of<'store'>[]): Promise<void> {
    const { node, clock } = this.#parts;
    // One that was given up meanwhile has its release behind it.
    const wanted = asked.flatMap(({ holds }) => holds).filter((hold) => isHeld(hold) && !hold.isLeaving);
    const granted = wanted.length > 0 ? await storeHolds(query, accountId, node, wanted) : null;
    for (const { holds, answer } of asked) {
      const busy: Hold[] = [];
      for (const hold of holds) {
        if (granted?.has(hold.holder)) hold.storedMs = clock.nowMs();
        else if (wanted.includes(hold) && !hold.isForced) {
          busy.push(hold);
          this.holds.delete(hold);
        }
      }
      answer(busy, false);
    }
  }
}

/** What `late` says after WAIT_MS. */
function within<T>(clock: Clock, asked: Promise<T>, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(WAIT_MS, () => resolve(late()));
    void asked.then(resolve, reject).finally(cancel);
  });
}

/** By account, MAX_BATCH at most in one. */
function batchesOf<Each extends { readonly agent: string }>(all: readonly Each[]): [string, Each[]][] {
  const batches: [string, Each[]][] = [];
  const last = new Map<string, Each[]>();
  for (const each of all) {
    const { accountId } = splitGlobalId(each.agent);
    const batch = last.get(accountId);
    if (batch && batch.length < MAX_BATCH) batch.push(each);
    else {
      const begun = [each];
      last.set(accountId, begun);
      batches.push([accountId, begun]);
    }
  }
  return batches;
}

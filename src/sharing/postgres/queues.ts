// The queues of all nodes: a row of queue_callers for each caller. Each node has the callers of its own calls in memory, and changes the
// rows of an account by steps (queue-step.ts), whose offers may be to callers of any node. While the database is away the callers of this
// node are served in their order by the agents that it knows to be free.
import { splitGlobalId } from '../../domain/global-id.ts';
import type { Ref } from '../../flow/node.ts';
import { sqlStateOf } from '../../storage/postgres/errors.ts';
import { agentId, isStaffed, MISSED_REST_MS, roomOf } from '../memory/matching.ts';
import type { QueuedCall, QueuedCaller, QueueLook, QueueOrder, Queues } from '../ports/queues.ts';
import { AdoptedPlaces, type Place } from './adopted-places.ts';
import { removeRest } from './agent-sql.ts';
import { Lanes } from './lanes.ts';
import { LocalRests } from './local-rests.ts';
import {
  type Entry,
  isWaiting,
  offerHere,
  QueueEntries,
  reportPosition,
  reportTurn,
} from './queue-entries.ts';
import { readLook, readOffers } from './queue-sql.ts';
import { Lists, noticeTopic, offerHolder, queueStep, type StepResult } from './queue-step.ts';
import { type QueuesParts, type SortedWork, sortWork, type Work } from './queue-work.ts';

/** Delay until a lost notice, a registered phone, an unblocked agent or the end of a rest is noticed, at most. */
const POLL_MS = 500;
/** An agent who became free while a step left its caller waiting is found by another step so soon. */
const AGAIN_MS = 50;
const CONNECTIONS = 2;
const MAX_BATCH = 200;
const MAX_LISTS = 1000;
/** Steps that are undone because an agent was claimed meanwhile; the last one offers nothing. */
const MAX_ATTEMPTS = 4;
/** A statement or a lock took too long. */
const LATE: ReadonlySet<string> = new Set(['57014', '55P03']);

export class PostgresQueues implements Queues {
  readonly #parts: QueuesParts;
  readonly entries = new QueueEntries();
  readonly callbackPlace = QueueEntries.callbackPlace;
  readonly #lanes: Lanes<Work>;
  readonly #lists = new Lists(MAX_LISTS);
  readonly #adopted = new AdoptedPlaces();
  readonly #rests: LocalRests;
  readonly #reads: Lanes<null>;
  readonly #again = new Set<string>();
  readonly #unsubscribe: () => void;
  #cancelPoll: (() => void) | null = null;
  #cancelAgain: (() => void) | null = null;

  constructor(parts: QueuesParts) {
    this.#parts = parts;
    this.#rests = new LocalRests(parts.clock);
    const run = (accountId: string, work: readonly Work[]): Promise<void> => this.#run(accountId, work);
    this.#lanes = new Lanes({ most: CONNECTIONS, batch: MAX_BATCH, run, failed: parts.failed });
    this.#reads = new Lanes({
      most: 1,
      batch: MAX_BATCH,
      run: (accountId) => this.#readOffers(accountId),
      failed: parts.failed,
    });
    this.#unsubscribe = parts.database.notices.subscribe(
      noticeTopic(parts.node),
      (accountId) => this.#reads.add(accountId, null),
      () => this.#reads.add('', null),
    );
  }

  join(order: QueueOrder, who: QueuedCaller, call: QueuedCall): Entry | null {
    const { accountId } = who;
    const { request, agents, rules, node } = order;
    const place = this.#adopted.take(who.callId, node);
    if (place) return this.#joinAt(place, order, who, call);
    const { duty, clock } = this.#parts;
    if (who.place === undefined && !rules.joinWhenEmpty && !isStaffed(duty, accountId, order)) {
      call.report({ type: 'queue-refused', request, why: 'queue-empty' });
      return null;
    }
    const isOnItsWay = !this.#parts.isAway();
    const list = this.#lists.nameOf(agents);
    const entry = this.entries.make(order, who, call, list, isOnItsWay, clock.epochMs());
    if (isOnItsWay) this.#lanes.add(accountId, { type: 'join', entry });
    else if (who.place === undefined && this.entries.inDepartment(accountId, node).length > roomOf(rules)) {
      this.#forget(entry);
      call.report({ type: 'queue-refused', request, why: 'queue-full' });
      return null;
    } else this.#serveHere(entry);
    this.#startPolling();
    return entry;
  }

  /** The caller had this place at another node. */
  #joinAt(place: Place, order: QueueOrder, who: QueuedCaller, call: QueuedCall): Entry {
    const list = this.#lists.nameOf(order.agents);
    const stored = { isOnItsWay: false, storedMs: this.#parts.clock.nowMs() };
    const entry: Entry = { ...who, order, call, list, ...place, ...stored, offered: null, isLeft: false };
    this.entries.add(entry);
    this.resume(entry);
    return entry;
  }

  adopt(from: string, calls: readonly string[]): Promise<void> {
    return this.#adopted.adopt(this.#parts.database, from, this.#parts.node, calls);
  }

  resume(entry: Entry): void {
    this.#giveBack(entry, MISSED_REST_MS);
    if (this.#parts.isAway()) this.#serveHere(entry);
    else this.#lanes.add(entry.accountId, { type: 'resume', entry });
    this.#startPolling();
  }

  reportPosition(entry: Entry): void {
    if (this.#parts.isAway() || entry.number === null) reportPosition(entry, this.entries.positionOf(entry));
    else this.#lanes.add(entry.accountId, { type: 'position', entry });
  }

  leave(entry: Entry, servedBy: Ref | null): void {
    if (entry.isLeft) return;
    const { accountId, callId, order } = entry;
    const { agentStates } = this.#parts;
    this.#forget(entry);
    const server =
      servedBy === null ? undefined : agentStates.holds.get(callId, agentId(accountId, servedBy));
    if (server) server.wrapupMs = order.rules.wrapupSeconds * 1_000;
    this.#giveBack(entry, 0);
    if (!this.#parts.isAway()) this.#lanes.add(accountId, { type: 'leave', entry });
  }

  forget(entry: Entry): void {
    this.#forget(entry);
    this.#giveBack(entry, 0);
  }

  get waiting(): number {
    return this.entries.size;
  }

  get longestWaitMs(): number {
    return Math.max(0, this.#parts.clock.epochMs() - this.entries.sinceMs);
  }

  async look(department: string, agents: readonly string[]): Promise<QueueLook> {
    const { accountId, id } = splitGlobalId(department);
    const { database, isAway, failed } = this.#parts;
    if (isAway()) return this.#lookHere(accountId, id, agents);
    try {
      return await readLook(database.query, accountId, id, agents);
    } catch (error) {
      failed(error);
      return this.#lookHere(accountId, id, agents);
    }
  }

  /** An agent of the account may be free. */
  async endRest(agent: string): Promise<void> {
    this.#rests.end(agent);
    if (this.#parts.isAway()) return;
    await removeRest(this.#parts.database.query, agent);
    this.matchAgain(splitGlobalId(agent).accountId);
  }

  matchAgain(accountId: string): void {
    if (!this.#parts.isAway()) this.#lanes.add(accountId, { type: 'look' });
  }

  /** The row is gone, or was never written: the place is restored. */
  restore(entry: Entry, number: number): void {
    entry.number = number;
    entry.storedMs = null;
    entry.isOnItsWay = true;
    this.#lanes.add(entry.accountId, { type: 'join', entry });
  }

  /** Its row, as it is stored. A step may have been committed whose answer was lost. */
  compare(entry: Entry, number: number, offer: number, offered: readonly string[] | null): void {
    if (!entry.isOnItsWay && entry.number === null) {
      entry.number = number;
      entry.storedMs = this.#parts.clock.nowMs();
    }
    if (offered === null) {
      if (entry.offered !== null) this.#lanes.add(entry.accountId, { type: 'keep', entry });
      return;
    }
    if (offer > entry.offer) this.accept(entry, offer, offered);
    else if (isWaiting(entry)) this.#lanes.add(entry.accountId, { type: 'resume', entry });
  }

  /** A row of this node that no call of it knows. */
  removeRow(accountId: string, number: number): void {
    this.#lanes.add(accountId, { type: 'forget', number });
  }

  /** An offer to a caller of this node. One that is known already changes nothing; one who left gives the agents back. */
  accept(entry: Entry, offer: number, agents: readonly string[]): void {
    const { agentStates } = this.#parts;
    if (offer <= entry.offer) return;
    entry.offer = offer;
    const holder = offerHolder(entry.callId, offer);
    // A caller who was served while the database was away needs no other agents either.
    if (entry.isLeft || entry.offered !== null) {
      for (const agent of agents) agentStates.remove(agent, holder);
      return;
    }
    for (const agent of agents) agentStates.offered(entry.callId, agent, holder);
    entry.offered = agents;
    reportTurn(entry);
  }

  /** The database is away: everyone who waits for an answer gets one. */
  wentAway(): void {
    for (const entry of this.entries.all()) entry.call.sharingLost();
    this.#matchHere();
    for (const entry of this.entries.all())
      if (entry.number === null && isWaiting(entry)) reportPosition(entry, this.entries.positionOf(entry));
    this.#startPolling();
  }

  close(): void {
    this.#unsubscribe();
    this.#cancelPoll?.();
    this.#cancelAgain?.();
  }

  get isIdle(): boolean {
    return this.#lanes.isIdle && this.#reads.isIdle;
  }

  #forget(entry: Entry): void {
    entry.isLeft = true;
    this.entries.delete(entry);
  }

  /** The offered agents are not reserved any more; those with a leg of the call stay busy. */
  #giveBack(entry: Entry, restMs: number): void {
    const { agentStates } = this.#parts;
    for (const agent of entry.offered ?? []) {
      const hold = agentStates.holds.get(entry.callId, agent);
      this.#rests.begin(agent, restMs);
      if (!hold) continue;
      hold.isOffered = false;
      hold.restMs = restMs;
      agentStates.releaseUnheld(hold);
    }
    entry.offered = null;
  }

  async #run(accountId: string, work: readonly Work[]): Promise<void> {
    const { failed, isAway } = this.#parts;
    const dropped = (): void => {
      for (const each of work) if (each.type === 'join') each.entry.isOnItsWay = false;
    };
    if (isAway()) return dropped();
    const sorted = sortWork(work);
    let result: StepResult<Entry>;
    try {
      result = await this.#step(accountId, sorted);
    } catch (error) {
      // Others hold the account's lock, or one of them has stopped: not an outage.
      if (LATE.has(sqlStateOf(error))) for (const each of work) this.#lanes.add(accountId, each);
      else {
        dropped();
        failed(error);
      }
      return;
    }
    this.#apply(accountId, result, sorted);
  }

  async #step(
    accountId: string,
    { joining, resumed, kept, asking, left }: SortedWork,
  ): Promise<StepResult<Entry>> {
    const { database, node, duty, random } = this.#parts;
    const input = {
      accountId,
      node,
      joining,
      resumed: new Map(resumed.map((entry) => [entry.number ?? 0, entry])),
      kept: new Map(kept.map((entry) => [entry.number ?? 0, entry])),
      left,
      asked: asking.flatMap(({ number }) => number ?? []),
      duty,
      random,
      lists: this.#lists,
    };
    for (let attempt = 1; ; attempt++) {
      const isMatching = attempt < MAX_ATTEMPTS;
      const result = await database.run((tx) => queueStep(tx, { ...input, isMatching }));
      if (result) return result;
    }
  }

  #apply(
    accountId: string,
    { joined, refused, turns, positions, isPartial }: StepResult<Entry>,
    { resumed, asking }: SortedWork,
  ): void {
    const { node, clock } = this.#parts;
    const nowMs = clock.nowMs();
    // One whose place is restored knows its position.
    const waited = joined.filter(({ caller }) => caller.number === null);
    for (const { caller, number } of joined) {
      caller.number = number;
      caller.storedMs = nowMs;
      caller.isOnItsWay = false;
      // It left while it joined: its leave had no number to remove.
      if (caller.isLeft) this.removeRow(accountId, number);
    }
    for (const entry of refused) {
      if (entry.isLeft) continue;
      this.#forget(entry);
      entry.call.report({ type: 'queue-refused', request: entry.order.request, why: 'queue-full' });
    }
    for (const turn of turns) {
      if (turn.node !== node) continue;
      const entry =
        joined.find(({ number }) => number === turn.number)?.caller ??
        this.entries.find(accountId, turn.number, turn.call);
      if (entry) this.accept(entry, turn.offer, turn.agents);
      else
        for (const agent of turn.agents)
          this.#parts.agentStates.remove(agent, offerHolder(turn.call, turn.offer));
    }
    for (const { caller, position } of waited) if (isWaiting(caller)) reportPosition(caller, position);
    for (const entry of [...resumed, ...asking]) {
      const position = positions[String(entry.number)];
      if (isWaiting(entry) && position !== undefined) reportPosition(entry, position);
    }
    if (isPartial) this.#lanes.add(accountId, { type: 'look' });
    else if (joined.length > 0 || resumed.length > 0) this.#lookAgain(accountId);
  }

  #lookAgain(accountId: string): void {
    this.#again.add(accountId);
    this.#cancelAgain ??= this.#parts.clock.after(AGAIN_MS, () => {
      this.#cancelAgain = null;
      for (const each of this.#again) this.#poll(each);
      this.#again.clear();
    });
  }

  #startPolling(): void {
    if (this.#cancelPoll) return;
    this.#cancelPoll = this.#parts.clock.after(POLL_MS, () => {
      this.#cancelPoll = null;
      if (this.entries.size === 0) return;
      this.#startPolling();
      this.#rests.sweep();
      if (this.#parts.isAway()) this.#matchHere();
      else {
        this.#reads.add('', null);
        for (const accountId of this.entries.accounts) this.#poll(accountId);
      }
    });
  }

  /** One that is busy anyway is matched by what runs. */
  #poll(accountId: string): void {
    if (this.#lanes.isBusy(accountId)) return;
    for (const { offered } of this.entries.of(accountId)) {
      if (offered !== null) continue;
      this.matchAgain(accountId);
      return;
    }
  }

  /** '': of all accounts. */
  async #readOffers(accountId: string): Promise<void> {
    const { database, node, failed, isAway } = this.#parts;
    if (isAway()) return;
    try {
      for (const row of await readOffers(database.query, accountId, node)) {
        const entry = this.entries.find(row.accountId, row.number, row.call);
        if (entry) this.accept(entry, row.offer, JSON.parse(row.offered) as string[]);
      }
    } catch (error) {
      failed(error);
    }
  }

  // While the database is away.

  #serveHere(entry: Entry): void {
    entry.call.sharingLost();
    this.#matchHere();
    if (isWaiting(entry)) reportPosition(entry, this.entries.positionOf(entry));
  }

  #matchHere(): void {
    offerHere(this.entries.all(), this.#parts, (agent) => !this.#rests.has(agent));
  }

  #lookHere(accountId: string, department: Ref, agents: readonly string[]): QueueLook {
    const { local } = this.#parts.agentStates;
    const busy = new Set(agents.filter((agent) => local.isBusy(agent)));
    const resting = new Set(agents.filter((agent) => this.#rests.has(agent)));
    return { waiting: this.entries.waitingIn(accountId, department), busy, resting };
  }
}

// The callers of this node's calls who wait in queues.
import type { Ref } from '../../flow/node.ts';
import { ahead, inTurn, matchCallers, offeredRefs } from '../memory/matching.ts';
import { callbackPlace, placeAt, sinceOf } from '../memory/places.ts';
import type {
  Duty,
  QueuedCall,
  QueuedCaller,
  QueueEntry,
  QueueOrder,
  WaitingCaller,
} from '../ports/queues.ts';
import type { PostgresAgentStates } from './agent-states.ts';
import type { JoiningCaller } from './queue-step.ts';

export interface Entry extends QueueEntry, JoiningCaller {
  readonly call: QueuedCall;
  readonly sinceMs: number;
  /** Null if it is not stored yet. */
  number: number | null;
  offer: number;
  offered: readonly string[] | null;
  isLeft: boolean;
  /** It is about to be stored. */
  isOnItsWay: boolean;
  /** Its row is stored since that moment on the monotonic clock. */
  storedMs: number | null;
}

export const isWaiting = ({ offered, isLeft }: Entry): boolean => offered === null && !isLeft;

export function reportPosition({ call, order }: Entry, position: number): void {
  call.report({ type: 'queue-position', request: order.request, position });
}

export function reportTurn({ accountId, offered, order, call }: Entry): void {
  if (offered === null) return;
  const agents = offeredRefs(accountId, order.agents, offered);
  call.report({ type: 'queue-turn', request: order.request, agents });
}

export interface Here {
  readonly agentStates: PostgresAgentStates;
  readonly duty: Duty;
  readonly random: () => number;
}

/** Without the other nodes: by the agents that this node knows to be free. */
export function offerHere(
  entries: readonly Entry[],
  { agentStates, duty, random }: Here,
  isRested: (agent: string) => boolean,
): void {
  const { holds, local } = agentStates;
  const offers = matchCallers(entries, {
    duty,
    isFree: (agent) => !holds.isBusy(agent) && isRested(agent) && duty.isPresent(agent),
    idleSince: (agent) => local.idleSince(agent),
    lastRung: (department) => local.lastRung(department),
    random,
  });
  for (const { caller, agents } of offers) {
    for (const agent of agents) agentStates.offered(caller.callId, agent, null);
    caller.offered = agents;
  }
  for (const { caller } of offers) reportTurn(caller);
}

export class QueueEntries {
  /** Adds a caller who joins; a call-back has a place already. */
  make(
    order: QueueOrder,
    who: QueuedCaller,
    call: QueuedCall,
    list: string,
    isOnItsWay: boolean,
    nowMs: number,
  ): Entry {
    const { place: number = null } = who;
    const sinceMs = number === null ? nowMs : sinceOf(number);
    const state = { number, offer: 0, offered: null, isLeft: false, isOnItsWay, storedMs: null };
    const entry = { ...who, order, call, list, sinceMs, ...state };
    this.add(entry);
    return entry;
  }

  static callbackPlace({ number, sinceMs }: Entry): number {
    return callbackPlace(number ?? placeAt(sinceMs));
  }

  /** By account, in order of arrival. */
  readonly #byAccount = new Map<string, Set<Entry>>();

  add(entry: Entry): void {
    const own = this.#byAccount.get(entry.accountId);
    if (own) own.add(entry);
    else this.#byAccount.set(entry.accountId, new Set([entry]));
  }

  delete(entry: Entry): void {
    const own = this.#byAccount.get(entry.accountId);
    own?.delete(entry);
    if (own?.size === 0) this.#byAccount.delete(entry.accountId);
  }

  get accounts(): readonly string[] {
    return [...this.#byAccount.keys()];
  }

  of(accountId: string): Iterable<Entry> {
    return this.#byAccount.get(accountId) ?? [];
  }

  /** In order of arrival. */
  all(): Entry[] {
    const all = [...this.#byAccount.values()].flatMap((own) => [...own]);
    return all.sort((one, other) => one.sinceMs - other.sinceMs);
  }

  /** One whose number is not known yet is found by its call. */
  find(accountId: string, number: number, callId: string): Entry | undefined {
    for (const entry of this.of(accountId))
      if (entry.number === number || (entry.number === null && entry.callId === callId)) return entry;
    return undefined;
  }

  inDepartment(accountId: string, department: Ref): Entry[] {
    return [...this.of(accountId)].filter(({ order }) => order.node === department);
  }

  positionOf(entry: Entry): number {
    return 1 + ahead(this.inDepartment(entry.accountId, entry.order.node), entry);
  }

  waitingIn(accountId: string, department: Ref): WaitingCaller[] {
    return inTurn(this.inDepartment(accountId, department)).map(({ callId, caller, sinceMs, offered }) => ({
      accountId,
      callId,
      caller,
      sinceMs,
      ringing: offered !== null,
    }));
  }

  get size(): number {
    let size = 0;
    for (const own of this.#byAccount.values()) size += own.size;
    return size;
  }

  /** Infinity: no caller waits. */
  get sinceMs(): number {
    let sinceMs = Number.POSITIVE_INFINITY;
    for (const [first] of this.#byAccount.values()) if (first) sinceMs = Math.min(sinceMs, first.sinceMs);
    return sinceMs;
  }
}

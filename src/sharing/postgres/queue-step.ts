// One step of an account's queues, in one transaction: callers who joined, left or came back since the last one, and the agents that are
// offered now. The rule is the one of a single process (memory/matching.ts); the caller's number is taken under the account's lock.
import { createHash } from 'node:crypto';
import { globalId, splitGlobalId } from '../../domain/global-id.ts';
import type { Ref } from '../../flow/node.ts';
import { matchCallers, type Offer, priorityOf, roomOf, type Waiting } from '../memory/matching.ts';
import { placeAfter, placeAt, sinceOf } from '../memory/places.ts';
import { noticePayload } from '../ports/notices.ts';
import type { Duty, QueueOrder } from '../ports/queues.ts';
import type { SharedTx } from './database.ts';
import {
  type AccountNow,
  HEADS,
  lockAccount,
  type NewCaller,
  readAccount,
  type Step,
  writeStep,
} from './queue-sql.ts';

export interface JoiningCaller {
  readonly callId: string;
  readonly caller: string | null;
  readonly order: QueueOrder;
  /** A hash of the agents. */
  readonly list: string;
  /** The number of a caller who had a place: it is restored. */
  readonly number: number | null;
  readonly offer: number;
  readonly offered: readonly string[] | null;
}

export interface LeftCaller {
  readonly number: number;
  /** Null for a row that no call knows. */
  readonly department: Ref | null;
  readonly priority: number;
  /** The last offer that the call has heard of: the agents of a later one are free. */
  readonly offer: number;
}

export interface StepInput<Joining extends JoiningCaller> {
  readonly accountId: string;
  readonly node: string;
  readonly joining: readonly Joining[];
  /** Numbers of callers whose agents did not answer. */
  readonly resumed: ReadonlyMap<number, JoiningCaller>;
  /** Numbers of callers whom their node has offered agents by itself. */
  readonly kept: ReadonlyMap<number, JoiningCaller>;
  readonly left: readonly LeftCaller[];
  /** Numbers of callers who ask for their position. */
  readonly asked: readonly number[];
  readonly isMatching: boolean;
  readonly duty: Duty;
  readonly random: () => number;
  readonly lists: Lists;
}

export interface Turn {
  readonly number: number;
  readonly call: string;
  readonly node: string;
  readonly offer: number;
  readonly agents: readonly string[];
}

export interface StepResult<Joining> {
  readonly joined: readonly {
    readonly caller: Joining;
    readonly number: number;
    readonly position: number;
  }[];
  readonly refused: readonly Joining[];
  readonly turns: readonly Turn[];
  /** By number. */
  readonly positions: Readonly<Record<string, number>>;
  /** More can be matched: callers who were not read, agents who became free. */
  readonly isPartial: boolean;
  readonly nowMs: number;
}

/** Lists of agents by their hash: the same list is the same array, which matching relies on. The least recently used are dropped. */
export class Lists {
  readonly #lists = new Map<string, readonly Ref[]>();
  readonly #names = new WeakMap<readonly Ref[], string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The hash of a list. */
  nameOf(agents: readonly Ref[]): string {
    const known = this.#names.get(agents);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(JSON.stringify(agents)).digest('base64url').slice(0, 22);
    this.#names.set(agents, name);
    return name;
  }

  get names(): string[] {
    return [...this.#lists.keys()];
  }

  get(list: string): readonly Ref[] | undefined {
    const agents = this.#lists.get(list);
    if (agents) this.add(list, agents);
    return agents;
  }

  add(list: string, agents: readonly Ref[]): readonly Ref[] {
    this.#lists.delete(list);
    this.#lists.set(list, agents);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= this.#most) break;
      this.#lists.delete(oldest);
    }
    return agents;
  }
}

interface Candidate extends Waiting {
  readonly number: number;
  readonly call: string;
  readonly node: string;
  readonly offer: number;
  readonly list: string;
}

/** Null if an agent was claimed by a call meanwhile, and nothing is changed. */
export async function queueStep<Joining extends JoiningCaller>(
  tx: SharedTx,
  asked: StepInput<Joining>,
): Promise<StepResult<Joining> | null> {
  const { accountId, lists } = asked;
  const numbers = [...asked.asked, ...asked.resumed.keys(), ...asked.kept.keys()];
  // One round trip; what is read is as of the moment when the lock was taken.
  const [, now] = await Promise.all([
    lockAccount(tx, accountId),
    readAccount(tx, accountId, numbers, lists.names),
  ]);
  // One who was offered other agents meanwhile has not come back from those.
  const current = (all: ReadonlyMap<number, JoiningCaller>) =>
    new Map([...all].filter(([at, { offer }]) => now.offers[String(at)] === offer));
  const input = { ...asked, resumed: current(asked.resumed), kept: current(asked.kept) };
  for (const { list, agents } of now.heads) if (agents !== null) lists.add(list, JSON.parse(agents) as Ref[]);
  const numbered = number(input, now);
  const { candidates, isCut } = candidatesOf(input, now, numbered);
  const offers = input.isMatching ? matchCallers(candidates, agentsNow(input, now)) : [];
  const turns = offers.map(turnOf);
  const { joined, refused } = admit(input, now, numbered, turns);
  const step = stepOf(input, now, joined, turns, offers);
  const isChanged = [step.joined, step.changed, step.removed].some(({ length }) => length > 0);
  const others = new Set(turns.map(({ node }) => node).filter((node) => node !== input.node));
  const notices = [...others].map((node) => noticePayload(noticeTopic(node), accountId));
  const written = isChanged ? await writeStep(tx, accountId, step, notices) : NOTHING;
  if (!written) return null;
  const { positions, nowMs } = now;
  return {
    joined,
    refused,
    turns,
    positions,
    isPartial: written.freed > 0 || (isCut && turns.length > 0),
    nowMs,
  };
}

const NOTHING = { freed: 0 } as const;

export const noticeTopic = (node: string): string => `queues/${node}`;

/** The holder of the agents of an offer. */
export const offerHolder = (call: string, offer: number): string => `${call}/q${offer}`;

/** What the turn of a caller in a department goes by. */
type InTurn = Pick<NewCaller, 'number' | 'priority'>;
const isBehind = (one: InTurn, other: InTurn): boolean =>
  one.priority < other.priority || (one.priority === other.priority && one.number > other.number);

interface Numbered<Joining> {
  readonly caller: Joining;
  readonly number: number;
}

function number<Joining extends JoiningCaller>(
  { joining }: StepInput<Joining>,
  { lastNumber, nowMs }: AccountNow,
): Numbered<Joining>[] {
  let next = Math.max(lastNumber, placeAt(nowMs));
  return joining.map((caller) => {
    if (caller.number !== null) return { caller, number: caller.number };
    next = placeAfter(next);
    return { caller, number: next };
  });
}

function candidatesOf<Joining extends JoiningCaller>(
  { accountId, node, left, resumed, kept, lists }: StepInput<Joining>,
  { heads }: AccountNow,
  numbered: readonly Numbered<Joining>[],
): { candidates: Candidate[]; isCut: boolean } {
  const gone = new Set([...left.map(({ number: at }) => at), ...kept.keys()]);
  const candidates: Candidate[] = [];
  /** The last caller that was read, for each list and department that has more. */
  const cut = new Map<string, InTurn>();
  const lineOf = (list: string, department: Ref): string => `${list} ${department}`;
  for (const head of heads) {
    const { number: at, list, department, strategy, call, offer, priority } = head;
    const agents = lists.get(list);
    if (head.ofList > HEADS) cut.set(lineOf(list, department), head);
    if (!agents || gone.has(at)) continue;
    const order = { node: department, agents, strategy, priority };
    candidates.push({ accountId, order, offered: null, number: at, call, node: head.node, offer, list });
  }
  const add = (caller: JoiningCaller, at: number): void => {
    const { callId: call, order, list, offer } = caller;
    const last = cut.get(lineOf(list, order.node));
    const priority = priorityOf(order);
    if (last && isBehind({ number: at, priority }, last)) return;
    const agents = lists.get(list) ?? lists.add(list, order.agents);
    const waiting = { node: order.node, agents, strategy: order.strategy, priority };
    candidates.push({
      accountId,
      order: waiting,
      offered: caller.offered,
      number: at,
      call,
      node,
      offer,
      list,
    });
  };
  for (const [at, caller] of resumed) add(caller, at);
  for (const { caller, number: at } of numbered) add(caller, at);
  candidates.sort((one, other) => one.number - other.number);
  return { candidates, isCut: cut.size > 0 };
}

function agentsNow({ duty, random }: StepInput<JoiningCaller>, { busy, states, rung, nowMs }: AccountNow) {
  const stateOf = (agent: string) => states[splitGlobalId(agent).id];
  return {
    duty,
    isFree: (agent: string) =>
      !busy.has(splitGlobalId(agent).id) && (stateOf(agent)?.[1] ?? 0) <= nowMs && duty.isPresent(agent),
    idleSince: (agent: string) => stateOf(agent)?.[0] ?? 0,
    lastRung: (department: string) => rung[splitGlobalId(department).id] ?? null,
    random,
  };
}

const turnOf = ({ caller, agents }: Offer<Candidate>): Turn => ({
  number: caller.number,
  call: caller.call,
  node: caller.node,
  offer: caller.offer + 1,
  agents,
});

/** A caller who is served at once needs no room in the queue. */
function admit<Joining extends JoiningCaller>(
  { left }: StepInput<Joining>,
  { sizes }: AccountNow,
  numbered: readonly Numbered<Joining>[],
  turns: readonly Turn[],
) {
  const served = new Set(turns.map(({ number: at }) => at));
  /** By department and priority. */
  const callers = new Map<Ref, Map<number, number>>();
  const add = (department: Ref, priority: number, change: number): void => {
    const own = callers.get(department) ?? new Map<number, number>();
    callers.set(department, own.set(priority, (own.get(priority) ?? 0) + change));
  };
  const count = (department: Ref, lowest: number): number => {
    let sum = 0;
    for (const [priority, size] of callers.get(department) ?? []) if (priority >= lowest) sum += size;
    return sum;
  };
  for (const [department, priority, size] of sizes) add(department, priority, size);
  for (const { department, priority } of left) if (department !== null) add(department, priority, -1);
  const joined: { caller: Joining; number: number; position: number }[] = [];
  const refused: Joining[] = [];
  for (const { caller, number: at } of numbered) {
    const { node, rules } = caller.order;
    const priority = priorityOf(caller.order);
    const isNew = caller.number === null;
    if (isNew && !served.has(at) && count(node, 0) >= roomOf(rules)) refused.push(caller);
    else {
      add(node, priority, 1);
      joined.push({ caller, number: at, position: count(node, priority) });
    }
  }
  return { joined, refused };
}

function stepOf<Joining extends JoiningCaller>(
  { node, left, resumed, kept }: StepInput<Joining>,
  { nowMs }: AccountNow,
  joined: StepResult<Joining>['joined'],
  turns: readonly Turn[],
  offers: readonly Offer<Candidate>[],
): Step {
  const byNumber = new Map(turns.map((turn) => [turn.number, turn]));
  const offered = (agents: readonly string[]): string => JSON.stringify(agents);
  const rows = joined.map(({ caller, number: at }): NewCaller => {
    const { callId, order, list, number: former } = caller;
    const turn = byNumber.get(at);
    const kept = caller.offered === null ? null : offered(caller.offered);
    return {
      number: at,
      department: order.node,
      list,
      agents: JSON.stringify(order.agents),
      strategy: order.strategy,
      call: callId,
      node,
      caller: caller.caller,
      sinceMs: former === null ? nowMs : sinceOf(former),
      offer: turn?.offer ?? caller.offer,
      offered: turn ? offered(turn.agents) : kept,
      priority: priorityOf(order),
    };
  });
  const isNew = new Set(rows.map(({ number: at }) => at));
  const changed = new Map<number, { number: number; offer: number; offered: string | null }>();
  for (const [at, { offer }] of resumed) changed.set(at, { number: at, offer, offered: null });
  for (const [at, { offer, offered: agents }] of kept)
    changed.set(at, { number: at, offer, offered: offered(agents ?? []) });
  for (const { number: at, offer, agents } of turns)
    if (!isNew.has(at)) changed.set(at, { number: at, offer, offered: offered(agents) });
  const claims = turns.flatMap(({ call, offer, node: at, agents }) =>
    agents.map((agent) => ({ agent: splitGlobalId(agent).id, holder: offerHolder(call, offer), node: at })),
  );
  claims.sort((one, other) => (one.agent < other.agent ? -1 : 1));
  const rung = new Map<Ref, Ref>();
  for (const { caller, agents } of offers) {
    const last = agents.at(-1);
    const ref = caller.order.agents.findLast(
      (each) => globalId(caller.accountId, each.slice(each.indexOf('||') + 2)) === last,
    );
    if (ref !== undefined) rung.set(caller.order.node, ref);
  }
  return {
    joined: rows,
    changed: [...changed.values()],
    removed: left,
    claims,
    rung,
  };
}

// The telephone side of all nodes: this node's own, and the others' by signed requests. A call lives in one node, so a command goes to this
// node first, then to all others at once, and the one that has the call answers. Lists are partial while a node does not answer, and
// say so; a command to a call that no answering node has is refused then, since the silent one may have it.
import { type AgentView, mergedViews } from '../calls/agents/agent-view.ts';
import {
  type CallControl,
  type Following,
  type FollowRefused,
  type RecordFailure,
  type TelephoneCounts,
  TelephonesUnavailable,
} from '../calls/control/call-control.ts';
import {
  type LiveCalls,
  type LiveView,
  mergedLive,
  mergedTrunk,
  NOTHING_LIVE,
  type TrunkState,
} from '../calls/live/live-view.ts';
import type { Click, ClickRefused, PlacedCall } from '../calls/operator/click-to-call.ts';
import type { LiveCall } from '../calls/operator/live-calls.ts';
import type { AddOutcome, ListenOutcome } from '../calls/operator/third-party.ts';
import type { QueueView } from '../calls/queues/queue-view.ts';
import type { TransferredBy } from '../calls/records/call-record.ts';
import type { RoomView } from '../calls/rooms/live-room.ts';
import type { RoomChange, RoomOutcome } from '../calls/rooms/rooms.ts';
import type { ConsultOutcome, TransferOutcome } from '../calls/transfers.ts';
import type { Ref } from '../flow/node.ts';
import type { ListenMode, PhoneBinding, TelephonyReport } from '../telephony/telephony.ts';
import { EventHub, type EventSource } from './event-hub.ts';
import type { NodeClient } from './node-client.ts';
import type { NodeQuestion } from './node-question.ts';
import type { Peer, Peers } from './peers.ts';
import { RelayClient } from './relay-client.ts';

export interface AllNodesParts {
  /** Null: SIP is off at this node. */
  readonly own: () => CallControl | null;
  /** The id of this node. */
  readonly id: string;
  /** Null: this process is alone. */
  readonly others: { readonly peers: Peers; readonly client: NodeClient } | null;
}

interface Answers {
  readonly answers: readonly { readonly peer: Peer; readonly result: unknown }[];
  readonly unanswered: readonly string[];
}

export class AllNodes implements CallControl {
  readonly #parts: AllNodesParts;
  readonly #hub: EventHub;
  /** By start of a node. */
  readonly #relays = new Map<string, RelayClient>();
  readonly #unsubscribe: (() => void) | undefined;

  constructor(parts: AllNodesParts) {
    this.#parts = parts;
    const { id, others } = parts;
    this.#hub = new EventHub({ sources: () => this.#sources(), node: others ? id : null });
    this.#unsubscribe = others?.peers.onChange(() => this.#peersChanged());
  }

  close(): void {
    this.#unsubscribe?.();
    this.#hub.close();
    for (const relay of this.#relays.values()) relay.close();
  }

  /** Whether any node has telephones. */
  get hasTelephones(): boolean {
    return this.#parts.own() !== null || this.#peers.length > 0;
  }

  async callsOf(accountId: string): Promise<LiveCalls> {
    const { id } = this.#parts;
    const [own, { answers, unanswered }] = await Promise.all([
      this.#parts.own()?.callsOf(accountId),
      this.#askAll({ op: 'callsOf', account: accountId }),
    ]);
    const calls = [...(own?.calls ?? []).map((call) => ({ ...call, node_id: id }))];
    for (const { peer, result } of answers) {
      // Null: it runs without telephones.
      const { calls: theirs = [] } = (result ?? {}) as { calls?: readonly LiveCall[] };
      for (const call of theirs) calls.push({ ...call, node_id: peer.id });
    }
    if (answers.length > 0) calls.sort((one, other) => (one.id < other.id ? -1 : 1));
    return { calls, unanswered };
  }

  async hangUp(accountId: string, id: string): Promise<boolean> {
    if (await this.#parts.own()?.hangUp(accountId, id)) return true;
    const result = await this.#command({ op: 'hangUp', account: accountId, id }, (answer) => answer === true);
    return result === true;
  }

  async transfer(
    accountId: string,
    id: string,
    party: 'caller' | 'called',
    to: Ref,
    by: TransferredBy,
  ): Promise<TransferOutcome> {
    const own = await this.#parts.own()?.transfer(accountId, id, party, to, by);
    if (own && own !== 'unknown') return own;
    const question = { op: 'transfer', account: accountId, id, party, to, by } as const;
    return ((await this.#command(question, isKnown)) as TransferOutcome | null) ?? 'unknown';
  }

  async consult(...asked: Parameters<CallControl['consult']>): Promise<ConsultOutcome> {
    const [account, id, order, by] = asked;
    const own = await this.#parts.own()?.consult(...asked);
    if (own && own !== 'unknown') return own;
    const isFound = (answer: unknown): boolean =>
      isKnown(answer) || (typeof answer === 'object' && answer !== null);
    const answer = await this.#command({ op: 'consult', account, id, order, by }, isFound);
    return (answer as ConsultOutcome | null) ?? 'unknown';
  }

  async listenIn(accountId: string, id: string, eid: string, mode: ListenMode): Promise<ListenOutcome> {
    const own = await this.#parts.own()?.listenIn(accountId, id, eid, mode);
    if (own && own !== 'unknown') return own;
    const question = { op: 'listenIn', account: accountId, id, eid, mode } as const;
    return ((await this.#command(question, isKnown)) as ListenOutcome | null) ?? 'unknown';
  }

  async addParty(accountId: string, id: string, number: string): Promise<AddOutcome> {
    const own = await this.#parts.own()?.addParty(accountId, id, number);
    if (own && own !== 'unknown') return own;
    const question = { op: 'addParty', account: accountId, id, number } as const;
    return ((await this.#command(question, isKnown)) as AddOutcome | null) ?? 'unknown';
  }

  /** By this node where it can ring the agent, otherwise by one that can: a phone may have its connection there. */
  async clickToCall(accountId: string, click: Click): Promise<ClickRefused | null> {
    const own = this.#parts.own();
    const refused = own
      ? await own.clickToCall(accountId, click)
      : ({ refused: 'agent-unreachable' } as const);
    if (refused?.refused !== 'agent-unreachable' || this.#peers.length === 0) return refused;
    const { answers, unanswered } = await this.#askAll({
      op: 'phonesOf',
      account: accountId,
      eid: click.eid,
    });
    const found = answers.find(({ result }) => phonesIn(result).some(({ reachable }) => reachable));
    if (found)
      return (await this.#ask(found.peer, {
        op: 'clickToCall',
        account: accountId,
        ...click,
      })) as ClickRefused;
    if (unanswered.length > 0) throw unavailable(unanswered);
    return refused;
  }

  /** Every node may use the trunks: by this one where it has telephones, otherwise by the first that has. */
  async placeCall(accountId: string, placed: PlacedCall): Promise<ClickRefused | null> {
    const own = this.#parts.own();
    if (own) return own.placeCall(accountId, placed);
    const [peer] = this.#peers;
    if (!peer) return { refused: 'number-unreachable' };
    const question = { op: 'placeCall', account: accountId, ...placed } as const;
    return (await this.#ask(peer, question)) as ClickRefused | null;
  }

  /** Queues and agents' states are shared: this node knows those of all. */
  async queueOf(accountId: string, department: Ref, eids: readonly string[]): Promise<QueueView> {
    const own = this.#parts.own();
    if (own) return own.queueOf(accountId, department, eids);
    const [peer] = this.#peers;
    if (!peer) return { waiting: [], placeMs: null, states: eids.map(() => 'away') };
    return (await this.#ask(peer, { op: 'queueOf', account: accountId, department, eids })) as QueueView;
  }

  /** A room is at one node. */
  async roomOf(accountId: string, id: string): Promise<RoomView | null> {
    const own = await this.#parts.own()?.roomOf(accountId, id);
    if (own) return own;
    const { answers } = await this.#askAll({ op: 'roomOf', account: accountId, id });
    return (answers.find(({ result }) => result !== null)?.result as RoomView | undefined) ?? null;
  }

  async changeRoom(accountId: string, id: string, change: RoomChange): Promise<RoomOutcome> {
    const own = await this.#parts.own()?.changeRoom(accountId, id, change);
    if (own && own !== 'empty') return own;
    const call = 'call' in change ? change.call : null;
    const question = { op: 'changeRoom', account: accountId, id, do: change.do, call } as const;
    const isOwner = (answer: unknown): boolean => isKnown(answer) && answer !== 'empty';
    return ((await this.#command(question, isOwner)) as RoomOutcome | null) ?? 'empty';
  }

  /** Each node knows which agents its own calls ring and talk to. */
  async agentsOf(accountId: string, eids?: readonly string[]): Promise<readonly AgentView[]> {
    const [own = [], { answers, unanswered }] = await Promise.all([
      this.#parts.own()?.agentsOf(accountId, eids),
      this.#askAll({ op: 'agentsOf', account: accountId, eids: eids ?? null }),
    ]);
    const views = mergedViews([own, ...answers.map(({ result }) => agentsIn(result))]);
    if (unanswered.length === 0) return views;
    return views.map((view) => (view.state === 'free' ? { ...view, isUncertain: true } : view));
  }

  async changePresence(
    accountId: string,
    eid: string,
    change: Parameters<CallControl['changePresence']>[2],
  ): Promise<void> {
    const own = this.#parts.own();
    if (!own) throw unavailable([this.#parts.id]);
    await own.changePresence(accountId, eid, change);
  }

  /** The node that the call was at knows of it; which one that is, none of the others does. */
  async endWrapUp(accountId: string, eid: string): Promise<void> {
    const [, { unanswered }] = await Promise.all([
      this.#parts.own()?.endWrapUp(accountId, eid),
      this.#askAll({ op: 'endWrapUp', account: accountId, eid }),
    ]);
    if (unanswered.length > 0) throw unavailable(unanswered);
  }

  /** Nodes share registered phones; of one that several know, it is enough that one of them reaches it. */
  async phonesOf(accountId: string, eid: string): Promise<readonly PhoneBinding[]> {
    const [own = [], { answers }] = await Promise.all([
      this.#parts.own()?.phonesOf(accountId, eid),
      this.#askAll({ op: 'phonesOf', account: accountId, eid }),
    ]);
    const phones = new Map<string, PhoneBinding>();
    for (const phone of [...own, ...answers.flatMap(({ result }) => phonesIn(result))]) {
      const known = phones.get(phone.contact);
      if (!known || (!known.reachable && phone.reachable)) phones.set(phone.contact, phone);
    }
    return [...phones.values()];
  }

  async trunkState(accountId: string, id: string): Promise<TrunkState | null> {
    const [own, { answers }] = await Promise.all([
      this.#parts.own()?.trunkState(accountId, id),
      this.#askAll({ op: 'trunkState', account: accountId, id }),
    ]);
    const states = [own, ...answers.map(({ result }) => result as TrunkState | null)];
    return mergedTrunk(states.filter((one) => !!one));
  }

  async liveOf(accountId: string): Promise<LiveView> {
    const [own, { answers, unanswered }] = await Promise.all([
      this.#parts.own()?.liveOf(accountId),
      this.#askAll({ op: 'liveOf', account: accountId }),
    ]);
    const views = own ? [{ node: this.#parts.id, view: own }] : [];
    // Null: it runs without telephones.
    for (const { peer, result } of answers)
      views.push({ node: peer.id, view: { ...NOTHING_LIVE, ...(result as LiveView | null) } });
    return mergedLive(views, unanswered);
  }

  follow(accountId: string, lastEventId: string | null): Promise<Following | FollowRefused> {
    return this.#hub.follow(accountId, lastEventId);
  }

  async report(): Promise<TelephonyReport | null> {
    return (await this.#parts.own()?.report()) ?? null;
  }

  async recordFailure(): Promise<RecordFailure | null> {
    return (await this.#parts.own()?.recordFailure()) ?? null;
  }

  async counts(): Promise<TelephoneCounts> {
    return (await this.#parts.own()?.counts()) ?? NO_COUNTS;
  }

  touch(): void {
    this.#parts.own()?.touch();
  }

  async freshRoutes(): Promise<void> {
    await this.#parts.own()?.freshRoutes();
  }

  drain(): void {
    this.#parts.own()?.drain();
  }

  setDrain(isOn: boolean): void {
    this.#parts.own()?.setDrain(isOn);
  }

  hangUpAll(): void {
    this.#parts.own()?.hangUpAll();
  }

  get #peers(): readonly Peer[] {
    return this.#parts.others?.peers.live ?? [];
  }

  async #ask(peer: Peer, question: NodeQuestion): Promise<unknown> {
    const { others } = this.#parts;
    return others ? others.client.ask(peer, question) : null;
  }

  async #askAll(question: NodeQuestion): Promise<Answers> {
    const peers = this.#peers;
    const settled = await Promise.allSettled(peers.map((peer) => this.#ask(peer, question)));
    const answers: { peer: Peer; result: unknown }[] = [];
    const unanswered: string[] = [];
    for (const [index, peer] of peers.entries()) {
      const one = settled[index];
      if (one?.status === 'fulfilled') answers.push({ peer, result: one.value });
      else unanswered.push(peer.id);
    }
    return { answers, unanswered };
  }

  /** The answer of the node that has the call; null: none has it. Does not wait for the others. */
  async #command(question: NodeQuestion, isOwner: (answer: unknown) => boolean): Promise<unknown> {
    const unanswered: string[] = [];
    const asked = this.#peers.map(async (peer) => {
      const answer = await this.#ask(peer, question).catch(() => {
        unanswered.push(peer.id);
        return undefined;
      });
      if (isOwner(answer)) return answer;
      throw new NotHere();
    });
    try {
      return await Promise.any(asked);
    } catch {
      if (unanswered.length > 0) throw unavailable(unanswered);
      return null;
    }
  }

  #sources(): EventSource[] {
    const own = this.#parts.own();
    const sources: EventSource[] = own
      ? [{ name: 'own', follow: (accountId, afterId) => own.follow(accountId, afterId) }]
      : [];
    for (const peer of this.#peers) {
      const relay = this.#relayTo(peer);
      if (relay)
        sources.push({
          name: `${peer.id}/${peer.run}`,
          follow: (accountId, afterId) => relay.follow(accountId, afterId),
        });
    }
    return sources;
  }

  #relayTo(peer: Peer): RelayClient | null {
    const { others } = this.#parts;
    const known = this.#relays.get(peer.run);
    if (known || !others) return known ?? null;
    const relay = new RelayClient(peer, others.client);
    this.#relays.set(peer.run, relay);
    return relay;
  }

  #peersChanged(): void {
    const peers = this.#peers;
    this.#parts.others?.client.keep(peers);
    for (const [run, relay] of this.#relays) {
      if (peers.some((peer) => peer.run === run)) continue;
      relay.close();
      this.#relays.delete(run);
    }
    this.#hub.sourcesChanged();
  }
}

class NotHere extends Error {}

const NO_COUNTS: TelephoneCounts = {
  calls: 0,
  isDraining: false,
  queued: { callers: 0, longestWaitMs: 0 },
  waitingRecords: 0,
  recordFailure: null,
  report: null,
};

/** `null`: the node runs without telephones. */
const isKnown = (answer: unknown): boolean => typeof answer === 'string' && answer !== 'unknown';

const agentsIn = (result: unknown): readonly AgentView[] =>
  Array.isArray(result) ? (result as AgentView[]) : [];

const phonesIn = (result: unknown): readonly PhoneBinding[] =>
  Array.isArray(result) ? (result as PhoneBinding[]) : [];

function unavailable(nodes: readonly string[]): TelephonesUnavailable {
  const names = nodes.join(', ');
  return new TelephonesUnavailable(
    nodes.length === 1
      ? `Node ${names} does not answer, and may have the call.`
      : `Nodes ${names} do not answer, and may have the call.`,
  );
}

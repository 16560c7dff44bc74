// Call control of all nodes: this node's own, and the others' by signed requests. A call lives in one node, so a command goes to this
// node first, then to all others at once, and the one that has the call answers. Lists are partial while a node does not answer, and
// say so; a command to a call that no answering node has is refused then, since the silent one may have it. Which operation is asked
// how: calls/control/operations.ts.
import {
  type CallControl,
  type TelephoneCounts,
  TelephonesUnavailable,
} from '../calls/control/call-control.ts';
import {
  type AnswerOf,
  type AskedOf,
  everyOperation,
  type Operation,
  type OperationName,
  operate,
  operationOf,
} from '../calls/control/operations.ts';
import type { NodeAnswer } from '../calls/live/live-view.ts';
import { EventHub, type EventSource } from './event-hub.ts';
import type { NodeClient } from './node-client.ts';
import type { Peer, Peers } from './peers.ts';
import { RelayClient } from './relay-client.ts';

export interface AllNodesParts {
  /** Null if SIP is off at this node. */
  readonly own: () => CallControl | null;
  /** The id of this node. */
  readonly id: string;
  /** Null if this process is alone. */
  readonly others: { readonly peers: Peers; readonly client: NodeClient } | null;
}

/** One operation with what is asked. */
interface Asking<Answer> {
  /** Undefined: this node has no telephones. */
  here(): Promise<Answer | undefined>;
  /** Undefined: that node has none. Rejects where it does not answer. */
  there(peer: Peer): Promise<Answer | undefined>;
}

interface Answers<Answer> {
  readonly answers: readonly NodeAnswer<Answer>[];
  readonly unanswered: readonly string[];
}

export class AllNodes {
  readonly #parts: AllNodesParts;
  readonly #hub: EventHub;
  /** By start of a node. */
  readonly #relays = new Map<string, RelayClient>();
  readonly #unsubscribe: (() => void) | undefined;
  readonly control: CallControl;

  constructor(parts: AllNodesParts) {
    this.#parts = parts;
    const { id, own, others } = parts;
    this.#hub = new EventHub({ sources: () => this.#sources(), node: others ? id : null });
    this.#unsubscribe = others?.peers.onChange(() => this.#peersChanged());
    this.control = {
      ...everyOperation((name, asked) => this.#operate(name, asked)),
      follow: (accountId, lastEventId) => this.#hub.follow(accountId, lastEventId),
      report: async () => (await own()?.report()) ?? null,
      recordFailure: async () => (await own()?.recordFailure()) ?? null,
      counts: async () => (await own()?.counts()) ?? NO_COUNTS,
      touch: () => own()?.touch(),
      setDrain: (isOn) => own()?.setDrain(isOn),
    };
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

  get #peers(): readonly Peer[] {
    return this.#parts.others?.peers.live ?? [];
  }

  #asking<Name extends OperationName>(name: Name, asked: AskedOf<Name>): Asking<AnswerOf<Name>> {
    const own = this.#parts.own();
    const { others } = this.#parts;
    const { answer } = operationOf(name);
    return {
      here: async () => (own ? operate(own, name, asked) : undefined),
      there: async (peer) => answer(await others?.client.ask(peer, { op: name, asked })),
    };
  }

  async #operate<Name extends OperationName>(name: Name, asked: AskedOf<Name>): Promise<AnswerOf<Name>> {
    const operation: Operation<AskedOf<Name>, AnswerOf<Name>> = operationOf(name);
    const asking = this.#asking(name, asked);
    switch (operation.scope) {
      case 'own': {
        const own = await asking.here();
        if (own === undefined) throw unavailable([this.#parts.id]);
        return own;
      }
      case 'owner': {
        const { none, whenSilent } = operation;
        const own = await asking.here();
        if (own !== undefined && own !== none) return own;
        return this.#askOwner(asking, none, whenSilent === 'fails');
      }
      case 'any': {
        const own = await asking.here();
        const answer = own === undefined ? operation.none(asked) : own;
        const { elsewhere } = operation;
        if (elsewhere)
          return elsewhere.isWanted(answer)
            ? this.#askReaching(asking, elsewhere.agentOf(asked), answer)
            : answer;
        if (own !== undefined) return own;
        const account = operation.accountOf?.(asked);
        const peers = account === undefined ? this.#peers : await this.#withTelephones(account);
        return this.#askFirst(asking, peers, answer);
      }
      case 'all': {
        const [own, { answers, unanswered }] = await Promise.all([asking.here(), this.#askAll(asking)]);
        if (operation.whenSilent === 'fails' && unanswered.length > 0) throw unavailable(unanswered);
        const first = own === undefined ? [] : [{ node: this.#parts.id, answer: own }];
        return operation.merge([...first, ...answers], unanswered);
      }
      default:
        return operation satisfies never;
    }
  }

  /** Asked one after the other: most do it. */
  async #askFirst<Answer>({ there }: Asking<Answer>, peers: readonly Peer[], none: Answer): Promise<Answer> {
    for (const peer of peers) {
      const answer = await there(peer);
      if (answer !== undefined) return answer;
    }
    return none;
  }

  /** Those that answer with a list of phones, be it empty. */
  async #withTelephones(account: string): Promise<readonly Peer[]> {
    const { answers, unanswered } = await this.#askAll(this.#asking('phonesOf', { account, eid: '' }));
    if (answers.length === 0 && unanswered.length > 0) throw unavailable(unanswered);
    return this.#peers.filter(({ id }) => answers.some(({ node }) => node === id));
  }

  /** By a node that reaches a phone of the agent. */
  async #askReaching<Answer>(
    { there }: Asking<Answer>,
    agent: AskedOf<'phonesOf'>,
    unreached: Answer,
  ): Promise<Answer> {
    const { answers, unanswered } = await this.#askAll(this.#asking('phonesOf', agent));
    const found = answers.find(({ answer }) => answer.some(({ reachable }) => reachable));
    const peer = this.#peers.find(({ id }) => id === found?.node);
    const answer = peer && (await there(peer));
    if (answer !== undefined) return answer;
    if (unanswered.length > 0) throw unavailable(unanswered);
    return unreached;
  }

  /** Answers of nodes with telephones, and who did not answer. */
  async #askAll<Answer>({ there }: Asking<Answer>): Promise<Answers<Answer>> {
    const peers = this.#peers;
    const settled = await Promise.allSettled(peers.map(there));
    const answers: NodeAnswer<Answer>[] = [];
    const unanswered: string[] = [];
    for (const [index, { id: node }] of peers.entries()) {
      const one = settled[index];
      if (one?.status !== 'fulfilled') unanswered.push(node);
      else if (one.value !== undefined) answers.push({ node, answer: one.value });
    }
    return { answers, unanswered };
  }

  /** Does not wait for the others once it has answered. */
  async #askOwner<Answer>({ there }: Asking<Answer>, none: Answer, isAllNeeded: boolean): Promise<Answer> {
    const unanswered: string[] = [];
    const asked = this.#peers.map(async (peer) => {
      const answer = await there(peer).catch(() => {
        unanswered.push(peer.id);
        return undefined;
      });
      if (answer !== undefined && answer !== none) return answer;
      throw new NotHere();
    });
    try {
      return await Promise.any(asked);
    } catch {
      if (isAllNeeded && unanswered.length > 0) throw unavailable(unanswered);
      return none;
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

function unavailable(nodes: readonly string[]): TelephonesUnavailable {
  const names = nodes.join(', ');
  return new TelephonesUnavailable(
    nodes.length === 1
      ? `Node ${names} does not answer, and may have the call.`
      : `Nodes ${names} do not answer, and may have the call.`,
  );
}

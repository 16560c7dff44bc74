// Our requests: makes their transactions, finds the transaction of each response.
import type { Ladder } from '../ladder.ts';
import type { SipRequest, SipResponse } from '../message.ts';
import { serialize } from '../serialize.ts';
import type { Timers } from '../timers.ts';
import type { TransportFlow, Transports } from '../transports/transport.ts';
import { InviteClient } from './invite-client.ts';
import { clientKey, passedBranches, responseKey } from './keys.ts';
import { NonInviteClient } from './non-invite-client.ts';
import { ackOf, cancelOf, type InviteRemains, remainsOf, viaFor, withVia } from './outgoing.ts';
import type { ClientMachine, InviteClientContext } from './transaction-context.ts';
import type { ClientEvents, ClientTransaction } from './transactions.ts';

export interface ClientSideOptions {
  readonly timers: Timers;
  readonly transports: Pick<Transports, 'send' | 'sentBy'>;
  readonly maxTransactions: number;
  /** What a callback of the transaction user threw. */
  readonly failed: (error: unknown) => void;
}

const NO_EVENTS: ClientEvents = { responded() {}, failed() {} };

export class ClientSide {
  readonly options: ClientSideOptions;
  readonly #places = new Map<string, ClientTransactionEntry>();
  /** Those on TCP and TLS by connection: they end with it. */
  readonly #byConnection = new Map<number, Set<ClientTransactionEntry>>();

  constructor(options: ClientSideOptions) {
    this.options = options;
  }

  get count(): number {
    return this.#places.size;
  }

  request(
    bare: Omit<SipRequest, 'via'>,
    flow: TransportFlow,
    events: ClientEvents,
    ladder?: Ladder,
  ): ClientTransaction {
    const request = withVia(bare, viaFor(flow, this.options.transports));
    const invite = request.method === 'INVITE' ? remainsOf(request) : null;
    const key = clientKey(request.via.branch, request.method);
    const place = new ClientTransactionEntry(this, key, flow, events, invite, ladder ?? null);
    if (this.#places.size >= this.options.maxTransactions) place.refuse();
    else this.begin(place, request);
    return {
      request,
      get isSilent() {
        return place.isSilent;
      },
      cancel: (reason) => place.cancel(reason),
    };
  }

  /** The CANCEL is a transaction of its own on the INVITE's branch (RFC 3261 §9.1); its response is not awaited. */
  cancel(
    invite: InviteRemains,
    flow: TransportFlow,
    reason: string | undefined,
    ladder: Ladder | null,
  ): void {
    const request = cancelOf(invite, reason);
    const key = clientKey(invite.via.branch, 'CANCEL');
    this.begin(new ClientTransactionEntry(this, key, flow, NO_EVENTS, null, ladder), request);
  }

  begin(place: ClientTransactionEntry, request: SipRequest): void {
    this.#places.set(place.key, place);
    const { connection } = place.flow;
    if (connection !== 0) {
      const others = this.#byConnection.get(connection);
      if (others === undefined) this.#byConnection.set(connection, new Set([place]));
      else others.add(place);
    }
    place.ladder?.asked('out', request, place.flow);
    place.machine.start(serialize(request));
  }

  /** False: a stray one. */
  received(response: SipResponse, flow: TransportFlow): boolean {
    const place = this.#places.get(responseKey(response));
    place?.note(response, flow);
    place?.machine.received(response, flow);
    return place !== undefined;
  }

  flowClosed(flow: TransportFlow): void {
    const places = this.#byConnection.get(flow.connection);
    if (places === undefined) return;
    for (const place of [...places]) place.machine.transportFailed();
  }

  forget(place: ClientTransactionEntry): void {
    this.#places.delete(place.key);
    const { connection } = place.flow;
    const others = this.#byConnection.get(connection);
    if (others?.delete(place) && others.size === 0) this.#byConnection.delete(connection);
  }

  /** RFC 3261 §16.3: our own INVITE that came back unchanged through another hop. A changed target is a spiral. */
  isLoop(request: SipRequest): boolean {
    if (request.method !== 'INVITE') return false;
    return passedBranches(request).some(
      (branch) => this.#places.get(clientKey(branch, 'INVITE'))?.invite?.uri === request.uri,
    );
  }

  close(): void {
    for (const place of this.#places.values()) place.machine.stop();
    this.#places.clear();
    this.#byConnection.clear();
  }
}

class ClientTransactionEntry implements InviteClientContext {
  readonly key: string;
  readonly flow: TransportFlow;
  readonly invite: InviteRemains | null;
  readonly machine: ClientMachine;
  readonly ladder: Ladder | null;
  readonly #side: ClientSide;
  readonly #events: ClientEvents;
  readonly #invite: InviteClient | null;
  #reason: string | undefined;
  /** The status of the last response that came. */
  #status = 0;

  constructor(
    side: ClientSide,
    key: string,
    flow: TransportFlow,
    events: ClientEvents,
    invite: InviteRemains | null,
    ladder: Ladder | null,
  ) {
    this.#side = side;
    this.key = key;
    this.flow = flow;
    this.#events = events;
    this.invite = invite;
    this.ladder = ladder;
    this.#invite = invite === null ? null : new InviteClient(this);
    this.machine = this.#invite ?? new NonInviteClient(this);
  }

  get timers(): Timers {
    return this.#side.options.timers;
  }

  get reliable(): boolean {
    return this.flow.protocol !== 'udp';
  }

  send(bytes: Buffer): void {
    // Called later, so that the sender has its transaction before it fails.
    if (!this.#side.options.transports.send(this.flow, bytes, this.#unsent)) this.refuse();
  }

  readonly #unsent = (): void => this.machine.transportFailed();

  refuse(): void {
    this.timers.start(0, this.#unsent);
  }

  get isSilent(): boolean {
    return this.#invite?.state === 'calling';
  }

  cancel(reason: string | undefined): void {
    this.#reason = reason;
    this.#invite?.cancel();
  }

  sendCancel(): void {
    if (this.invite !== null) this.#side.cancel(this.invite, this.flow, this.#reason, this.ladder);
  }

  ack(response: SipResponse): Buffer {
    if (this.invite === null) throw new Error('an ACK belongs to an INVITE');
    this.ladder?.acknowledged('out', this.flow);
    return serialize(ackOf(this.invite, response));
  }

  /** A response into the ladder, unless it is one that came before. */
  note({ status, cseq, headers }: SipResponse, flow: TransportFlow): void {
    if (this.ladder === null || this.#status >= 200 || this.#status === status) return;
    this.#status = status;
    this.ladder.answered('in', status, cseq.method, flow, headers);
  }

  responded(response: SipResponse, flow: TransportFlow): void {
    this.#notify(() => this.#events.responded(response, flow));
  }

  failed(why: 'timeout' | 'transport'): void {
    this.#notify(() => this.#events.failed(why));
  }

  #notify(notify: () => void): void {
    try {
      notify();
    } catch (error) {
      this.#side.options.failed(error);
    }
  }

  ended(): void {
    this.#side.forget(this);
  }
}

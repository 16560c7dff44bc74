// Requests that come to us: finds or makes their transactions, and keeps no more of them than the next packet needs.
import { inOnePiece, newTag } from '../ids.ts';
import type { Ladder } from '../ladder.ts';
import type { SipRequest } from '../message.ts';
import type { Timer, Timers } from '../timers.ts';
import { defaultPort, type TransportFlow, type Transports } from '../transports/transport.ts';
import { InviteServer } from './invite-server.ts';
import { mergeKey, serverKey } from './keys.ts';
import { NonInviteServer } from './non-invite-server.ts';
import { isStatelessTag, responseBytes, statelessTag } from './reply.ts';
import { GIVE_UP_MS, type ServerContext, type ServerMachine } from './transaction-context.ts';
import type { Reply, ServerTransaction, TransactionUser } from './transactions.ts';

export interface ServerSideOptions {
  readonly timers: Timers;
  readonly transports: Pick<Transports, 'send' | 'flowTo'>;
  readonly maxTransactions: number;
  /** What a callback of the transaction user threw. */
  readonly failed: (error: unknown) => void;
  /** A request of our own that came back. */
  readonly isLoop: (request: SipRequest) => boolean;
}

/** Those whose time is over are forgotten together, so often. */
const SWEEP_MS = 1_000;

/** RFC 3261 §20.33, with 503: in how many seconds to try again. */
export const RETRY_AFTER_S = 5;

export class ServerSide {
  readonly options: ServerSideOptions;
  readonly #places = new Map<string, TransactionEntry>();
  readonly #merges = new Map<string, TransactionEntry>();
  /** In the order in which they retired: all stay for the same time, so no timer of their own is needed. */
  readonly #retired: TransactionEntry[] = [];
  #sweeping: Timer | null = null;
  #user: TransactionUser | null = null;
  /** Requests answered 482 and 503 here. */
  merged = 0;
  overloaded = 0;

  constructor(options: ServerSideOptions) {
    this.options = options;
  }

  get count(): number {
    return this.#places.size;
  }

  deliverTo(user: TransactionUser): void {
    this.#user = user;
  }

  received(request: SipRequest, flow: TransportFlow): void {
    if (this.#user === null) return;
    if (request.method === 'ACK') this.#acknowledged(request, flow);
    else if (request.method === 'CANCEL') this.#cancelled(request, flow);
    else {
      const key = serverKey(request, request.method);
      const known = this.#places.get(key);
      if (known === undefined) this.#requested(key, request, flow);
      else known.machine.repeated();
    }
  }

  #requested(key: string, request: SipRequest, flow: TransportFlow): void {
    const merge = mergeKey(request);
    if ((merge !== null && this.#merges.has(merge)) || this.options.isLoop(request)) {
      this.merged++;
      this.respondStatelessly(request, flow, { status: 482 });
    } else if (this.#places.size >= this.options.maxTransactions) {
      this.overloaded++;
      const headers = [['retry-after', `${RETRY_AFTER_S}`]] as const;
      this.respondStatelessly(request, flow, { status: 503, headers });
    } else this.#begin(new TransactionEntry(this, key, merge, request, flow), request);
  }

  #begin(place: TransactionEntry, request: SipRequest): void {
    this.#places.set(place.key, place);
    if (place.merge !== null) this.#merges.set(place.merge, place);
    const transaction = place.transaction;
    if (transaction === null) return;
    try {
      this.#user?.received(request, transaction);
    } catch (error) {
      this.#userFailed(error, place);
    }
    place.machine.start();
  }

  /** RFC 3261 §17.2.3: the ACK of a refusal has the INVITE's branch and ends here; any other one is the user's. */
  #acknowledged(request: SipRequest, flow: TransportFlow): void {
    const place = this.#places.get(serverKey(request, 'INVITE'));
    // RFC 3261 §8.2.7: the ACK of a stateless refusal has the tag of that, and is ignored.
    if (place === undefined && isStatelessTag(request.to.params.get('tag'), request)) return;
    if (place === undefined || place.acknowledged(flow)) {
      this.#notify((user) => user.acknowledged(request, flow));
    }
  }

  /** RFC 3261 §9.2. Answered without a transaction: the same CANCEL again finds the same INVITE and gets the same answer. */
  #cancelled(cancel: SipRequest, flow: TransportFlow): void {
    const place = this.#places.get(serverKey(cancel, 'INVITE'));
    if (place === undefined) {
      this.respondStatelessly(cancel, flow, { status: 481 });
      return;
    }
    this.respondStatelessly(cancel, flow, { status: 200, toTag: place.toTag });
    const { transaction } = place;
    // A final response has been given: the CANCEL changes nothing.
    if (transaction === null || place.cancelled) return;
    place.cancelled = true;
    transaction.ladder?.asked('in', cancel, flow);
    transaction.ladder?.answered('out', 200, 'CANCEL', flow, null);
    this.#notify((user) => user.cancelled(transaction, cancel), place);
  }

  /** The user refuses what was just handed to it: nothing is kept. */
  discard(request: SipRequest): void {
    const place = this.#places.get(serverKey(request, request.method));
    if (!place?.machine.open) return;
    place.machine.stop();
    this.forget(place);
  }

  respondStatelessly(request: SipRequest, flow: TransportFlow, reply: Reply): void {
    this.discard(request);
    // RFC 3261 §8.2.7: the same tag for the same request, should it come again.
    const bytes = responseBytes(request, reply, () => statelessTag(request));
    this.send(answerFlow(request, flow), request.via.port, bytes);
  }

  /** RFC 3261 §18.2.2: on the request's own connection, or a new one to the address in its Via if that is gone. */
  send(flow: TransportFlow, viaPort: number, bytes: Buffer): void {
    const { transports } = this.options;
    if (transports.send(flow, bytes) || flow.protocol === 'udp') return;
    const port = viaPort || defaultPort(flow.protocol);
    transports.flowTo(flow.protocol, { address: flow.remote.address, port }).then(
      (other) => void transports.send(other, bytes),
      // RFC 3261 §17.2.4: no peer is reachable; the transaction ends by its timer.
      () => {},
    );
  }

  retire(place: TransactionEntry): void {
    if (this.#retired.push(place) === 1) this.#sweepIn(GIVE_UP_MS);
  }

  #sweepIn(ms: number): void {
    this.#sweeping = this.options.timers.start(ms, () => this.#sweep());
  }

  #sweep(): void {
    const until = this.options.timers.now() - GIVE_UP_MS;
    const staying = this.#retired.findIndex(({ retiredMs }) => retiredMs > until);
    const over = this.#retired.splice(0, staying < 0 ? this.#retired.length : staying);
    const [next] = this.#retired;
    if (next) this.#sweepIn(Math.max(SWEEP_MS, next.retiredMs - until));
    for (const { machine } of over) machine.expired();
  }

  forget(place: TransactionEntry): void {
    this.#places.delete(place.key);
    this.unmerge(place);
  }

  unmerge(place: TransactionEntry): void {
    if (place.merge !== null && this.#merges.get(place.merge) === place) this.#merges.delete(place.merge);
  }

  #notify(notify: (user: TransactionUser) => void, place: TransactionEntry | null = null): void {
    if (this.#user === null) return;
    try {
      notify(this.#user);
    } catch (error) {
      this.#userFailed(error, place);
    }
  }

  #userFailed(error: unknown, place: TransactionEntry | null): void {
    this.options.failed(error);
    if (place?.machine.open) place.transaction?.respond({ status: 500 });
  }

  close(): void {
    for (const place of this.#places.values()) place.machine.stop();
    this.#places.clear();
    this.#merges.clear();
    this.#retired.length = 0;
    this.#sweeping?.stop();
  }
}

/** RFC 3261 §18.2.2 and RFC 3581 §4: to the source; over UDP without rport, to the port that the Via names. */
export function answerFlow(request: SipRequest, flow: TransportFlow): TransportFlow {
  if (flow.protocol !== 'udp' || request.via.params.has('rport')) return flow;
  const port = request.via.port || defaultPort('udp');
  return port === flow.remote.port ? flow : { ...flow, remote: { address: flow.remote.address, port } };
}

/** One transaction in the table. It lets go of the request with the final response, unlike its user. */
class TransactionEntry implements ServerContext {
  readonly key: string;
  readonly merge: string | null;
  readonly machine: ServerMachine;
  transaction: ServerTransaction | null;
  cancelled = false;
  retiredMs = 0;
  readonly #side: ServerSide;
  readonly #invite: InviteServer | null;
  readonly #answerTo: TransportFlow;
  readonly #viaPort: number;
  #toTag = '';
  /** From a refusal on until its ACK. */
  #ladder: Ladder | null = null;

  constructor(side: ServerSide, key: string, merge: string | null, request: SipRequest, flow: TransportFlow) {
    this.#side = side;
    // The keys are made of pieces of the request, and would keep its whole text for half a minute.
    this.key = inOnePiece(key);
    this.merge = merge === null ? null : inOnePiece(merge);
    this.#answerTo = answerFlow(request, flow);
    this.#viaPort = request.via.port;
    this.#invite = request.method === 'INVITE' ? new InviteServer(this) : null;
    this.machine = this.#invite ?? new NonInviteServer(this);
    this.transaction = new Server(request, flow, this);
  }

  get timers(): Timers {
    return this.#side.options.timers;
  }

  get reliable(): boolean {
    return this.#answerTo.protocol !== 'udp';
  }

  /** Ours for this request, whether the user chose it or not. */
  get toTag(): string {
    if (this.#toTag === '') this.#toTag = newTag();
    return this.#toTag;
  }

  respond(reply: Reply, bytes: Buffer): void {
    if (reply.toTag !== undefined) this.#toTag = reply.toTag;
    if (!this.machine.respond(reply.status, bytes) || this.machine.open) return;
    // A refusal makes no call: the same request on another branch may be answered anew.
    if (reply.status >= 300) {
      this.#ladder = this.#invite && (this.transaction?.ladder ?? null);
      this.#side.unmerge(this);
    }
    this.transaction = null;
  }

  acknowledged(flow: TransportFlow): boolean {
    this.#ladder?.acknowledged('in', flow);
    this.#ladder = null;
    return this.#invite?.acknowledged() ?? true;
  }

  send(bytes: Buffer): void {
    this.#side.send(this.#answerTo, this.#viaPort, bytes);
  }

  retire(): void {
    this.retiredMs = this.timers.now();
    this.#side.retire(this);
  }

  trying(): void {
    this.transaction?.respond({ status: 100 });
  }

  ended(): void {
    this.transaction = null;
    this.#side.forget(this);
  }
}

class Server implements ServerTransaction {
  readonly request: SipRequest;
  readonly flow: TransportFlow;
  ladder?: Ladder;
  waiter: NonNullable<ServerTransaction['waiter']> | null = null;
  readonly #place: TransactionEntry;
  #reply: Reply | null = null;
  #bytes: Buffer | null = null;

  constructor(request: SipRequest, flow: TransportFlow, place: TransactionEntry) {
    this.request = request;
    this.flow = flow;
    this.#place = place;
  }

  respond(reply: Reply): void {
    // A repeated 2xx is the same reply, and needs no writing again.
    if (reply !== this.#reply || this.#bytes === null) {
      this.#bytes = responseBytes(this.request, reply, () => this.#place.toTag);
      this.#reply = reply;
      this.ladder?.answered('out', reply.status, this.request.method, this.flow, null);
    }
    this.#place.respond(reply, this.#bytes);
  }
}

// The transaction layer: between the transports, which may lose or repeat messages, and a transaction user that receives
// everything exactly once.
import type { Ladder } from '../ladder.ts';
import type { SipMessage, SipRequest } from '../message.ts';
import { serialize } from '../serialize.ts';
import type { Timers } from '../timers.ts';
import type { TransportFlow, Transports, TransportUser } from '../transports/transport.ts';
import { ClientSide } from './client-side.ts';
import { viaFor, withVia } from './outgoing.ts';
import { ServerSide } from './server-side.ts';
import type {
  ClientEvents,
  ClientTransaction,
  Reply,
  Transactions,
  TransactionUser,
} from './transactions.ts';

/** Each side's. 1,500 calls a second leave 96,000 server transactions behind: every one stays for 32 s over UDP. */
export const MAX_TRANSACTIONS = 200_000;

export interface LayerOptions {
  readonly timers: Timers;
  readonly transports: Pick<Transports, 'send' | 'sentBy' | 'flowTo'>;
  /** What the user threw; the request was answered with 500. */
  readonly failed: (error: unknown) => void;
  readonly maxTransactions?: number;
}

export class TransactionLayer implements Transactions, TransportUser {
  readonly failed: LayerOptions['failed'];
  readonly #client: ClientSide;
  readonly #server: ServerSide;
  readonly #transports: LayerOptions['transports'];
  #strays = 0;

  constructor(options: LayerOptions) {
    const { timers, transports, failed, maxTransactions = MAX_TRANSACTIONS } = options;
    this.failed = failed;
    this.#transports = transports;
    const client = new ClientSide({ timers, transports, failed, maxTransactions });
    const isLoop = (request: SipRequest) => client.isLoop(request);
    this.#client = client;
    this.#server = new ServerSide({ timers, transports, failed, maxTransactions, isLoop });
  }

  /** The user of requests; before it is set they are dropped. */
  deliverTo(user: TransactionUser): void {
    this.#server.deliverTo(user);
  }

  get count(): number {
    return this.#client.count + this.#server.count;
  }

  /** For metrics: responses that belong to nothing (any more), requests refused as merged (482) and beyond the cap (503). */
  get counts(): { readonly strays: number; readonly merged: number; readonly overloaded: number } {
    const { merged, overloaded } = this.#server;
    return { strays: this.#strays, merged, overloaded };
  }

  received(message: SipMessage, flow: TransportFlow): void {
    if (message.kind === 'request') this.#server.received(message, flow);
    else if (!this.#client.received(message, flow)) this.#strays++;
  }

  flowClosed(flow: TransportFlow): void {
    this.#client.flowClosed(flow);
  }

  request(
    request: Omit<SipRequest, 'via'>,
    flow: TransportFlow,
    events: ClientEvents,
    ladder?: Ladder,
  ): ClientTransaction {
    return this.#client.request(request, flow, events, ladder);
  }

  sendAck(request: Omit<SipRequest, 'via'>, flow: TransportFlow, ladder?: Ladder): void {
    ladder?.acknowledged('out', flow);
    this.#transports.send(flow, serialize(withVia(request, viaFor(flow, this.#transports))));
  }

  respondStatelessly(request: SipRequest, flow: TransportFlow, reply: Reply): void {
    this.#server.respondStatelessly(request, flow, reply);
  }

  discard(request: SipRequest): void {
    this.#server.discard(request);
  }

  /** Drops every transaction without sending anything. */
  close(): void {
    this.#client.close();
    this.#server.close();
  }
}

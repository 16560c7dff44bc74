// The transaction layer as its user sees it (RFC 3261 §17, RFC 6026): requests and responses, each once, whatever the
// network lost or repeated.
import type { Ladder } from '../ladder.ts';
import type { SipRequest, SipResponse } from '../message.ts';
import type { TransportFlow } from '../transports/transport.ts';

/** What a response adds to its request: the transaction layer copies Via, From, To (with our tag), Call-ID and CSeq. */
export interface Reply {
  readonly status: number;
  /** Default: the RFC's word for the status. */
  readonly reason?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer;
  /** Our To tag; needed for everything but 100 when the request had none. */
  readonly toTag?: string;
}

export interface ServerTransaction {
  readonly request: SipRequest;
  readonly flow: TransportFlow;
  /** Where its further messages are listed: that of the session it belongs to, which sets it. */
  ladder?: Ladder;
  /** Called for a CANCEL; set while an INVITE is unanswered, null from the final response on. */
  waiter?: { cancelled(cancel: SipRequest): void } | null;
  /**
   * Provisional as often as wanted, then one final. After a 2xx to INVITE the transaction absorbs repeated INVITEs for 64*T1
   * (RFC 6026); its user repeats the 2xx with `respond` until the ACK comes.
   */
  respond(reply: Reply): void;
}

export interface ClientTransaction {
  readonly request: SipRequest;
  /** Not one response to an INVITE came, not even 100. */
  readonly isSilent: boolean;
  /**
   * CANCEL, if no final response came. Waits for a provisional one first (RFC 3261 §9.1). A 2xx that crosses it still reaches
   * `responded`: answer it with ACK and BYE.
   */
  cancel(reason?: string): void;
}

export interface ClientEvents {
  /** Every provisional but 100, every 2xx (each repetition of a 2xx to INVITE, too), and the final one, acknowledged if 3xx to 6xx. */
  responded(response: SipResponse, flow: TransportFlow): void;
  /** No final response: timer B or F, a network that refuses, a connection that broke. Never after a final response. */
  failed(why: 'timeout' | 'transport'): void;
}

export interface TransactionUser {
  /** A request that begins a transaction; never ACK, never CANCEL. An exception is caught and answered with 500. */
  received(request: SipRequest, transaction: ServerTransaction): void;
  /** CANCEL of an INVITE that has no final response yet; its 200 is sent. The user answers the INVITE with 487. */
  cancelled(transaction: ServerTransaction, cancel: SipRequest): void;
  /** The ACK of a 2xx. */
  acknowledged(request: SipRequest, flow: TransportFlow): void;
}

export interface Transactions {
  /** Adds Via with a new branch (and rport) and sends. `request.via` is not read. All its messages go into `ladder`. */
  request(
    request: Omit<SipRequest, 'via'>,
    flow: TransportFlow,
    events: ClientEvents,
    ladder?: Ladder,
  ): ClientTransaction;
  /** Outside any transaction: the ACK of a 2xx, with a branch of its own. */
  sendAck(request: Omit<SipRequest, 'via'>, flow: TransportFlow, ladder?: Ladder): void;
  /** One stateless reply: refuses strangers. */
  respondStatelessly(request: SipRequest, flow: TransportFlow, reply: Reply): void;
  /** No reply and no state: for scanners. */
  discard(request: SipRequest): void;
  /** Logs an error of work that a session began and no caller awaits. */
  failed(error: unknown): void;
  readonly count: number;
}

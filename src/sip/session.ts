// One call leg of SIP: a dialog made by INVITE, from either side. What telephony/builtin builds a leg upon.
import type { Ladder } from './ladder.ts';
import type { NameAddr, SipRequest } from './message.ts';
import type { TransportFlow } from './transports/transport.ts';

export interface SessionEnd {
  readonly by: 'us' | 'peer' | 'timeout' | 'network';
  /**
   * The final response that refused an INVITE, or null once it was answered. 487: given up; 408 and 503 also stand for a peer
   * that did not answer or could not be reached (RFC 3261 §8.1.3.1).
   */
  readonly status: number | null;
  /** Q.850 cause from a Reason header, where one came. */
  readonly cause: number | null;
  readonly reason: string;
}

export interface SessionEvents {
  /** 18x of a call we placed, with its SDP if it had one (early media). */
  progressed(status: number, sdp: Buffer | null): void;
  /** 2xx of a call we placed. */
  answered(sdp: Buffer | null): void;
  /** The ACK of a call we answered; its SDP is the answer when our 200 carried the offer. */
  confirmed(sdp: Buffer | null): void;
  /**
   * re-INVITE or UPDATE with an offer: call `answer` once with our SDP, or null to refuse it (488). An offer of null (a
   * re-INVITE without SDP) asks for ours; the peer's answer comes by `confirmed`. Also the offer in the 2xx of a call that we
   * placed without one; `answered` follows.
   */
  offered(offer: Buffer | null, answer: (sdp: Buffer | null) => void): void;
  /** INFO: 200 is sent. */
  informed(contentType: string, body: Buffer): void;
  /** REFER: call `accept` with true (202, then NOTIFY as the transfer goes) or a status to refuse it. */
  referred(
    to: NameAddr,
    replaces: string | null,
    accept: (result: true | number) => TransferProgress | null,
  ): void;
  /** Once, and nothing after it. */
  ended(end: SessionEnd): void;
}

export interface TransferProgress {
  /** The sipfrag of a NOTIFY; a final status ends the subscription. */
  notify(status: number): void;
}

export interface Session {
  readonly callId: string;
  readonly invite: Omit<SipRequest, 'via'>;
  readonly flow: TransportFlow;
  readonly ladder: Ladder;
}

export interface IncomingSession extends Session {
  listen(events: SessionEvents): void;
  /** 180 or 183, reliably (PRACK) when the peer requires it. */
  progress(status: number, sdp?: Buffer): void;
  answer(sdp: Buffer): void;
  /** Before the answer: a final refusal, with further headers such as Retry-After. */
  reject(status: number, headers?: readonly (readonly [string, string])[]): void;
  /** After the answer: BYE. Before it: 480. `reason` is the value of a Reason header (reason.ts). `ended` is called at once. */
  hangUp(reason?: string): void;
  reinvite(sdp: Buffer, answered: (sdp: Buffer | null) => void): void;
}

export interface OutgoingSession extends Session {
  /** CANCEL before the answer, BYE after it. `reason` and `ended` as above. */
  hangUp(reason?: string): void;
  reinvite(sdp: Buffer, answered: (sdp: Buffer | null) => void): void;
}

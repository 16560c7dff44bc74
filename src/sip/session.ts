// One call leg of SIP: a dialog made by INVITE, from either side. What telephony/builtin builds a leg upon.
import type { Ladder } from './ladder.ts';
import type { NameAddr, SipRequest } from './message.ts';
import type { Address, Protocol, TransportFlow } from './transports/transport.ts';
import type { Warning } from './warning.ts';

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
  /** The warning of the response that refused it, if there is one. */
  readonly warning?: Warning;
}

export interface SessionEvents {
  /** 18x of a call we placed, with its SDP where that is early media, and new. */
  progressed(status: number, sdp: Buffer | null): void;
  /** 2xx of a call we placed, with its SDP, or else with that of the 18x before it (RFC 3262 §5). */
  answered(sdp: Buffer | null): void;
  /** The ACK of a call we answered; its SDP is the answer when our 200 carried the offer. */
  confirmed(sdp: Buffer | null): void;
  /** The PRACK of our reliable 18x, as good a proof of the peer's address as the ACK; its SDP answers the offer of the 18x. */
  pracked?(sdp: Buffer | null): void;
  /**
   * re-INVITE or UPDATE with an offer: call `answer` once with our SDP, or null to refuse it (488, with the warning). An offer of null (a
   * re-INVITE without SDP) asks for ours; the peer's answer comes by `confirmed`. Also the offer in the 2xx of a call that we
   * placed without one; `answered` follows.
   */
  offered(offer: Buffer | null, answer: (sdp: Buffer | null, warning?: Warning) => void): void;
  /** INFO: 200 is sent. */
  informed(contentType: string, body: Buffer): void;
  /** REFER: call `accept` with true (202, then NOTIFY as the transfer goes) or a status to refuse it. */
  referred(
    to: NameAddr,
    replaces: string | null,
    accept: (result: true | number) => TransferProgress | null,
  ): void;
  /** Its peer is reached by another connection than before. */
  moved?(): void;
  /** Once, and nothing after it. */
  ended(end: SessionEnd): void;
}

export interface TransferProgress {
  /** The sipfrag of a NOTIFY; a final status ends the subscription. */
  notify(status: number): void;
}

/** A dialog as plain data (dialogs/stored-dialog.ts). */
export interface StoredDialog {
  readonly callId: string;
  /** From and To as they are written, with their tags. */
  readonly local: string;
  readonly remote: string;
  readonly routes: readonly string[];
  readonly target: string;
  readonly localSeq: number;
  readonly remoteSeq: number;
  readonly ownsCallId: boolean;
  /** Where its requests go: a proxy. */
  readonly protocol: Protocol;
  readonly hop: Address;
  /** Whom a proxy of SIP_EDGES had it from. */
  readonly peer?: Address;
}

export interface Session {
  readonly callId: string;
  /** The flow by which it began. */
  readonly flow: TransportFlow;
  /** By which its peer is reached now: a re-INVITE may have come by another one. 0: none. */
  readonly connection: number;
  readonly ladder: Ladder;
  /** Its peer is reached by this flow from now on. */
  follow(flow: TransportFlow): void;
  /** Null if it is not established, or no other node could go on with it. */
  stored(): StoredDialog | null;
  /** Another node has it: nothing is sent, and no event follows. */
  abandon(): void;
}

/** One that has been answered, whoever called. */
export interface EstablishedSession extends Session {
  hangUp(reason?: string): void;
  /**
   * Null if refused, with its status. 408 stands for silence, and `ended` follows as on 481. 0: a web page has no connection, or left the one
   * that this went by; `moved` follows if it comes back.
   */
  reinvite(sdp: Buffer, answered: (sdp: Buffer | null, status: number) => void): void;
}

export interface IncomingSession extends Session {
  readonly invite: Omit<SipRequest, 'via'>;
  /** The peer is a registered phone: reached by the flow of its INVITE, or of its REGISTER once that is another one. */
  keepFlow(registered: (() => TransportFlow) | null): void;
  listen(events: SessionEvents): void;
  /** Whether the peer requires or supports reliable provisional responses (100rel). */
  readonly takesReliable: boolean;
  /** 180 or 183, reliably (PRACK) when the peer requires it; with SDP also when it supports it. */
  progress(status: number, sdp?: Buffer): void;
  answer(sdp: Buffer): void;
  /** Before the answer: a final refusal, with further headers such as Retry-After. */
  reject(status: number, headers?: readonly (readonly [string, string])[]): void;
  /** After the answer: BYE. Before it: 480. `reason` is the value of a Reason header (reason.ts). `ended` is called at once. */
  hangUp(reason?: string): void;
  reinvite(sdp: Buffer, answered: (sdp: Buffer | null, status: number) => void): void;
}

export interface OutgoingSession extends Session {
  readonly invite: Omit<SipRequest, 'via'>;
  /** CANCEL before the answer, BYE after it. `reason` and `ended` as above. */
  hangUp(reason?: string): void;
  reinvite(sdp: Buffer, answered: (sdp: Buffer | null, status: number) => void): void;
}

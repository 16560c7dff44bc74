// re-INVITE and UPDATE from the peer: one at a time, never across one of ours (RFC 3261 §14.2, RFC 3311 §5.2).
import type { SipRequest } from '../message.ts';
import { refusal } from '../sanity.ts';
import type { SessionEvents } from '../session.ts';
import type { Reply, ServerTransaction } from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { warningHeader } from '../warning.ts';
import { sdpOf } from './body.ts';
import { ABILITIES, ALLOW, SDP_TYPE, SERVER, SUPPORTED } from './capabilities.ts';
import { type DialogCore, T2_MS } from './core.ts';
import type { Dialog } from './dialog.ts';
import { Repeater } from './repeater.ts';
import { agreeAsUas, type TimerTerms, tooSmallInterval } from './session-timer.ts';

/** Offers of the peer in one dialog: each may cost a key exchange. So many at once, then one a second. */
export const OFFERS_AT_ONCE = 10;
const OFFER_EVERY_MS = 1_000;

export interface PeerOfferHost {
  readonly events: SessionEvents;
  readonly ownOfferPending: boolean;
  /** Our side of the session as the peer knows it now. */
  described(sdp: Buffer): void;
  refreshed(terms: TimerTerms): void;
  /** The peer's request came by this flow. */
  follow(flow: TransportFlow): void;
  /** Something of ours that waited may go out now. */
  idle(): void;
  /** Our 2xx was never acknowledged. */
  unacknowledged(): void;
}

export class PeerOffers {
  readonly #core: DialogCore;
  readonly #dialog: Dialog;
  readonly #host: PeerOfferHost;
  /** Asked, not answered. */
  #asking: ServerTransaction | null = null;
  #repeater: Repeater | null = null;
  /** When all offers at once may be made again. */
  #restedAtMs = 0;
  #ackSeq = -1;
  /** Our 200 carried the offer, so the ACK carries the answer. */
  #ackAnswers = false;

  constructor(core: DialogCore, dialog: Dialog, host: PeerOfferHost) {
    this.#core = core;
    this.#dialog = dialog;
    this.#host = host;
  }

  get isPending(): boolean {
    return this.#asking !== null || this.#repeater !== null;
  }

  received(request: SipRequest, transaction: ServerTransaction): void {
    const refusal = this.#refusal(request);
    if (refusal !== null) {
      transaction.respond(refusal);
      return;
    }
    const offer = sdpOf(request);
    // An UPDATE without a body only refreshes the session.
    if (request.method !== 'INVITE' && offer === null) {
      this.#accept(request, transaction, null);
      return;
    }
    this.#asking = transaction;
    if (request.method === 'INVITE') transaction.waiter = this;
    this.#host.events.offered(offer, (sdp, warning) => {
      if (this.#asking !== transaction) return;
      this.#settle();
      if (sdp === null) {
        const headers = warning === undefined ? [SERVER] : [SERVER, warningHeader(warning)];
        transaction.respond({ status: 488, headers });
      } else this.#accept(request, transaction, sdp);
      if (!this.isPending) this.#host.idle();
    });
  }

  #refusal(request: SipRequest): Reply | null {
    // An UPDATE without a body offers nothing, so it crosses nothing.
    if (request.method === 'INVITE' || request.body.length > 0) {
      if (this.#asking !== null) return busyReply(this.#core);
      if (this.#host.ownOfferPending || this.#repeater !== null) return { status: 491, headers: [SERVER] };
    }
    if (this.#offersTooOften(request)) return busyReply(this.#core);
    const minSe = tooSmallInterval(request, this.#core.settings);
    if (minSe !== null) return { status: 422, headers: [['min-se', `${minSe}`]] };
    return refusal(request, ABILITIES);
  }

  /** An INVITE without a body asks for an offer of ours. */
  #offersTooOften(request: SipRequest): boolean {
    if (request.method !== 'INVITE' && request.body.length === 0) return false;
    const nowMs = this.#core.timers.now();
    const restedAtMs = Math.max(this.#restedAtMs, nowMs) + OFFER_EVERY_MS;
    if (restedAtMs - nowMs > OFFERS_AT_ONCE * OFFER_EVERY_MS) return true;
    this.#restedAtMs = restedAtMs;
    return false;
  }

  #accept(request: SipRequest, transaction: ServerTransaction, sdp: Buffer | null): void {
    const headers: (readonly [string, string])[] = [
      ['contact', `<${this.#dialog.contact}>`],
      ALLOW,
      SUPPORTED,
      SERVER,
    ];
    if (request.method !== 'PRACK') {
      this.#dialog.refreshTarget(request);
      this.#host.follow(transaction.flow);
      const agreed = agreeAsUas(request, this.#core.settings);
      headers.push(...agreed.headers);
      this.#host.refreshed(agreed.terms);
    }
    if (sdp !== null) {
      headers.push(SDP_TYPE);
      this.#host.described(sdp);
    }
    const reply = sdp === null ? { status: 200, headers } : { status: 200, headers, body: sdp };
    if (request.method !== 'INVITE') {
      transaction.respond(reply);
      return;
    }
    this.#ackSeq = request.cseq.number;
    this.#ackAnswers = sdpOf(request) === null;
    this.#repeater = new Repeater(this.#core, transaction, reply, T2_MS, () => this.#host.unacknowledged());
  }

  /** Ignores an ACK that was not waited for. */
  acknowledged(request: SipRequest): void {
    if (this.#repeater === null || request.cseq.number !== this.#ackSeq) return;
    this.#repeater.stop();
    this.#repeater = null;
    if (this.#ackAnswers) this.#host.events.confirmed(sdpOf(request));
    this.#host.idle();
  }

  /** CANCEL of a re-INVITE: the session stays as it was. */
  cancelled(): void {
    this.#asking?.respond({ status: 487, headers: [SERVER] });
    this.#settle();
    this.#host.idle();
  }

  /** The session ends: what is pending is still answered (RFC 3261 §15.1.2). */
  close(): void {
    this.#asking?.respond({ status: 487, headers: [SERVER] });
    this.#settle();
    this.#repeater?.stop();
    this.#repeater = null;
  }

  #settle(): void {
    if (this.#asking !== null) this.#asking.waiter = null;
    this.#asking = null;
  }
}

/** RFC 3261 §14.2: somewhere between 0 and 10 seconds. */
export const busyReply = (core: DialogCore): Reply => ({
  status: 500,
  headers: [['retry-after', `${Math.floor(core.random() * 11)}`], SERVER],
});

// What both kinds of session share once their dialog is established: requests of the peer, offers both ways, the session timer, BYE.
//
//   early ──2xx──▶ answered ──ACK──▶ confirmed ──BYE, either way──▶ over
import { hasHeader, hasToken } from '../header-tokens.ts';
import { headerOf, type SipRequest, type SipResponse } from '../message.ts';
import { q850Cause } from '../reason.ts';
import { isTag, type Replaces } from '../replaces.ts';
import type { SessionEnd, SessionEvents, StoredDialog } from '../session.ts';
import type { ServerTransaction } from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { sdpOf } from './body.ts';
import { ACCEPT, ALLOW, SERVER, SUPPORTED } from './capabilities.ts';
import type { DialogCore } from './core.ts';
import type { Dialog } from './dialog.ts';
import { AWAY, OwnOffers } from './own-offers.ts';
import { busyReply, type PeerOfferHost, PeerOffers } from './peer-offers.ts';
import { receiveRefer } from './refer.ts';
import { agreeAsUac, SessionTimer, type TimerTerms } from './session-timer.ts';
import { storedDialog } from './stored-dialog.ts';

export interface MidDialogHost {
  readonly events: SessionEvents;
  /** PRACK, where reliable provisional responses of ours wait for one. */
  pracked(request: SipRequest, transaction: ServerTransaction): void;
  /** Why the session ended. Called once. */
  ended(end: SessionEnd): void;
  /** The last transaction of the dialog has ended too: its table entries are gone. */
  gone(): void;
}

export type DialogPhase = 'early' | 'answered' | 'confirmed' | 'over';

export class MidDialog implements PeerOfferHost {
  readonly dialog: Dialog;
  /** Whether an offer has been answered in the early dialog, so that UPDATE may make another (RFC 3311 §5.1). */
  settledEarly = false;
  readonly #core: DialogCore;
  readonly #host: MidDialogHost;
  /** Most calls never see a re-INVITE or an UPDATE. */
  #own: OwnOffers | null = null;
  #peer: PeerOffers | null = null;
  readonly #timer: SessionTimer;
  #phase: DialogPhase = 'early';
  #peerTakesUpdate = false;
  /** The peer was away when the session had to be refreshed. */
  #owesRefresh = false;
  /** What a refresh by re-INVITE repeats. */
  #localSdp: Buffer | null = null;

  constructor(core: DialogCore, dialog: Dialog, host: MidDialogHost) {
    this.#core = core;
    this.dialog = dialog;
    this.#host = host;
    this.#timer = new SessionTimer(
      core.timers,
      () => this.#refresh(),
      () => this.fail('The peer did not refresh the session.'),
    );
  }

  get phase(): DialogPhase {
    return this.#phase;
  }

  get events(): SessionEvents {
    return this.#host.events;
  }

  get ownOfferPending(): boolean {
    return this.#own?.isOffering === true || (this.#phase !== 'confirmed' && !this.settledEarly);
  }

  get #ownOffers(): OwnOffers {
    this.#own ??= new OwnOffers(
      this.#core,
      this.dialog,
      () => this.#phase === 'confirmed' && this.#peer?.isPending !== true,
    );
    return this.#own;
  }

  get #peerOffers(): PeerOffers {
    this.#peer ??= new PeerOffers(this.#core, this.dialog, this);
    return this.#peer;
  }

  described(sdp: Buffer): void {
    this.#localSdp = sdp;
  }

  refreshed(terms: TimerTerms): void {
    if (this.#phase !== 'early') this.#timer.restart(terms);
  }

  follow(flow: TransportFlow): void {
    const { connection } = this.dialog.flow;
    this.dialog.followTo(flow);
    if (this.dialog.flow.connection === connection || this.#phase === 'over') return;
    if (this.#owesRefresh) this.#refresh();
    this.events.moved?.();
  }

  idle(): void {
    this.#own?.next();
  }

  unacknowledged(): void {
    this.fail('No ACK came for the answer to a re-INVITE.');
  }

  /** Reads the peer's capabilities from its INVITE or its 2xx. */
  learn(message: SipRequest | SipResponse): void {
    this.#peerTakesUpdate = hasToken(message, 'allow', 'update');
  }

  /** A 2xx was sent or received. The timer runs from here. */
  answered(terms: TimerTerms | null): void {
    this.#phase = 'answered';
    this.#timer.restart(terms);
  }

  /** The ACK was received or sent: both may offer now. */
  confirmed(): void {
    if (this.#phase !== 'answered') return;
    this.#phase = 'confirmed';
    this.#own?.next();
  }

  named({ callId, fromTag }: Replaces): 'early' | 'answered' | null {
    if (this.dialog.callId !== callId || !isTag(this.dialog.remote.tag, fromTag)) return null;
    if (this.#phase === 'over') return null;
    return this.#phase === 'early' ? 'early' : 'answered';
  }

  /** Null if not confirmed, or no other node could go on with it. */
  stored(): StoredDialog | null {
    return this.#phase === 'confirmed' ? storedDialog(this.dialog) : null;
  }

  reinvite(sdp: Buffer, answered: (sdp: Buffer | null, status: number) => void): void {
    if (this.#phase === 'over') {
      answered(null, 481);
      return;
    }
    this.#ownOffers.make({
      method: 'INVITE',
      sdp,
      done: (response, status) => {
        if (response !== null) {
          this.#localSdp = sdp;
          this.#timer.renew(agreeAsUac(response));
        }
        answered(response === null ? null : sdpOf(response), status);
        this.#endsWith(status);
      },
    });
  }

  #refresh(): void {
    const sdp = this.#localSdp;
    const byUpdate = this.#peerTakesUpdate || sdp === null;
    this.#ownOffers.make({
      method: byUpdate ? 'UPDATE' : 'INVITE',
      sdp: byUpdate ? null : sdp,
      done: (response, status) => {
        if (response !== null) this.#timer.renew(agreeAsUac(response));
        this.#owesRefresh = status === AWAY;
        this.#endsWith(status);
      },
    });
  }

  /** RFC 3261 §12.2.1.2: the peer is gone, or does not know the dialog. */
  #endsWith(status: number): void {
    if (status === 408) this.fail('The peer does not answer.');
    else if (status === 481) this.fail('The peer does not know the call any more.');
  }

  received(request: SipRequest, transaction: ServerTransaction): void {
    if (this.#phase === 'over') {
      // The two BYEs crossed: both are valid.
      transaction.respond({ status: request.method === 'BYE' ? 200 : 481, headers: [SERVER] });
      return;
    }
    if (!this.dialog.acceptsSeq(request.cseq.number)) {
      transaction.respond({ status: 500, reason: 'Out of order', headers: [SERVER] });
      return;
    }
    switch (request.method) {
      case 'BYE':
        transaction.respond({ status: 200, headers: [SERVER] });
        this.#hungUp(request);
        return;
      case 'INVITE':
        this.#reinvited(request, transaction);
        return;
      case 'UPDATE':
        this.#updated(request, transaction);
        return;
      case 'PRACK':
        this.#host.pracked(request, transaction);
        return;
      case 'INFO':
        this.#informed(request, transaction);
        return;
      case 'REFER':
        receiveRefer(request, transaction, this.dialog, this.events);
        return;
      case 'OPTIONS':
        transaction.respond({ status: 200, headers: [ALLOW, SUPPORTED, ACCEPT, SERVER] });
        return;
      case 'NOTIFY':
        // We never subscribe to anything (RFC 6665 §4.1.3).
        transaction.respond({ status: 481, headers: [SERVER] });
        return;
      case 'SUBSCRIBE':
        transaction.respond({ status: 489, headers: [['allow-events', 'refer'], SERVER] });
        return;
      default:
        transaction.respond({ status: 405, headers: [ALLOW, SERVER] });
        return;
    }
  }

  /** The PRACK's SDP is a new offer where ours was the answer (RFC 3262 §5). */
  offeredByPrack(request: SipRequest, transaction: ServerTransaction): void {
    this.#peerOffers.received(request, transaction);
  }

  acknowledged(request: SipRequest): void {
    this.#peer?.acknowledged(request);
  }

  #reinvited(request: SipRequest, transaction: ServerTransaction): void {
    if (this.#phase === 'early') {
      // RFC 3261 §14.2: the first INVITE has no final answer yet; the direction decides the status.
      const reply = this.dialog.ownsCallId ? { status: 491, headers: [SERVER] } : busyReply(this.#core);
      transaction.respond(reply);
      return;
    }
    this.#peerOffers.received(request, transaction);
  }

  #updated(request: SipRequest, transaction: ServerTransaction): void {
    if (this.#phase === 'early' && !this.settledEarly && request.body.length > 0) {
      // RFC 3311 §5.2: an offer is open, ours (491) or theirs (500).
      const reply = this.dialog.ownsCallId ? { status: 491, headers: [SERVER] } : busyReply(this.#core);
      transaction.respond(reply);
      return;
    }
    this.#peerOffers.received(request, transaction);
  }

  #informed(request: SipRequest, transaction: ServerTransaction): void {
    if (hasHeader(request, 'info-package')) {
      // RFC 6086 §4.2.2: we offer no package; what phones send for keys has none.
      transaction.respond({ status: 469, headers: [['recv-info', ''], SERVER] });
      return;
    }
    transaction.respond({ status: 200, headers: [SERVER] });
    this.events.informed(headerOf(request, 'content-type') ?? '', request.body);
  }

  #hungUp(request: SipRequest): void {
    this.close();
    this.#host.ended({ by: 'peer', status: null, cause: q850Cause(request), reason: 'The peer hung up.' });
    this.#host.gone();
  }

  /** Sends BYE. `ended` is called at once; the peer's 200 only clears the table. */
  hangUp(reason: string | undefined): void {
    if (this.#phase === 'over') return;
    this.#bye(reason);
    this.#host.ended({ by: 'us', status: null, cause: null, reason: reason ?? '' });
  }

  /** The peer is unreachable: BYE in case it still exists. */
  fail(why: string): void {
    if (this.#phase === 'over') return;
    this.#bye('SIP;cause=408');
    this.#host.ended({ by: 'timeout', status: null, cause: null, reason: why });
  }

  #bye(reason: string | undefined): void {
    this.close();
    const draft = this.dialog.draft('BYE', reason === undefined ? [] : [['reason', reason]]);
    this.dialog.request(draft, {
      // Whatever comes, a challenge included, the dialog is over (RFC 3261 §15.1.1).
      responded: (response) => {
        if (response.status >= 200) this.#host.gone();
      },
      failed: () => this.#host.gone(),
    });
  }

  /** Sends nothing except final responses to requests that are still open. */
  close(): void {
    this.#phase = 'over';
    this.#timer.stop();
    this.#own?.close();
    this.#peer?.close();
    this.#localSdp = null;
  }
}

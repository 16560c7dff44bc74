// A call of ours: from the INVITE to the ACK of the first 2xx. What follows is mid-dialog.ts.
//
//   calling ──18x──▶ early dialogs ──2xx──▶ answered ──ACK──▶ confirmed
//      └──3xx to 6xx, CANCEL, time-out──▶ over ◀──BYE──┘
import { hasToken, readSeconds } from '../header-tokens.ts';
import { newCallId, newTag } from '../ids.ts';
import { headerOf, NO_BODY, type SipRequest, type SipResponse } from '../message.ts';
import { q850Cause } from '../reason.ts';
import type { OutgoingSession, SessionEnd, SessionEvents } from '../session.ts';
import type { Timer } from '../timers.ts';
import type { ClientTransaction, ServerTransaction } from '../transactions/transactions.ts';
import type { Flow } from '../transports/transport.ts';
import { sdpOf } from './body.ts';
import type { CallOptions } from './call-options.ts';
import { ChallengeAnswers } from './challenge.ts';
import type { DialogCore, DialogOwner, Draft } from './core.ts';
import { Destinations } from './destinations.ts';
import { contactOf, type Dialog, uacDialog } from './dialog.ts';
import { draftInvite } from './invite-draft.ts';
import { contactUri, SDP_TYPE, SERVER } from './manners.ts';
import { MidDialog, type MidDialogHost } from './mid-dialog.ts';
import { agreeAsUac, minSeOf422 } from './session-timer.ts';
import { SILENT } from './silent-events.ts';

interface Early {
  readonly mid: MidDialog;
  /** The last RSeq that came in order (RFC 3262 §4). */
  rseq: number;
}

/** A proxy that forks further loses the rest of its branches. */
const MOST_BRANCHES = 16;
const RING_MS = 180_000;
const MOST_422 = 2;

export class UacSession implements OutgoingSession, DialogOwner, MidDialogHost {
  readonly callId = newCallId();
  readonly #core: DialogCore;
  readonly #options: CallOptions;
  readonly #tag = newTag();
  readonly #destinations: Destinations;
  readonly #challenges: ChallengeAnswers;
  readonly #early = new Map<string, Early>();
  /** Dialogs that nobody wants: acknowledged and ended. */
  readonly #strays = new Map<string, Dialog>();
  #events: SessionEvents;
  #flow: Flow;
  #invite: Draft;
  #transaction: ClientTransaction | null = null;
  #winner: MidDialog | null = null;
  #ackSdp: Buffer | null = null;
  #acknowledged = false;
  #seq = 0;
  #minSeS = 0;
  #small = 0;
  #timer: Timer | null;
  #isOver = false;

  constructor(core: DialogCore, options: CallOptions) {
    this.#core = core;
    this.#options = options;
    this.#events = options.events;
    this.#destinations = new Destinations(core, options.target);
    this.#challenges = new ChallengeAnswers(options.credentials);
    this.#flow = 'flow' in options.target ? options.target.flow : flowBefore(options.target);
    this.#invite = this.#draft(this.#flow);
    core.owners.set(this.#tag, this);
    this.#timer = core.timers.start(options.timeoutMs ?? RING_MS, () => this.#rangTooLong());
    const flow = this.#destinations.takeFlow();
    if (flow !== null) this.#send(flow);
    else
      void this.#tryNext({
        by: 'network',
        status: 503,
        cause: null,
        reason: 'No way to the peer was found.',
      });
  }

  get invite(): Draft {
    return this.#invite;
  }

  get flow(): Flow {
    return this.#flow;
  }

  get events(): SessionEvents {
    return this.#events;
  }

  hangUp(reason?: string): void {
    if (this.#winner !== null) this.#winner.hangUp(reason);
    else this.#giveUp({ by: 'us', status: 487, cause: null, reason: reason ?? '' }, reason);
  }

  reinvite(sdp: Buffer, answered: (sdp: Buffer | null) => void): void {
    if (this.#winner === null) answered(null);
    else this.#winner.reinvite(sdp, answered);
  }

  received(request: SipRequest, transaction: ServerTransaction): void {
    const tag = request.from.params.get('tag') ?? '';
    const mid = this.#winner?.dialog.remote.tag === tag ? this.#winner : this.#early.get(tag)?.mid;
    if (mid === undefined || request.callId !== this.callId) {
      transaction.respond({ status: 481, headers: [SERVER] });
      return;
    }
    mid.received(request, transaction);
  }

  acknowledged(request: SipRequest): void {
    this.#winner?.acknowledged(request);
  }

  /** We send no reliable provisional response in a call of ours. */
  pracked(_request: SipRequest, transaction: ServerTransaction): void {
    transaction.respond({ status: 481, headers: [SERVER] });
  }

  /** By the winner's end, or by an odd BYE of somebody who only rang. */
  ended(end: SessionEnd): void {
    if (this.#winner === null) this.#transaction?.cancel();
    this.#tell(end);
  }

  #tell(end: SessionEnd): void {
    this.#isOver = true;
    this.#stopRinging();
    const events = this.#events;
    this.#events = SILENT;
    events.ended(end);
  }

  gone(): void {
    // A cancelled INVITE still has its final response to come.
    if (this.#winner === null && this.#transaction !== null) return;
    this.#core.owners.delete(this.#tag);
  }

  async #tryNext(otherwise: SessionEnd): Promise<void> {
    this.#transaction = null;
    const flow = await this.#destinations.next();
    if (this.#isOver) return;
    if (flow === null) this.#over(otherwise);
    else this.#send(flow);
  }

  #draft(flow: Flow): Draft {
    const { options, core } = { options: this.#options, core: this.#core };
    const contact = contactUri(
      core.transports,
      flow,
      options.contactUser,
      options.target.uri.startsWith('sips:'),
    );
    return draftInvite(options, core.settings, {
      callId: this.callId,
      tag: this.#tag,
      seq: this.#seq,
      contact,
      minSeS: this.#minSeS,
      extra: this.#challenges.headers('INVITE', options.target.uri),
    });
  }

  #send(flow: Flow): void {
    this.#flow = flow;
    this.#seq++;
    const draft = this.#draft(flow);
    this.#invite = draft;
    this.#transaction = this.#core.transactions.request(draft, flow, {
      responded: (response, by) => this.#responded(draft, response, by),
      failed: (why) => {
        if (draft === this.#invite) this.#failed(why);
      },
    });
  }

  #failed(why: 'timeout' | 'transport'): void {
    this.#transaction = null;
    if (this.#isOver) {
      this.gone();
      return;
    }
    const end: SessionEnd =
      why === 'timeout'
        ? { by: 'timeout', status: 408, cause: null, reason: 'The peer does not answer.' }
        : { by: 'network', status: 503, cause: null, reason: 'The peer cannot be reached.' };
    if (this.#early.size > 0) this.#over(end);
    else void this.#tryNext(end);
  }

  #responded(draft: Draft, response: SipResponse, flow: Flow): void {
    if (response.status >= 300) {
      this.#refused(draft, response);
      return;
    }
    if (response.status >= 200) {
      this.#accepted(draft, response, flow);
      return;
    }
    if (!this.#isOver && this.#winner === null) this.#progressed(draft, response, flow);
  }

  #progressed(draft: Draft, response: SipResponse, flow: Flow): void {
    const tag = response.to.params.get('tag') ?? '';
    const sdp = sdpOf(response);
    if (tag !== '') {
      const early = this.#earlyDialog(tag, draft, response, flow);
      if (early === null) return;
      if (hasToken(response, 'require', '100rel') && !this.#prack(early, draft, response, sdp)) return;
    }
    this.#events.progressed(response.status, sdp);
  }

  #earlyDialog(tag: string, draft: Draft, response: SipResponse, flow: Flow): Early | null {
    const known = this.#early.get(tag);
    if (known !== undefined) return known;
    if (this.#early.size >= MOST_BRANCHES) return null;
    const dialog = uacDialog(this.#core, draft, response, flow, this.#ours(flow));
    const early = { mid: new MidDialog(this.#core, dialog, this), rseq: -1 };
    this.#early.set(tag, early);
    return early;
  }

  /** RFC 3262 §4: in order, each once. */
  #prack(early: Early, draft: Draft, response: SipResponse, sdp: Buffer | null): boolean {
    const rseq = readSeconds(headerOf(response, 'rseq'));
    if (rseq === undefined || (early.rseq >= 0 && rseq !== early.rseq + 1)) return false;
    early.rseq = rseq;
    if (sdp !== null) early.mid.settledEarly = true;
    const { dialog } = early.mid;
    const prack = dialog.draft('PRACK', [['rack', `${rseq} ${draft.cseq.number} INVITE`]]);
    // If it is lost for good the peer ends the call.
    dialog.request(prack, { responded() {}, failed() {} });
    return true;
  }

  #ours(flow: Flow): { contact: string; sticky: boolean } {
    const { target, contactUser } = this.#options;
    const contact = contactUri(this.#core.transports, flow, contactUser, target.uri.startsWith('sips:'));
    return { contact, sticky: 'flow' in target };
  }

  #accepted(draft: Draft, response: SipResponse, flow: Flow): void {
    const tag = response.to.params.get('tag') ?? '';
    if (this.#winner?.dialog.remote.tag === tag) {
      this.#acknowledge();
      return;
    }
    if (this.#winner !== null || this.#isOver) {
      this.#sendAway(tag, draft, response, flow);
      return;
    }
    const early = this.#early.get(tag)?.mid.dialog;
    const dialog = uacDialog(this.#core, draft, response, flow, this.#ours(flow), early);
    const winner = new MidDialog(this.#core, dialog, this);
    this.#winner = winner;
    this.#transaction = null;
    this.#stopRinging();
    this.#closeEarly();
    this.#invite = { ...draft, body: NO_BODY };
    winner.learn(response);
    winner.answered(agreeAsUac(response));
    if (this.#options.sdp === null) {
      this.#answerOffer(winner, sdpOf(response));
      return;
    }
    winner.described(this.#options.sdp);
    this.#confirm(winner);
    this.#events.answered(sdpOf(response));
  }

  /** The 2xx carries the offer, our ACK the answer (RFC 3261 §13.2.1). */
  #answerOffer(winner: MidDialog, offer: Buffer | null): void {
    this.#events.offered(offer, (sdp) => {
      if (this.#acknowledged || this.#isOver) return;
      this.#ackSdp = sdp;
      if (sdp !== null) winner.described(sdp);
      this.#confirm(winner);
      if (sdp === null) winner.hangUp('SIP;cause=488');
      else this.#events.answered(offer);
    });
  }

  #confirm(winner: MidDialog): void {
    this.#acknowledged = true;
    this.#acknowledge();
    winner.confirmed();
  }

  /** Again for every repetition of the 2xx: it says that our ACK was lost. */
  #acknowledge(): void {
    const dialog = this.#winner?.dialog;
    if (dialog === undefined || !this.#acknowledged) return;
    const sdp = this.#ackSdp;
    dialog.sendAck(dialog.draftAck(this.#seq, sdp === null ? [] : [SDP_TYPE], sdp ?? NO_BODY));
  }

  /** A 2xx of another branch, or one that crossed our CANCEL: ACK, then BYE (RFC 3261 §13.2.2.4, §9.1). */
  #sendAway(tag: string, draft: Draft, response: SipResponse, flow: Flow): void {
    if (this.#winner === null) this.#transaction = null;
    const known = this.#strays.get(tag);
    if (known !== undefined) {
      known.sendAck(known.draftAck(draft.cseq.number));
      return;
    }
    if (this.#strays.size >= MOST_BRANCHES) return;
    const dialog = uacDialog(
      this.#core,
      draft,
      response,
      flow,
      this.#ours(flow),
      this.#early.get(tag)?.mid.dialog,
    );
    this.#strays.set(tag, dialog);
    dialog.sendAck(dialog.draftAck(draft.cseq.number));
    const done = (): void => {
      if (this.#winner === null) this.gone();
    };
    dialog.request(dialog.draft('BYE'), {
      responded: (answer) => {
        if (answer.status >= 200) done();
      },
      failed: done,
    });
  }

  #refused(draft: Draft, response: SipResponse): void {
    if (draft !== this.#invite || this.#winner !== null) return;
    this.#transaction = null;
    if (this.#isOver) {
      this.gone();
      return;
    }
    const { status } = response;
    const cause = q850Cause(response);
    if (this.#triesAgain(response)) {
      this.#send(this.#flow);
      return;
    }
    const moved = status < 400 ? ` to ${contactOf(response)}` : '';
    const end: SessionEnd = { by: 'peer', status, cause, reason: `${response.reason}${moved}` };
    // RFC 3263 §4.3: 503 is a word about the server, not about the callee.
    if (status === 503) void this.#tryNext(end);
    else this.#over(end);
  }

  #triesAgain(response: SipResponse): boolean {
    if (response.status === 401 || response.status === 407) {
      // Once somebody rang, a challenge comes from behind the peer that knows us (ES2021-05).
      return this.#early.size === 0 && this.#challenges.take(response, 'INVITE', this.#options.target.uri);
    }
    if (response.status !== 422 || this.#small >= MOST_422) return false;
    this.#small++;
    this.#minSeS = minSeOf422(response);
    return this.#minSeS > 0;
  }

  #rangTooLong(): void {
    this.#giveUp({ by: 'timeout', status: 408, cause: null, reason: 'Nobody answered in time.' }, undefined);
  }

  /** CANCEL, where the INVITE is out; the session is found until its final response or the transaction's end. */
  #giveUp(end: SessionEnd, reason: string | undefined): void {
    if (this.#isOver) return;
    this.#transaction?.cancel(reason);
    this.#closeEarly();
    this.#tell(end);
    this.gone();
  }

  #over(end: SessionEnd): void {
    this.#transaction = null;
    this.#closeEarly();
    this.#tell(end);
    this.gone();
  }

  #closeEarly(): void {
    for (const { mid } of this.#early.values()) mid.close();
    if (this.#winner !== null) this.#early.clear();
  }

  #stopRinging(): void {
    this.#timer?.stop();
    this.#timer = null;
  }
}

/** Until the name is looked up nobody knows better. */
const flowBefore = ({ host, port, protocol }: Extract<CallOptions['target'], { host: string }>): Flow => ({
  protocol,
  local: { address: '', port: 0 },
  remote: { address: host, port },
  connection: 0,
});

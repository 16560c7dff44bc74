// An outgoing call: from the INVITE to the ACK of the first 2xx. What follows is mid-dialog.ts.
//
//   calling ──18x──▶ early dialogs ──2xx──▶ answered ──ACK──▶ confirmed
//      └──3xx to 6xx, CANCEL, time-out──▶ over ◀──BYE──┘
import { newCallId, newTag } from '../ids.ts';
import { Ladder } from '../ladder.ts';
import { NO_BODY, type SipRequest, type SipResponse } from '../message.ts';
import { q850Cause } from '../reason.ts';
import type { Replaces } from '../replaces.ts';
import type { OutgoingSession, SessionEnd, SessionEvents, StoredDialog } from '../session.ts';
import type { Timer } from '../timers.ts';
import type { ClientTransaction, ServerTransaction } from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { warningOf } from '../warning.ts';
import { sdpOf } from './body.ts';
import { type Answer, Branches } from './branches.ts';
import type { CallOptions } from './call-options.ts';
import { contactUri, SDP_TYPE, SERVER } from './capabilities.ts';
import { ChallengeAnswers } from './challenge.ts';
import type { DialogCore, DialogOwner, Draft } from './core.ts';
import { Destinations, flowBefore } from './destinations.ts';
import { contactOf, type OurSide } from './dialog.ts';
import { draftInvite } from './invite-draft.ts';
import { MidDialog, type MidDialogHost } from './mid-dialog.ts';
import { agreeAsUac, minSeOf422 } from './session-timer.ts';
import { SILENT } from './silent-events.ts';

const RING_MS = 180_000;
const MOST_422 = 2;
/** Repetitions of a 2xx after our ACK: one may have crossed it. */
const MOST_MISSED = 2;
/** RFC 3261 §8.1.3.1 waits 32 s; a server that is alive sends 100 within 200 ms (§17.2.1), so that the next one is tried sooner. */
const SILENT_MS = 4_000;

export class UacSession implements OutgoingSession, DialogOwner, MidDialogHost {
  readonly callId: string;
  readonly ladder: Ladder;
  readonly #core: DialogCore;
  readonly #options: CallOptions;
  readonly #tag = newTag();
  readonly #destinations: Destinations;
  readonly #challenges: ChallengeAnswers;
  readonly #branches: Branches;
  #events: SessionEvents;
  /** Set here alone. */
  flow: TransportFlow;
  #invite: Draft;
  #transaction: ClientTransaction | null = null;
  #winner: MidDialog | null = null;
  #ackSdp: Buffer | null = null;
  #acknowledged = false;
  #repeats = 0;
  #seq = 0;
  #minSeS = 0;
  #small = 0;
  #timer: Timer | null;
  /** Until the first response of a destination that others stand in for. */
  #silence: Timer | null = null;
  /** INVITEs to destinations that did not answer: what comes of them late is ended. */
  readonly #left = new WeakSet<Draft>();
  #isOver = false;

  constructor(core: DialogCore, options: CallOptions) {
    this.#core = core;
    this.callId = options.callId ?? newCallId();
    this.ladder = new Ladder(core.timers);
    this.#options = options;
    this.#events = options.events;
    this.#destinations = new Destinations(core, options.target);
    this.#challenges = new ChallengeAnswers(options.credentials);
    this.#branches = new Branches(core, this, (flow) => this.#ours(flow));
    this.flow = 'flow' in options.target ? options.target.flow : flowBefore(options.target);
    this.#invite = this.#draft(this.flow);
    core.owners.set(this.#tag, this);
    this.#timer = core.timers.start(options.timeoutMs ?? RING_MS, () => this.#rangTooLong());
    const flow = this.#destinations.takeFlow();
    if (flow !== null) this.#send(flow);
    else this.#tryNext({ by: 'network', status: 503, cause: null, reason: 'No way to the peer was found.' });
  }

  get invite(): Draft {
    return this.#invite;
  }

  get connection(): number {
    return (this.#winner?.dialog.flow ?? this.flow).connection;
  }

  get events(): SessionEvents {
    return this.#events;
  }

  hangUp(reason?: string): void {
    if (this.#winner !== null) {
      // A 2xx is acknowledged even after the call was given up.
      if (!this.#acknowledged) this.#confirm(this.#winner);
      this.#winner.hangUp(reason);
    } else this.#giveUp({ by: 'us', status: 487, cause: null, reason: reason ?? '' }, reason);
  }

  follow(flow: TransportFlow): void {
    this.#winner?.follow(flow);
  }

  reinvite(sdp: Buffer, answered: (sdp: Buffer | null, status: number) => void): void {
    if (this.#winner === null) answered(null, 481);
    else this.#winner.reinvite(sdp, answered);
  }

  stored(): StoredDialog | null {
    const stored = this.#winner?.stored() ?? null;
    // The flow of the 2xx does not say who is behind the proxy.
    const { peer } = this.flow;
    return stored && peer ? { ...stored, peer } : stored;
  }

  named(replaces: Replaces): 'early' | 'answered' | null {
    if (this.#isOver) return null;
    return (this.#winner ?? this.#branches.get(replaces.fromTag))?.named(replaces) ?? null;
  }

  abandon(): void {
    this.#events = SILENT;
    this.#winner?.close();
    this.gone();
  }

  received(request: SipRequest, transaction: ServerTransaction): void {
    const tag = request.from.params.get('tag') ?? '';
    const mid = this.#winner?.dialog.remote.tag === tag ? this.#winner : this.#branches.get(tag);
    if (mid === undefined || request.callId !== this.callId) {
      transaction.respond({ status: 481, headers: [SERVER] });
      return;
    }
    this.ladder.asked('in', request, transaction.flow);
    transaction.ladder = this.ladder;
    mid.received(request, transaction);
  }

  acknowledged(request: SipRequest, flow: TransportFlow): void {
    this.ladder.acknowledged('in', flow);
    this.#winner?.acknowledged(request);
  }

  /** We send no reliable provisional response in a call of ours. */
  pracked(_request: SipRequest, transaction: ServerTransaction): void {
    transaction.respond({ status: 481, headers: [SERVER] });
  }

  /** By the end of the answered dialog, or by a BYE within an early dialog. */
  ended(end: SessionEnd): void {
    if (this.#winner === null) this.#transaction?.cancel();
    this.#notify(end);
  }

  #notify(end: SessionEnd): void {
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

  /** An error ends this session alone. */
  #tryNext(otherwise: SessionEnd): void {
    const { transactions } = this.#core;
    this.#sendToNext(otherwise)
      .catch((error: unknown) => {
        transactions.failed(error);
        if (this.#isOver) this.gone();
        else this.#over(otherwise);
      })
      .catch((error: unknown) => transactions.failed(error));
  }

  async #sendToNext(otherwise: SessionEnd): Promise<void> {
    this.#transaction = null;
    const flow = await this.#destinations.next();
    if (this.#isOver) return;
    if (flow === null) this.#over(otherwise);
    else this.#send(flow);
  }

  #draft(flow: TransportFlow): Draft {
    const core = this.#core;
    const { routes } = this.#destinations;
    const options = routes === null ? this.#options : { ...this.#options, route: routes };
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

  #send(flow: TransportFlow): void {
    this.flow = flow;
    this.#seq++;
    const draft = this.#draft(flow);
    this.#invite = draft;
    const events = {
      responded: (response: SipResponse, by: TransportFlow) => this.#responded({ draft, response, flow: by }),
      failed: (why: 'timeout' | 'transport') => {
        if (draft === this.#invite && !this.#left.has(draft)) this.#failed(why);
      },
    };
    this.#transaction = this.#core.transactions.request(draft, flow, events, this.ladder);
    if (this.#destinations.mayHaveMore)
      this.#silence = this.#core.timers.start(SILENT_MS, () => this.#passOver(draft));
  }

  /** Not one response: the next destination. CANCEL follows a late one (§9.1), so that no two phones ring. */
  #passOver(draft: Draft): void {
    if (draft !== this.#invite || this.#isOver || !this.#transaction?.isSilent) return;
    this.#left.add(draft);
    this.#transaction.cancel();
    this.#tryNext({ by: 'timeout', status: 408, cause: null, reason: 'The peer does not answer.' });
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
    if (this.#branches.any) this.#over(end);
    else this.#tryNext(end);
  }

  #responded(answer: Answer): void {
    const { status } = answer.response;
    if (this.#left.has(answer.draft)) {
      // Answered before our CANCEL.
      if (status >= 200 && status < 300)
        this.#branches.sendAway(answer.response.to.params.get('tag') ?? '', answer, () => undefined);
      return;
    }
    this.#silence?.stop();
    if (status >= 300) this.#refused(answer);
    else if (status >= 200) this.#accepted(answer);
    else if (!this.#isOver && this.#winner === null && this.#branches.progressed(answer)) {
      this.#events.progressed(status, this.#branches.earlyMedia(answer.response));
    }
  }

  #ours(flow: TransportFlow): OurSide {
    const { target, contactUser } = this.#options;
    const contact = contactUri(this.#core.transports, flow, contactUser, target.uri.startsWith('sips:'));
    const isPhone = 'flow' in target;
    return {
      contact,
      sticky: isPhone,
      allows: isPhone ? undefined : target.allows,
      registered: isPhone ? target.registered : undefined,
      ladder: this.ladder,
    };
  }

  #accepted(answer: Answer): void {
    const { draft, response } = answer;
    const tag = response.to.params.get('tag') ?? '';
    if (this.#winner?.dialog.remote.tag === tag) {
      if (this.#acknowledged && ++this.#repeats === MOST_MISSED) this.#winner.dialog.ackMissed();
      this.#acknowledge();
      return;
    }
    if (this.#winner !== null || this.#isOver) {
      this.#sendAway(tag, answer);
      return;
    }
    const winner = new MidDialog(this.#core, this.#branches.confirmed(tag, answer), this);
    this.#winner = winner;
    this.#transaction = null;
    this.#stopRinging();
    const described = sdpOf(response) ?? this.#branches.sdpOf(tag);
    this.#branches.close();
    this.#invite = { ...draft, body: NO_BODY };
    winner.learn(response);
    winner.answered(agreeAsUac(response));
    if (this.#options.sdp === null) {
      this.#answerOffer(winner, sdpOf(response));
      return;
    }
    winner.described(this.#options.sdp);
    this.#confirm(winner);
    this.#events.answered(described);
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

  #sendAway(tag: string, answer: Answer): void {
    if (this.#winner === null) this.#transaction = null;
    this.#branches.sendAway(tag, answer, () => {
      if (this.#winner === null) this.gone();
    });
  }

  #refused({ draft, response }: Answer): void {
    if (draft !== this.#invite || this.#winner !== null) return;
    this.#transaction = null;
    if (this.#isOver) {
      this.gone();
      return;
    }
    const { status } = response;
    const cause = q850Cause(response);
    if (this.#triesAgain(response)) {
      this.#send(this.flow);
      return;
    }
    const moved = status < 400 ? ` to ${contactOf(response)}` : '';
    const warning = warningOf(response);
    const reason = `${response.reason}${moved}`;
    const end: SessionEnd = { by: 'peer', status, cause, reason, ...(warning ? { warning } : {}) };
    // RFC 3263 §4.3: 503 concerns the server, not the callee; after ringing the callee would ring twice.
    if (status === 503 && !this.#branches.any) this.#tryNext(end);
    else this.#over(end);
  }

  #triesAgain(response: SipResponse): boolean {
    if (response.status === 401 || response.status === 407) {
      // After 18x a challenge comes from behind the trunk itself (ES2021-05, threat T6).
      return !this.#branches.any && this.#challenges.take(response, 'INVITE', this.#options.target.uri);
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
    this.#branches.close();
    this.#notify(end);
    this.gone();
  }

  #over(end: SessionEnd): void {
    this.#transaction = null;
    this.#branches.close();
    this.#notify(end);
    this.gone();
  }

  #stopRinging(): void {
    this.#silence?.stop();
    this.#timer?.stop();
    this.#timer = null;
  }
}

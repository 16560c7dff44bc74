// An incoming leg: INVITE in, 180 or 183 and 200 out.
import type { StreamSettings } from '../../../media/media.ts';
import type { AnswerRefusal } from '../../../media/sdp/answer.ts';
import type { Negotiation } from '../../../media/sdp/negotiation.ts';
import { readSeconds } from '../../../sip/header-tokens.ts';
import type { Ladder } from '../../../sip/ladder.ts';
import { headerOf } from '../../../sip/message.ts';
import type { IncomingSession, Session, SessionEnd, SessionEvents } from '../../../sip/session.ts';
import { peerOf, type TransportFlow } from '../../../sip/transports/transport.ts';
import { warningHeader } from '../../../sip/warning.ts';
import type { LegEnd, Peer } from '../../telephony.ts';
import type { IsVerified } from '../access/verified-media.ts';
import { type PassedOn, passedOn, reasonHeader, statusOfCause } from './causes.ts';
import { BuiltinLeg, lostEnd, MAX_HOPS, passesOf } from './leg.ts';
import type { MediaSide } from './media-side.ts';
import { askTransfer, reanswer } from './session-capabilities.ts';
import { storedLeg } from './stored-leg.ts';
import type { EstablishedDialog } from './wideband.ts';

export class IncomingLeg extends BuiltinLeg implements SessionEvents {
  readonly #session: IncomingSession;
  protected readonly ladders: readonly Ladder[];
  #negotiation: Negotiation | null = null;
  /** Our answer to the offer in the INVITE. Null: it has none, and our 200 carries the offer. */
  #description: Buffer | null = null;
  #answered = false;
  #confirmed = false;
  /** 183 was sent. */
  #isEarly = false;
  /** A PRACK came. */
  #isPracked = false;
  /** Takes effect with the ACK, or with 183 as early media. */
  #agreed: StreamSettings | null = null;
  /** What it was refused with. */
  #cause: number | null = null;
  #peer: Peer | null = null;
  #isVerified: IsVerified | null = null;

  constructor(session: IncomingSession, gone: () => void) {
    super(session.callId, gone);
    this.#session = session;
    this.ladders = [session.ladder];
    // RFC 2543 requests have no Max-Forwards.
    this.hops = Math.min(MAX_HOPS, readSeconds(headerOf(session.invite, 'max-forwards')) ?? MAX_HOPS);
    this.passes = passesOf(session.invite);
  }

  isBy(connection: number): boolean {
    return this.#session.connection === connection;
  }

  follow(flow: TransportFlow): void {
    this.#session.follow(flow);
  }

  protected established(): EstablishedDialog | null {
    const negotiation = this.#negotiation;
    return this.#confirmed && negotiation ? { session: this.#session, negotiation } : null;
  }

  get peerAddress(): string {
    return peerOf(this.#session.flow).address;
  }

  get isPage(): boolean {
    return this.#session.flow.protocol === 'ws';
  }

  /** What tells, before an ACK or a PRACK, whether early media may go where the offer says. */
  verifyBy(isVerified: IsVerified, peer: Peer): void {
    this.#isVerified = isVerified;
    this.#peer = peer;
  }

  /** Why the offer is refused; null: it is acceptable. */
  begin(media: MediaSide, negotiation: Negotiation, offer: Buffer | null): AnswerRefusal | null {
    this.media = media;
    this.#negotiation = negotiation;
    this.#session.listen(this);
    if (offer === null) return null;
    const answer = negotiation.answer(offer);
    if ('refuse' in answer) return answer;
    this.#agreed = answer.settings;
    this.#description = answer.sdp;
    return null;
  }

  /** With the reason, for who looks for the fault in their own SDP. */
  refuseOffer({ refuse, code, why }: AnswerRefusal): void {
    this.#session.reject(refuse, [warningHeader({ code, text: why })]);
  }

  /** Before `answer`. */
  refuse(status: number, retryAfterSeconds?: number): void {
    const headers =
      retryAfterSeconds === undefined ? [] : [['Retry-After', String(retryAfterSeconds)] as const];
    this.#session.reject(status, headers);
  }

  ring(): void {
    if (!this.#answered && !this.#isEarly && !this.over) this.#session.progress(180);
  }

  progress(): void {
    if (this.#answered || this.#isEarly || this.over || !this.#negotiation) return;
    // Where the INVITE has no offer, ours has to be answered: by a PRACK, and by nothing else before the ACK.
    if (this.#description === null && !this.#session.takesReliable) {
      this.ring();
      return;
    }
    this.#isEarly = true;
    this.#description ??= this.#negotiation.offer();
    this.#session.progress(183, this.#description);
    this.#configureEarly();
  }

  #configureEarly(): void {
    if (!this.#agreed) return;
    const { flow } = this.#session;
    const isProved = this.#peer && this.#isVerified?.(this.#peer, flow, this.#agreed.remoteAddress);
    const early = this.#isPracked || isProved ? 'verified' : 'unverified';
    this.media?.configure({ ...this.#agreed, early }, flow);
  }

  pracked(sdp: Buffer | null): void {
    if (this.over || !this.#isEarly) return;
    this.#isPracked = true;
    this.#accept(sdp);
    this.#configureEarly();
  }

  /** The answer to our offer. */
  #accept(sdp: Buffer | null): void {
    const settings = sdp && this.#negotiation?.accept(sdp);
    if (settings) this.#agreed = 'fault' in settings ? null : settings;
  }

  answer(): void {
    if (this.#answered || this.over || !this.#negotiation) return;
    this.#answered = true;
    this.#session.answer(this.#description ?? this.#negotiation.offer());
    this.#description = null;
  }

  hangUp(cause = 16, refusal?: LegEnd): void {
    if (this.over) return;
    if (this.#answered) this.#session.hangUp(reasonHeader(cause));
    else
      this.#reject((refusal && passedOn(refusal)) ?? { status: statusOfCause(cause), cause, warning: null });
  }

  #reject({ status, cause, warning }: PassedOn): void {
    this.#cause = cause;
    const reason = ['Reason', reasonHeader(cause)] as const;
    this.#session.reject(status, warning ? [reason, warningHeader(warning)] : [reason]);
  }

  lost(text: string, isFault = false): void {
    if (this.over) return;
    const end = lostEnd(this.#answered || !isFault ? 'ended' : 'failed', text, isFault);
    // Before the session is ended, which would report its own reason.
    this.finish(end);
    const reason = reasonHeader(end.cause);
    if (this.#answered || !isFault) this.#session.hangUp(reason);
    else this.#session.reject(statusOfCause(end.cause), [['Reason', reason]]);
  }

  stored(): string | null {
    return this.#confirmed && !this.over ? storedLeg(this.#session, this.#negotiation, this) : null;
  }

  has(session: Session): boolean {
    return session === this.#session;
  }

  abandon(): void {
    this.leave();
    this.#session.abandon();
  }

  progressed(): void {}

  answered(): void {}

  referred(...asked: Parameters<SessionEvents['referred']>): void {
    askTransfer(this, this.events, ...asked);
  }

  ended(end: SessionEnd): void {
    this.finish(legEnd(end, this.#answered, this.#cause));
  }

  confirmed(sdp: Buffer | null): void {
    if (this.over || !this.#negotiation) return;
    this.#accept(sdp);
    const agreed = this.#agreed;
    if (agreed) {
      this.#confirmed = true;
      this.configure(agreed, this.#session.flow);
    } else if (!this.#confirmed) {
      // RFC 3261 §13.3.1.4: an ACK without the required answer leaves the call without media.
      this.hangUp(127);
    }
  }

  offered(...[offer, answer]: Parameters<SessionEvents['offered']>): void {
    const agreed = reanswer(this.over ? null : this.#negotiation, offer, answer, this.keptCodec);
    if (!agreed) return;
    this.#agreed = agreed;
    if (this.#confirmed) this.configure(agreed, this.#session.flow);
    else if (this.#isEarly) this.#configureEarly();
  }
}

function legEnd(
  { by, cause, status, reason }: SessionEnd,
  answered: boolean,
  sentCause: number | null,
): LegEnd {
  return { by, outcome: answered ? 'ended' : 'failed', cause: cause ?? sentCause, status, text: reason };
}

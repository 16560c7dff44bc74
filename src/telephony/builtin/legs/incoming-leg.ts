// An incoming leg: INVITE in, 180 and 200 out.
import type { StreamSettings } from '../../../media/media.ts';
import type { AnswerRefusal } from '../../../media/sdp/answer.ts';
import type { Negotiation } from '../../../media/sdp/negotiation.ts';
import { readSeconds } from '../../../sip/header-tokens.ts';
import type { Ladder } from '../../../sip/ladder.ts';
import { headerOf } from '../../../sip/message.ts';
import type { IncomingSession, SessionEnd, SessionEvents } from '../../../sip/session.ts';
import { reasonHeader, statusOfCause } from './causes.ts';
import { BuiltinLeg, lostEnd, MAX_HOPS, passesOf } from './leg.ts';
import type { MediaSide } from './media-side.ts';
import { askTransfer, reanswer, reportHold } from './session-capabilities.ts';

export class IncomingLeg extends BuiltinLeg implements SessionEvents {
  readonly #session: IncomingSession;
  protected readonly ladders: readonly Ladder[];
  #negotiation: Negotiation | null = null;
  /** Our answer to the offer in the INVITE. Null: it has none, and our 200 carries the offer. */
  #description: Buffer | null = null;
  #answered = false;
  #confirmed = false;
  /** Takes effect with the ACK. */
  #agreed: StreamSettings | null = null;

  constructor(session: IncomingSession, gone: () => void) {
    super(session.callId, gone);
    this.#session = session;
    this.ladders = [session.ladder];
    // RFC 2543 requests have no Max-Forwards.
    this.hops = Math.min(MAX_HOPS, readSeconds(headerOf(session.invite, 'max-forwards')) ?? MAX_HOPS);
    this.passes = passesOf(session.invite);
  }

  get peerAddress(): string {
    return this.#session.flow.remote.address;
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
  refuseOffer({ refuse, why }: AnswerRefusal): void {
    const text = why.slice(0, 200).replace(/[^ !#-[\]-~]/g, ' ');
    this.#session.reject(refuse, [['Warning', `399 dialtree "${text}"`]]);
  }

  /** Before `answer`. */
  refuse(status: number, retryAfterSeconds?: number): void {
    const headers =
      retryAfterSeconds === undefined ? [] : [['Retry-After', String(retryAfterSeconds)] as const];
    this.#session.reject(status, headers);
  }

  ring(): void {
    if (!this.#answered && !this.over) this.#session.progress(180);
  }

  answer(): void {
    if (this.#answered || this.over || !this.#negotiation) return;
    this.#answered = true;
    this.#session.answer(this.#description ?? this.#negotiation.offer());
    this.#description = null;
  }

  hangUp(cause = 16): void {
    if (this.over) return;
    if (this.#answered) this.#session.hangUp(reasonHeader(cause));
    else this.#session.reject(statusOfCause(cause), [['Reason', reasonHeader(cause)]]);
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

  progressed(): void {}

  answered(): void {}

  referred(...asked: Parameters<SessionEvents['referred']>): void {
    askTransfer(this.events, ...asked);
  }

  ended(end: SessionEnd): void {
    this.finish(legEnd(end, this.#answered));
  }

  confirmed(sdp: Buffer | null): void {
    if (this.over || !this.#negotiation) return;
    if (sdp) {
      const settings = this.#negotiation.accept(sdp);
      this.#agreed = 'fault' in settings ? null : settings;
    }
    const agreed = this.#agreed;
    if (agreed) {
      this.media?.configure(agreed, this.#session.flow);
      this.#confirmed = true;
    } else if (!this.#confirmed) {
      // RFC 3261 §13.3.1.4: an ACK without the required answer leaves the call without media.
      this.hangUp(127);
    }
  }

  offered(offer: Buffer | null, answer: (sdp: Buffer | null) => void): void {
    const agreed = this.over || !this.#negotiation ? null : reanswer(this.#negotiation, offer);
    answer(agreed?.sdp ?? null);
    if (!agreed?.settings) return;
    this.#agreed = agreed.settings;
    reportHold(this.events, this.media?.settings ?? null, agreed.settings);
    if (this.#confirmed) this.media?.configure(agreed.settings, this.#session.flow);
  }
}

function legEnd(
  { by, cause, status, reason }: SessionEnd,
  answered: boolean,
): Parameters<BuiltinLeg['finish']>[0] {
  return { by, outcome: answered ? 'ended' : 'failed', cause, status, text: reason };
}

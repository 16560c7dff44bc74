// An outgoing leg: one or several phones ring (forking); the first to answer is the leg, the others are cancelled.
import type { StreamSettings } from '../../../media/media.ts';
import type { Negotiation } from '../../../media/sdp/negotiation.ts';
import { newCallId } from '../../../sip/ids.ts';
import type { Ladder } from '../../../sip/ladder.ts';
import type { OutgoingSession, SessionEnd, SessionEvents } from '../../../sip/session.ts';
import type { LegEnd } from '../../telephony.ts';
import { outcomeOf, reasonHeader } from './causes.ts';
import { BuiltinLeg, lostEnd } from './leg.ts';
import type { MediaSide } from './media-side.ts';
import { askTransfer, reanswer, reportHold } from './session-capabilities.ts';

/** Sends one INVITE; all carry the same offer. */
export type Invite = (offer: Buffer, events: SessionEvents, callId: string) => OutgoingSession;

export class OutgoingLeg extends BuiltinLeg {
  #negotiation: Negotiation | null = null;
  protected readonly ladders: Ladder[] = [];
  readonly #forks = new Map<number, OutgoingSession | null>();
  #winner: OutgoingSession | null = null;
  /** Before it is the winner: its answer is being read. */
  #answering: OutgoingSession | null = null;
  #rang = false;
  /** The most informative refusal so far. */
  #failure: LegEnd | null = null;

  constructor(gone: (end: LegEnd) => void) {
    // Before the INVITE is sent: the log and the journal name the call by it from its begin on.
    super(newCallId(), gone);
  }

  begin(media: MediaSide, negotiation: Negotiation): void {
    this.media = media;
    this.#negotiation = negotiation;
  }

  invite(invites: readonly Invite[]): void {
    const negotiation = this.#negotiation;
    if (this.over || !negotiation) return;
    const offer = negotiation.offer();
    for (const number of invites.keys()) this.#forks.set(number, null);
    for (const [number, invite] of invites.entries()) {
      const session = invite(offer, this.#eventsOf(number), number === 0 ? this.callId : newCallId());
      this.ladders.push(session.ladder);
      if (this.#forks.has(number)) this.#forks.set(number, session);
    }
  }

  get peerAddress(): string {
    return (this.#winner ?? this.#answering)?.flow.remote.address ?? '';
  }

  ring(): void {}

  answer(): void {}

  hangUp(cause = 16): void {
    if (this.over) return;
    const text = reasonHeader(cause);
    const answered = this.#winner !== null;
    this.finish({ by: 'us', outcome: answered ? 'ended' : 'no-answer', cause, status: null, text: '' });
    for (const session of this.#forks.values()) session?.hangUp(text);
  }

  lost(text: string, isFault = false): void {
    if (this.over) return;
    const end = lostEnd(this.#winner ? 'ended' : 'failed', text, isFault);
    this.finish(end);
    // Also before an answer: the phones must stop ringing.
    for (const session of this.#forks.values()) session?.hangUp(reasonHeader(end.cause));
  }

  #eventsOf(number: number): SessionEvents {
    const isLeg = (): boolean =>
      !this.over && this.#winner !== null && this.#winner === this.#forks.get(number);
    return {
      progressed: (status) => {
        if (this.over || this.#winner || status < 180 || this.#rang) return;
        this.#rang = true;
        this.events?.ringing();
      },
      answered: (sdp) => this.#answeredBy(number, sdp),
      confirmed: (sdp) => {
        const agreed = sdp && isLeg() ? this.#negotiation?.accept(sdp) : null;
        if (agreed && !('fault' in agreed)) this.#configure(agreed);
      },
      offered: (offer, answer) => {
        const agreed = isLeg() && this.#negotiation ? reanswer(this.#negotiation, offer) : null;
        answer(agreed?.sdp ?? null);
        if (!agreed?.settings) return;
        reportHold(this.events, this.media?.settings ?? null, agreed.settings);
        this.#configure(agreed.settings);
      },
      informed: (contentType, body) => {
        if (isLeg()) this.informed(contentType, body);
      },
      referred: (to, replaces, accept) => {
        if (isLeg()) askTransfer(this.events, to, replaces, accept);
        else accept(603);
      },
      ended: (end) => this.#endedBy(number, end),
    };
  }

  #configure(settings: StreamSettings): void {
    if (this.#winner) this.media?.configure(settings, this.#winner.flow);
  }

  #answeredBy(number: number, sdp: Buffer | null): void {
    const session = this.#forks.get(number);
    if (this.over || this.#winner || !session) {
      session?.hangUp();
      return;
    }
    this.#answering = session;
    const agreed = sdp && this.#negotiation?.accept(sdp);
    if (!agreed || 'fault' in agreed) {
      session.hangUp(reasonHeader(88));
      return;
    }
    this.#winner = session;
    this.callId = session.callId;
    for (const [other, fork] of this.#forks) {
      if (other === number) continue;
      // RFC 3326: the other phones must not show a missed call.
      fork?.hangUp('SIP;cause=200;text="Call completed elsewhere"');
      this.#forks.delete(other);
    }
    this.#configure(agreed);
    this.events?.answered();
  }

  #endedBy(number: number, end: SessionEnd): void {
    const session = this.#forks.get(number);
    this.#forks.delete(number);
    if (this.over) return;
    if (this.#winner && session === this.#winner) {
      this.finish({ by: end.by, outcome: 'ended', cause: end.cause, status: end.status, text: end.reason });
      return;
    }
    if (this.#winner) return;
    this.#failure = moreInformative(this.#failure, failureOf(end));
    if (this.#forks.size === 0) this.finish(this.#failure);
  }
}

function failureOf({ by, status, cause, reason }: SessionEnd): LegEnd {
  const outcome = status === null ? (by === 'network' ? 'unreachable' : 'no-answer') : outcomeOf(status);
  return { by, outcome, cause, status, text: reason };
}

function moreInformative(one: LegEnd | null, other: LegEnd): LegEnd {
  const order: LegEnd['outcome'][] = ['declined', 'busy', 'no-answer', 'unreachable', 'failed', 'ended'];
  return one && order.indexOf(one.outcome) <= order.indexOf(other.outcome) ? one : other;
}

// An outgoing leg: one or several phones ring (forking); the first to answer is the leg, the others are cancelled.
import type { StreamSettings } from '../../../media/media.ts';
import type { Negotiation } from '../../../media/sdp/negotiation.ts';
import { newCallId } from '../../../sip/ids.ts';
import type { Ladder } from '../../../sip/ladder.ts';
import type { OutgoingSession, Session, SessionEnd, SessionEvents } from '../../../sip/session.ts';
import { peerOf } from '../../../sip/transports/transport.ts';
import { ANSWERED_ELSEWHERE, type LegEnd } from '../../telephony.ts';
import { outcomeOf, reasonHeader } from './causes.ts';
import { BuiltinLeg, lostEnd } from './leg.ts';
import type { MediaSide } from './media-side.ts';
import { askTransfer, reanswer } from './session-capabilities.ts';
import { storedLeg } from './stored-leg.ts';

/** RFC 3326: the other phones must not show a missed call. */
const ELSEWHERE = 'SIP;cause=200;text="Call completed elsewhere"';

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
  /** What each phone, or branch of a proxy, described before an answer; of several descriptions the newest. */
  readonly #earlySdp = new Map<number, Buffer>();
  /** The phone whose early media the leg has, and what was agreed with it. */
  #early: { readonly fork: number; readonly settings: StreamSettings } | null = null;
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

  override get isRinging(): boolean {
    return !this.over && this.#winner === null && this.#answering === null;
  }

  get peerAddress(): string {
    const session = this.#winner ?? this.#answering;
    return session ? peerOf(session.flow).address : '';
  }

  ring(): void {}

  progress(): void {}

  answer(): void {}

  hangUp(cause = 16): void {
    if (this.over) return;
    const text = cause === ANSWERED_ELSEWHERE && !this.#winner ? ELSEWHERE : reasonHeader(cause);
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

  stored(): string | null {
    return this.#winner && !this.over ? storedLeg(this.#winner, this.#negotiation, this) : null;
  }

  has(session: Session): boolean {
    for (const fork of this.#forks.values()) if (fork === session) return true;
    return false;
  }

  abandon(): void {
    this.leave();
    this.#winner?.abandon();
  }

  #eventsOf(number: number): SessionEvents {
    const isLeg = (): boolean =>
      !this.over && this.#winner !== null && this.#winner === this.#forks.get(number);
    return {
      progressed: (status, sdp) => this.#progressedBy(number, status, sdp),
      answered: (sdp) => this.#answeredBy(number, sdp),
      confirmed: (sdp) => {
        const agreed = sdp && isLeg() ? this.#negotiation?.accept(sdp) : null;
        if (agreed && !('fault' in agreed)) this.#configure(agreed);
      },
      offered: (offer, answer) => {
        const isEarly = !this.over && this.#winner === null && this.#early?.fork === number;
        const agreed = reanswer(isLeg() || isEarly ? this.#negotiation : null, offer, answer);
        if (agreed && isEarly) this.#configureEarly(number, agreed);
        else if (agreed) this.#configure(agreed);
      },
      informed: (contentType, body) => {
        if (isLeg()) this.informed(contentType, body);
      },
      referred: (to, replaces, accept) => {
        if (isLeg()) askTransfer(this, this.events, to, replaces, accept);
        else accept(603);
      },
      ended: (end) => this.#endedBy(number, end),
    };
  }

  #progressedBy(number: number, status: number, sdp: Buffer | null): void {
    if (this.over || this.#winner || status < 180) return;
    if (!this.#rang) {
      this.#rang = true;
      this.events?.ringing();
    }
    if (!sdp) return;
    this.#earlySdp.set(number, sdp);
    this.#hearEarly();
  }

  /** Only of a phone that rings alone: of several it would be by chance which one the caller hears. */
  #hearEarly(): void {
    const [number] = this.#forks.keys();
    const sdp = number === undefined ? undefined : this.#earlySdp.get(number);
    if (this.#forks.size !== 1 || number === undefined || !sdp) return;
    this.#earlySdp.delete(number);
    this.#answering = this.#forks.get(number) ?? null;
    const settings = this.#negotiation?.accept(sdp);
    if (!settings || 'fault' in settings) return;
    const isFirst = this.#early === null;
    this.#configureEarly(number, settings);
    if (isFirst) this.events?.earlyMedia();
  }

  /** A response to our INVITE proves the peer's address as the ACK does a caller's. */
  #configureEarly(fork: number, settings: StreamSettings): void {
    const session = this.#forks.get(fork);
    if (!session) return;
    this.#early = { fork, settings };
    this.media?.configure({ ...settings, early: 'verified' }, session.flow);
  }

  #configure(settings: StreamSettings): void {
    if (this.#winner) this.configure(settings, this.#winner.flow);
  }

  #answeredBy(number: number, sdp: Buffer | null): void {
    const session = this.#forks.get(number);
    if (this.over || this.#winner || !session) {
      session?.hangUp();
      return;
    }
    this.#answering = session;
    const agreed = this.#agreedWith(number, sdp);
    if (!agreed) {
      session.hangUp(reasonHeader(88));
      return;
    }
    this.#winner = session;
    this.callId = session.callId;
    for (const [other, fork] of this.#forks) {
      if (other === number) continue;
      fork?.hangUp(ELSEWHERE);
      this.#forks.delete(other);
    }
    this.#configure(agreed);
    this.events?.answered();
  }

  /** After an UPDATE of the early dialog the 200 answers nothing more (RFC 3311 §5.1). */
  #agreedWith(number: number, sdp: Buffer | null): StreamSettings | null {
    const agreed = sdp && this.#negotiation?.accept(sdp);
    if (agreed && !('fault' in agreed)) return agreed;
    return this.#early?.fork === number ? this.#early.settings : null;
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
    else this.#hearEarly();
  }
}

function failureOf({ by, status, cause, reason, warning }: SessionEnd): LegEnd {
  const outcome = status === null ? (by === 'network' ? 'unreachable' : 'no-answer') : outcomeOf(status);
  return { by, outcome, cause, status, text: reason, ...(warning ? { warning } : {}) };
}

function moreInformative(one: LegEnd | null, other: LegEnd): LegEnd {
  const order: LegEnd['outcome'][] = ['declined', 'busy', 'no-answer', 'unreachable', 'failed', 'ended'];
  return one && order.indexOf(one.outcome) <= order.indexOf(other.outcome) ? one : other;
}

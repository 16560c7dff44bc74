// An outgoing leg: one or several phones ring (forking); the first to answer is the leg, the others are cancelled.
import type { StreamSettings } from '../../../media/media.ts';
import { asSecure } from '../../../media/sdp/crypto.ts';
import type { Negotiation, SrtpPreference } from '../../../media/sdp/negotiation.ts';
import type { Carriage } from '../../../media/sdp/profiles.ts';
import type { SdpFault } from '../../../media/sdp/sdp.ts';
import { newCallId } from '../../../sip/ids.ts';
import type { Ladder } from '../../../sip/ladder.ts';
import type { OutgoingSession, Session, SessionEnd, SessionEvents } from '../../../sip/session.ts';
import { peerOf, type TransportFlow } from '../../../sip/transports/transport.ts';
import { ANSWERED_ELSEWHERE, type LegEnd } from '../../telephony.ts';
import { outcomeOf, reasonHeader } from './causes.ts';
import { BuiltinLeg, lostEnd } from './leg.ts';
import type { MediaSide } from './media-side.ts';
import { askTransfer, reanswer } from './session-capabilities.ts';
import { storedLeg } from './stored-leg.ts';
import type { EstablishedDialog } from './wideband.ts';

/** RFC 3326: the other phones must not show a missed call. */
const ELSEWHERE = 'SIP;cause=200;text="Call completed elsewhere"';

/** One phone or trunk. */
export interface Invite {
  readonly carriage: Carriage;
  /** Ours, as it reaches it. */
  readonly address: string;
  readonly srtp: SrtpPreference;
  readonly send: (offer: Buffer, events: SessionEvents, callId: string) => OutgoingSession;
}

/** Each phone has one of its own: keys that one of them gets are not told to the others, in no offer of the dialog. */
export type NegotiationFor = (invite: Omit<Invite, 'send'>) => Negotiation;

/** A phone that was called, and what it was offered. */
interface Called {
  readonly invite: Invite;
  readonly negotiation: Negotiation;
  readonly offer: Buffer;
}

export class OutgoingLeg extends BuiltinLeg {
  #negotiationFor: NegotiationFor | null = null;
  readonly #called = new Map<number, Called>();
  protected readonly ladders: Ladder[] = [];
  /** The phone of each ladder: one that refused the first offer has two. */
  readonly #ladderForks: number[] = [];
  readonly #forks = new Map<number, OutgoingSession | null>();
  /** Phones that refused RTP/AVP and were offered RTP/SAVP. */
  readonly #offeredSecure = new Set<number>();
  #winner: OutgoingSession | null = null;
  /** Before it is the winner: its answer is being read. */
  #answering: OutgoingSession | null = null;
  #rang = false;
  /** What each phone, or branch of a proxy, described before an answer; of several descriptions the newest. */
  readonly #earlySdp = new Map<number, Buffer>();
  /** The phone whose early media the leg has, and what was agreed with it. */
  #early: { readonly fork: number; readonly settings: StreamSettings } | null = null;
  /** By phone: why its answer could not be used. */
  readonly #unusable = new Map<number, string>();
  /** The most informative refusal so far. */
  #failure: LegEnd | null = null;

  constructor(gone: (end: LegEnd) => void) {
    // Before the INVITE is sent: the log and the journal name the call by it from its begin on.
    super(newCallId(), gone);
  }

  begin(media: MediaSide, negotiationFor: NegotiationFor): void {
    this.media = media;
    this.#negotiationFor = negotiationFor;
  }

  invite(invites: readonly Invite[]): void {
    if (this.over || !this.#negotiationFor) return;
    for (const number of invites.keys()) this.#forks.set(number, null);
    for (const [number, invite] of invites.entries()) {
      const negotiation = this.#negotiationFor(invite);
      const offer = negotiation.offer();
      this.#called.set(number, { invite, negotiation, offer });
      this.#send(number, invite, offer, number === 0 ? this.callId : newCallId());
    }
  }

  #send(number: number, invite: Invite, offer: Buffer, callId: string): void {
    const session = invite.send(offer, this.#eventsOf(number), callId);
    this.ladders.push(session.ladder);
    this.#ladderForks.push(number);
    if (this.#forks.has(number)) this.#forks.set(number, session);
  }

  /** A phone that insists on RTP/SAVP refuses RTP/AVP with keys: it is offered that, once. */
  #offersSecure(number: number, { status }: SessionEnd): boolean {
    const called = this.#called.get(number);
    const offer = called && asSecure(called.offer);
    if (status !== 488 || !called || !offer || this.#offeredSecure.has(number)) return false;
    this.#offeredSecure.add(number);
    this.#forks.set(number, null);
    this.#send(number, called.invite, offer, newCallId());
    return true;
  }

  protected override phoneOf(index: number): number {
    return (this.#ladderForks[index] ?? index) + 1;
  }

  override get isRinging(): boolean {
    return !this.over && this.#winner === null && this.#answering === null;
  }

  isBy(connection: number): boolean {
    return (this.#winner ?? this.#answering)?.connection === connection;
  }

  follow(flow: TransportFlow): void {
    this.#winner?.follow(flow);
  }

  protected established(): EstablishedDialog | null {
    const session = this.#winner;
    const negotiation = session && this.#negotiationOf(session);
    return session && negotiation && { session, negotiation };
  }

  get peerAddress(): string {
    const session = this.#winner ?? this.#answering;
    return session ? peerOf(session.flow).address : '';
  }

  get isPage(): boolean {
    return (this.#winner ?? this.#answering)?.flow.protocol === 'ws';
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
    if (!this.#winner || this.over) return null;
    return storedLeg(this.#winner, this.#negotiationOf(this.#winner), this);
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
        const agreed = sdp && isLeg() ? this.#negotiation(number)?.accept(sdp) : null;
        if (agreed && !('fault' in agreed)) this.#configure(agreed);
      },
      offered: (offer, answer) => {
        const isEarly = !this.over && this.#winner === null && this.#early?.fork === number;
        const negotiation = isLeg() || isEarly ? this.#negotiation(number) : null;
        const agreed = reanswer(negotiation, offer, answer, this.keptCodec);
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
      moved: () => {
        if (isLeg()) this.moved();
      },
      ended: (end) => this.#endedBy(number, end),
    };
  }

  #negotiation(number: number): Negotiation | null {
    return this.#called.get(number)?.negotiation ?? null;
  }

  #negotiationOf(session: OutgoingSession): Negotiation | null {
    for (const [number, fork] of this.#forks) if (fork === session) return this.#negotiation(number);
    return null;
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
    const settings = this.#negotiation(number)?.accept(sdp);
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
    if ('fault' in agreed) {
      this.#unusable.set(number, agreed.fault);
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
  #agreedWith(number: number, sdp: Buffer | null): StreamSettings | SdpFault {
    const agreed = (sdp && this.#negotiation(number)?.accept(sdp)) ?? { fault: 'there is no answer' };
    if ('fault' in agreed && this.#early?.fork === number) return this.#early.settings;
    return agreed;
  }

  #endedBy(number: number, end: SessionEnd): void {
    const session = this.#forks.get(number);
    this.#forks.delete(number);
    if (this.over) return;
    if (this.#winner && session === this.#winner) {
      this.finish({ by: end.by, outcome: 'ended', cause: end.cause, status: end.status, text: end.reason });
      return;
    }
    if (this.#winner || this.#offersSecure(number, end)) return;
    const fault = this.#unusable.get(number);
    this.#failure = moreInformative(
      this.#failure,
      fault === undefined ? failureOf(end) : mediaFailure(fault),
    );
    if (this.#forks.size === 0) this.finish(this.#failure);
    else this.#hearEarly();
  }
}

/** Cause: incompatible destination (Q.850). */
const mediaFailure = (fault: string): LegEnd => ({
  by: 'us',
  outcome: 'failed',
  cause: 88,
  status: null,
  text: `No media was agreed on: ${fault}.`,
});

function failureOf({ by, status, cause, reason, warning }: SessionEnd): LegEnd {
  const outcome = status === null ? (by === 'network' ? 'unreachable' : 'no-answer') : outcomeOf(status);
  return { by, outcome, cause, status, text: reason, ...(warning ? { warning } : {}) };
}

function moreInformative(one: LegEnd | null, other: LegEnd): LegEnd {
  const order: LegEnd['outcome'][] = ['declined', 'busy', 'no-answer', 'unreachable', 'failed', 'ended'];
  return one && order.indexOf(one.outcome) <= order.indexOf(other.outcome) ? one : other;
}

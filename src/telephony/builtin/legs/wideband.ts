// Wideband between two phones (G.722) or two browsers (Opus), by re-INVITE: a call begins with a codec of ours, and two sides that talk
// with each other alone are offered one that is passed through. What needs the sound itself, a prompt, a recording, a listener, a conference or music on hold,
// has both go back first. So no leg stays in a codec that the media engine cannot decode: one that refuses to go back is hung up, one that does not
// answer ends with its session, and a web page that is away is asked again when it is back.
//
//   own ──phones talk alone──▶ asked ──agreed──▶ wideband ──our sound is needed──▶ own
import { type CodecName, codecNamed, OWN_CODECS, PASSED_THROUGH } from '../../../media/codec.ts';
import type { StreamSettings } from '../../../media/media.ts';
import type { Negotiation } from '../../../media/sdp/negotiation.ts';
import type { OutgoingSession } from '../../../sip/session.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';

/** How long two phones have talked before they are asked: recordings and listeners begin with the conversation. */
export const WIDEBAND_AFTER_MS = 1_000;
/** Attempts to go back: the first may cross an offer of the peer. */
const MAX_ATTEMPTS = 2;
const KEPT = 'The phone kept a codec that no sound can be played in.';
/** How long a page that is back has for an offer of its own, as after a change of its network: two that cross are both refused. */
export const RETURNED_MS = 3_000;
/** The statuses that stand for no answer, after which the session ends, and for a page that is away. */
const SILENCE = 408;
const AWAY = 0;
const OWN_NAMES: readonly CodecName[] = OWN_CODECS.map(({ name }) => name);

/** What a re-INVITE of ours needs. */
export interface EstablishedDialog {
  readonly session: Pick<OutgoingSession, 'reinvite' | 'flow' | 'connection'>;
  readonly negotiation: Negotiation;
}

export interface WidebandParts {
  /** `phone`: a registered one; null: a trunk, or a caller on this machine. */
  readonly leg: { readonly phone: string | null; lost(text: string): void };
  isOver(): boolean;
  settings(): StreamSettings | null;
  established(): EstablishedDialog | null;
  configure(settings: StreamSettings, flow: TransportFlow): void;
}

export class Wideband {
  readonly #parts: WidebandParts;
  /** Whether the peer's own offer had each of them; null: it made none. */
  readonly #offered: ReadonlyMap<CodecName, boolean | null>;
  readonly #refused = new Set<CodecName>();
  /** Null for a codec of ours. */
  #wanted: CodecName | null = null;
  #isAsking = false;
  /** Its last answer was none to our last description, as after offers that crossed: it may have changed its codec. */
  #isUnclear = false;
  #attempts = 0;
  #answered: ((isWideband: boolean) => void) | null = null;

  constructor(parts: WidebandParts) {
    this.#parts = parts;
    const negotiation = parts.established()?.negotiation;
    this.#offered = new Map(PASSED_THROUGH.map(({ name }) => [name, negotiation?.offered(name) ?? null]));
  }

  /** The codec in use, if it is passed through. */
  get codec(): CodecName | null {
    const codec = this.#parts.settings()?.codec;
    return codec !== undefined && codecNamed(codec).isPassedThrough ? codec : null;
  }

  /** The same, unless it is about to change: an offer of the peer need not change it. */
  get kept(): CodecName | null {
    return this.#isAsking || this.#isUnclear || this.codec !== this.#wanted ? null : this.codec;
  }

  get isBrowser(): boolean {
    return this.#parts.settings()?.ice !== undefined;
  }

  /** An offer of ours waits for its answer. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Whether the peer is known to have the codec; every browser has Opus (RFC 7874 §3). */
  knows(codec: CodecName): boolean {
    return this.#offered.get(codec) ?? (codec === 'opus' && this.isBrowser);
  }

  mayAsk(codec: CodecName): boolean {
    const { leg, isOver } = this.#parts;
    const settings = this.#parts.settings();
    if (isOver() || !settings || this.#refused.has(codec) || this.#offered.get(codec) === false) return false;
    if (leg.phone === null && !this.isBrowser) return false;
    // Keys in the sound itself could not be heard.
    return settings.direction === 'sendrecv' && settings.eventPayloadType !== null;
  }

  ask(codec: CodecName, answered: (isWideband: boolean) => void): void {
    this.#answered = answered;
    this.#wanted = codec;
    this.#steer();
  }

  /** Back to a codec of ours. */
  end(): void {
    this.#answered = null;
    if (this.#wanted === null && this.codec === null) return;
    this.#wanted = null;
    this.#steer();
  }

  #steer(): void {
    if (this.#isAsking || this.#parts.isOver()) return;
    const wanted = this.#wanted;
    if (wanted === this.codec && !this.#isUnclear) {
      this.#attempts = 0;
      this.#report(wanted !== null);
      return;
    }
    this.#isAsking = true;
    this.#reoffer(wanted === null ? OWN_NAMES : [wanted, ...OWN_NAMES], () => {
      this.#isAsking = false;
      if (wanted === null) this.#attempts += 1;
      else if (this.codec !== wanted) this.#refuses(wanted);
      if (this.#attempts >= MAX_ATTEMPTS) this.#isUnclear = false;
      if (this.#attempts >= MAX_ATTEMPTS && this.codec !== null) this.#parts.leg.lost(KEPT);
      else this.#steer();
    });
  }

  #reoffer(codecs: readonly CodecName[], done: () => void): void {
    const dialog = this.#parts.established();
    if (!dialog) {
      done();
      return;
    }
    const { session, negotiation } = dialog;
    const { connection } = session;
    session.reinvite(negotiation.offer('sendrecv', codecs), (sdp, status) => {
      if (this.#parts.isOver()) return;
      if (status === SILENCE) return;
      if (status === AWAY) {
        this.#notReached(session.connection !== connection);
        return;
      }
      const agreed = sdp && negotiation.accept(sdp);
      this.#isUnclear = agreed !== null && 'fault' in agreed;
      if (agreed && !('fault' in agreed)) this.#parts.configure(agreed, session.flow);
      done();
    });
  }

  /** A web page that is away for a moment: it may have taken our offer, and goes back to a codec of ours when it returns. */
  #notReached(isBack: boolean): void {
    this.#isAsking = false;
    this.#isUnclear = true;
    if (this.#wanted === null) this.#attempts += 1;
    this.#wanted = null;
    this.#report(false);
    if (this.#attempts >= MAX_ATTEMPTS) this.#parts.leg.lost(KEPT);
    else if (isBack) this.returned();
  }

  /** It is reached by another connection than before. */
  returned(): void {
    if (this.#isUnclear) setTimeout(() => this.#steer(), RETURNED_MS).unref();
  }

  /** Offer and answer, of either side, have made clear what it has. */
  agreed(): void {
    this.#isUnclear = false;
  }

  #refuses(codec: CodecName): void {
    this.#refused.add(codec);
    this.#wanted = null;
    this.#report(false);
  }

  #report(isWideband: boolean): void {
    const answered = this.#answered;
    this.#answered = null;
    answered?.(isWideband);
  }
}

/** Two browsers get Opus, any others G.722: browsers have it, too. */
const codecFor = (one: Wideband, other: Wideband): CodecName =>
  one.isBrowser && other.isBrowser ? 'opus' : 'g722';

/** One after the other, the one that may refuse first: its refusal costs the other nothing. */
export function widen(one: Wideband, other: Wideband, isStillAlone: () => boolean): void {
  const codec = codecFor(one, other);
  // A phone that called says in its offer what it has: where neither did, none is asked.
  if (!one.mayAsk(codec) || !other.mayAsk(codec) || !(one.knows(codec) || other.knows(codec))) return;
  const [first, second] = one.knows(codec) ? [other, one] : [one, other];
  first.ask(codec, (isOn) => {
    if (!isOn) return;
    if (!isStillAlone()) first.end();
    else
      second.ask(codec, (isBoth) => {
        if (!isBoth) first.end();
      });
  });
}

// Offer and answer over the life of one dialog: ids, versions, and m-lines that keep their positions.
import type { CodecName } from '../codec.ts';
import type { Direction, StreamSettings } from '../media.ts';
import type { OwnIce, PeerIce, WebrtcIdentity } from '../webrtc/webrtc.ts';
import { type Answer, type AnswerRefusal, answerOffer } from './answer.ts';
import { type OurSrtp, OwnKeys } from './crypto.ts';
import { type IceSide, isRestart, newOwnIce } from './ice.ts';
import { makeOffer, type Offer, readAnswer } from './offer.ts';
import { parseSdp } from './parse.ts';
import { type Carriage, profileOf } from './profiles.ts';
import { DEFAULT_CODECS, type OurSide, type SdpFault, type SdpMedia } from './sdp.ts';

export interface NegotiationOptions {
  readonly address: string;
  readonly port: number;
  readonly codecs?: readonly CodecName[];
  readonly refusal?: OurSide['refusal'];
  /** The identity for browser legs; left out: offers of browsers are refused. */
  readonly webrtc?: WebrtcIdentity | undefined;
  /** browser: a web page, whose descriptions must all be so. Left out: our first offer is plain, and those of browsers are taken, too. */
  readonly carriage?: Carriage;
  /** Left out: SRTP is off. */
  readonly srtp?: SrtpPreference | undefined;
}

export type SrtpPreference = Pick<OurSrtp, 'mode' | 'offers'>;

/** What another node needs to offer again: ids and versions go on, m-lines and payload types keep their meaning. */
export interface StoredNegotiation {
  readonly sessionId: string;
  readonly version: number;
  readonly media: readonly SdpMedia[];
  readonly line: number;
  readonly settings: StreamSettings;
  readonly srtp?: SrtpPreference;
  /** When the dialog began, since 1970. Absent: stored by an earlier version. */
  readonly startedAtMs?: number;
}

/** The shortest time in which 2^16 packets are sent, of 10 ms each. */
const ROLLOVER_MS = 655_360;
/** Some two days. */
const MAX_ROLLOVERS = 256;

/** Descriptions that the former node made since they were stored have lower versions. */
const VERSION_JUMP = 1_000;
const MAX_SESSION_ID = 2 ** 30;
let lastSessionId = Math.floor(Math.random() * MAX_SESSION_ID);

/** RFC 8866 §5.2: unique is enough. */
function nextSessionId(): string {
  lastSessionId = (lastSessionId + 1) % MAX_SESSION_ID;
  return String(lastSessionId);
}

export class Negotiation {
  readonly #options: NegotiationOptions;
  readonly #sessionId: string;
  #version = 1;
  #last: Buffer | null = null;
  #offer: Offer | null = null;
  #media: readonly SdpMedia[] = [];
  #line = 0;
  #settings: StreamSettings | null = null;
  #peerOffer: SdpMedia | null = null;
  #ownIce: OwnIce | null = null;
  #srtp: OurSrtp | undefined;
  readonly #startedAtMs: number;

  constructor(options: NegotiationOptions, stored?: StoredNegotiation) {
    this.#options = options;
    this.#sessionId = stored?.sessionId ?? nextSessionId();
    const wish = options.srtp ?? stored?.srtp;
    const keys = new OwnKeys();
    this.#srtp = wish && { mode: wish.mode, offers: wish.offers, keys, ...rolloversOf(stored) };
    this.#startedAtMs = stored?.startedAtMs ?? Date.now();
    if (!stored) return;
    this.#version = stored.version + VERSION_JUMP;
    this.#media = stored.media;
    this.#line = stored.line;
    this.#settings = stored.settings;
  }

  /** Null if nothing is agreed. Without keys: another node offers new ones. */
  stored(): StoredNegotiation | null {
    const settings = this.#settings;
    if (settings === null) return null;
    const { srtp, ...plain } = settings;
    const wish = this.#srtp && { mode: this.#srtp.mode, offers: this.#srtp.offers || srtp !== undefined };
    return {
      sessionId: this.#sessionId,
      version: this.#version,
      media: this.#media.map((media) => ({ ...media, crypto: [] })),
      line: this.#line,
      settings: plain,
      startedAtMs: this.#startedAtMs,
      ...(wish ? { srtp: wish } : {}),
    };
  }

  /** The agreed stream; null: none yet. */
  get settings(): StreamSettings | null {
    return this.#settings;
  }

  /**
   * The peer's offer, in an INVITE, a re-INVITE, an UPDATE or a 2xx. A refused offer changes nothing. `kept`: a codec that is passed
   * through, and stays in use if the offer has it and is no hold, as one that only refreshes the session.
   */
  answer(offer: Buffer, kept: CodecName | null = null): Answer | AnswerRefusal {
    const parsed = parseSdp(offer);
    const before = this.#ownIce;
    if (!('fault' in parsed)) this.#meetIce(parsed.media.find(isBrowserLine)?.ice ?? null);
    const codecs = kept !== null && !('fault' in parsed) && isKept(kept, parsed.media) ? [kept] : undefined;
    const answer = this.#versioned((version) => answerOffer(parsed, this.#ours('sendrecv', version, codecs)));
    if ('refuse' in answer || 'fault' in parsed) {
      this.#ownIce = before;
      return answer;
    }
    this.#offer = null;
    this.#media = parsed.media;
    this.#peerOffer = parsed.media[answer.line] ?? null;
    this.#line = answer.line;
    this.#agreeOn(answer.settings);
    return answer;
  }

  /** Whether the peer's own offer, the last one, has it; null: it made none. */
  offered(codec: CodecName): boolean | null {
    return this.#peerOffer?.codecs.some(({ name }) => name === codec) ?? null;
  }

  /** Ours, at first, for a hold or for other codecs. It takes effect when `accept` is given the answer. */
  offer(direction: Direction = 'sendrecv', codecs?: readonly CodecName[]): Buffer {
    const earlier =
      this.#settings === null ? null : { media: this.#media, line: this.#line, settings: this.#settings };
    const { webrtc, carriage } = this.#options;
    const isBrowser = earlier ? earlier.settings.ice !== undefined : carriage === 'browser';
    if (isBrowser && webrtc) this.#ownIce ??= newOwnIce(webrtc, null);
    const offer = this.#versioned((version) => makeOffer(this.#ours(direction, version, codecs), earlier));
    this.#offer = offer;
    return offer.sdp;
  }

  /** The peer's answer to our last offer. Early and final answers may both arrive: each replaces the one before. */
  accept(answer: Buffer): StreamSettings | SdpFault {
    if (this.#offer === null) return { fault: 'an answer without an offer' };
    const parsed = parseSdp(answer);
    const settings = readAnswer(this.#offer, parsed);
    if ('fault' in settings || 'fault' in parsed) return settings;
    this.#media = parsed.media;
    this.#line = this.#offer.line;
    this.#agreeOn(settings);
    return settings;
  }

  /** A key of ours that is given up is not used again: its packets' counters would begin anew (RFC 3711 §9.1). */
  #agreeOn(settings: StreamSettings): void {
    const before = this.#settings?.srtp;
    this.#settings = settings;
    if (before && this.#srtp && before.suite !== settings.srtp?.suite)
      this.#srtp = { ...this.#srtp, keys: this.#srtp.keys.without(before.suite) };
  }

  #ours(direction: Direction, version: number, others?: readonly CodecName[]): OurSide {
    const { address, port, refusal, carriage } = this.#options;
    const codecs = others ?? this.#options.codecs ?? DEFAULT_CODECS;
    return {
      address,
      port,
      codecs,
      sessionId: this.#sessionId,
      version,
      direction,
      refusal,
      ice: this.#iceSide(),
      isBrowser: carriage === 'browser',
      srtp: this.#srtp,
    };
  }

  #iceSide(): IceSide | undefined {
    const { webrtc: identity } = this.#options;
    return identity && this.#ownIce ? { identity, own: this.#ownIce } : undefined;
  }

  /** RFC 8839 §4.4.1: an offer with other credentials restarts ICE, and so do we. */
  #meetIce(peer: PeerIce | null): void {
    const { webrtc } = this.#options;
    if (!peer || !webrtc) return;
    const known = this.#settings?.ice;
    if (this.#ownIce === null || (known && isRestart(known.peer, peer)))
      this.#ownIce = newOwnIce(webrtc, this.#ownIce);
  }

  /** RFC 3264 §8: the version rises by one when the description changed, and stays when it did not. */
  #versioned<T extends object>(make: (version: number) => T & { readonly sdp?: Buffer }): T {
    const same = make(this.#version);
    if (same.sdp === undefined) return same;
    if (this.#last === null || same.sdp.equals(this.#last)) {
      this.#last = same.sdp;
      return same;
    }
    this.#version += 1;
    const next = make(this.#version);
    this.#last = next.sdp ?? null;
    return next;
  }
}

/** Keys in the sound itself could not be heard. */
const isKept = (codec: CodecName, media: readonly SdpMedia[]): boolean =>
  media.some(
    ({ codecs, direction }) =>
      direction === 'sendrecv' &&
      codecs.some(({ name }) => name === codec) &&
      codecs.some(({ name }) => name === 'telephone-event'),
  );

const isBrowserLine = (media: SdpMedia): boolean =>
  media.kind === 'audio' && profileOf(media)?.carriage === 'browser';

/** The peer may keep its key, and goes on counting (RFC 3711 §3.2.1). One more: its first number is anywhere; clocks differ little. */
function rolloversOf(stored: StoredNegotiation | undefined): Pick<OurSrtp, 'rollovers'> {
  if (stored?.startedAtMs === undefined) return {};
  const passedMs = Math.max(0, Date.now() - stored.startedAtMs);
  return { rollovers: Math.min(MAX_ROLLOVERS, Math.ceil(passedMs / ROLLOVER_MS) + 1) };
}

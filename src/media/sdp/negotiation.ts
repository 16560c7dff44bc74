// Offer and answer over the life of one dialog: ids, versions, and m-lines that keep their positions.
import type { CodecName } from '../codec.ts';
import type { Direction, StreamSettings } from '../media.ts';
import { type Answer, type AnswerRefusal, answerOffer } from './answer.ts';
import { makeOffer, type Offer, readAnswer } from './offer.ts';
import { parseSdp } from './parse.ts';
import { DEFAULT_CODECS, type OurSide, type SdpFault, type SdpMedia } from './sdp.ts';

export interface NegotiationOptions {
  readonly address: string;
  readonly port: number;
  readonly codecs?: readonly CodecName[];
  readonly refusal?: OurSide['refusal'];
}

/** What another node needs to offer again: ids and versions go on, m-lines and payload types keep their meaning. */
export interface StoredNegotiation {
  readonly sessionId: string;
  readonly version: number;
  readonly media: readonly SdpMedia[];
  readonly line: number;
  readonly settings: StreamSettings;
}

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

  constructor(options: NegotiationOptions, stored?: StoredNegotiation) {
    this.#options = options;
    this.#sessionId = stored?.sessionId ?? nextSessionId();
    if (!stored) return;
    this.#version = stored.version + VERSION_JUMP;
    this.#media = stored.media;
    this.#line = stored.line;
    this.#settings = stored.settings;
  }

  /** Null: nothing is agreed. */
  stored(): StoredNegotiation | null {
    const settings = this.#settings;
    if (settings === null) return null;
    return {
      sessionId: this.#sessionId,
      version: this.#version,
      media: this.#media,
      line: this.#line,
      settings,
    };
  }

  /** The agreed stream; null: none yet. */
  get settings(): StreamSettings | null {
    return this.#settings;
  }

  /** The peer's offer, in an INVITE, a re-INVITE, an UPDATE or a 2xx. A refused offer changes nothing. */
  answer(offer: Buffer, direction: Direction = 'sendrecv'): Answer | AnswerRefusal {
    const parsed = parseSdp(offer);
    const answer = this.#versioned((version) => answerOffer(parsed, this.#ours(direction, version)));
    if ('refuse' in answer || 'fault' in parsed) return answer;
    this.#offer = null;
    this.#media = parsed.media;
    this.#line = answer.line;
    this.#settings = answer.settings;
    return answer;
  }

  /** Ours, at first or for a hold. It takes effect when `accept` is given the answer. */
  offer(direction: Direction = 'sendrecv'): Buffer {
    const earlier =
      this.#settings === null ? null : { media: this.#media, line: this.#line, settings: this.#settings };
    const offer = this.#versioned((version) => makeOffer(this.#ours(direction, version), earlier));
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
    this.#settings = settings;
    return settings;
  }

  #ours(direction: Direction, version: number): OurSide {
    const { address, port, codecs = DEFAULT_CODECS, refusal } = this.#options;
    return { address, port, codecs, sessionId: this.#sessionId, version, direction, refusal };
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

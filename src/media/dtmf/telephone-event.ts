// Keys as named events (RFC 4733): a payload of four octets, and the reader that makes one key of its many packets.
//
//   |     event     |E|R| volume    |          duration             |   RFC 4733 §2.3
import { read16, sequenceDistance, timestampDistance } from '../rtp/rtp.ts';

export const EVENT_BYTES = 4;
const KEYS = '0123456789*#ABCD';
/** RFC 4733 §2.5.1.3: a press longer than the duration field continues in a segment with this offset. */
const SEGMENT = 0xffff;
const VOLUME_DBM0 = 10;

export const eventOf = (key: string): number => KEYS.indexOf(key.toUpperCase());

export function writeEvent(
  bytes: Uint8Array,
  at: number,
  event: number,
  isEnd: boolean,
  duration: number,
): void {
  bytes[at] = event;
  bytes[at + 1] = isEnd ? VOLUME_DBM0 | 0x80 : VOLUME_DBM0;
  bytes[at + 2] = duration >>> 8;
  bytes[at + 3] = duration;
}

/** RFC 3550 A.1: a packet this far behind is late; one further behind is of a source that numbers its packets anew. */
const MAX_MISORDER = 100;
/** A packet of a press that arrives so long after the last one of it is not late: the source sends the same press again. */
const LATE_MS = 300;

/**
 * Presses are distinguished by timestamp, so that lost, repeated and reordered packets of one press are one key, whichever arrives
 * first. The key is reported at the first packet and not at the end of the press. Some sources (gateways that splice media, players
 * of captured packets) go back in time under one SSRC: a timestamp that is older is a new press where the sequence number is newer.
 */
export class EventReader {
  #ssrc = 0;
  #timestamp = 0;
  #sequence = 0;
  #event = -1;
  #ended = true;
  #atMs = 0;

  /** The key, at the first packet of a press; null otherwise. */
  read(
    bytes: Uint8Array,
    at: number,
    length: number,
    timestamp: number,
    ssrc: number,
    sequence: number,
    nowMs: number,
  ): string | null {
    if (length < EVENT_BYTES) return null;
    const event = bytes[at] ?? 0;
    const isEnd = ((bytes[at + 1] ?? 0) & 0x80) !== 0;
    const isKnown = this.#event >= 0 && ssrc === this.#ssrc;
    const ahead = isKnown ? timestampDistance(timestamp, this.#timestamp) : 1;
    if (isKnown && !this.#isNew(ahead, isEnd, sequence, nowMs)) {
      if (ahead !== 0) return null;
      this.#atMs = nowMs;
      if (isEnd) this.#ended = true;
      if (sequenceDistance(sequence, this.#sequence) > 0) this.#sequence = sequence;
      return null;
    }
    const isSegment = isKnown && ahead === SEGMENT && event === this.#event && !this.#ended;
    this.#ssrc = ssrc;
    this.#timestamp = timestamp;
    this.#sequence = sequence;
    this.#event = event;
    this.#ended = isEnd;
    this.#atMs = nowMs;
    return isSegment ? null : keyOf(event);
  }

  /** Not of the press that was read last, nor a late packet of one before. */
  #isNew(ahead: number, isEnd: boolean, sequence: number, nowMs: number): boolean {
    if (ahead > 0) return true;
    const isAfterPause = this.#ended && !isEnd && nowMs - this.#atMs > LATE_MS;
    if (ahead === 0) return isAfterPause;
    const newer = sequenceDistance(sequence, this.#sequence);
    return newer > 0 || newer < -MAX_MISORDER || isAfterPause;
  }
}

const keyOf = (event: number): string | null => (event < KEYS.length ? KEYS.charAt(event) : null);

export interface TelephoneEvent {
  readonly event: number;
  readonly isEnd: boolean;
  readonly volume: number;
  readonly duration: number;
}

export function readEvent(bytes: Uint8Array, at: number, length: number): TelephoneEvent | null {
  if (length < EVENT_BYTES) return null;
  const second = bytes[at + 1] ?? 0;
  return {
    event: bytes[at] ?? 0,
    isEnd: (second & 0x80) !== 0,
    volume: second & 0x3f,
    duration: read16(bytes, at + 2),
  };
}

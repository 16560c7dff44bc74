// Keys as named events (RFC 4733): a payload of four octets, and the reader that makes one key of its many packets.
//
//   |     event     |E|R| volume    |          duration             |   RFC 4733 §2.3
import { read16, timestampDistance } from '../rtp/rtp.ts';

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

/**
 * Presses are distinguished by timestamp alone, so that lost, repeated and reordered packets of one press are one key, whichever
 * arrives first. The key is reported at the first packet and not at the end of the press.
 */
export class EventReader {
  #ssrc = 0;
  #timestamp = 0;
  #event = -1;
  #ended = true;

  /** The key, at the first packet of a press; null otherwise. */
  read(bytes: Uint8Array, at: number, length: number, timestamp: number, ssrc: number): string | null {
    if (length < EVENT_BYTES) return null;
    const event = bytes[at] ?? 0;
    const isEnd = ((bytes[at + 1] ?? 0) & 0x80) !== 0;
    if (this.#event >= 0 && ssrc === this.#ssrc) {
      const ahead = timestampDistance(timestamp, this.#timestamp);
      if (ahead <= 0) {
        if (ahead === 0 && isEnd) this.#ended = true;
        return null;
      }
      const isSegment = ahead === SEGMENT && event === this.#event && !this.#ended;
      this.#note(ssrc, timestamp, event, isEnd);
      return isSegment ? null : keyOf(event);
    }
    this.#note(ssrc, timestamp, event, isEnd);
    return keyOf(event);
  }

  #note(ssrc: number, timestamp: number, event: number, isEnd: boolean): void {
    this.#ssrc = ssrc;
    this.#timestamp = timestamp;
    this.#event = event;
    this.#ended = isEnd;
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

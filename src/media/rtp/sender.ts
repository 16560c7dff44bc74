// The one source that a peer hears from us, whatever speaks: a prompt, a key, the other side of a bridge. Its sequence never jumps,
// its timestamp follows the clock on the wall, and each spurt begins with the marker.
import { timestampDistance } from './rtp.ts';

const CLOCK_PER_MS = 8;

export class Sender {
  readonly ssrc: number;
  /** Of the last packet. */
  sequence: number;
  timestamp: number;
  packets = 0;
  octets = 0;
  firstSentMs = 0;
  #sentMs = 0;
  /** Samples in the last packet, so that the next begins after them. */
  #samples = 0;

  constructor(random: () => number) {
    this.ssrc = Math.floor(random() * 0x1_0000_0000);
    this.sequence = Math.floor(random() * 0x1_0000);
    this.timestamp = Math.floor(random() * 0x1_0000_0000);
  }

  get nextSequence(): number {
    return (this.sequence + 1) & 0xffff;
  }

  /** Of what follows the last packet without a pause. */
  get nextTimestamp(): number {
    return (this.timestamp + this.#samples) >>> 0;
  }

  /** Of what begins now, after a pause or after another voice. RFC 3550 §5.1: the clock runs on while nothing is sent. */
  timestampAt(nowMs: number): number {
    if (this.packets === 0) return this.timestamp;
    const elapsed = Math.round((nowMs - this.#sentMs) * CLOCK_PER_MS);
    return (this.timestamp + Math.max(this.#samples, elapsed)) >>> 0;
  }

  /** A packet left. Those of a bridge may be out of order: the latest counts. */
  note(sequence: number, timestamp: number, samples: number, octets: number, nowMs: number): void {
    if (this.packets === 0) this.firstSentMs = nowMs;
    this.packets++;
    this.octets += octets;
    if (((sequence - this.sequence) << 16) >> 16 > 0) this.sequence = sequence;
    // The packets of one event share a timestamp: the clock stands where the first of them was sent.
    if (this.packets > 1 && timestampDistance(timestamp, this.timestamp) <= 0) return;
    this.timestamp = timestamp;
    this.#samples = samples;
    this.#sentMs = nowMs;
  }
}

// The one RTP source that a peer receives from us, for prompts, keys and the packets of a bridge. Its sequence has no gaps, its
// timestamp follows the clock, and each talkspurt begins with the marker.
import { SAMPLES_PER_MS } from '../audio/frame.ts';
import { timestampDistance } from './rtp.ts';

export class Sender {
  readonly ssrc: number;
  /** The sequence number and timestamp of the last packet. */
  sequence: number;
  timestamp: number;
  packets = 0;
  octets = 0;
  firstSentMs = 0;
  /** How fast the timestamps of the codec in use run. */
  samplesPerMs = SAMPLES_PER_MS;
  #sentMs = 0;
  /** In the last packet. */
  #samples = 0;

  constructor(random: () => number) {
    this.ssrc = Math.floor(random() * 0x1_0000_0000);
    // Below half, so that an SRTP receiver that misses the first packets knows the roll-over counter (RFC 3711 §3.3.1).
    this.sequence = Math.floor(random() * 0x8000);
    this.timestamp = Math.floor(random() * 0x1_0000_0000);
  }

  get nextSequence(): number {
    return (this.sequence + 1) & 0xffff;
  }

  /** The timestamp of a packet that follows the last one without a pause. */
  get nextTimestamp(): number {
    return (this.timestamp + this.#samples) >>> 0;
  }

  /** The timestamp of a packet after a pause or a change of source. RFC 3550 §5.1: the clock runs on while nothing is sent. */
  timestampAt(nowMs: number): number {
    if (this.packets === 0) return this.timestamp;
    const elapsed = Math.round((nowMs - this.#sentMs) * this.samplesPerMs);
    return (this.timestamp + Math.max(this.#samples, elapsed)) >>> 0;
  }

  /** A packet was sent. Those of a bridge may be out of order: the latest counts. */
  note(sequence: number, timestamp: number, samples: number, octets: number, nowMs: number): void {
    if (this.packets === 0) this.firstSentMs = nowMs;
    this.packets++;
    this.octets += octets;
    if (((sequence - this.sequence) << 16) >> 16 > 0) this.sequence = sequence;
    // The packets of one event share a timestamp: that of the first.
    if (this.packets > 1 && timestampDistance(timestamp, this.timestamp) <= 0) return;
    this.timestamp = timestamp;
    this.#samples = samples;
    this.#sentMs = nowMs;
  }
}

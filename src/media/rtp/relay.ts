// One direction of a bridge: maps sequence numbers and timestamps of received packets to ours. Loss and reordering stay visible in
// the sequence, for the jitter buffer of the receiver; nothing is buffered here.
import { type RtpHeader, sequenceDistance } from './rtp.ts';
import type { Sender } from './sender.ts';

const WINDOW = 31;
/** A larger jump is a restart of the source. */
const MAX_JUMP = 500;

export class Relay {
  #synced = false;
  #ssrc = 0;
  #highest = 0;
  /** Bit n: the packet n before the highest was relayed. */
  #seen = 0;
  #sequenceOffset = 0;
  #timestampOffset = 0;

  /** The header of the packet that `admit` accepted, as it is sent on. */
  sequence = 0;
  timestamp = 0;
  marker = false;

  /** Audio of another source was sent: the next packet starts a new mapping. */
  interrupt(): void {
    this.#synced = false;
  }

  /** False for a duplicate or a packet that is far too late. */
  admit(header: RtpHeader, sender: Sender, nowMs: number): boolean {
    const ahead = sequenceDistance(header.sequence, this.#highest);
    if (!this.#synced || header.ssrc !== this.#ssrc || ahead > MAX_JUMP || ahead < -MAX_JUMP)
      this.#begin(header, sender, nowMs);
    else {
      if (!this.#isNew(ahead)) return false;
      if (ahead > 0) this.#highest = header.sequence;
      this.marker = header.marker;
    }
    this.sequence = (header.sequence + this.#sequenceOffset) & 0xffff;
    this.timestamp = (header.timestamp + this.#timestampOffset) >>> 0;
    return true;
  }

  /** A packet that is not relayed (comfort noise) must not look lost. */
  skip(header: RtpHeader): void {
    if (!this.#synced || header.ssrc !== this.#ssrc) return;
    if (sequenceDistance(header.sequence, this.#highest) !== 1) return;
    this.#highest = header.sequence;
    this.#seen = 1;
    this.#sequenceOffset = (this.#sequenceOffset - 1) & 0xffff;
  }

  #begin(header: RtpHeader, sender: Sender, nowMs: number): void {
    this.#synced = true;
    this.#ssrc = header.ssrc;
    this.#highest = header.sequence;
    // Packets before the first one are dropped: their numbers are those of packets already sent.
    this.#seen = -1;
    this.#sequenceOffset = (sender.nextSequence - header.sequence) & 0xffff;
    this.#timestampOffset = (sender.timestampAt(nowMs) - header.timestamp) >>> 0;
    this.marker = true;
  }

  #isNew(ahead: number): boolean {
    if (ahead > 0) {
      this.#seen = ahead > WINDOW ? 1 : (this.#seen << ahead) | 1;
      return true;
    }
    if (-ahead > WINDOW) return false;
    const bit = 1 << -ahead;
    if ((this.#seen & bit) !== 0) return false;
    this.#seen |= bit;
    return true;
  }
}

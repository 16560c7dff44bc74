// One direction of a bridge: how the numbers of the packets that come in become ours. Loss and reordering stay visible in the
// sequence, so that the listener's own jitter buffer does its work; nothing waits here.
import { type RtpHeader, sequenceDistance } from './rtp.ts';
import type { Sender } from './sender.ts';

const WINDOW = 31;
/** A larger jump is another beginning. */
const MAX_JUMP = 500;

export class Relay {
  #synced = false;
  #ssrc = 0;
  #highest = 0;
  /** Bit n: the packet n before the highest has passed. */
  #seen = 0;
  #sequenceOffset = 0;
  #timestampOffset = 0;

  /** Of the packet that `admit` let through. */
  sequence = 0;
  timestamp = 0;
  marker = false;

  /** Another voice spoke meanwhile: the next packet begins anew. */
  interrupt(): void {
    this.#synced = false;
  }

  /** False for what came twice or far too late. */
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

  /** A packet that is not passed on (comfort noise) must not look like a lost one. */
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
    // What came before the first one belongs to nobody: it would overtake what we sent before.
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

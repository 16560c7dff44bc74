// When a packet that arrives unevenly is due: at its media time plus an offset, which follows the transit times of the last packets.
// 98 of 100 are in time. The offset grows at once and shrinks slowly, so that what is played out stays even.
import { SAMPLES_PER_MS } from '../audio/frame.ts';
import { timestampDistance } from './rtp.ts';

/** One packet: less would play out what has hardly arrived. More than the second is not worth its delay in a conversation (ITU-T G.114). */
export const MIN_DELAY_MS = 20;
export const MAX_DELAY_MS = 200;
/** Packets whose transit times are compared: five seconds at 20 ms each. */
const WINDOW = 256;
const IN_TIME = 0.98;
const MEASURED_EVERY = 10;
const SHRINK_MS = 0.5;
/** A larger change is a restart of the source's clock. */
const MAX_JUMP_MS = 1_000;

/** Shared by all buffers of a thread. */
const sorted = new Float64Array(WINDOW);

const bounded = (delayMs: number): number => Math.max(MIN_DELAY_MS, Math.min(MAX_DELAY_MS, delayMs));

export class PlayoutDelay {
  readonly #transits = new Float64Array(WINDOW);
  #count = 0;
  /** A timestamp, and the media time that stands for it, which never wraps. */
  #timestamp = 0;
  #mediaMs = 0;
  /** Transit of the fastest packet, and of a packet that needs no waiting. */
  #leastMs = 0;
  #offsetMs = 0;
  #delayMs: number;

  /** `delayMs`: until packets have been measured. */
  constructor(delayMs: number) {
    this.#delayMs = bounded(delayMs);
  }

  /** What the fastest packet waits for. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** Another source, or another clock: measured anew, with the delay so far. */
  restart(): void {
    this.#count = 0;
  }

  /** Whether the source's clock has jumped. `begins`: the marker, where a source whose clock rests in pauses is late for good. */
  isJump(timestamp: number, begins: boolean, nowMs: number): boolean {
    if (this.#count === 0) return false;
    const behindMs = nowMs - this.#mediaOf(timestamp) - this.#leastMs;
    return Math.abs(behindMs) > MAX_JUMP_MS || (begins && behindMs > MAX_DELAY_MS);
  }

  /** `afterMs`: how long after its timestamp the packet was made. `isMeasured`: its transit counts. */
  dueMs(timestamp: number, afterMs: number, isMeasured: boolean, nowMs: number): number {
    if (this.#count === 0) this.#begin(timestamp, afterMs, nowMs);
    const mediaMs = this.#mediaOf(timestamp) + afterMs;
    if (isMeasured) {
      if (timestampDistance(timestamp, this.#timestamp) > 0) {
        this.#timestamp = timestamp;
        this.#mediaMs = mediaMs;
      }
      this.#note(nowMs - mediaMs);
    }
    return Math.min(mediaMs + this.#offsetMs, nowMs + this.#delayMs);
  }

  #mediaOf(timestamp: number): number {
    return this.#mediaMs + timestampDistance(timestamp, this.#timestamp) / SAMPLES_PER_MS;
  }

  #begin(timestamp: number, afterMs: number, nowMs: number): void {
    this.#timestamp = timestamp;
    this.#mediaMs = nowMs - afterMs;
    this.#leastMs = 0;
    this.#offsetMs = this.#delayMs;
    this.#transits[0] = 0;
    this.#count = 1;
  }

  #note(transitMs: number): void {
    this.#transits[this.#count++ % WINDOW] = transitMs;
    this.#offsetMs -= SHRINK_MS;
    if (transitMs > this.#offsetMs || transitMs < this.#leastMs || this.#count % MEASURED_EVERY === 0)
      this.#measure();
    this.#offsetMs = Math.max(this.#offsetMs, this.#leastMs + this.#wantedMs);
    this.#offsetMs = Math.min(this.#offsetMs, this.#leastMs + MAX_DELAY_MS);
    this.#delayMs = this.#offsetMs - this.#leastMs;
  }

  #wantedMs = MIN_DELAY_MS;

  #measure(): void {
    const count = Math.min(this.#count, WINDOW);
    const some = sorted.subarray(0, count);
    some.set(this.#transits.subarray(0, count));
    some.sort();
    this.#leastMs = some[0] ?? 0;
    this.#wantedMs = bounded((some[Math.ceil(IN_TIME * count) - 1] ?? 0) - this.#leastMs);
  }
}

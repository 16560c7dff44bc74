// Statistics of received packets: RFC 3550 appendix A.1 (sequence), A.3 (loss), A.8 (jitter).
import { SAMPLES_PER_MS } from '../audio/frame.ts';
import { sequenceDistance } from './rtp.ts';

/** RFC 3550 A.1: a larger jump is a restart of the source, not loss. */
const MAX_DROPOUT = 3_000;
const MAX_MISORDER = 100;

export class Reception {
  ssrc = 0;
  received = 0;
  /** Packets lost from earlier sources, and before restarts. */
  #lostBefore = 0;
  #receivedHere = 0;
  #baseSequence = 0;
  #maxSequence = 0;
  #cycles = 0;
  #transit = 0;
  #jitter = 0;
  #expectedPrior = 0;
  #receivedPrior = 0;
  #started = false;
  #samplesPerMs = SAMPLES_PER_MS;

  /** Each valid packet. `isAudio`: the packets of an event share a timestamp and do not count for jitter. */
  note(ssrc: number, sequence: number, timestamp: number, nowMs: number, isAudio: boolean): void {
    const ahead = sequenceDistance(sequence, this.#maxSequence);
    if (!this.#started || ssrc !== this.ssrc || ahead > MAX_DROPOUT || ahead < -MAX_MISORDER)
      this.#begin(ssrc, sequence);
    else if (ahead > 0) {
      if (sequence < this.#maxSequence) this.#cycles += 0x10000;
      this.#maxSequence = sequence;
    }
    this.received++;
    this.#receivedHere++;
    if (isAudio) this.#noteJitter(timestamp, nowMs);
  }

  /** The peer's codec has another clock from now on: timestamps of both say nothing together. */
  clockedBy(samplesPerMs: number): void {
    if (samplesPerMs === this.#samplesPerMs) return;
    this.#jitter *= samplesPerMs / this.#samplesPerMs;
    this.#samplesPerMs = samplesPerMs;
    this.#transit = 0;
  }

  get lost(): number {
    return Math.max(0, this.#lostBefore + this.#expected - this.#receivedHere);
  }

  get jitterMs(): number {
    return this.#jitter / this.#samplesPerMs;
  }

  get jitter(): number {
    return Math.floor(this.#jitter);
  }

  get highest(): number {
    return (this.#cycles + this.#maxSequence) >>> 0;
  }

  get hasStarted(): boolean {
    return this.#started;
  }

  /** RFC 3550 A.3: the share lost since the last report, in 256ths. */
  takeFractionLost(): number {
    const expected = this.#expected - this.#expectedPrior;
    const lost = expected - (this.#receivedHere - this.#receivedPrior);
    this.#expectedPrior = this.#expected;
    this.#receivedPrior = this.#receivedHere;
    return expected <= 0 || lost <= 0 ? 0 : Math.min(255, Math.floor((lost * 256) / expected));
  }

  get #expected(): number {
    return this.#started ? this.#cycles + this.#maxSequence - this.#baseSequence + 1 : 0;
  }

  #begin(ssrc: number, sequence: number): void {
    this.#lostBefore += Math.max(0, this.#expected - this.#receivedHere);
    this.ssrc = ssrc;
    this.#baseSequence = sequence;
    this.#maxSequence = sequence;
    this.#cycles = 0;
    this.#receivedHere = 0;
    this.#expectedPrior = 0;
    this.#receivedPrior = 0;
    this.#transit = 0;
    this.#started = true;
  }

  /** RFC 3550 A.8, in timestamp units. */
  #noteJitter(timestamp: number, nowMs: number): void {
    const transit = (Math.round(nowMs * this.#samplesPerMs) - timestamp) | 0;
    if (this.#transit !== 0) {
      const difference = Math.abs((transit - this.#transit) | 0);
      // A jump of a second or more, as after a transfer, is not jitter.
      if (difference < this.#samplesPerMs * 1_000) this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#transit = transit;
  }
}

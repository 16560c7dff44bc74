// The audio of one peer at an even pace: packets arrive with jitter; recordings and mixes take one frame every 20 ms.
import type { Codec } from '../codec.ts';
import { Depacketizer } from './depacketizer.ts';

/** Frames buffered before the first is delivered: the jitter that can be absorbed. */
const PREFILL_FRAMES = 3;
/** A peer whose clock runs fast loses a frame now and then, so that its delay does not grow. */
const MAX_FRAMES = 10;

export class JitterBuffer {
  readonly #frames: Uint8Array[] = [];
  readonly #depacketizer = new Depacketizer((frame) => {
    this.#frames.push(frame);
    if (this.#frames.length > MAX_FRAMES) this.#frames.shift();
  });
  #isPlaying = false;

  /** The payload is copied. */
  push(bytes: Uint8Array, at: number, length: number, sequence: number, codec: Codec): void {
    this.#depacketizer.push(bytes, at, length, sequence, codec);
  }

  /** A packet without audio (telephone-event, comfort noise) has this number. */
  skip(sequence: number): void {
    this.#depacketizer.skip(sequence);
  }

  /** The next 20 ms as µ-law; null: nothing is available. */
  next(): Uint8Array | null {
    if (!this.#isPlaying && this.#frames.length < PREFILL_FRAMES) return null;
    const frame = this.#frames.shift();
    this.#isPlaying = frame !== undefined;
    return frame ?? null;
  }

  /** Takes what is still buffered when nothing more arrives. */
  drain(): Uint8Array | null {
    return this.#frames.shift() ?? null;
  }
}

// The audio of one participant between two media workers: a ring of frames in shared memory for each way. The conference mixes in its own
// worker; the participant's stream is where its call began. One side writes a ring, the other reads it, neither blocks.
import { FRAME_SAMPLES } from '../audio/frame.ts';

/** A power of two. */
const FRAMES = 16;
/** Both workers tick every 20 ms, each in its own phase: two frames absorb the difference. */
const PREFILL_FRAMES = 2;
const MAX_FRAMES = 6;
/** Written and taken, both modulo 2^32. */
const HEAD_WORDS = 2;
const RING_BYTES = HEAD_WORDS * 4 + FRAMES * FRAME_SAMPLES;

export const allocateLink = (): SharedArrayBuffer => new SharedArrayBuffer(2 * RING_BYTES);

/** What the stream sends to the conference, and what it is sent. */
export const linkUp = (shared: SharedArrayBuffer): FrameRing => new FrameRing(shared, 0);
export const linkDown = (shared: SharedArrayBuffer): FrameRing => new FrameRing(shared, RING_BYTES);

export class FrameRing {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  #isPlaying = false;

  constructor(shared: SharedArrayBuffer, at: number) {
    this.#words = new Int32Array(shared, at, HEAD_WORDS);
    this.#bytes = new Uint8Array(shared, at + HEAD_WORDS * 4, FRAMES * FRAME_SAMPLES);
  }

  /** A frame that finds the ring full is dropped: its reader is stuck. */
  write(frame: Uint8Array): void {
    const written = Atomics.load(this.#words, 0);
    if (((written - Atomics.load(this.#words, 1)) | 0) >= FRAMES) return;
    this.#bytes.set(frame, (written & (FRAMES - 1)) * FRAME_SAMPLES);
    Atomics.store(this.#words, 0, (written + 1) | 0);
  }

  /** The next frame, valid until the next call; null: nothing is available. */
  next(): Uint8Array | null {
    const written = Atomics.load(this.#words, 0);
    let taken = Atomics.load(this.#words, 1);
    const held = (written - taken) | 0;
    if (held < (this.#isPlaying ? 1 : PREFILL_FRAMES)) {
      this.#isPlaying = false;
      return null;
    }
    this.#isPlaying = true;
    if (held > MAX_FRAMES) taken = (written - PREFILL_FRAMES) | 0;
    const at = (taken & (FRAMES - 1)) * FRAME_SAMPLES;
    // A copy: the writer may reuse the place as soon as the frame counts as taken.
    const frame = this.#bytes.slice(at, at + FRAME_SAMPLES);
    Atomics.store(this.#words, 1, (taken + 1) | 0);
    return frame;
  }
}

// A file that is read piece by piece: what somebody sent is never in memory as a whole.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Heads of boxes, pages and elements are a few bytes each: a hostile file has half a million of them. */
const SMALL_BYTES = 64;
const AHEAD_BYTES = 16 * 1024;

export class SoundFile {
  readonly size: number;
  readonly #descriptor: number;
  /** Read with the last small piece, which others usually follow. */
  #ahead: Buffer = Buffer.alloc(0);
  #aheadAt = 0;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    this.size = fstatSync(this.#descriptor).size;
  }

  /** Fewer bytes than asked for at the end of the file, none beyond it. */
  read(at: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.size - at));
    if (wanted === 0 || wanted > SMALL_BYTES) return this.#readNow(at, wanted);
    if (at < this.#aheadAt || at + wanted > this.#aheadAt + this.#ahead.length) {
      this.#ahead = this.#readNow(at, Math.min(AHEAD_BYTES, this.size - at));
      this.#aheadAt = at;
    }
    const from = at - this.#aheadAt;
    return Buffer.from(this.#ahead.subarray(from, from + wanted));
  }

  #readNow(at: number, wanted: number): Buffer {
    const bytes = Buffer.allocUnsafe(wanted);
    let filled = 0;
    while (filled < wanted) {
      const count = readSync(this.#descriptor, bytes, filled, wanted - filled, at + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** One channel at one rate. */
export interface Piece {
  readonly rateHz: number;
  readonly samples: Float32Array;
}

/** What a decoder makes of a file. The pieces may be asked for once. */
export interface Decoding {
  /** In words a person knows: "WAV, 44100 Hz, 2 channels, 16 bit". */
  format(): string;
  pieces(): AsyncIterable<Piece> | Iterable<Piece>;
  /** Whether something was missing or broken; known when the pieces are through. */
  damaged(): boolean;
  clippedSamples(): number;
}

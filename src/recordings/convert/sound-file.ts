// A file that is read piece by piece: what somebody sent is never in memory as a whole.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export class SoundFile {
  readonly size: number;
  readonly #descriptor: number;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    this.size = fstatSync(this.#descriptor).size;
  }

  /** Fewer bytes than asked for at the end of the file, none beyond it. */
  read(at: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.size - at));
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

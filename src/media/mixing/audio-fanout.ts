// Copies the audio that one stream receives to everything that consumes it. A stream without consumers has no fan-out.
import type { Codec } from '../codec.ts';
import type { Depacketizer } from './depacketizer.ts';
import type { JitterBuffer } from './jitter-buffer.ts';

export interface AudioSource {
  attach(buffer: JitterBuffer): void;
  detach(buffer: JitterBuffer): void;
}

export class AudioFanout {
  readonly #buffers: JitterBuffer[] = [];
  tap: Depacketizer | null = null;

  get isEmpty(): boolean {
    return this.tap === null && this.#buffers.length === 0;
  }

  add(buffer: JitterBuffer): void {
    this.#buffers.push(buffer);
  }

  remove(buffer: JitterBuffer): void {
    const at = this.#buffers.indexOf(buffer);
    if (at >= 0) this.#buffers.splice(at, 1);
  }

  push(bytes: Uint8Array, at: number, length: number, sequence: number, codec: Codec): void {
    this.tap?.push(bytes, at, length, sequence, codec);
    for (const buffer of this.#buffers) buffer.push(bytes, at, length, sequence, codec);
  }

  skip(sequence: number): void {
    this.tap?.skip(sequence);
    for (const buffer of this.#buffers) buffer.skip(sequence);
  }
}

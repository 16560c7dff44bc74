// Copies the audio that one stream receives to everything that consumes it. A stream without consumers has no fan-out.
import type { Codec } from '../codec.ts';
import type { Depacketizer } from './depacketizer.ts';

/** Takes payloads as they arrive, and copies them. */
export interface AudioConsumer {
  push(bytes: Uint8Array, at: number, length: number, sequence: number, codec: Codec): void;
  /** A packet without audio has this number. */
  skip(sequence: number): void;
}

export interface AudioSource {
  attach(consumer: AudioConsumer): void;
  detach(consumer: AudioConsumer): void;
}

export class AudioFanout {
  readonly #consumers: AudioConsumer[] = [];
  tap: Depacketizer | null = null;

  get isEmpty(): boolean {
    return this.tap === null && this.#consumers.length === 0;
  }

  add(consumer: AudioConsumer): void {
    this.#consumers.push(consumer);
  }

  remove(consumer: AudioConsumer): void {
    const at = this.#consumers.indexOf(consumer);
    if (at >= 0) this.#consumers.splice(at, 1);
  }

  push(bytes: Uint8Array, at: number, length: number, sequence: number, codec: Codec): void {
    this.tap?.push(bytes, at, length, sequence, codec);
    for (const consumer of this.#consumers) consumer.push(bytes, at, length, sequence, codec);
  }

  skip(sequence: number): void {
    this.tap?.skip(sequence);
    for (const consumer of this.#consumers) consumer.skip(sequence);
  }
}

// What one peer says, at an even pace: packets come as the network likes, recorders and mixes take a block every 20 ms.
import type { Codec } from '../media.ts';
import { Tap } from './tap.ts';

/** Blocks that are gathered before the first is given: the jitter that may come is smoothed by so much. */
const GATHERED = 3;
/** A peer whose clock runs fast loses a block now and then, instead of being heard ever later. */
const MAX_WAITING = 10;

/** Whoever can be listened to. */
export interface Voice {
  attach(buffer: JitterBuffer): void;
  detach(buffer: JitterBuffer): void;
}

export class JitterBuffer {
  readonly #blocks: Uint8Array[] = [];
  readonly #tap = new Tap((block) => {
    this.#blocks.push(block);
    if (this.#blocks.length > MAX_WAITING) this.#blocks.shift();
  });
  #flows = false;

  /** The payload is copied. */
  push(bytes: Uint8Array, at: number, length: number, sequence: number, codec: Codec): void {
    this.#tap.push(bytes, at, length, sequence, codec);
  }

  /** An event or comfort noise took this number. */
  pass(sequence: number): void {
    this.#tap.pass(sequence);
  }

  /** The next 20 ms as µ-law; null: nothing was said. */
  next(): Uint8Array | null {
    if (!this.#flows && this.#blocks.length < GATHERED) return null;
    const block = this.#blocks.shift();
    this.#flows = block !== undefined;
    return block ?? null;
  }

  /** What is still held when nothing more will come. */
  rest(): Uint8Array | null {
    return this.#blocks.shift() ?? null;
  }
}

/** Everybody who listens to one stream. A stream that nobody listens to has none, and pays one look for it. */
export class Audience {
  readonly #buffers: JitterBuffer[] = [];
  tap: Tap | null = null;

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

  pass(sequence: number): void {
    this.tap?.pass(sequence);
    for (const buffer of this.#buffers) buffer.pass(sequence);
  }
}

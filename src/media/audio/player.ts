// A sound on its way out: where it stands, and whether it begins again.

import type { Codec } from '../media.ts';
import { ALAW_SILENCE, ULAW_SILENCE } from './g711.ts';

/** The same sound in both codecs, converted once when it was loaded. */
export interface Sound {
  readonly ulaw: Uint8Array;
  readonly alaw: Uint8Array;
}

/** Views cost more than a packet: they are made once for each sound, and for the memory that packets leave from. */
const views = new WeakMap<Uint8Array, Int32Array | null>();

/** The same memory four bytes at a time; null where it does not stand at a multiple of four. */
function wordsOf(bytes: Uint8Array): Int32Array | null {
  let words = views.get(bytes);
  if (words === undefined) {
    const { buffer, byteOffset, byteLength } = bytes;
    words = byteOffset % 4 === 0 ? new Int32Array(buffer, byteOffset, byteLength >> 2) : null;
    views.set(bytes, words);
  }
  return words;
}

export class Player {
  readonly playback: number;
  readonly #sound: Sound;
  readonly #loop: boolean;
  #position = 0;
  #bytes: Uint8Array | null = null;
  #into: Uint8Array | null = null;
  #source: Int32Array | null = null;
  #target: Int32Array | null = null;

  constructor(playback: number, sound: Sound, loop: boolean) {
    this.playback = playback;
    this.#sound = sound;
    this.#loop = loop && sound.ulaw.length > 0;
  }

  get hasEnded(): boolean {
    return !this.#loop && this.#position >= this.#sound.ulaw.length;
  }

  /** Writes the next `length` samples; what is missing at the end is silence. */
  write(into: Uint8Array, at: number, length: number, codec: Codec): void {
    const bytes = codec === 'pcmu' ? this.#sound.ulaw : this.#sound.alaw;
    if (this.#writeWords(bytes, into, at, length)) return;
    let written = 0;
    while (written < length) {
      const take = Math.min(length - written, bytes.length - this.#position);
      into.set(bytes.subarray(this.#position, this.#position + take), at + written);
      written += take;
      this.#position += take;
      if (this.#position < bytes.length) continue;
      if (!this.#loop) break;
      this.#position = 0;
    }
    if (written < length)
      into.fill(codec === 'pcmu' ? ULAW_SILENCE : ALAW_SILENCE, at + written, at + length);
  }

  /** Nearly always, fifty times a second and call: a loop over words costs less than a view of the part would. */
  #writeWords(bytes: Uint8Array, into: Uint8Array, at: number, length: number): boolean {
    const from = this.#position;
    if ((from | at | length) % 4 !== 0 || from + length >= bytes.length) return false;
    if (bytes !== this.#bytes || into !== this.#into) {
      this.#bytes = bytes;
      this.#into = into;
      this.#source = wordsOf(bytes);
      this.#target = wordsOf(into);
    }
    const source = this.#source;
    const target = this.#target;
    if (!source || !target) return false;
    const first = from >> 2;
    const start = at >> 2;
    const count = length >> 2;
    for (let index = 0; index < count; index++) target[start + index] = source[first + index] as number;
    this.#position = from + length;
    return true;
  }
}

// Encoded audio on its way out: the position of one playback, and whether it starts again at the end.
import type { Codec, EncodedAudio } from '../codec.ts';

/** Creating a view costs more than sending a packet: views are cached per audio, and per memory that packets are sent from. */
const views = new WeakMap<Uint8Array, Int32Array | null>();

/** The same memory as 32-bit words; null where it does not begin at a multiple of four. */
function wordsOf(bytes: Uint8Array): Int32Array | null {
  let words = views.get(bytes);
  if (words === undefined) {
    const { buffer, byteOffset, byteLength } = bytes;
    words = byteOffset % 4 === 0 ? new Int32Array(buffer, byteOffset, byteLength >> 2) : null;
    views.set(bytes, words);
  }
  return words;
}

const NO_AUDIO = new Uint8Array(0);

export class Player {
  readonly playback: number;
  readonly #audio: EncodedAudio;
  readonly #length: number;
  readonly #loop: boolean;
  #position = 0;
  /** Views of the last `write`, which nearly always serve the next one. */
  #codec: Codec | null = null;
  #bytes: Uint8Array = NO_AUDIO;
  #into: Uint8Array | null = null;
  #source: Int32Array | null = null;
  #target: Int32Array | null = null;

  constructor(playback: number, audio: EncodedAudio, loop: boolean) {
    this.playback = playback;
    this.#audio = audio;
    this.#length = audio[0]?.length ?? 0;
    this.#loop = loop && this.#length > 0;
  }

  get hasEnded(): boolean {
    return !this.#loop && this.#position >= this.#length;
  }

  /** Writes the next `length` bytes; past the end of the audio they are silence. */
  write(into: Uint8Array, at: number, length: number, codec: Codec): void {
    if (codec !== this.#codec || into !== this.#into) this.#select(codec, into);
    if (this.#writeWords(at, length)) return;
    const bytes = this.#bytes;
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
    if (written < length) into.fill(codec.silence, at + written, at + length);
  }

  /** The common case, fifty times a second per call: a loop over words costs less than a view of the part. */
  #writeWords(at: number, length: number): boolean {
    const from = this.#position;
    if ((from | at | length) % 4 !== 0 || from + length >= this.#length) return false;
    const source = this.#source;
    const target = this.#target;
    if (!source || !target) return false;
    const first = from >> 2;
    const start = at >> 2;
    const count = length >> 2;
    for (let index = 0; index < count; index++) target[start + index] = source[first + index] ?? 0;
    this.#position = from + length;
    return true;
  }

  #select(codec: Codec, into: Uint8Array): void {
    this.#codec = codec;
    this.#into = into;
    this.#bytes = this.#audio[codec.index] ?? NO_AUDIO;
    this.#source = wordsOf(this.#bytes);
    this.#target = wordsOf(into);
  }
}

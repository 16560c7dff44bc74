// A sound on its way out: where it stands, and whether it begins again.
import { ALAW_SILENCE, ULAW_SILENCE } from './g711.ts';
import type { Codec } from './media.ts';

/** The same sound in both codecs, converted once when it was loaded. */
export interface Sound {
  readonly ulaw: Uint8Array;
  readonly alaw: Uint8Array;
}

export class Player {
  readonly playback: number;
  readonly #sound: Sound;
  readonly #loop: boolean;
  #position = 0;

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
}

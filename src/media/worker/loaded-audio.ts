// The audio that the streams of a worker can play: sounds that the main thread loaded, and tones.
import { toneSound } from '../audio/tones.ts';
import { type EncodedAudio, encodeForAll } from '../codec.ts';
import type { ToneName } from '../media.ts';

export class LoadedAudio {
  readonly #sounds = new Map<number, EncodedAudio>();
  readonly #tones = new Map<ToneName, EncodedAudio>();

  load(sound: number, audio: EncodedAudio): void {
    this.#sounds.set(sound, audio);
  }

  unload(sound: number): void {
    this.#sounds.delete(sound);
  }

  /** A sound that is not loaded is replaced by the tone for it, so that its absence is audible. */
  sound(sound: number): EncodedAudio {
    return this.#sounds.get(sound) ?? this.tone('missing');
  }

  tone(name: ToneName): EncodedAudio {
    let audio = this.#tones.get(name);
    if (!audio) {
      audio = encodeForAll(toneSound(name));
      this.#tones.set(name, audio);
    }
    return audio;
  }
}

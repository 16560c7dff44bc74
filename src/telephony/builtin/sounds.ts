// The sounds legs play, loaded into the media engine when they are first asked for and dropped when others need the room.
import type { MediaEngine, SoundSource } from '../../media/media.ts';
import type { Sound } from '../telephony.ts';

/** µ-law and A-law of it are held: two hours and more of prompts. */
const MAX_BYTES = 64 * 1024 * 1024;

export type ReadSound = (sound: Exclude<Sound, { kind: 'tone' }>) => Promise<Buffer | null>;

export class Sounds {
  readonly #engine: MediaEngine;
  readonly #read: ReadSound;
  /** Sizes by id, least recently played first. */
  readonly #loaded = new Map<string, number>();
  readonly #loading = new Map<string, Promise<boolean>>();
  #bytes = 0;
  /** Played last, so it stands at the end of `loaded`. */
  #latest = '';

  constructor(engine: MediaEngine, read: ReadSound) {
    this.#engine = engine;
    this.#read = read;
  }

  /** What to tell the engine, at once if it is loaded; null when there is no such sound. */
  source(sound: Sound): SoundSource | Promise<SoundSource | null> {
    if (sound.kind === 'tone') return { kind: 'tone', tone: sound.tone };
    const id = sound.kind === 'recording' ? sound.sha256 : `system:${sound.prompt}`;
    const source: SoundSource = { kind: 'sound', id };
    const bytes = this.#loaded.get(id);
    if (bytes !== undefined) {
      if (id !== this.#latest) this.#loaded.delete(id);
      this.#loaded.set(id, bytes);
      this.#latest = id;
      return source;
    }
    let loading = this.#loading.get(id);
    if (!loading) {
      loading = this.#load(id, sound).finally(() => this.#loading.delete(id));
      this.#loading.set(id, loading);
    }
    return loading.then((found) => (found ? source : null));
  }

  async #load(id: string, sound: Exclude<Sound, { kind: 'tone' }>): Promise<boolean> {
    const audio = await this.#read(sound).catch(() => null);
    if (!audio || audio.length === 0) return false;
    this.#engine.loadSound(id, audio);
    this.#loaded.set(id, audio.length);
    this.#latest = id;
    this.#bytes += audio.length;
    for (const [oldest, bytes] of this.#loaded) {
      if (this.#bytes <= MAX_BYTES || oldest === id) break;
      this.#loaded.delete(oldest);
      this.#bytes -= bytes;
      this.#engine.unloadSound(oldest);
    }
    return true;
  }
}

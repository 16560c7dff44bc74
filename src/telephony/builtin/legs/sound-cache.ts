// The sounds in the media engine: loaded when they are first played, evicted in the order of last use.
import type { MediaEngine, SoundSource } from '../../../media/media.ts';
import type { PlayableSound } from '../../telephony.ts';

/** Of µ-law: more than two hours of prompts. The engine holds each sound once per codec. */
const MAX_BYTES = 64 * 1024 * 1024;

export type ReadSound = (sound: Exclude<PlayableSound, { kind: 'tone' }>) => Promise<Buffer | null>;

function idOf(sound: Exclude<PlayableSound, { kind: 'tone' }>): string {
  switch (sound.kind) {
    case 'recording':
      return sound.sha256;
    case 'system':
      return `system:${sound.prompt}`;
    case 'speech':
      return `speech:${sound.id}`;
    default:
      return sound satisfies never;
  }
}

export class SoundCache {
  readonly #engine: MediaEngine;
  readonly #read: ReadSound;
  /** Sizes by id, least recently played first. */
  readonly #loaded = new Map<string, number>();
  readonly #loading = new Map<string, Promise<boolean>>();
  #bytes = 0;
  /** The last one played, which is the last in `#loaded`. */
  #latest = '';

  constructor(engine: MediaEngine, read: ReadSound) {
    this.#engine = engine;
    this.#read = read;
  }

  /** The source for the engine, synchronously if it is loaded; null when there is no such sound. */
  source(sound: PlayableSound): SoundSource | Promise<SoundSource | null> {
    if (sound.kind === 'tone') return { kind: 'tone', tone: sound.tone };
    const id = idOf(sound);
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

  async #load(id: string, sound: Exclude<PlayableSound, { kind: 'tone' }>): Promise<boolean> {
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

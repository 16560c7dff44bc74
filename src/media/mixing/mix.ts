// The sum of several sources: what a stream is sent in place of the packets of its bridge.
import { FRAME_SAMPLES } from '../audio/frame.ts';
import { type Codec, PCMU } from '../codec.ts';
import type { AudioSource } from './audio-fanout.ts';
import { JitterBuffer } from './jitter-buffer.ts';

/** Shared by all mixes of a thread: one is written before the next is begun. */
const sum = new Int32Array(FRAME_SAMPLES);

export class Mix {
  readonly #buffers = new Map<AudioSource, JitterBuffer>();

  add(source: AudioSource): void {
    if (this.#buffers.has(source)) return;
    const buffer = new JitterBuffer();
    this.#buffers.set(source, buffer);
    source.attach(buffer);
  }

  remove(source: AudioSource): void {
    const buffer = this.#buffers.get(source);
    if (!buffer) return;
    this.#buffers.delete(source);
    source.detach(buffer);
  }

  clear(): void {
    for (const source of [...this.#buffers.keys()]) this.remove(source);
  }

  /** Whether it has no other source than this one, which a bridge carries at less cost. */
  holdsAtMost(source: AudioSource | null): boolean {
    for (const each of this.#buffers.keys()) if (each !== source) return false;
    return true;
  }

  /** `replaced`: what stands there already is heard in place of this source; undefined: nothing stands there. */
  write(into: Uint8Array, at: number, frames: number, codec: Codec, replaced?: AudioSource | null): void {
    const { encode } = codec;
    const { decode } = PCMU;
    for (let frame = 0; frame < frames; frame++) {
      const start = at + frame * codec.frameBytes;
      if (replaced !== undefined)
        for (let i = 0; i < FRAME_SAMPLES; i++) sum[i] = codec.decode[into[start + i] ?? 0] ?? 0;
      else sum.fill(0);
      for (const [source, buffer] of this.#buffers) {
        const audio = buffer.next();
        if (audio && source !== replaced)
          for (let i = 0; i < FRAME_SAMPLES; i++) sum[i] = (sum[i] ?? 0) + (decode[audio[i] ?? 0xff] ?? 0);
      }
      for (let i = 0; i < FRAME_SAMPLES; i++)
        into[start + i] = encode(Math.max(-32_768, Math.min(32_767, sum[i] ?? 0)));
    }
  }
}

// Several voices as one: what somebody hears who listens in, and whoever they speak to.

import { encodeAlaw, encodeUlaw, ulawToLinear } from '../audio/g711.ts';
import type { Codec, ListenMode } from '../media.ts';
import { JitterBuffer, type Voice } from './jitter-buffer.ts';

const BLOCK_SAMPLES = 160;
/** Shared by all mixes of a thread: one is written before the next is begun. */
const sum = new Int32Array(BLOCK_SAMPLES);

export class Mix {
  readonly #buffers = new Map<Voice, JitterBuffer>();

  add(voice: Voice): void {
    if (this.#buffers.has(voice)) return;
    const buffer = new JitterBuffer();
    this.#buffers.set(voice, buffer);
    voice.attach(buffer);
  }

  remove(voice: Voice): void {
    const buffer = this.#buffers.get(voice);
    if (!buffer) return;
    this.#buffers.delete(voice);
    voice.detach(buffer);
  }

  clear(): void {
    for (const voice of [...this.#buffers.keys()]) this.remove(voice);
  }

  /** Whether nobody is in it but this one, whom a bridge can carry better. */
  holdsAtMost(voice: Voice | null): boolean {
    for (const each of this.#buffers.keys()) if (each !== voice) return false;
    return true;
  }

  /** The next `samples`, whole blocks. */
  write(into: Uint8Array, at: number, samples: number, codec: Codec): void {
    const encode = codec === 'pcmu' ? encodeUlaw : encodeAlaw;
    for (let start = 0; start < samples; start += BLOCK_SAMPLES) {
      sum.fill(0);
      for (const buffer of this.#buffers.values()) {
        const block = buffer.next();
        if (block)
          for (let i = 0; i < BLOCK_SAMPLES; i++)
            sum[i] = (sum[i] ?? 0) + (ulawToLinear[block[i] ?? 0xff] ?? 0);
      }
      for (let i = 0; i < BLOCK_SAMPLES; i++)
        into[at + start + i] = encode(Math.max(-32_768, Math.min(32_767, sum[i] ?? 0)));
    }
  }
}

/** A stream that can be in a conversation. */
export interface Party extends Voice {
  readonly partner: Party | null;
  /** Adds a voice to what it is sent. */
  hear(voice: Voice): void;
  unhear(voice: Voice): void;
}

/** A third stream in a conversation of two, until it ends. */
export class ListeningIn {
  readonly #listener: Party;
  /** Those who hear the listener, each with the one they talk to. */
  readonly #heardBy: readonly (readonly [Party, Party])[];
  readonly #sides: readonly Party[];

  constructor(listener: Party, target: Party, mode: ListenMode) {
    const { partner } = target;
    this.#listener = listener;
    this.#sides = partner ? [target, partner] : [target];
    const pairs = partner
      ? ([
          [target, partner],
          [partner, target],
        ] as const)
      : [];
    this.#heardBy = mode === 'monitor' ? [] : mode === 'whisper' ? pairs.slice(0, 1) : pairs;
    for (const side of this.#sides) listener.hear(side);
    for (const [hearer, other] of this.#heardBy) {
      hearer.hear(other);
      hearer.hear(listener);
    }
  }

  end(): void {
    for (const side of this.#sides) this.#listener.unhear(side);
    for (const [hearer] of this.#heardBy) hearer.unhear(this.#listener);
  }
}

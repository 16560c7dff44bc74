// What the peer says, in order, as µ-law blocks of 20 ms: for a recorder or a terminal. A little reordering is mended, what was
// lost is silence, and nothing is held for long.
import { alawToUlaw, ULAW_SILENCE } from '../audio/g711.ts';
import type { Codec } from '../media.ts';
import { sequenceDistance } from '../rtp/rtp.ts';

const BLOCK_BYTES = 160;
/** Packets that wait for an earlier one: 60 ms at 20 ms each. */
const MAX_HELD = 3;
/** A longer gap is a pause of the peer's, not loss. */
const MAX_FILLED = 25;

export class Tap {
  readonly #heard: (block: Uint8Array) => void;
  readonly #held = new Map<number, Uint8Array>();
  #next = -1;
  #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  #lastLength = BLOCK_BYTES;

  constructor(heard: (block: Uint8Array) => void) {
    this.#heard = heard;
  }

  /** The payload is copied. */
  push(bytes: Uint8Array, at: number, length: number, sequence: number, codec: Codec): void {
    const ahead = this.#next < 0 ? 0 : sequenceDistance(sequence, this.#next);
    if (ahead < 0 && ahead > -MAX_FILLED) return;
    const audio = bytes.slice(at, at + length);
    if (codec === 'pcma')
      for (let index = 0; index < audio.length; index++) audio[index] = alawToUlaw[audio[index] ?? 0] ?? 0;
    if (ahead > MAX_FILLED || ahead < 0) this.#flush();
    if (ahead === 0 || this.#next < 0) {
      this.#take(sequence, audio);
      this.#release();
      return;
    }
    this.#held.set(sequence, audio);
    while (this.#held.size > MAX_HELD) this.#skipOne();
  }

  /** An event or comfort noise took this number: nothing was lost. */
  pass(sequence: number): void {
    if (this.#next < 0 || sequenceDistance(sequence, this.#next) < 0) return;
    this.#held.set(sequence, NOTHING);
    this.#release();
    while (this.#held.size > MAX_HELD) this.#skipOne();
  }

  #release(): void {
    for (;;) {
      const audio = this.#held.get(this.#next);
      if (!audio) return;
      this.#held.delete(this.#next);
      this.#take(this.#next, audio);
    }
  }

  #skipOne(): void {
    this.#write(new Uint8Array(this.#lastLength).fill(ULAW_SILENCE));
    this.#next = (this.#next + 1) & 0xffff;
    this.#release();
  }

  #flush(): void {
    this.#held.clear();
    this.#next = -1;
  }

  #take(sequence: number, audio: Uint8Array): void {
    this.#next = (sequence + 1) & 0xffff;
    if (audio.length === 0) return;
    this.#lastLength = audio.length;
    this.#write(audio);
  }

  #write(audio: Uint8Array): void {
    let at = 0;
    while (at < audio.length) {
      const take = Math.min(BLOCK_BYTES - this.#filled, audio.length - at);
      this.#block.set(audio.subarray(at, at + take), this.#filled);
      this.#filled += take;
      at += take;
      if (this.#filled < BLOCK_BYTES) continue;
      this.#heard(this.#block);
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#filled = 0;
    }
  }
}

const NOTHING = new Uint8Array(0);

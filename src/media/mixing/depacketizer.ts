// RTP payloads of one peer → µ-law frames of 20 ms, in order. Packets that arrive slightly out of order are sorted, lost ones become
// silence, and none is held for long.
import { FRAME_SAMPLES } from '../audio/frame.ts';
import { type Codec, PCMU, transcode } from '../codec.ts';
import { copyOf, sequenceDistance } from '../rtp/rtp.ts';

/** Packets that wait for an earlier one: 60 ms at 20 ms each. */
const MAX_HELD = 3;
/** A longer gap is a pause of the peer, not loss. */
const MAX_FILLED = 25;

export class Depacketizer {
  readonly #deliver: (frame: Uint8Array) => void;
  readonly #held = new Map<number, Uint8Array>();
  #next = -1;
  #frame = new Uint8Array(FRAME_SAMPLES);
  #filled = 0;
  #lastLength = FRAME_SAMPLES;

  constructor(deliver: (frame: Uint8Array) => void) {
    this.#deliver = deliver;
  }

  /** The payload is copied. */
  push(bytes: Uint8Array, at: number, length: number, sequence: number, codec: Codec): void {
    const ahead = this.#next < 0 ? 0 : sequenceDistance(sequence, this.#next);
    if (ahead < 0 && ahead > -MAX_FILLED) return;
    const audio = copyOf(bytes, at, length);
    if (codec !== PCMU) transcode(audio, 0, length, codec, PCMU);
    if (ahead > MAX_FILLED || ahead < 0) this.#restart();
    if (ahead === 0 || this.#next < 0) {
      this.#take(sequence, audio);
      this.#release();
      return;
    }
    this.#held.set(sequence, audio);
    while (this.#held.size > MAX_HELD) this.#skipOne();
  }

  /** A packet without audio (telephone-event, comfort noise) has this number: it is not lost. */
  skip(sequence: number): void {
    if (this.#next < 0 || sequenceDistance(sequence, this.#next) < 0) return;
    this.#held.set(sequence, NO_AUDIO);
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
    this.#write(new Uint8Array(this.#lastLength).fill(PCMU.silence));
    this.#next = (this.#next + 1) & 0xffff;
    this.#release();
  }

  #restart(): void {
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
      const take = Math.min(FRAME_SAMPLES - this.#filled, audio.length - at);
      this.#frame.set(audio.subarray(at, at + take), this.#filled);
      this.#filled += take;
      at += take;
      if (this.#filled < FRAME_SAMPLES) continue;
      this.#deliver(this.#frame);
      this.#frame = new Uint8Array(FRAME_SAMPLES);
      this.#filled = 0;
    }
  }
}

const NO_AUDIO = new Uint8Array(0);

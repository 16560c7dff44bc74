// A recording inside the media worker: every 20 ms one block of each side, silence where nothing came, so that it lasts as long as
// the time it was made in. It leaves for the main thread second by second; nothing here touches a disk.

import { ULAW_SILENCE, ulawToLinear } from '../audio/g711.ts';
import type { RecordingEnd, RecordingLimits } from '../media.ts';
import type { WorkerEvent } from '../orders/orders.ts';
import { JitterBuffer, type Voice } from './jitter-buffer.ts';

const BLOCK_MS = 20;
const BLOCK_BYTES = 160;
const CHUNK_BLOCKS = 50;
/** A machine that slept is not made up for by hours of silence. */
const MAX_LATE_BLOCKS = 50;
/** Mean of a block's samples: −44 dB of full scale. A quiet line is below it, a quiet voice above. */
const SOUND_LEVEL = 200;

const LOUDNESS = Uint16Array.from(ulawToLinear, Math.abs);

export interface RecordingParts {
  readonly stream: number;
  /** Told with everything that it gives. */
  readonly number: number;
  /** One channel each. */
  readonly sides: readonly Voice[];
  readonly limits: RecordingLimits;
  tell(event: WorkerEvent): void;
}

export class Recording {
  readonly #parts: RecordingParts;
  readonly #buffers: readonly JitterBuffer[];
  #startedMs: number;
  #blocks = 0;
  #chunk: Uint8Array;
  #filled = 0;
  #soundMs = 0;
  /** Where the last sound ended. */
  #soundEndMs = 0;
  #isOver = false;

  constructor(parts: RecordingParts, nowMs: number) {
    this.#parts = parts;
    this.#startedMs = nowMs;
    this.#chunk = this.#emptyChunk();
    this.#buffers = parts.sides.map((side) => {
      const buffer = new JitterBuffer();
      side.attach(buffer);
      return buffer;
    });
  }

  /** Takes what is due; false: it is over. */
  turn(nowMs: number): boolean {
    const { maxMs, silenceMs } = this.#parts.limits;
    const due = Math.floor((nowMs - this.#startedMs) / BLOCK_MS);
    if (due - this.#blocks > MAX_LATE_BLOCKS)
      this.#startedMs = nowMs - (this.#blocks + MAX_LATE_BLOCKS) * BLOCK_MS;
    const last = Math.min(due, this.#blocks + MAX_LATE_BLOCKS);
    while (this.#blocks < last && !this.#isOver) {
      this.#take((buffer) => buffer.next());
      const lastedMs = this.#blocks * BLOCK_MS;
      if (lastedMs >= maxMs) this.#finish('length');
      else if (silenceMs !== null && lastedMs - this.#soundEndMs >= silenceMs) this.#finish('silence');
    }
    return !this.#isOver;
  }

  end(why: RecordingEnd): void {
    if (this.#isOver) return;
    for (let left = true; left; ) {
      const rests = this.#buffers.map((buffer) => buffer.rest());
      left = rests.some((block) => block !== null);
      if (left) this.#take((_ear, side) => rests[side] ?? null);
    }
    this.#finish(why);
  }

  #take(blockOf: (buffer: JitterBuffer, side: number) => Uint8Array | null): void {
    const channels = this.#buffers.length;
    let sounds = false;
    for (const [side, buffer] of this.#buffers.entries()) {
      const block = blockOf(buffer, side);
      if (!block) continue;
      let at = this.#filled + side;
      let loudness = 0;
      for (const sample of block) {
        this.#chunk[at] = sample;
        at += channels;
        loudness += LOUDNESS[sample] ?? 0;
      }
      sounds ||= loudness >= SOUND_LEVEL * BLOCK_BYTES;
    }
    this.#blocks += 1;
    this.#filled += BLOCK_BYTES * channels;
    if (sounds) {
      this.#soundMs += BLOCK_MS;
      this.#soundEndMs = this.#blocks * BLOCK_MS;
    }
    if (this.#filled === this.#chunk.length) this.#write();
  }

  #write(): void {
    const { stream, number, tell } = this.#parts;
    if (this.#filled === 0) return;
    tell(['recorded', stream, number, this.#chunk.slice(0, this.#filled), this.#soundMs, this.#soundEndMs]);
    this.#chunk = this.#emptyChunk();
    this.#filled = 0;
  }

  #finish(why: RecordingEnd): void {
    const { stream, number, sides, tell } = this.#parts;
    this.#isOver = true;
    for (const [index, side] of sides.entries()) {
      const buffer = this.#buffers[index];
      if (buffer) side.detach(buffer);
    }
    this.#write();
    tell(['record-ended', stream, number, why]);
  }

  #emptyChunk(): Uint8Array {
    return new Uint8Array(CHUNK_BLOCKS * BLOCK_BYTES * this.#parts.sides.length).fill(ULAW_SILENCE);
  }
}

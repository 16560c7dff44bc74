// The audio of one call between its media worker and the thread that owns the WebSockets of voice bots: a ring in shared memory for
// each way. One side writes a ring, the other reads it, neither blocks and neither posts a message.
//
//   caller ─▶ media worker ── frames of 20 ms ─▶ bot thread ─▶ bot
//   caller ◀─ media worker ◀─ bytes ──────────── bot thread ◀─ bot
//
// Towards the caller it counts bytes, since bots send pieces of any length. What was played is what the reader has taken: so the writer
// knows when a mark is reached, to the frame. `clear` moves the place up to which the reader skips.
import { FRAME_SAMPLES } from '../audio/frame.ts';
import { ULAW_SILENCE, ulawToLinear } from '../audio/g711.ts';

/** 1.28 s: the bot thread looks every few milliseconds. A power of two. */
const UP_FRAMES = 64;
/** 2 s, which the bot thread may be late. A power of two. */
export const DOWN_BYTES = 16_384;
/** Frames that wait before the first is played, so that a bot that sends in real time may be late by one. */
const PREFILL_BYTES = 2 * FRAME_SAMPLES;
const PREFILL_TICKS = 2;

/**
 * A bot that sends in real time and was late once leaves more waiting than it needs. That is so if for two seconds never less than
 * this and never more than that waited; then a frame without a voice is left out. Bots that send ahead have more, then none.
 */
const SPARE_BYTES = 2 * FRAME_SAMPLES;
const MOST_SPARE_BYTES = 10 * FRAME_SAMPLES;
const WINDOW_TICKS = 100;
/** Mean amplitude, −44 dB of full scale. */
const QUIET_LEVEL = 200;

/** Counts, modulo 2^32: frames of the caller, bytes of the bot, and up to which of them nothing is to be played. */
const UP_WRITTEN = 0;
const UP_TAKEN = 1;
const DOWN_WRITTEN = 2;
const DOWN_TAKEN = 3;
const DOWN_CLEARED = 4;
const WORDS = 8;
const UP_AT = WORDS * 4;
const DOWN_AT = UP_AT + UP_FRAMES * FRAME_SAMPLES;

export const allocateBotRing = (): SharedArrayBuffer => new SharedArrayBuffer(DOWN_AT + DOWN_BYTES);

/** The media worker's side. */
export class CallerEnd {
  readonly #words: Int32Array;
  readonly #up: Uint8Array;
  readonly #down: Uint8Array;
  #isPlaying = false;
  #waited = 0;
  /** Ticks in which there was something to spare, but not much. */
  #spareTicks = 0;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared, 0, WORDS);
    this.#up = new Uint8Array(shared, UP_AT, UP_FRAMES * FRAME_SAMPLES);
    this.#down = new Uint8Array(shared, DOWN_AT, DOWN_BYTES);
  }

  /** A frame that finds the ring full is dropped: its reader is stuck. */
  write(frame: Uint8Array): void {
    const written = Atomics.load(this.#words, UP_WRITTEN);
    if (((written - Atomics.load(this.#words, UP_TAKEN)) | 0) >= UP_FRAMES) return;
    this.#up.set(frame, (written & (UP_FRAMES - 1)) * FRAME_SAMPLES);
    Atomics.store(this.#words, UP_WRITTEN, (written + 1) | 0);
  }

  /** Fills the frame with the next 20 ms, silence where there is nothing to play. */
  next(frame: Uint8Array): void {
    // In this order: the bot may clear in between, and what is cleared must not lie beyond what was written.
    const cleared = Atomics.load(this.#words, DOWN_CLEARED);
    const written = Atomics.load(this.#words, DOWN_WRITTEN);
    let taken = Atomics.load(this.#words, DOWN_TAKEN);
    if (((cleared - taken) | 0) > 0) {
      taken = cleared;
      Atomics.store(this.#words, DOWN_TAKEN, taken);
      this.#isPlaying = false;
      this.#waited = 0;
    }
    const waiting = (written - taken) | 0;
    if (!this.#begins(waiting)) {
      frame.fill(ULAW_SILENCE);
      return;
    }
    const length = Math.min(FRAME_SAMPLES, waiting);
    this.#copy(frame, taken, length);
    if (this.#isSpare(frame, waiting - length)) {
      taken += length;
      this.#copy(frame, taken, length);
    }
    // The end of what was said, or a bot that is late.
    if (length < FRAME_SAMPLES) frame.fill(ULAW_SILENCE, length);
    Atomics.store(this.#words, DOWN_TAKEN, (taken + length) | 0);
  }

  #copy(frame: Uint8Array, from: number, length: number): void {
    for (let at = 0; at < length; at++)
      frame[at] = this.#down[(from + at) & (DOWN_BYTES - 1)] ?? ULAW_SILENCE;
  }

  #isSpare(frame: Uint8Array, left: number): boolean {
    this.#spareTicks = left >= SPARE_BYTES && left <= MOST_SPARE_BYTES ? this.#spareTicks + 1 : 0;
    if (this.#spareTicks < WINDOW_TICKS || !isQuiet(frame)) return false;
    this.#spareTicks = 0;
    return true;
  }

  #begins(waiting: number): boolean {
    if (waiting === 0) {
      this.#isPlaying = false;
      this.#waited = 0;
    } else if (!this.#isPlaying) {
      this.#waited++;
      this.#isPlaying = waiting >= PREFILL_BYTES || this.#waited > PREFILL_TICKS;
    }
    return this.#isPlaying;
  }
}

function isQuiet(frame: Uint8Array): boolean {
  let amplitude = 0;
  for (const sample of frame) amplitude += Math.abs(ulawToLinear[sample] ?? 0);
  return amplitude < QUIET_LEVEL * frame.length;
}

/** The bot thread's side. */
export class BotEnd {
  readonly #words: Int32Array;
  readonly #up: Uint8Array;
  readonly #down: Uint8Array;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared, 0, WORDS);
    this.#up = new Uint8Array(shared, UP_AT, UP_FRAMES * FRAME_SAMPLES);
    this.#down = new Uint8Array(shared, DOWN_AT, DOWN_BYTES);
  }

  /** Copies the next 20 ms of the caller; false: there are none yet. */
  take(frame: Uint8Array): boolean {
    const taken = Atomics.load(this.#words, UP_TAKEN);
    if (taken === Atomics.load(this.#words, UP_WRITTEN)) return false;
    const at = (taken & (UP_FRAMES - 1)) * FRAME_SAMPLES;
    for (let index = 0; index < FRAME_SAMPLES; index++) frame[index] = this.#up[at + index] ?? ULAW_SILENCE;
    Atomics.store(this.#words, UP_TAKEN, (taken + 1) | 0);
    return true;
  }

  /** What was said before the bot was there is not for it. */
  skip(): void {
    Atomics.store(this.#words, UP_TAKEN, Atomics.load(this.#words, UP_WRITTEN));
  }

  /** Bytes that were written so far. */
  get written(): number {
    return Atomics.load(this.#words, DOWN_WRITTEN);
  }

  /** Bytes that were played or cleared so far. */
  get played(): number {
    const taken = Atomics.load(this.#words, DOWN_TAKEN);
    const cleared = Atomics.load(this.#words, DOWN_CLEARED);
    return ((cleared - taken) | 0) > 0 ? cleared : taken;
  }

  get free(): number {
    return DOWN_BYTES - ((this.written - Atomics.load(this.#words, DOWN_TAKEN)) | 0);
  }

  /** At most `free` bytes. */
  write(bytes: Uint8Array): void {
    const { written } = this;
    const at = written & (DOWN_BYTES - 1);
    const first = Math.min(bytes.length, DOWN_BYTES - at);
    this.#down.set(first === bytes.length ? bytes : bytes.subarray(0, first), at);
    if (first < bytes.length) this.#down.set(bytes.subarray(first), 0);
    Atomics.store(this.#words, DOWN_WRITTEN, (written + bytes.length) | 0);
  }

  /** Nothing of what was written until now is played from the next frame on. */
  clear(): void {
    Atomics.store(this.#words, DOWN_CLEARED, this.written);
  }
}

// The name that a caller says before entering a conference room.
import type { RecordingEnd, RecordingSink } from '../../telephony/telephony.ts';

/** µ-law at 8 kHz. */
const BYTES_PER_MS = 8;
/** Less is a click or a breath. */
const MIN_SOUND_MS = 200;
/** So that the last sound is not cut off. */
const TAIL_MS = 100;

export class SpokenName implements RecordingSink {
  readonly #said: (audio: Buffer | null) => void;
  readonly #parts: Buffer[] = [];
  #soundMs = 0;
  #soundEndMs = 0;

  /** `said`: once, with null where nothing was said; never where the caller has hung up. */
  constructor(said: (audio: Buffer | null) => void) {
    this.#said = said;
  }

  wrote(audio: Buffer, soundMs: number, soundEndMs: number): void {
    // A copy: the buffer may be a part of a larger one.
    this.#parts.push(Buffer.from(audio));
    this.#soundMs = soundMs;
    this.#soundEndMs = soundEndMs;
  }

  ended(why: RecordingEnd): void {
    if (why === 'ended') return;
    const bytes = Math.round((this.#soundEndMs + TAIL_MS) * BYTES_PER_MS);
    this.#said(this.#soundMs < MIN_SOUND_MS ? null : Buffer.concat(this.#parts).subarray(0, bytes));
  }
}

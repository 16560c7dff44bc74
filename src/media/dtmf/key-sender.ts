// Keys that we send: as telephone-events (RFC 4733 §2.5.1), or as tones where the peer does not support them. One step per 20 ms,
// in place of audio.

import { FRAME_SAMPLES } from '../audio/frame.ts';
import { keySound } from '../audio/tones.ts';
import { eventOf } from './telephone-event.ts';

const UPDATES = 5;
/** RFC 4733 §2.5.1.4: the end is sent three times. */
const ENDS = 3;
const GAP = 3;
const MAX_WAITING = 128;

export interface EventStep {
  readonly event: number;
  readonly isFirst: boolean;
  readonly isEnd: boolean;
  readonly duration: number;
}

export class KeySender {
  #waiting = '';
  #step = 0;

  /** Keys beyond MAX_WAITING are dropped. */
  add(keys: string): void {
    for (const key of keys) if (eventOf(key) >= 0 && this.#waiting.length < MAX_WAITING) this.#waiting += key;
  }

  get isActive(): boolean {
    return this.#waiting !== '';
  }

  clear(): void {
    this.#waiting = '';
    this.#step = 0;
  }

  /** What to send now; null in the pause between two keys. */
  nextEvent(): EventStep | null {
    const step = this.#step++;
    const event = eventOf(this.#waiting.charAt(0));
    if (step < UPDATES)
      return { event, isFirst: step === 0, isEnd: false, duration: (step + 1) * FRAME_SAMPLES };
    if (step < UPDATES + ENDS)
      return { event, isFirst: false, isEnd: true, duration: (UPDATES + 1) * FRAME_SAMPLES };
    if (step + 1 >= UPDATES + ENDS + GAP) this.#next();
    return null;
  }

  /** 20 ms of the tone, µ-law. */
  nextTone(): Uint8Array {
    const sound = toneOf(this.#waiting.charAt(0));
    const from = this.#step * FRAME_SAMPLES;
    this.#step++;
    if (this.#step * FRAME_SAMPLES >= sound.length) this.#next();
    return sound.subarray(from, from + FRAME_SAMPLES);
  }

  #next(): void {
    this.#waiting = this.#waiting.slice(1);
    this.#step = 0;
  }
}

const made = new Map<string, Uint8Array>();

function toneOf(key: string): Uint8Array {
  let sound = made.get(key);
  if (!sound) {
    sound = keySound(key) ?? new Uint8Array(0);
    made.set(key, sound);
  }
  return sound;
}

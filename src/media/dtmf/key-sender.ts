// Keys that we press: as telephone-events, RFC 4733 §2.5.1, or as tones where the peer has none. One step per 20 ms; audio pauses.

import { keySound } from '../audio/tones.ts';
import { eventOf } from './telephone-event.ts';

const UPDATES = 5;
/** RFC 4733 §2.5.1.4: the end is sent three times. */
const ENDS = 3;
const GAP = 3;
const SAMPLES_PER_STEP = 160;
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

  /** What does not fit is dropped: nobody dials so far ahead. */
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
      return { event, isFirst: step === 0, isEnd: false, duration: (step + 1) * SAMPLES_PER_STEP };
    if (step < UPDATES + ENDS)
      return { event, isFirst: false, isEnd: true, duration: (UPDATES + 1) * SAMPLES_PER_STEP };
    if (step + 1 >= UPDATES + ENDS + GAP) this.#next();
    return null;
  }

  /** 20 ms of the tone, µ-law. */
  nextTone(): Uint8Array {
    const sound = toneOf(this.#waiting.charAt(0));
    const from = this.#step * SAMPLES_PER_STEP;
    this.#step++;
    if (this.#step * SAMPLES_PER_STEP >= sound.length) this.#next();
    return sound.subarray(from, from + SAMPLES_PER_STEP);
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

// What a bot has said and the caller has not heard yet: the ring to the media worker, what does not fit into it behind it, and the
// marks between. Places are counted in bytes, modulo 2^32.
import type { BotEnd } from '../media/bots/bot-ring.ts';

/** 60 s of µ-law. */
export const MAX_QUEUED_BYTES = 480_000;
export const MAX_MARKS = 1_000;
const FIRST_BYTES = 32_768;

interface Mark {
  readonly name: string;
  /** Everything before this place was heard when it is reached. */
  readonly at: number;
}

export class Playout {
  readonly #ring: BotEnd;
  readonly #marks: Mark[] = [];
  /** Behind the ring: `#length` bytes from `#from`, in a buffer that grows as far as it must. */
  #waiting: Buffer | null = null;
  #from = 0;
  #length = 0;

  constructor(ring: BotEnd) {
    this.#ring = ring;
  }

  /** In bytes. */
  get queued(): number {
    return ((this.#ring.written - this.#ring.played) | 0) + this.#length;
  }

  get hasMarks(): boolean {
    return this.#marks.length > 0;
  }

  /** False: the queue is full, and nothing of it was taken. */
  add(audio: Buffer): boolean {
    if (this.queued + audio.length > MAX_QUEUED_BYTES) return false;
    const fits = this.#length === 0 ? Math.min(audio.length, this.#ring.free) : 0;
    if (fits > 0) this.#ring.write(audio.subarray(0, fits));
    if (fits < audio.length) this.#keep(audio.subarray(fits));
    return true;
  }

  /** False: too many wait. */
  mark(name: string): boolean {
    if (this.#marks.length >= MAX_MARKS) return false;
    this.#marks.push({ name, at: (this.#ring.written + this.#length) | 0 });
    return true;
  }

  /** Drops everything; returns the names of the marks in it. */
  clear(): string[] {
    this.#waiting = null;
    this.#from = 0;
    this.#length = 0;
    this.#ring.clear();
    return this.#marks.splice(0).map(({ name }) => name);
  }

  /** Fills the ring, and returns the names of the marks that were reached. */
  poll(): readonly string[] {
    if (this.#length > 0) this.#refill();
    if (this.#marks.length === 0) return NONE;
    const { played } = this.#ring;
    const reached = this.#marks.findIndex(({ at }) => ((played - at) | 0) < 0);
    return this.#marks.splice(0, reached < 0 ? this.#marks.length : reached).map(({ name }) => name);
  }

  #refill(): void {
    const waiting = this.#waiting;
    const count = Math.min(this.#length, this.#ring.free);
    if (!waiting || count === 0) return;
    this.#ring.write(waiting.subarray(this.#from, this.#from + count));
    this.#from += count;
    this.#length -= count;
    if (this.#length > 0) return;
    this.#waiting = null;
    this.#from = 0;
  }

  #keep(audio: Buffer): void {
    const needed = this.#length + audio.length;
    if (!this.#waiting || this.#from + needed > this.#waiting.length) {
      // Twice what is needed, so that many small pieces are not copied again and again.
      const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, 2 * needed));
      this.#waiting?.copy(larger, 0, this.#from, this.#from + this.#length);
      this.#waiting = larger;
      this.#from = 0;
    }
    audio.copy(this.#waiting, this.#from + this.#length);
    this.#length = needed;
  }
}

const NONE: readonly string[] = [];

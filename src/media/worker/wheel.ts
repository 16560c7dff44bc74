// A timing wheel with one slot per millisecond of a frame, for all streams of a worker: each stream has one slot and is visited every
// 20 ms. Times are counted from an absolute base, so that errors do not accumulate.
import { FRAME_MS } from '../audio/frame.ts';

const SLOTS = FRAME_MS;
/** Slots per wake-up under load, and of what is visited often. */
const GROUP = 4;
/** After a stall: later ticks are skipped, or the peer would get a burst. */
const MAX_LATE_MS = 100;

export class Wheel<T> {
  readonly #slots: Set<T>[] = Array.from({ length: SLOTS }, () => new Set<T>());
  #dueMs: number;
  #next = 0;

  constructor(nowMs: number) {
    this.#dueMs = nowMs;
  }

  /** After a time without streams: its ticks are not made up for. */
  restart(nowMs: number): void {
    this.#dueMs = nowMs;
  }

  get dueMs(): number {
    return this.#dueMs;
  }

  /** When the last slot of the next group is due. Groups are always the same slots, so that the interval of a stream stays even. */
  get groupDueMs(): number {
    return this.#dueMs + GROUP - 1 - (this.#next % GROUP);
  }

  get nextVisitMs(): number {
    for (let step = 0; step < SLOTS; step++)
      if (this.#slots[(this.#next + step) % SLOTS]?.size) return this.#dueMs + step;
    return this.#dueMs + SLOTS;
  }

  /** The emptiest slot, the next one due among equals. */
  emptiest(nowMs: number): number {
    // Empty slots that are overdue are skipped: a stream in one would be visited at once and again shortly after.
    while (this.#dueMs < nowMs && this.#slots[this.#next]?.size === 0) this.#step();
    let best = this.#next;
    for (let step = 1; step < SLOTS; step++) {
      const slot = (this.#next + step) % SLOTS;
      if ((this.#slots[slot]?.size ?? 0) < (this.#slots[best]?.size ?? 0)) best = slot;
    }
    return best;
  }

  add(slot: number, item: T): void {
    this.#slots[slot]?.add(item);
  }

  /** Visits it every GROUP milliseconds, until the returned function is called. */
  addOften(item: T): () => void {
    for (let slot = 0; slot < SLOTS; slot += GROUP) this.#slots[slot]?.add(item);
    return () => {
      for (const slot of this.#slots) slot.delete(item);
    };
  }

  remove(slot: number, item: T): void {
    this.#slots[slot]?.delete(item);
  }

  turn(nowMs: number, visit: (item: T) => void): void {
    if (nowMs - this.#dueMs > MAX_LATE_MS) this.#dueMs = nowMs - MAX_LATE_MS;
    while (this.#dueMs <= nowMs) {
      for (const item of this.#slots[this.#next] ?? []) visit(item);
      this.#step();
    }
  }

  #step(): void {
    this.#next = (this.#next + 1) % SLOTS;
    this.#dueMs++;
  }
}

// How much moves through a worker's sockets: with many packets it is cheaper to move them together, and to rest in between.

const BUSY_PACKETS_PER_SECOND = 10_000;
const LOOK_MS = 100;

export class Traffic {
  /** Packets, either way, since the last look. */
  moved = 0;
  isBusy = false;
  #lookedMs = 0;

  /** Every turn; it judges now and then. */
  look(nowMs: number): void {
    const sinceMs = nowMs - this.#lookedMs;
    if (sinceMs < LOOK_MS) return;
    this.isBusy = (this.moved * 1000) / sinceMs > BUSY_PACKETS_PER_SECOND;
    this.moved = 0;
    this.#lookedMs = nowMs;
  }
}

const nobodyRings = new Int32Array(new SharedArrayBuffer(4));

/** The thread sleeps, whatever comes. */
export function rest(ms: number): void {
  Atomics.wait(nobodyRings, 0, 0, ms);
}

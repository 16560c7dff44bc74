// The packet rate of a worker's sockets: under load it is cheaper to move packets in batches and to sleep in between.

const BUSY_PACKETS_PER_SECOND = 10_000;
const WINDOW_MS = 100;

export class Traffic {
  /** Packets in both directions since the last measurement. */
  moved = 0;
  isBusy = false;
  #measuredMs = 0;

  /** Called every turn; measures every WINDOW_MS. */
  measure(nowMs: number): void {
    const sinceMs = nowMs - this.#measuredMs;
    if (sinceMs < WINDOW_MS) return;
    this.isBusy = (this.moved * 1000) / sinceMs > BUSY_PACKETS_PER_SECOND;
    this.moved = 0;
    this.#measuredMs = nowMs;
  }
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread. */
export function sleep(ms: number): void {
  Atomics.wait(neverNotified, 0, 0, ms);
}

/** How far back it remembers: about as long as the estimate of a stream's jitter does (RFC 3550, 16 packets of 20 ms). */
const WINDOW_MS = 320;
/** Timers are late by so much on an idle machine. */
const PUNCTUAL_MS = 2;

/** How uneven packets look because the worker itself reads them late, on a busy machine: no network did that, and no buffer helps. */
export class Lateness {
  #jitterMs = 0;
  #sinceMs = 0;

  /** Packets that arrive while it is late for so long wait for half of it on average, and the next ones for nothing. */
  note(lateMs: number, nowMs: number): void {
    if (lateMs <= PUNCTUAL_MS) return;
    this.#jitterMs = this.jitterMs(nowMs) + (lateMs * lateMs) / WINDOW_MS;
    this.#sinceMs = nowMs;
  }

  jitterMs(nowMs: number): number {
    return this.#jitterMs * Math.exp((this.#sinceMs - nowMs) / WINDOW_MS);
  }
}

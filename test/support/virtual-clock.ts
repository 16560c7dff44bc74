// Time that passes when a test says so.
import type { Clock } from '../../src/kit/clock.ts';

export class VirtualClock implements Clock {
  #nowMs = 1000;
  readonly #epochMs: number;
  readonly #timers = new Set<{ readonly atMs: number; readonly then: () => void }>();

  constructor(epochMs = Date.UTC(2026, 0, 5, 10)) {
    this.#epochMs = epochMs - this.#nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  epochMs(): number {
    return this.#epochMs + this.#nowMs;
  }

  after(ms: number, then: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, then };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get running(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let fired = 0; fired < 100_000; fired++) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.then();
    }
    this.#nowMs = untilMs;
  }
}

// Time that passes only when a test says so.
import type { Timer, Timers } from '../timers.ts';

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

export class VirtualTimers implements Timers {
  readonly #pending = new Set<Pending>();
  #now = 0;
  #order = 0;

  get count(): number {
    return this.#pending.size;
  }

  now(): number {
    return this.#now;
  }

  start(afterMs: number, fire: () => void): Timer {
    const pending = { at: this.#now + afterMs, order: this.#order++, fire };
    this.#pending.add(pending);
    return { stop: () => void this.#pending.delete(pending) };
  }

  /** Fires what is due, in order, each at its own moment. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      let first: Pending | undefined;
      for (const each of this.#pending) {
        if (first === undefined || each.at < first.at || (each.at === first.at && each.order < first.order)) {
          first = each;
        }
      }
      if (first === undefined || first.at > until) break;
      this.#pending.delete(first);
      this.#now = Math.max(this.#now, first.at);
      first.fire();
    }
    this.#now = until;
  }
}

// Receivers that fail again and again rest: ten thousand events for a dead host must not be ten thousand time-outs. After a
// rest one delivery tries; when it succeeds all others follow, when it fails the next rest is longer.

const FAILURES = 5;
const FIRST_REST_MS = 5000;
const MAX_REST_MS = 5 * 60 * 1000;
/** How soon those ask again that came while one tried. */
const TRIAL_MS = 2000;
/** Receivers that fail at once; beyond it the longest known is tried as if it never failed. */
const MAX_KNOWN = 10_000;

interface Failing {
  failures: number;
  restUntilMs: number;
  trying: boolean;
}

export class Circuit {
  readonly #failing = new Map<string, Failing>();
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** 0: try now, and report the result. Otherwise ask again after so many milliseconds. */
  enter(id: string, nowMs: number): number {
    const failing = this.#failing.get(id);
    if (!failing || failing.failures < FAILURES) return 0;
    // Spread out, so that those who wait do not come back all at once.
    const spreadMs = Math.round(this.#random() * TRIAL_MS);
    if (nowMs < failing.restUntilMs) return failing.restUntilMs - nowMs + spreadMs;
    if (failing.trying) return TRIAL_MS + spreadMs;
    failing.trying = true;
    return 0;
  }

  /** `untold`: it came to no try after all. */
  leave(id: string, outcome: 'succeeded' | 'failed' | 'untold', nowMs: number): void {
    const failing = this.#failing.get(id);
    if (outcome === 'succeeded') {
      this.#failing.delete(id);
      return;
    }
    if (failing) failing.trying = false;
    if (outcome === 'untold') return;
    const failures = (failing?.failures ?? 0) + 1;
    const restMs =
      failures < FAILURES ? 0 : Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** Math.min(failures - FAILURES, 20));
    // Those that were under way together fail together: that is one failure, not a longer rest for each.
    if (failing && nowMs < failing.restUntilMs) return;
    this.#failing.set(id, { failures, restUntilMs: nowMs + restMs, trying: false });
    if (this.#failing.size > MAX_KNOWN) {
      const [oldest = ''] = this.#failing.keys();
      this.#failing.delete(oldest);
    }
  }
}

// When a job that failed is tried again, and when it is given up.

export interface Patience {
  /** The second try comes so much after the first; then twice that, and so on. */
  readonly firstMs: number;
  readonly capMs: number;
  /** Tries that failed; one that was cut off with its process says nothing of the other side. */
  readonly maxFailures: number;
  /** Since it was queued. */
  readonly maxAgeMs: number;
}

/** Some 35 tries within a day. */
export const PATIENCE: Patience = {
  firstMs: 1000,
  capMs: 60 * 60 * 1000,
  maxFailures: 40,
  maxAgeMs: 24 * 60 * 60 * 1000,
};

/**
 * Milliseconds until the next try, after so many failures, the last one included; null: it is given up. Half of the wait is
 * chance, so that jobs that failed together do not come back together.
 */
export function nextTry(
  patience: Patience,
  { failures, ageMs }: { failures: number; ageMs: number },
  random: () => number = Math.random,
): number | null {
  const wholeMs = Math.min(patience.capMs, patience.firstMs * 2 ** Math.min(failures - 1, 40));
  const waitMs = Math.round(wholeMs * (0.5 + random() / 2));
  return failures >= patience.maxFailures || ageMs + waitMs > patience.maxAgeMs ? null : waitMs;
}

// When a job that failed is tried again, and when it is given up.

export interface Patience {
  /** The second try comes so much after the first; then twice that, and so on. */
  readonly firstMs: number;
  readonly capMs: number;
  readonly maxAttempts: number;
  /** Since it was queued. */
  readonly maxAgeMs: number;
}

/** Some 35 tries within a day. */
export const PATIENCE: Patience = {
  firstMs: 1000,
  capMs: 60 * 60 * 1000,
  maxAttempts: 40,
  maxAgeMs: 24 * 60 * 60 * 1000,
};

/**
 * Milliseconds until the next try; null: it is given up. Half of the wait is chance, so that jobs that failed together do
 * not come back together.
 */
export function nextTry(
  patience: Patience,
  { attempts, ageMs }: { attempts: number; ageMs: number },
  random: () => number = Math.random,
): number | null {
  const wholeMs = Math.min(patience.capMs, patience.firstMs * 2 ** Math.min(attempts - 1, 40));
  const waitMs = Math.round(wholeMs * (0.5 + random() / 2));
  return attempts >= patience.maxAttempts || ageMs + waitMs > patience.maxAgeMs ? null : waitMs;
}

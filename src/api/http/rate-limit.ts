// Per token: so many requests a second on average, a burst of some seconds' worth at once (GCRA: one number per token).

const MAX_TOKENS = 10_000;

export class RateLimit {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  /** By token id. Forgetting a token that has been quiet changes nothing for it. */
  readonly #fullAt = new Map<string, number>();

  constructor(perSecond: number, burstSeconds = 2) {
    this.#burstMs = burstSeconds * 1000;
    this.#intervalMs = perSecond > 0 ? 1000 / perSecond : 0;
  }

  /** 0 when the request may pass, else the seconds to wait. */
  take(tokenId: string, nowMs: number): number {
    if (this.#intervalMs === 0) return 0;
    const next = Math.max(this.#fullAt.get(tokenId) ?? 0, nowMs) + this.#intervalMs;
    const overMs = next - nowMs - this.#burstMs;
    if (overMs > 0) return Math.ceil(overMs / 1000);
    this.#fullAt.set(tokenId, next);
    if (this.#fullAt.size > MAX_TOKENS) this.#forgetQuiet(nowMs);
    return 0;
  }

  #forgetQuiet(nowMs: number): void {
    for (const [tokenId, fullAt] of this.#fullAt) if (fullAt <= nowMs) this.#fullAt.delete(tokenId);
    // All tokens are busy: bounded memory matters more than a moment without limits.
    if (this.#fullAt.size > MAX_TOKENS) this.#fullAt.clear();
  }
}

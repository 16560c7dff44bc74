// Per token: so many requests a second on average, a burst of some seconds' worth at once (GCRA: one number per token). Of several
// nodes each gives its part of it.

const MAX_TOKENS = 10_000;

export class RateLimit {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  /** By token id. Forgetting a token that has been quiet changes nothing for it. */
  readonly #fullAt = new Map<string, number>();

  readonly #nodes: () => number;

  /** `nodes`: how many live ones there are, this one included. */
  constructor(perSecond: number, burstSeconds = 2, nodes: () => number = () => 1) {
    this.#nodes = nodes;
    this.#burstMs = burstSeconds * 1000;
    this.#intervalMs = perSecond > 0 ? 1000 / perSecond : 0;
  }

  /** 0 when the request may pass, else the seconds to wait. */
  take(tokenId: string, nowMs: number): number {
    if (this.#intervalMs === 0) return 0;
    const intervalMs = this.#intervalMs * this.#nodes();
    const next = Math.max(this.#fullAt.get(tokenId) ?? 0, nowMs) + intervalMs;
    // One request passes, however small the part.
    const overMs = next - nowMs - Math.max(this.#burstMs, intervalMs);
    if (overMs > 0) return Math.ceil(overMs / 1000);
    this.#fullAt.set(tokenId, next);
    if (this.#fullAt.size > MAX_TOKENS) this.#forgetQuiet(nowMs);
    return 0;
  }

  /** What was taken counts no longer. */
  giveBack(tokenId: string): void {
    const fullAt = this.#fullAt.get(tokenId);
    if (fullAt !== undefined) this.#fullAt.set(tokenId, fullAt - this.#intervalMs * this.#nodes());
  }

  #forgetQuiet(nowMs: number): void {
    for (const [tokenId, fullAt] of this.#fullAt) if (fullAt <= nowMs) this.#fullAt.delete(tokenId);
    // All tokens are busy: bounded memory matters more than a moment without limits.
    if (this.#fullAt.size > MAX_TOKENS) this.#fullAt.clear();
  }
}

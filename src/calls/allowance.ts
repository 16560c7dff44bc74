// Limits what an account sends per minute or day, on this node: SMS and e-mail cost money or trust, and any caller can cause them.

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export class Allowance {
  readonly #most: number;
  readonly #nowMs: () => number;
  readonly #periodMs: number;
  #period = -1;
  /** Of this period only, so it has no more entries than accounts that sent within it. */
  readonly #used = new Map<string, number>();

  constructor(most: number, nowMs: () => number, periodMs = MINUTE_MS) {
    this.#most = most;
    this.#nowMs = nowMs;
    this.#periodMs = periodMs;
  }

  /** False: no more in this period. */
  take(accountId: string): boolean {
    const period = Math.floor(this.#nowMs() / this.#periodMs);
    if (period !== this.#period) this.#used.clear();
    this.#period = period;
    const used = this.#used.get(accountId) ?? 0;
    if (used >= this.#most) return false;
    this.#used.set(accountId, used + 1);
    return true;
  }

  /** Until the next period. */
  get secondsLeft(): number {
    return Math.ceil((this.#periodMs - (this.#nowMs() % this.#periodMs)) / 1000);
  }
}

// The allowance of one process.
import { type Allowance, type AllowanceTerms, MINUTE_MS } from '../ports/allowance.ts';

export class MemoryAllowance implements Allowance {
  readonly #most: number;
  readonly #nowMs: () => number;
  readonly #periodMs: number;
  #period = -1;
  /** Counts of this period only, so it has no more entries than accounts that sent within it. */
  readonly #used = new Map<string, number>();

  constructor(
    { most, periodMs = MINUTE_MS }: Partial<AllowanceTerms> & { most: number },
    nowMs: () => number,
  ) {
    this.#most = most;
    this.#nowMs = nowMs;
    this.#periodMs = periodMs;
  }

  take(accountId: string, most = this.#most): boolean {
    const period = Math.floor(this.#nowMs() / this.#periodMs);
    if (period !== this.#period) this.#used.clear();
    this.#period = period;
    const used = this.#used.get(accountId) ?? 0;
    if (used >= most) return false;
    this.#used.set(accountId, used + 1);
    return true;
  }

  get secondsLeft(): number {
    return Math.ceil((this.#periodMs - (this.#nowMs() % this.#periodMs)) / 1000);
  }
}

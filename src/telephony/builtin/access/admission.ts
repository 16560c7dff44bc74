// Limits incoming calls: concurrent ones, and new ones per second (token bucket).

export interface AdmissionLimits {
  readonly maxCalls: number;
  /** 0: no limit. */
  readonly maxCallsPerSecond: number;
}

export const RETRY_AFTER_SECONDS = 5;
export const BUSY_HEADERS = [['retry-after', String(RETRY_AFTER_SECONDS)]] as const;

export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #nowMs: () => number;
  #tokens: number;
  #filledMs: number;
  /** From when on calls are refused; null: not draining. */
  #drainedMs: number | null = null;

  constructor(limits: AdmissionLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#tokens = limits.maxCallsPerSecond;
    this.#filledMs = nowMs();
  }

  /** Calls are taken for `noticeMs` more. */
  drain(noticeMs = 0): void {
    this.#drainedMs ??= this.#nowMs() + noticeMs;
  }

  resume(): void {
    this.#drainedMs = null;
  }

  get isDraining(): boolean {
    return this.#drainedMs !== null;
  }

  admits(calls: number): boolean {
    if (this.#drainedMs !== null && this.#nowMs() >= this.#drainedMs) return false;
    const { maxCallsPerSecond, maxCalls } = this.#limits;
    if (calls >= maxCalls) return false;
    if (maxCallsPerSecond === 0) return true;
    const nowMs = this.#nowMs();
    const filled = this.#tokens + ((nowMs - this.#filledMs) / 1000) * maxCallsPerSecond;
    this.#tokens = Math.min(maxCallsPerSecond, filled);
    this.#filledMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

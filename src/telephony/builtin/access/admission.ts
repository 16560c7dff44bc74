// Limits incoming calls: concurrent ones, and new ones per second (token bucket).

export interface AdmissionLimits {
  readonly maxCalls: number;
  /** 0: no limit. */
  readonly maxCallsPerSecond: number;
}

export const RETRY_AFTER_SECONDS = 5;

export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #nowMs: () => number;
  #tokens: number;
  #filledMs: number;
  #draining = false;

  constructor(limits: AdmissionLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#tokens = limits.maxCallsPerSecond;
    this.#filledMs = nowMs();
  }

  drain(): void {
    this.#draining = true;
  }

  admits(calls: number): boolean {
    if (this.#draining || calls >= this.#limits.maxCalls) return false;
    const { maxCallsPerSecond } = this.#limits;
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

// Limits the text messages of an account per minute, on this node: each costs money, and any caller can cause them.

const MINUTE_MS = 60_000;

export class SmsAllowance {
  readonly #perMinute: number;
  readonly #nowMs: () => number;
  #minute = -1;
  /** Of this minute only, so it has no more entries than accounts that sent within it. */
  readonly #used = new Map<string, number>();

  constructor(perMinute: number, nowMs: () => number) {
    this.#perMinute = perMinute;
    this.#nowMs = nowMs;
  }

  /** False: no more in this minute. */
  take(accountId: string): boolean {
    const minute = Math.floor(this.#nowMs() / MINUTE_MS);
    if (minute !== this.#minute) this.#used.clear();
    this.#minute = minute;
    const used = this.#used.get(accountId) ?? 0;
    if (used >= this.#perMinute) return false;
    this.#used.set(accountId, used + 1);
    return true;
  }

  /** Until the next minute. */
  get secondsLeft(): number {
    return Math.ceil((MINUTE_MS - (this.#nowMs() % MINUTE_MS)) / 1000);
  }
}

// How many text messages an account may cause within a minute, on this node: each is paid for, and strangers who call can
// cause them.

const MINUTE_MS = 60_000;

export class SmsAllowance {
  readonly #perMinute: number;
  readonly #nowMs: () => number;
  #minute = -1;
  /** Of this minute alone, so it is never larger than the accounts that sent within it. */
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

  /** Until the next minute begins. */
  get secondsLeft(): number {
    return Math.ceil((MINUTE_MS - (this.#nowMs() % MINUTE_MS)) / 1000);
  }
}

// Counts what each key did within this minute. Bounded by the keys of one minute, which are those of known peers.
const MINUTE_MS = 60_000;

export class PerMinute {
  readonly #most: number;
  #minute = 0;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  take(key: string, nowMs: number): boolean {
    const isLeft = this.isLeft(key, nowMs);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return isLeft;
  }

  /** Whether `take` would return true. */
  isLeft(key: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    return (this.#counts.get(key) ?? 0) < this.#most;
  }
}

// How much a bot may send: a bucket that fills with time.

export class Bucket {
  readonly #most: number;
  readonly #perMs: number;
  #left: number;
  #atMs: number;

  constructor(most: number, perSecond: number, nowMs: number) {
    this.#most = most;
    this.#perMs = perSecond / 1_000;
    this.#left = most;
    this.#atMs = nowMs;
  }

  /** False: it has not so much left. */
  take(count: number, nowMs: number): boolean {
    this.#left = Math.min(this.#most, this.#left + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    if (this.#left < count) return false;
    this.#left -= count;
    return true;
  }
}

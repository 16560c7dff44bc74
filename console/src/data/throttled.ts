// Something that is done after events, however many come: at most once in a while, and never twice at a time.

export class Throttled {
  readonly #run: () => Promise<void>;
  readonly #waitMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #isRunning = false;
  /** Asked for while it runs. */
  #isWanted = false;
  #isStopped = false;

  /** `run` does not reject. */
  constructor(run: () => Promise<void>, waitMs: number) {
    this.#run = run;
    this.#waitMs = waitMs;
  }

  /** Events after the first one put nothing off. */
  soon(waitMs = this.#waitMs): void {
    if (this.#isStopped) return;
    if (this.#isRunning) {
      this.#isWanted = true;
      return;
    }
    const dueMs = Date.now() + waitMs;
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => void this.#begin(), waitMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #begin(): Promise<void> {
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#isRunning = true;
    await this.#run();
    this.#isRunning = false;
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.soon();
  }
}

/** Milliseconds until the next day of the viewer. */
export const untilMidnight = (now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime();

// Work on accounts: of each account one batch at a time, in order; what arrives meanwhile is the next batch. Accounts take turns, so the
// load of one delays the others by a batch at most.

export interface LanesParts<Work> {
  /** Batches of different accounts at the same time. */
  readonly most: number;
  readonly batch: number;
  /** Handles failures of the database itself. */
  readonly run: (accountId: string, work: readonly Work[]) => Promise<void>;
  /** A bug: the work is lost. */
  readonly failed: (error: unknown) => void;
}

export class Lanes<Work> {
  readonly #parts: LanesParts<Work>;
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Work[]>();
  readonly #running = new Set<string>();
  #isScheduled = false;

  constructor(parts: LanesParts<Work>) {
    this.#parts = parts;
  }

  /** Begins after the current turn of the event loop's queue: what a call does at once goes together. */
  add(accountId: string, work: Work): void {
    const waiting = this.#waiting.get(accountId);
    if (waiting) waiting.push(work);
    else this.#waiting.set(accountId, [work]);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  /** Whether a batch of the account runs or waits. */
  isBusy(accountId: string): boolean {
    return this.#running.has(accountId) || this.#waiting.has(accountId);
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && this.#waiting.size === 0;
  }

  #start(): void {
    const { most, batch } = this.#parts;
    for (const [accountId, waiting] of this.#waiting) {
      if (this.#running.size >= most) return;
      if (this.#running.has(accountId)) continue;
      this.#waiting.delete(accountId);
      const left = waiting.splice(batch);
      if (left.length > 0) this.#waiting.set(accountId, left);
      this.#running.add(accountId);
      void this.#parts
        .run(accountId, waiting)
        .catch(this.#parts.failed)
        .finally(() => {
          this.#running.delete(accountId);
          this.#start();
        });
    }
  }
}

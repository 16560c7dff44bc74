// Items on their way to the database: many per write, in order, kept and retried while it is unavailable. Callers never
// wait for it. One write runs at a time.
import type { Clock } from './clock.ts';

export interface BatchOptions<Item> {
  readonly clock: Pick<Clock, 'after'>;
  readonly size: number;
  /** From the first item to its write, so that others join it; 0: within the same turn of the event loop. */
  readonly waitMs: number;
  readonly retryMs: number;
  readonly write: (items: readonly Item[]) => Promise<void>;
  readonly failed: (error: unknown) => void;
  /** Items that are made late: asked when a write begins or could begin. */
  readonly late?: { readonly count: () => number; readonly take: () => readonly Item[] };
}

export class RetryingBatch<Item> {
  readonly #options: BatchOptions<Item>;
  readonly #items: Item[] = [];
  /** How many of the first items are being written. */
  #inFlight = 0;
  #writing: Promise<boolean> | null = null;
  #cancel: (() => void) | null = null;

  constructor(options: BatchOptions<Item>) {
    this.#options = options;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get waiting(): number {
    return this.#items.length + (this.#options.late?.count() ?? 0);
  }

  add(item: Item): void {
    this.#items.push(item);
    this.schedule();
  }

  /** There is something to write: by add(), or late. */
  schedule(): void {
    this.#writeIn(this.#options.waitMs);
  }

  /** They may be in a write under way, and stored nevertheless. */
  dropOldest(count: number): Item[] {
    this.#inFlight = Math.max(0, this.#inFlight - count);
    return this.#items.splice(0, count);
  }

  /** Writes all there is; gives up at the first failure. */
  async flush(): Promise<void> {
    let isWritten = true;
    while (isWritten && (this.#writing || this.waiting > 0))
      isWritten = await (this.#writing ?? this.#write());
  }

  /** No further write begins by itself. */
  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #writeIn(ms: number): void {
    if (this.#cancel) return;
    const due = (): void => {
      this.#cancel = null;
      // Also during a write: what waits long waits in its final form.
      this.#takeLate();
      if (!this.#writing) void this.#write();
    };
    if (ms > 0) {
      this.#cancel = this.#options.clock.after(ms, due);
      return;
    }
    let isCancelled = false;
    this.#cancel = () => {
      isCancelled = true;
    };
    queueMicrotask(() => {
      if (!isCancelled) due();
    });
  }

  #takeLate(): void {
    const late = this.#options.late?.take();
    if (late) for (const item of late) this.#items.push(item);
  }

  #write(): Promise<boolean> {
    this.close();
    this.#takeLate();
    this.#writing = this.#writeBatch();
    return this.#writing;
  }

  async #writeBatch(): Promise<boolean> {
    const { size, waitMs, retryMs, write, failed } = this.#options;
    const batch = this.#items.slice(0, size);
    this.#inFlight = batch.length;
    let isWritten = true;
    try {
      // Every late item may have failed to become one.
      if (batch.length > 0) await write(batch);
      this.#items.splice(0, this.#inFlight);
    } catch (error) {
      isWritten = false;
      failed(error);
    }
    this.#inFlight = 0;
    this.#writing = null;
    const isUrgent = isWritten && this.waiting >= size;
    // Not sooner than the retry because something was added meanwhile.
    if (isUrgent || !isWritten) this.close();
    if (this.waiting > 0) this.#writeIn(isUrgent ? 0 : isWritten ? waitMs : retryMs);
    return isWritten;
  }
}

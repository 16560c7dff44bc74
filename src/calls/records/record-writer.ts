// Call records on their way to the database: many per commit, kept while it is unavailable.
import type { OutboxJob } from '../../domain/outbox-job.ts';
import { RetryingBatch } from '../../kit/retrying-batch.ts';
import type { CallRow, CallStorage } from '../../storage/ports/calls.ts';
import type { CallFacts, CallResult } from './call-record.ts';
import { callRow } from './call-row.ts';
import type { EndedCall } from './running-calls.ts';

const BATCH = 500;
/** Many calls per commit; a crash loses the records of so long. A search right after a call finds it. */
export const WAIT_MS = 400;
/** Rows made at once: cheaper than each at the end of its call, and short enough to delay nothing else. */
const ROWS_AT_ONCE = 50;
const RETRY_MS = 1000;
/** A write that takes longer has its records kept for a process that is killed. */
const HOLD_MS = 500;
/** Some 500 MB of records while the database is unavailable; beyond it the oldest are lost, and logged. */
export const MAX_WAITING = 100_000;

export interface RecordWriterParts {
  readonly storage: Pick<CallStorage, 'saveCalls'>;
  readonly failed: (error: unknown, waiting: number) => void;
  /** The number of records lost so far. */
  readonly lost: (records: number) => void;
  /** A bug of ours; the record is lost. */
  readonly unserializable: (error: unknown, facts: CallFacts) => void;
  /** The record of this call is stored, or lost. */
  readonly settled?: (id: string) => void;
  /** The database is slow or unavailable: the record waits, and is kept for a process that is killed. */
  readonly held?: (ended: EndedCall) => void;
  /** Outbox jobs of the ends of calls: stored in one transaction with the records. */
  readonly ends?: CallEnds;
}

export interface CallEnds {
  readonly jobsOf: (callIds: readonly string[]) => readonly OutboxJob[];
  /** The jobs of the call's end alone. */
  readonly endJobsOf: (callId: string) => readonly OutboxJob[];
  /** The calls and these jobs are stored, or lost. */
  readonly recorded: (callIds: readonly string[], jobs: readonly OutboxJob[]) => void;
}

export class RecordWriter {
  readonly #parts: RecordWriterParts;
  readonly #batch: RetryingBatch<CallRow>;
  #ended: { readonly facts: CallFacts; readonly result: CallResult }[] = [];
  #lost = 0;
  #failure: unknown = null;
  /** Ids of records that are kept for a process that is killed. */
  readonly #held = new Set<string>();

  constructor(parts: RecordWriterParts) {
    this.#parts = parts;
    this.#batch = new RetryingBatch({
      clock: { after: afterUnreferenced },
      size: BATCH,
      waitMs: WAIT_MS,
      retryMs: RETRY_MS,
      write: (rows) => this.#write(rows),
      failed: (error) => {
        this.#failure = error;
        this.#hold(this.#batch.items);
        parts.failed(error, this.waiting);
      },
      late: { count: () => this.#ended.length, take: () => this.#makeRows() },
    });
  }

  add(facts: CallFacts, result: CallResult): void {
    this.#ended.push({ facts, result });
    if (this.#ended.length >= ROWS_AT_ONCE) for (const row of this.#makeRows()) this.#batch.add(row);
    if (this.waiting > MAX_WAITING) {
      const dropped = this.#batch.dropOldest(BATCH);
      this.#lost += dropped.length;
      this.#parts.lost(this.#lost);
      this.#recorded(
        dropped.map(({ id }) => id),
        [],
      );
    }
    this.#batch.schedule();
  }

  get waiting(): number {
    return this.#batch.waiting;
  }

  /** Why the last write failed; null: it did not. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Writes what there is; gives up at the first failure. */
  flush(): Promise<void> {
    return this.#batch.flush();
  }

  close(): void {
    this.#batch.close();
  }

  #makeRows(): CallRow[] {
    const ended = this.#ended;
    this.#ended = [];
    const rows: CallRow[] = [];
    for (const { facts, result } of ended) {
      try {
        rows.push(callRow(facts, result));
      } catch (error) {
        // It takes no other with it, nor the process.
        this.#parts.unserializable(error, facts);
        this.#recorded([facts.id], []);
      }
    }
    if (this.#failure !== null) this.#hold(rows);
    return rows;
  }

  #hold(rows: readonly CallRow[]): void {
    const { held, ends } = this.#parts;
    if (!held) return;
    for (const row of rows) {
      if (this.#held.has(row.id)) continue;
      this.#held.add(row.id);
      held({ row, jobs: ends?.endJobsOf(row.id) ?? [] });
    }
  }

  #recorded(ids: readonly string[], jobs: readonly OutboxJob[]): void {
    const { settled, ends } = this.#parts;
    for (const id of ids) {
      this.#held.delete(id);
      settled?.(id);
    }
    ends?.recorded(ids, jobs);
  }

  async #write(calls: readonly CallRow[]): Promise<void> {
    const ids = calls.map(({ id }) => id);
    const jobs = this.#parts.ends?.jobsOf(ids) ?? [];
    const slow = setTimeout(() => this.#hold(calls), HOLD_MS);
    try {
      await this.#parts.storage.saveCalls(jobs.length > 0 ? { calls, jobs } : { calls });
    } finally {
      clearTimeout(slow);
    }
    this.#failure = null;
    this.#recorded(ids, jobs);
  }
}

/** Does not keep the process. */
function afterUnreferenced(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms).unref();
  return () => clearTimeout(timer);
}

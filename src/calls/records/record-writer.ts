// Call records on their way to the database: many per commit, kept while it is away, never in a call's way.
import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { CallRow, CallStorage } from '../../storage/ports/calls.ts';
import type { CallFacts, CallResult } from './call-record.ts';
import { callRow } from './call-row.ts';

const BATCH = 500;
/** Many calls per commit; what a crash within it costs is this much of records. Whoever looks for a call at once finds it. */
export const WAIT_MS = 400;
/** Rows that are made in one go: many together cost less than each at the end of its call, and nothing else waits long for them. */
const ROWS_AT_ONCE = 50;
const RETRY_MS = 1000;
/** Some 500 MB of records while the database is away; beyond it the oldest are lost, and that is told. */
export const MAX_WAITING = 100_000;

export interface RecordWriterParts {
  readonly storage: Pick<CallStorage, 'saveCalls'>;
  readonly failed: (error: unknown, waiting: number) => void;
  /** Records that were given up, all told so far. */
  readonly lost: (records: number) => void;
  /** A call that cannot be put into words: a fault of ours. Its record is given up. */
  readonly unwritable: (error: unknown, facts: CallFacts) => void;
  /** Told the id of each call whose record is stored, or given up. */
  readonly settled?: (id: string) => void;
  /** What leaves the service because these calls are over: it is stored with them, or not at all. */
  readonly ends?: CallEnds;
}

export interface CallEnds {
  readonly jobsOf: (callIds: readonly string[]) => readonly OutboxJob[];
  /** The calls and these jobs are stored, or given up. */
  readonly recorded: (callIds: readonly string[], jobs: readonly OutboxJob[]) => void;
}

export class RecordWriter {
  readonly #parts: RecordWriterParts;
  #ended: { readonly facts: CallFacts; readonly result: CallResult }[] = [];
  #waiting: CallRow[] = [];
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lost = 0;

  constructor(parts: RecordWriterParts) {
    this.#parts = parts;
  }

  add(facts: CallFacts, result: CallResult): void {
    this.#ended.push({ facts, result });
    if (this.#ended.length >= ROWS_AT_ONCE) this.#makeRows();
    if (this.waiting > MAX_WAITING) {
      const given = this.#waiting.splice(0, BATCH);
      this.#recorded(
        given.map(({ id }) => id),
        [],
      );
      this.#lost += BATCH;
      this.#parts.lost(this.#lost);
    }
    // While a batch is under way, its end sees to the next.
    this.#writeIn(this.waiting >= BATCH && !this.#writing ? 0 : WAIT_MS);
  }

  get waiting(): number {
    return this.#ended.length + this.#waiting.length;
  }

  /** Writes what there is; gives up at the first failure. */
  async flush(): Promise<void> {
    for (let left = MAX_WAITING / BATCH + 1; left > 0 && (this.#writing || this.waiting > 0); left--) {
      const before = this.waiting;
      await (this.#writing ?? this.#write());
      if (this.#writing === null && this.waiting >= before && before > 0) return;
    }
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #writeIn(ms: number): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // While the database is away, too: what waits for it is text, not all that a call was.
      this.#makeRows();
      if (!this.#writing) void this.#write();
    }, ms);
    this.#timer.unref();
  }

  #makeRows(): void {
    const ended = this.#ended;
    this.#ended = [];
    for (const { facts, result } of ended) {
      try {
        this.#waiting.push(callRow(facts, result));
      } catch (error) {
        // It takes no other with it, nor the process.
        this.#parts.unwritable(error, facts);
        this.#recorded([facts.id], []);
      }
    }
  }

  #recorded(ids: readonly string[], jobs: readonly OutboxJob[]): void {
    const { settled, ends } = this.#parts;
    for (const id of ids) settled?.(id);
    ends?.recorded(ids, jobs);
  }

  #write(): Promise<void> {
    this.#makeRows();
    const batch = this.#waiting.slice(0, BATCH);
    const ids = batch.map(({ id }) => id);
    const jobs = this.#parts.ends?.jobsOf(ids) ?? [];
    this.#writing = this.#parts.storage
      .saveCalls(jobs.length > 0 ? { calls: batch, jobs } : { calls: batch })
      .then(
        () => {
          // What was given up meanwhile stood at the front, as the batch did.
          const written = new Set(batch);
          this.#waiting = this.#waiting.filter((row) => !written.has(row));
          this.#recorded(ids, jobs);
          return WAIT_MS;
        },
        (error: unknown) => {
          this.#parts.failed(error, this.waiting);
          // Not sooner because a call ended meanwhile.
          this.close();
          return RETRY_MS;
        },
      )
      .then((nextMs) => {
        this.#writing = null;
        if (this.waiting === 0) return;
        const isHurried = this.waiting >= BATCH && nextMs === WAIT_MS;
        if (isHurried) this.close();
        this.#writeIn(isHurried ? 0 : nextMs);
      });
    return this.#writing;
  }
}

// What happens in calls, on its way into the outbox: many pieces of news per commit, never in a call's way. The end of a call
// is not written here: it goes into the transaction that stores the call's record, so that neither is there without the other.

import type { PublishedEvent } from '../calls/events/call-events.ts';
import type { Clock } from '../clock.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import type { OutboxStorage } from '../storage/ports/outbox.ts';

/** What a kill -9 may cost: the news of so many milliseconds. */
export const WAIT_MS = 20;
const RETRY_MS = 1000;
const BATCH = 500;
/** Some 50 MB while the database is away; beyond it the newest are dropped, and that is told. */
export const MAX_WAITING = 50_000;

export interface EventOutboxParts {
  readonly storage: Pick<OutboxStorage, 'addJobs'>;
  readonly clock: Pick<Clock, 'after'>;
  /** What must be sent because of it. */
  readonly jobsFor: (event: PublishedEvent) => readonly OutboxJob[];
  readonly failed: (error: unknown, waiting: number) => void;
  /** Jobs that were given up, all told so far. */
  readonly dropped: (jobs: number) => void;
}

interface Waiting {
  readonly callId: string;
  readonly job: OutboxJob;
}

export class EventOutbox {
  readonly #parts: EventOutboxParts;
  #waiting: Waiting[] = [];
  /** By call: its end, and what was told after it, until its record is written. */
  readonly #ending = new Map<string, OutboxJob[]>();
  #endingJobs = 0;
  #writing: Promise<boolean> | null = null;
  #cancel: (() => void) | null = null;
  #dropped = 0;

  constructor(parts: EventOutboxParts) {
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#waiting.length + this.#endingJobs;
  }

  readonly tell = (event: PublishedEvent): void => {
    const jobs = this.#parts.jobsFor(event);
    if (jobs.length === 0) return;
    if (this.waiting + jobs.length > MAX_WAITING) {
      this.#drop(jobs.length);
      return;
    }
    const { callId } = event;
    const held = this.#ending.get(callId);
    if (held || event.type === 'call.missed' || event.type === 'call.ended') {
      this.#ending.set(callId, [...(held ?? []), ...jobs]);
      this.#endingJobs += jobs.length;
      return;
    }
    for (const job of jobs) this.#waiting.push({ callId, job });
    this.#writeIn(WAIT_MS);
  };

  /** What must be stored with the records of these calls: their ends, and what of them is not stored yet. */
  readonly jobsOf = (callIds: readonly string[]): readonly OutboxJob[] => {
    if (this.#endingJobs === 0) return [];
    const wanted = new Set(callIds.filter((id) => this.#ending.has(id)));
    if (wanted.size === 0) return [];
    const before = this.#waiting.filter(({ callId }) => wanted.has(callId)).map(({ job }) => job);
    return [...before, ...[...wanted].flatMap((id) => this.#ending.get(id) ?? [])];
  };

  /** Their records are stored, and with them these jobs; or they were given up. */
  readonly recorded = (callIds: readonly string[], jobs: readonly OutboxJob[]): void => {
    if (this.#endingJobs === 0) return;
    const stored = new Set(jobs);
    for (const id of callIds) {
      const held = this.#ending.get(id);
      if (!held) continue;
      this.#ending.delete(id);
      this.#endingJobs -= held.length;
      // What was told while the record was being written.
      for (const job of held) if (!stored.has(job)) this.#waiting.push({ callId: id, job });
    }
    if (this.#waiting.length > 0) this.#writeIn(WAIT_MS);
  };

  /** Writes what there is; gives up at the first failure. */
  async flush(): Promise<void> {
    let written = (await this.#writing) ?? true;
    while (written && this.#waiting.length > 0) written = await this.#write();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #writeIn(ms: number): void {
    if (this.#cancel || this.#writing) return;
    this.#cancel = this.#parts.clock.after(ms, () => {
      this.#cancel = null;
      void this.#write();
    });
  }

  #write(): Promise<boolean> {
    this.close();
    this.#writing = this.#writeBatch().then((written) => {
      this.#writing = null;
      if (this.#waiting.length > 0) this.#writeIn(written ? WAIT_MS : RETRY_MS);
      return written;
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<boolean> {
    const jobs = this.#waiting.slice(0, BATCH).map(({ job }) => job);
    try {
      const { refused } = await this.#parts.storage.addJobs({ jobs });
      // Others were only added behind them meanwhile.
      this.#waiting = this.#waiting.slice(jobs.length);
      if (refused.length > 0) this.#drop(refused.length);
      return true;
    } catch (error) {
      this.#parts.failed(error, this.waiting);
      return false;
    }
  }

  #drop(jobs: number): void {
    this.#dropped += jobs;
    this.#parts.dropped(this.#dropped);
  }
}

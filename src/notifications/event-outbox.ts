// Events of calls on their way into the outbox, many per commit. The end of a call is not written here: it is stored in the
// transaction of the call's record, so that neither is there without the other.
import type { PublishedEvent } from '../calls/events/call-events.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import type { Clock } from '../kit/clock.ts';
import { RetryingBatch } from '../kit/retrying-batch.ts';
import type { OutboxStorage } from '../storage/ports/outbox.ts';

/** A kill -9 loses the events of so long. */
export const WAIT_MS = 20;
const RETRY_MS = 1000;
const BATCH = 500;
/** Some 50 MB while the database is unavailable; beyond it the newest are dropped, and logged. */
export const MAX_WAITING = 50_000;

export interface EventOutboxParts {
  readonly storage: Pick<OutboxStorage, 'addJobs'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly jobsFor: (event: PublishedEvent) => readonly OutboxJob[];
  /** Those that an allowance of the account may refuse, which all nodes share. */
  readonly limitedJobsFor?: (event: PublishedEvent) => readonly OutboxJob[] | Promise<readonly OutboxJob[]>;
  readonly failed: (error: unknown, waiting: number) => void;
  /** The number of jobs dropped so far. */
  readonly dropped: (jobs: number) => void;
}

const NONE: readonly OutboxJob[] = [];

interface WaitingJob {
  readonly callId: string;
  readonly job: OutboxJob;
}

export class EventOutbox {
  readonly #parts: EventOutboxParts;
  readonly #batch: RetryingBatch<WaitingJob>;
  /** By call: the jobs of its end, and of events after it, until its record is stored. */
  readonly #ending = new Map<string, OutboxJob[]>();
  #endingJobs = 0;
  /** Events whose allowance is asked for. */
  readonly #asked = new Set<Promise<void>>();
  #dropped = 0;

  constructor(parts: EventOutboxParts) {
    this.#parts = parts;
    this.#batch = new RetryingBatch({
      clock: parts.clock,
      size: BATCH,
      waitMs: WAIT_MS,
      retryMs: RETRY_MS,
      write: (jobs) => this.#write(jobs),
      failed: (error) => parts.failed(error, this.waiting),
    });
  }

  get waiting(): number {
    return this.#batch.waiting + this.#endingJobs;
  }

  readonly publish = (event: PublishedEvent): void => {
    this.#add(event, this.#parts.jobsFor(event));
    const limited = this.#parts.limitedJobsFor?.(event) ?? NONE;
    if (!(limited instanceof Promise)) {
      this.#add(event, limited);
      return;
    }
    const added = limited
      .then((jobs) => this.#add(event, jobs))
      .catch((error: unknown) => this.#parts.failed(error, this.waiting))
      .finally(() => this.#asked.delete(added));
    this.#asked.add(added);
  };

  #add(event: PublishedEvent, jobs: readonly OutboxJob[]): void {
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
    for (const job of jobs) this.#batch.add({ callId, job });
  }

  /** To be stored with the records of these calls: the jobs of their ends, and earlier ones that are not stored yet. */
  readonly jobsOf = (callIds: readonly string[]): readonly OutboxJob[] => {
    if (this.#endingJobs === 0) return [];
    const wanted = new Set(callIds.filter((id) => this.#ending.has(id)));
    if (wanted.size === 0) return [];
    const before = this.#batch.items.filter(({ callId }) => wanted.has(callId)).map(({ job }) => job);
    return [...before, ...[...wanted].flatMap((id) => this.#ending.get(id) ?? [])];
  };

  readonly endJobsOf = (callId: string): readonly OutboxJob[] => this.#ending.get(callId) ?? [];

  /** Their records are stored together with these jobs, or lost. */
  readonly recorded = (callIds: readonly string[], jobs: readonly OutboxJob[]): void => {
    if (this.#endingJobs === 0) return;
    const stored = new Set(jobs);
    for (const callId of callIds) {
      const held = this.#ending.get(callId);
      if (!held) continue;
      this.#ending.delete(callId);
      this.#endingJobs -= held.length;
      // Jobs of events that came during the write of the record are not stored yet.
      for (const job of held) if (!stored.has(job)) this.#batch.add({ callId, job });
    }
  };

  /** Writes what there is; gives up at the first failure. */
  async flush(): Promise<void> {
    await Promise.all(this.#asked);
    await this.#batch.flush();
  }

  close(): void {
    this.#batch.close();
  }

  async #write(waiting: readonly WaitingJob[]): Promise<void> {
    const { refused } = await this.#parts.storage.addJobs({ jobs: waiting.map(({ job }) => job) });
    if (refused.length > 0) this.#drop(refused.length);
  }

  #drop(jobs: number): void {
    this.#dropped += jobs;
    this.#parts.dropped(this.#dropped);
  }
}

// Claims the jobs of one lane of the outbox, a few at a time, and runs their handler. At least once: when a process dies
// before it has stored the result, the lease expires and the job runs again.

import type { ClaimedJob, JobResult, Lane } from '../domain/outbox-job.ts';
import type { Clock } from '../kit/clock.ts';
import type { OutboxStorage } from '../storage/ports/outbox.ts';
import { nextTry, PATIENCE, type Patience } from './back-off.ts';

export type Verdict =
  | 'done'
  /** With a note to store. */
  | { readonly done: string }
  /** Not tried, does not count as a failure: the receiver is skipped until then. */
  | { readonly later: string; readonly afterMs: number }
  /** `afterMs`: no sooner than that, when the other side said so. */
  | { readonly retry: string; readonly afterMs?: number }
  | { readonly dead: string };

/** The signal fires when the verdict is not needed any more. */
export type JobHandler = (job: ClaimedJob, signal: AbortSignal) => Promise<Verdict>;

export interface LaneOptions {
  /** Jobs under way at once, and of one account; the latter may be exceeded by less than itself. */
  readonly concurrency: number;
  readonly perAccount: number;
  readonly perSubject: number;
  readonly tryMs: number;
  /** What a lease is longer than a try: time to note what came of it. */
  readonly marginMs: number;
  readonly patience: Patience;
}

export const LANE_OPTIONS: LaneOptions = {
  concurrency: 32,
  perAccount: 8,
  perSubject: 8,
  tryMs: 30_000,
  marginMs: 10_000,
  patience: PATIENCE,
};

const POLL_MS = 1000;

export interface LaneParts {
  readonly lane: Lane;
  readonly worker: string;
  readonly storage: Pick<OutboxStorage, 'claimJobs' | 'settleJobs'>;
  readonly clock: Clock;
  readonly handler: JobHandler;
  readonly options: LaneOptions;
  readonly failed: (error: unknown) => void;
  readonly settled: (lane: Lane, outcome: JobResult['outcome'], error: string | undefined) => void;
}

interface Running {
  readonly abort: AbortController;
  readonly leaseEndMs: number;
}

export class LaneRunner {
  readonly #parts: LaneParts;
  readonly #running = new Map<ClaimedJob, Running>();
  readonly #perAccount = new Counts();
  readonly #perSubject = new Counts();
  readonly #results = new Map<ClaimedJob, JobResult>();
  #settling: Promise<void> | null = null;
  #claiming: Promise<void> | null = null;
  /** Something may have become claimable while a claim was under way. */
  #again = false;
  #stopped = true;
  #cancelPoll: () => void = () => undefined;
  #idle: () => void = () => undefined;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  get running(): number {
    return this.#running.size;
  }

  wake(): void {
    if (this.#stopped) return;
    if (this.#claiming) this.#again = true;
    else if (this.#room > 0) this.#claiming = this.#claim();
  }

  /** Takes no more jobs, waits for those under way, and gives back those that take longer. */
  async drain(ms: number): Promise<void> {
    this.#stopped = true;
    this.#cancelPoll();
    await this.#claiming;
    if (this.#running.size > 0) {
      const finished = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      let cancel = (): void => undefined;
      const late = new Promise<void>((resolve) => {
        cancel = this.#parts.clock.after(ms, resolve);
      });
      await Promise.race([finished, late]);
      cancel();
      const nowMs = this.#parts.clock.epochMs();
      for (const [job, { abort }] of this.#running) {
        if (!this.#results.has(job))
          this.#note(job, { outcome: 'later', dueAtMs: nowMs, error: 'The service was stopped.' });
        abort.abort();
      }
    }
    await (this.#settling ?? this.#settle());
  }

  get #room(): number {
    const { concurrency, perAccount, perSubject } = this.#parts.options;
    return Math.min(concurrency - this.#running.size, perAccount, perSubject);
  }

  async #claim(): Promise<void> {
    const { storage, clock, lane, worker, options } = this.#parts;
    const { perAccount, perSubject, tryMs, marginMs } = options;
    const limit = this.#room;
    this.#cancelPoll();
    this.#again = false;
    const busyAccounts = this.#perAccount.atLeast(perAccount);
    const busySubjects = this.#perSubject.atLeast(perSubject);
    const nowMs = clock.epochMs();
    const leaseMs = tryMs + marginMs;
    let claimed: ClaimedJob[] = [];
    try {
      claimed = await storage.claimJobs({ lane, worker, nowMs, leaseMs, limit, busyAccounts, busySubjects });
    } catch (error) {
      this.#parts.failed(error);
    }
    this.#claiming = null;
    for (const job of claimed) void this.#run(job, nowMs + leaseMs);
    if (this.#stopped) return;
    if (this.#again || claimed.length === limit) this.wake();
    else this.#cancelPoll = clock.after(POLL_MS, () => this.wake());
  }

  async #run(job: ClaimedJob, leaseEndMs: number): Promise<void> {
    const { handler, clock, options } = this.#parts;
    const abort = new AbortController();
    this.#running.set(job, { abort, leaseEndMs });
    this.#perAccount.add(job.accountId, 1);
    if (job.subject !== undefined) this.#perSubject.add(job.subject, 1);
    let cancel = (): void => undefined;
    const late = new Promise<Verdict>((resolve) => {
      cancel = clock.after(options.tryMs, () => resolve({ retry: 'There was no answer in time.' }));
      abort.signal.addEventListener('abort', () => resolve({ retry: 'It was given back.' }));
    });
    let verdict: Verdict;
    try {
      verdict = await Promise.race([handler(job, abort.signal), late]);
    } catch (error) {
      verdict = { retry: error instanceof Error ? error.message : String(error) };
    }
    cancel();
    abort.abort();
    // It may have been given back meanwhile.
    if (this.#running.has(job) && !this.#results.has(job)) this.#note(job, this.#judge(job, verdict));
  }

  #judge(job: ClaimedJob, verdict: Verdict): Omit<JobResult, 'accountId' | 'id' | 'attempts'> {
    if (verdict === 'done') return { outcome: 'done' };
    if ('done' in verdict) return { outcome: 'done', error: verdict.done };
    if ('dead' in verdict) return { outcome: 'dead', error: verdict.dead };
    const nowMs = this.#parts.clock.epochMs();
    if ('later' in verdict) {
      const old = nowMs - job.queuedAtMs > this.#parts.options.patience.maxAgeMs;
      return old
        ? { outcome: 'dead', error: verdict.later }
        : { outcome: 'later', dueAtMs: nowMs + verdict.afterMs, error: verdict.later };
    }
    const waitMs = nextTry(this.#parts.options.patience, {
      failures: job.failures + 1,
      ageMs: nowMs - job.queuedAtMs,
    });
    if (waitMs === null) return { outcome: 'dead', error: verdict.retry };
    return {
      outcome: 'retry',
      dueAtMs: nowMs + Math.max(waitMs, verdict.afterMs ?? 0),
      error: verdict.retry,
    };
  }

  #note(job: ClaimedJob, result: Omit<JobResult, 'accountId' | 'id' | 'attempts'>): void {
    const { accountId, id, attempts } = job;
    this.#results.set(job, { accountId, id, attempts, ...result });
    void (this.#settling ?? this.#settle());
  }

  /** What is noted while results are written goes with the next ones. */
  #settle(): Promise<void> {
    this.#settling = this.#settleAll();
    return this.#settling;
  }

  async #settleAll(): Promise<void> {
    const { storage, clock, worker, lane, failed, settled } = this.#parts;
    // So that jobs that end in the same turn are settled together.
    await Promise.resolve();
    while (this.#results.size > 0) {
      const batch = [...this.#results];
      try {
        const results = batch.map(([, result]) => result);
        await storage.settleJobs({ worker, nowMs: clock.epochMs(), results });
        for (const [, { outcome, error }] of batch) settled(lane, outcome, error);
        for (const [job] of batch) this.#forget(job);
      } catch (error) {
        failed(error);
        this.#dropExpired(batch.map(([job]) => job));
        if (this.#stopped) break;
        await new Promise<void>((resolve) => void clock.after(POLL_MS, resolve));
      }
    }
    this.#settling = null;
    // There is room, and what stood behind a job in its order may be next.
    this.wake();
    if (this.#running.size === 0) this.#idle();
  }

  /** Their leases have expired: they will be claimed and run again. */
  #dropExpired(jobs: readonly ClaimedJob[]): void {
    const nowMs = this.#parts.clock.epochMs();
    for (const job of jobs) {
      const { leaseEndMs = 0 } = this.#running.get(job) ?? {};
      if (leaseEndMs <= nowMs) this.#forget(job);
    }
  }

  #forget(job: ClaimedJob): void {
    this.#results.delete(job);
    if (!this.#running.delete(job)) return;
    this.#perAccount.add(job.accountId, -1);
    if (job.subject !== undefined) this.#perSubject.add(job.subject, -1);
  }
}

/** How many of each; what there is none of is not held. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(key: string, change: number): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  atLeast(most: number): string[] {
    return [...this.#counts].filter(([, count]) => count >= most).map(([key]) => key);
  }
}

// Jobs that must leave the service: stored, claimed by one worker at a time under a lease, settled with a result.
import type {
  ClaimedJob,
  JobCounts,
  JobResult,
  JobState,
  Lane,
  OutboxJob,
  StoredJob,
} from '../../domain/outbox-job.ts';

export interface JobClaim {
  readonly lane: Lane;
  readonly worker: string;
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Accounts that have all the workers they may have. */
  readonly busyAccounts?: readonly string[];
  /** Subjects that have all the workers they may have. */
  readonly busySubjects?: readonly string[];
}

export interface JobPage {
  readonly accountId: string;
  readonly lane: Lane;
  readonly subject?: string;
  readonly state?: JobState;
  readonly before?: string;
  readonly after?: string;
  readonly limit: number;
  /** As of the pages of records. */
  readonly maxBytes?: number;
}

export type RequeueResult = { readonly requeued: true; readonly lane: Lane } | { readonly requeued: false };

export interface OutboxStorage {
  /**
   * Refuses, by id, jobs that an account's lane has no room for: MAX_WAITING_JOBS unless `mostWaiting` is given. A job that
   * is stored already stays unchanged. Jobs are stored in the order of the calls.
   */
  addJobs(input: { jobs: readonly OutboxJob[]; mostWaiting?: number }): Promise<{ refused: string[] }>;
  /**
   * Due jobs, for this worker alone until its lease ends. Of those with one order key only the oldest that is not
   * finished. Busy accounts and subjects get none.
   */
  claimJobs(input: JobClaim): Promise<ClaimedJob[]>;
  /** A result that arrives after its lease has ended is ignored. */
  settleJobs(input: { worker: string; nowMs: number; results: readonly JobResult[] }): Promise<void>;
  getJob(input: { accountId: string; id: string }): Promise<StoredJob | null>;
  /** Newest first. */
  listJobs(input: JobPage): Promise<StoredJob[]>;
  /** A job that is done or dead starts again with its first attempt, under the same id. */
  requeueJob(input: { accountId: string; id: string; nowMs: number }): Promise<RequeueResult>;
  countJobs(): Promise<JobCounts[]>;
  forgetJobs(input: {
    doneBeforeMs: number;
    deadBeforeMs: number;
    limit: number;
  }): Promise<{ forgotten: number }>;
}

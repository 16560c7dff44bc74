// A job of the outbox: something that must leave the service at least once, whatever happens to the process. It is stored
// with what caused it, tried until it succeeds or is given up, and keeps its id through every try.

export const LANES = ['sms', 'webhook', 'email'] as const;
export type Lane = (typeof LANES)[number];

/** Jobs of one lane that an account may have waiting; beyond it new ones are refused. */
export const MAX_WAITING_JOBS = 100_000;

export interface OutboxJob {
  /** Made by newId(), or begins with such an id: jobs of one order key go in the order of their ids. */
  readonly id: string;
  readonly accountId: string;
  readonly lane: Lane;
  /** Jobs of one lane and account with the same key go one after the other; '' is none. */
  readonly orderKey: string;
  /** What it is for, such as a webhook: jobs are listed by it, and one that is slow takes no room from others. */
  readonly subject?: string;
  readonly dueAtMs: number;
  readonly createdAtMs: number;
  readonly json: string;
  /** Waiting jobs that are deleted for it: those of its order key, or the one of its id. Absent: none, and one of its id stays. */
  readonly replaces?: 'order-key' | 'id';
}

/** Held by one worker until its lease ends. */
export interface ClaimedJob extends OutboxJob {
  /** This try included, and those that ended with their process. */
  readonly attempts: number;
  /** Tries before this one that were answered badly, or not in time: what the next wait is reckoned by. */
  readonly failures: number;
  /** Since when it is tried: its creation, or when it was last asked for again. */
  readonly queuedAtMs: number;
}

export interface StoredJob extends ClaimedJob {
  readonly state: JobState;
  readonly settledAtMs: number | null;
  /** What came of the last try, in words. */
  readonly error: string | null;
}

/**
 *   waiting ── claimed, done ──▶ done
 *      │  ▲                       │
 *      │  └───── asked again ─────┤
 *      └── claimed, given up ──▶ dead
 */
export type JobState = 'waiting' | 'done' | 'dead';

export interface JobResult {
  readonly accountId: string;
  readonly id: string;
  /** As claimed: distinguishes this lease from a later one. */
  readonly attempts: number;
  /** later: nothing was tried, or it was broken off by us, so it does not count as an attempt. */
  readonly outcome: 'done' | 'retry' | 'later' | 'dead';
  /** For a retry, and for later. */
  readonly dueAtMs?: number;
  readonly error?: string;
}

export interface JobCounts {
  readonly lane: Lane;
  readonly waiting: number;
  readonly dead: number;
}

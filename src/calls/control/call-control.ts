// PORT by which HTTP, metrics, health and shutdown ask the side that holds calls. It may be in this thread (own-calls.ts), in another
// one or at several nodes, so all arguments and results are plain data (structured clone) and every answer is a promise.
// An adapter that gets no answer in time rejects with TelephonesUnavailable.
import type { TelephonyReport } from '../../telephony/telephony.ts';
import type { PublishedEvent } from '../events/call-events.ts';
import type { CallOperations } from './operations.ts';

export type { Machine, MachineCheck } from '../../domain/health.ts';

/** Why call records cannot be written: the disk is full, or the database does not take them. */
export type RecordFailure = 'full' | 'unavailable';

/** For metrics; of all accounts. */
export interface TelephoneCounts {
  readonly calls: number;
  /** New calls are refused. */
  readonly isDraining: boolean;
  readonly queued: { readonly callers: number; readonly longestWaitMs: number };
  readonly waitingRecords: number;
  readonly recordFailure: RecordFailure | null;
  readonly report: TelephonyReport | null;
}

/**
 * Read in batches, so that the buffer is at the source and bounded there (events/event-stream.ts). The only value of the port that is not
 * plain data: an adapter makes its own of `missed` and messages.
 */
export interface Following {
  /** The events after the last one seen; null: they are no longer kept, begin with a snapshot. */
  readonly missed: readonly PublishedEvent[] | null;
  /** Where it began: as `lastEventId` it gets all events since, also where none had been before. */
  readonly position: string;
  /** Written behind the id of each event where clients see it as Last-Event-ID: names the node in whose order they came. */
  readonly suffix?: string;
  /** The unread events, none after `withinMs` without any. */
  next(withinMs: number): Promise<Followed>;
  /** Ends `next` and gives back the place. Idempotent. */
  close(): void;
}

/** 'snapshot': events may be missing, begin again with a snapshot. Null: over; the reader was too slow, or the telephone side is gone. */
export type Followed = readonly PublishedEvent[] | 'snapshot' | null;

/** The account, or the service, has as many followers as it may. */
export type FollowRefused = 'account-full' | 'all-full';

/** What is asked of calls is a row of operations.ts each; the rest is below. */
export interface CallControl extends CallOperations {
  follow(accountId: string, lastEventId: string | null): Promise<Following | FollowRefused>;

  report(): Promise<TelephonyReport | null>;
  recordFailure(): Promise<RecordFailure | null>;
  counts(): Promise<TelephoneCounts>;

  /** Records that calls are routed by have been written: calls and commands that come later see them. */
  touch(): void;
  /** By request of an operator: refuses new calls, or takes them again unless the process ends. */
  setDrain(isOn: boolean): void;
}

/** The telephone side did not answer: whether it has done what was asked is not known. */
export class TelephonesUnavailable extends Error {
  override readonly name = 'TelephonesUnavailable';
}

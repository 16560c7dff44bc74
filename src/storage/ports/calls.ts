// Records of ended calls (CDRs): written in batches, searched, and deleted when their retention ends.
import type { CallIndex } from '../../domain/call-index.ts';
import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { Ref } from '../../flow/node.ts';

/** A call that is over. The columns are what lists show and filter by; `json` is the whole record, with its trail. */
export interface CallRow extends CallSummary {
  readonly json: string;
  /** Given by a writer that has the trail in memory; without it the JSON is parsed again. Never read back. */
  readonly index?: CallIndex;
}

export interface CallSummary {
  readonly accountId: string;
  readonly id: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly direction: 'inbound' | 'internal' | 'outbound';
  readonly caller: string | null;
  readonly dialled: string;
  /** Where the call came in: what the dialled number leads to. */
  readonly entry: Ref;
  readonly endCode: string;
  /** ITU-T Q.850. */
  readonly cause: number;
  /** The eid of the agent who answered. */
  readonly answeredBy: string | null;
  /** Null if stored before waiting and ringing were told apart (schema 1 of domain/past-call.ts). */
  readonly waitMs: number | null;
  readonly ringMs: number;
  readonly talkMs: number;
}

/** A call as it is stored: with what its trail shows. Both are null for calls stored before these columns existed. */
export interface FoundCall extends CallSummary {
  readonly outcome: string | null;
  readonly callerName: string | null;
}

/** Calls that started before this one, or at the same moment with a smaller id. */
export interface CallCursor {
  readonly startedAtMs: number;
  readonly id: string;
}

export interface CallSearch {
  readonly accountId: string;
  /**
   * Index words that the call must have, as domain/past-call.ts writes them; the rarest first: its calls are scanned. Of a list it
   * must have one.
   */
  readonly words: readonly (string | readonly string[])[];
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
  readonly minMs?: number;
  readonly maxMs?: number;
  /** Part of the caller's number or name, or of the dialled number; in lower case. */
  readonly part?: string;
  readonly before?: CallCursor;
  readonly limit: number;
}

export interface CallsFound {
  readonly calls: readonly FoundCall[];
  /** Where to continue; null: there are no more. With fewer calls than the limit: the scan reached its limit of rows. */
  readonly rest: CallCursor | null;
}

export interface InterruptedCallRow {
  readonly call: CallRow;
  readonly jobs: readonly OutboxJob[];
}

export interface CallStorage {
  /**
   * Ended calls of any accounts, with the counts of answered calls: all of them or none. A call that is stored already
   * stays unchanged and counts once, so a batch whose outcome is unknown may be sent again; but a stored `interrupted` is
   * replaced by the true record, with its counts and words. `jobs` are added to the outbox in the same transaction, except
   * those that it has no room for.
   */
  saveCalls(input: { calls: readonly CallRow[]; jobs?: readonly OutboxJob[] }): Promise<void>;
  /**
   * Calls that a killed process left behind. One that is stored already stays unchanged, and its jobs are dropped: of several
   * processes that find a call one adds them. Returns the ids of those that are stored by it.
   */
  saveInterrupted(input: { calls: readonly InterruptedCallRow[] }): Promise<{ ids: string[] }>;
  getCall(input: { accountId: string; id: string }): Promise<(CallRow & FoundCall) | null>;
  /** By eid; agents who never answered are not in it. */
  answeredCounts(accountId: string): Promise<Map<string, number>>;
  /** Newest first. Scans some thousand calls at most, so that other reads do not wait long. */
  findCalls(input: CallSearch): Promise<CallsFound>;
  /** The oldest ones before a moment, at most `limit`. Statistics keep counting them. */
  forgetCalls(input: { accountId: string; beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
}

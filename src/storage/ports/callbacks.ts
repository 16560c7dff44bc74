// Call-backs: stored until they are over, each held by one node at a time under a lease. A node must hold it when it begins an attempt, and
// the attempt is counted before the caller is rung: whatever dies then, no attempt is made twice.
import type { Callback, CallbackResult, CallbackState } from '../../domain/callback.ts';

export type CallbackRefusal = 'open' | 'caller-limit' | 'department-limit' | 'account-limit';

/** Call-backs that may be asked for within an hour. */
export interface CallbackLimits {
  readonly department: number;
  readonly account: number;
}

export interface HeldCallback {
  readonly accountId: string;
  readonly id: string;
}

export interface CallbackPage {
  readonly accountId: string;
  /** The department's id. */
  readonly department?: string;
  /** Those that are not over. */
  readonly open?: boolean;
  /** Ids, as of the last page. */
  readonly before?: string;
  readonly limit: number;
}

export interface CallbackStorage {
  /** One for each number and department is open at a time. Null if it is stored. */
  addCallback(input: {
    readonly callback: Callback;
    readonly limits: CallbackLimits;
  }): Promise<CallbackRefusal | null>;
  /** Open ones that no node holds, the earliest place first: they are the node's until its lease ends. */
  claimCallbacks(input: {
    readonly node: string;
    readonly nowMs: number;
    readonly leaseMs: number;
    readonly limit: number;
  }): Promise<Callback[]>;
  /** Those that the node holds on, and no others: what is missing was cancelled, or is another node's. */
  renewCallbacks(input: {
    readonly node: string;
    readonly nowMs: number;
    readonly leaseMs: number;
  }): Promise<HeldCallback[]>;
  /** At a clean end, and before the first claim: what a former process of the node held is free. */
  releaseCallbacks(input: { readonly node: string; readonly nowMs: number }): Promise<void>;
  /** Counts an attempt. False: it was cancelled, or another node has it: the caller must not be rung. */
  beginCallback(
    input: HeldCallback & {
      readonly node: string;
      readonly nowMs: number;
      readonly leaseMs: number;
      /** If the end of the attempt is never stored. */
      readonly dueAtMs: number;
    },
  ): Promise<boolean>;
  /**
   * The attempt is over. `done` is stored even if another node holds it by now: the caller was reached. All else is ignored then, and
   * false is returned.
   */
  settleCallback(
    input: HeldCallback & {
      readonly node: string;
      readonly nowMs: number;
      /** Made so far. */
      readonly attempts: number;
      readonly state: Exclude<CallbackState, 'calling'>;
      readonly dueAtMs: number;
      /** The id of the next call. */
      readonly callId: string;
      readonly result: CallbackResult | null;
    },
  ): Promise<boolean>;
  /** Those that wait: by id, or by department and number. One that is calling is not cancelled. */
  cancelCallbacks(input: {
    readonly accountId: string;
    readonly which: { readonly id: string } | { readonly department: string; readonly numberKey: string };
    readonly nowMs: number;
  }): Promise<Callback[]>;
  getCallback(input: HeldCallback): Promise<Callback | null>;
  /** The latest first. */
  listCallbacks(input: CallbackPage): Promise<Callback[]>;
  forgetCallbacks(input: {
    readonly beforeMs: number;
    readonly limit: number;
  }): Promise<{ readonly forgotten: number }>;
}

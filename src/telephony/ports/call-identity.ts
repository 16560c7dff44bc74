// What a trunk tells of a call beyond its numbers: part of the port (telephony.ts).

/** Whether the network verified the caller's number (STIR/SHAKEN); none: it says that it did not. */
export type Verstat = 'passed' | 'failed' | 'none';

/** Texts are not trusted; at most 64 characters each, and few entries. */
export interface CallIdentity {
  /** Null if the trunk does not say. */
  readonly verstat: Verstat | null;
  /** RFC 8588: A, B or C; null: not said. */
  readonly attestation: string | null;
  /** The numbers that diverted the call, the latest first (RFC 5806). */
  readonly diversions: readonly DiversionEntry[];
  /** RFC 7044; in the order in which they were dialled. */
  readonly history: readonly HistoryEntry[];
}

export interface DiversionEntry {
  /** Null if withheld. */
  readonly number: string | null;
  /** Such as `user-busy`; empty: none is given. */
  readonly reason: string;
}

export interface HistoryEntry {
  readonly number: string | null;
  /** Such as `1.1`. */
  readonly index: string;
  /** Of SIP (302, 486) or Q.850, why it was retargeted. */
  readonly cause: number | null;
}

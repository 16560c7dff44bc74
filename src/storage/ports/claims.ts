// Idempotency-Keys: the answer to a request is stored in the same transaction as what the request changes.

export interface IdempotencyClaim {
  readonly route: string;
  readonly key: string;
  readonly bodyHash: string;
  readonly answer: string;
}

/** A request that may arrive twice and must take effect once. */
export interface Claimed {
  readonly accountId: string;
  readonly atMs: number;
  readonly idempotency?: IdempotencyClaim;
}

/** The same key was claimed before: with which body, and what was answered. */
export interface ClaimedBefore {
  readonly outcome: 'claimed_before';
  readonly bodyHash: string;
  readonly answer: string;
}

export type ClaimResult = { readonly outcome: 'created' } | ClaimedBefore;

export interface ClaimStorage {
  /** Claims a key for a request that creates no record, such as one that starts a call. */
  claim(input: Claimed): Promise<ClaimResult>;
  dropClaim(input: { accountId: string; route: string; key: string }): Promise<void>;
  findClaim(input: { accountId: string; route: string; key: string }): Promise<IdempotencyClaim | null>;
  forgetClaims(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
}

// Work that one node at a time may do. A lease ends by the database's clock, so its owner must renew it in time, or stop.

export interface Lease {
  readonly name: string;
  /** The node's id. */
  readonly node: string;
  readonly seconds: number;
}

export interface LeaseStorage {
  /** Free, expired or its own already: the node has it. */
  takeLease(input: Lease): Promise<{ readonly taken: boolean }>;
  /** False: it had ended, and another node may have had it meanwhile. */
  renewLease(input: Lease): Promise<{ readonly renewed: boolean }>;
  /** Ignored for a lease that another node has. */
  releaseLease(input: { readonly name: string; readonly node: string }): Promise<void>;
  /** All of a node: at its clean end, or after its death. */
  releaseLeases(input: { readonly node: string }): Promise<void>;
  forgetLeases(input: {
    readonly expiredMs: number;
    readonly limit: number;
  }): Promise<{ readonly forgotten: number }>;
  /** Who has it now; null: no node. */
  leaseOwner(input: { readonly name: string }): Promise<{ readonly node: string } | null>;
}

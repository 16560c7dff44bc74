// Which node registers at which trunk, and how it went: one node each, for as long as it says so. Times are the database's clock.

export interface TrunkAddress {
  readonly accountId: string;
  readonly trunkId: string;
}

export interface WantedTrunk extends TrunkAddress {
  /** As this node knows; of a trunk that it has not registered at: false and null. */
  readonly registered: boolean;
  readonly problem: string | null;
}

export interface HeldTrunk extends WantedTrunk {
  readonly node: string;
}

export interface TrunkRegistrationStorage {
  /**
   * Keeps those that the node has, with their state, and takes free ones until it has `most`, for so many seconds. Returns what all
   * nodes have of `trunks` now.
   */
  holdTrunks(input: {
    readonly node: string;
    readonly seconds: number;
    readonly most: number;
    readonly trunks: readonly WantedTrunk[];
  }): Promise<HeldTrunk[]>;
  /** Releases the trunks of a node that ends, or is gone. */
  releaseTrunks(input: { readonly node: string }): Promise<void>;
}

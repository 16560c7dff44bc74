// Registered phones, for other nodes and across restarts: a row for each contact of an agent, and how it is reached. A removed one leaves
// a row without expiry for a while, so that other nodes learn of it, and a late write of an older REGISTER does not bring it back.

export interface BindingAddress {
  readonly accountId: string;
  /** The agent's eid. */
  readonly agent: string;
  /** Which of the agent's contacts: that of a device, or of an address. */
  readonly key: string;
}

export interface StoredBinding extends BindingAddress {
  readonly contact: string;
  /** RFC 3327; URIs. */
  readonly path: readonly string[];
  readonly instance: string;
  /** 0 to 1. */
  readonly q: number;
  readonly callId: string;
  readonly cseq: number;
  readonly expiresAtMs: number;
  readonly userAgent: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** The flow by which it registered: where it came from, and the address of ours. */
  readonly source: BindingEndpoint;
  readonly local: BindingEndpoint;
  /** The SIP user, and a hash of the credentials that it registered with. */
  readonly user: string;
  readonly credential: string;
  /** The node that pings it; null: there is one node alone. */
  readonly node: string | null;
  /** Whether it answered that node's last pings. */
  readonly reachable: boolean;
}

export interface BindingEndpoint {
  readonly address: string;
  readonly port: number;
}

/** One that expires later is not removed: another node has refreshed it. */
export interface RemovedBinding extends BindingAddress {
  readonly expiresAtMs: number;
  /** The Call-ID of the REGISTER that removed it; `cseq` is its CSeq. */
  readonly callId?: string;
  readonly cseq?: number;
}

/** `expiresAtMs` 0: it was removed. */
export type ChangedBinding = StoredBinding;

export interface BindingStorage {
  /** Replaces or adds, and removes, in one commit. No binding is in both. One with a later CSeq of the same Call-ID stays. */
  saveBindings(input: { saved: readonly StoredBinding[]; removed: readonly RemovedBinding[] }): Promise<void>;
  /** Those that expire later than `expiringAfterMs`, in the order of their address. */
  listBindings(input: {
    after: BindingAddress | null;
    expiringAfterMs: number;
    limit: number;
  }): Promise<StoredBinding[]>;
  /** Those that were changed since, by the database's clock, the earliest first; and what that clock says now. */
  changedBindings(input: {
    sinceMs: number;
    limit: number;
  }): Promise<{ nowMs: number; changes: { changedAtMs: number; binding: ChangedBinding }[] }>;
  /** A node is gone: another pings its phones. Those that only its own connections reached are removed. */
  takeBindings(input: { from: string; node: string }): Promise<{ taken: number }>;
  /** Those that expired before `beforeMs`, and those that were removed so long ago by the database's clock. */
  forgetBindings(input: {
    beforeMs: number;
    removedForMs: number;
    limit: number;
  }): Promise<{ forgotten: number }>;
}

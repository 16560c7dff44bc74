// Registered phones across restarts: a row for each contact of an agent, and how it is reached.

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
}

export interface BindingEndpoint {
  readonly address: string;
  readonly port: number;
}

/** One that expires later is not removed: another node has refreshed it. */
export interface RemovedBinding extends BindingAddress {
  readonly expiresAtMs: number;
}

export interface BindingStorage {
  /** Replaces or adds, and removes, in one commit. No binding is in both. */
  saveBindings(input: { saved: readonly StoredBinding[]; removed: readonly RemovedBinding[] }): Promise<void>;
  /** Those that expire later than `expiringAfterMs`, in the order of their address. */
  listBindings(input: {
    after: BindingAddress | null;
    expiringAfterMs: number;
    limit: number;
  }): Promise<StoredBinding[]>;
  forgetBindings(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
}

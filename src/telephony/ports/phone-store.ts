// PORT to telephony: registered phones as they are kept across restarts, and as other nodes know them.

/** A registered phone as it is kept across restarts, and as other nodes know it. */
export interface StoredPhone {
  /** The id of its credentials. */
  readonly id: string;
  /** Which of the phones of `id`. */
  readonly key: string;
  readonly contact: string;
  /** RFC 3327; URIs. */
  readonly path: readonly string[];
  readonly instance: string;
  readonly q: number;
  /** RFC 3261 §10.3: within one Call-ID the CSeq must grow. */
  readonly callId: string;
  readonly cseq: number;
  /** When it was stored; in one process refreshes of less than `PHONE_SLACK_MS` since then are not. 0: it was removed. */
  readonly expiresAtMs: number;
  readonly userAgent: string;
  readonly protocol: 'udp' | 'tcp' | 'tls';
  /** The flow by which it registered. */
  readonly source: PhoneAddress;
  readonly local: PhoneAddress;
  readonly user: string;
  /** A hash of its credentials: others make it invalid. */
  readonly credential: string;
  /** The node that pings it; null: there is one node alone. */
  readonly node: string | null;
  /** Whether it answers that node. */
  readonly reachable: boolean;
}

export interface PhoneAddress {
  readonly address: string;
  readonly port: number;
}

/** A phone may be registered for this much longer than the store says: so a refresh every minute is not a write every minute. */
export const PHONE_SLACK_MS = 600_000;

export interface PhoneStore {
  /** The id of this node, where several share the store; null: it is the only one. */
  readonly node: string | null;
  /** Bounded in number and time; empty when they cannot be read. */
  load(): Promise<readonly StoredPhone[]>;
  /** `isNews`: more than a refresh, so that other nodes are to know at once. */
  save(phone: StoredPhone, isNews: boolean): void;
  /** Unless the store has a later expiry than `expiresAtMs`: then another process has refreshed it. */
  remove(phone: RemovedPhone): void;
  /** From now on, what any node has stored. */
  follow(changed: (phones: readonly StoredPhone[]) => void): void;
}

/** With the Call-ID and CSeq of what removed it, or of its last REGISTER. */
export type RemovedPhone = Pick<StoredPhone, 'id' | 'key' | 'expiresAtMs' | 'callId' | 'cseq'>;

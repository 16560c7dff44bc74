// PORT to persistence. Handlers and calls see this file alone; main.ts chooses who stands behind it.
// Records go in and out as JSON text with their ids, versions and keys: what the text means is the domain's business.
import type { Settings, Token } from '../domain/account.ts';
import type { RecordKind } from '../domain/record.ts';

export interface StoredRow {
  readonly id: string;
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly json: string;
}

export interface RecordAddress {
  readonly accountId: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** A value that no two records of the kind may share within an account, such as an agent's intercom number. */
export interface UniqueKey {
  readonly name: string;
  readonly value: string;
}

/** Remembers the answer to a request in the same transaction as what the request did. */
export interface IdempotencyClaim {
  readonly route: string;
  readonly key: string;
  readonly bodyHash: string;
  readonly answer: string;
}

export interface NewRecord extends RecordAddress {
  readonly atMs: number;
  readonly json: string;
  readonly keys?: readonly UniqueKey[];
  readonly idempotency?: IdempotencyClaim;
}

export type CreateResult =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'key_taken'; readonly key: UniqueKey }
  /** The same key was claimed before: with which body, and what was answered. */
  | { readonly outcome: 'claimed_before'; readonly bodyHash: string; readonly answer: string };

export interface RecordUpdate extends RecordAddress {
  readonly atMs: number;
  readonly json: string;
  /** All unique keys that the record has from now on. */
  readonly keys?: readonly UniqueKey[];
  readonly expectedVersion?: number;
}

export type UpdateResult =
  | { readonly outcome: 'updated'; readonly version: number }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'version_changed'; readonly version: number }
  | { readonly outcome: 'key_taken'; readonly key: UniqueKey };

export interface RecordDeletion extends RecordAddress {
  readonly expectedVersion?: number;
}

export type DeleteResult =
  | { readonly outcome: 'deleted' }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'version_changed'; readonly version: number };

export interface Page {
  readonly accountId: string;
  readonly kind: RecordKind;
  /** Rows after this id, in the order of ids. */
  readonly afterId: string;
  readonly limit: number;
}

export interface RecordStamp {
  readonly kind: RecordKind;
  readonly id: string;
  readonly version: number;
}

export interface Referrer {
  readonly kind: RecordKind;
  readonly id: string;
  readonly json: string;
}

export interface StoredAccount {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly settings: Partial<Settings>;
}

/** An account with its first token and, at the first start, what it begins with. */
export interface NewAccount {
  readonly account: StoredAccount;
  readonly token: Token;
  readonly records?: readonly NewRecord[];
}

/** What a cache depends on: the tokens and accounts of all; per account its directory, and all its records together. */
export type Topic = 'access' | `directory:${string}` | `records:${string}`;

/**
 * Every promise of a write settles after the commit is synced to disk, and writes that arrive together share one commit.
 * Rejects with StorageError alone; an outcome that a caller may cause is a value.
 */
export interface Storage {
  createRecord(input: NewRecord): Promise<CreateResult>;
  updateRecord(input: RecordUpdate): Promise<UpdateResult>;
  deleteRecord(input: RecordDeletion): Promise<DeleteResult>;
  getRecord(address: RecordAddress): Promise<StoredRow | null>;
  /** Those of the ids that there are, in no order. */
  getRecords(input: { accountId: string; kind: RecordKind; ids: readonly string[] }): Promise<StoredRow[]>;
  listRecords(page: Page): Promise<StoredRow[]>;
  /** Which records an account has, and at which versions: what a cache compares itself with. */
  listStamps(input: { accountId: string; kinds: readonly RecordKind[] }): Promise<RecordStamp[]>;
  /** Former versions and the present one, newest first. */
  listVersions(page: RecordAddress & { beforeVersion: number; limit: number }): Promise<StoredRow[]>;
  getVersion(input: RecordAddress & { version: number }): Promise<StoredRow | null>;
  /** Records whose text holds this reference, at most `limit`; a scan of the account, so for rare questions only. */
  findReferrers(input: { accountId: string; reference: string; limit: number }): Promise<Referrer[]>;
  /** The next number of a series, never given before and not among the keys of that name. */
  takeNumber(input: { accountId: string; kind: RecordKind; name: string; from: number }): Promise<number>;

  /** All or nothing; nothing when the id is taken. */
  createAccount(input: NewAccount): Promise<{ created: boolean }>;
  listAccounts(): Promise<StoredAccount[]>;
  /** Settings that are not named keep their values. */
  changeSettings(input: { accountId: string; changes: Partial<Settings> }): Promise<void>;
  createToken(input: { token: Token; replaceNamed?: boolean }): Promise<void>;
  listTokens(): Promise<Token[]>;
  revokeToken(input: { accountId: string; id: string }): Promise<{ revoked: boolean }>;
  touchTokens(input: { ids: readonly string[]; atMs: number }): Promise<void>;

  findClaim(input: { accountId: string; route: string; key: string }): Promise<IdempotencyClaim | null>;
  forgetClaims(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;

  /** The revision of each topic, not older than the moment of asking. Cheap: questions asked together are one. */
  revisions(topics: readonly Topic[]): Promise<number[]>;
  /** Rejects while records cannot be read or, after a failed write, not yet be written again. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export class StorageError extends Error {
  readonly reason: 'unavailable' | 'full' | 'overloaded';

  constructor(reason: StorageError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
  }
}

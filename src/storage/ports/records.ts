// Everything configured: rows of JSON text with an account, a kind, an id, a version and unique keys. The domain parses the text.
import type { RecordKind } from '../../kinds/lists.ts';
import type { ByActor } from './audit.ts';
import type { Claimed, ClaimResult } from './claims.ts';

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

export interface NewRecord extends RecordAddress, Claimed, ByActor {
  readonly json: string;
  readonly keys?: readonly UniqueKey[];
  /** Addresses and networks of a trunk that no trunk of another account may overlap. */
  readonly networks?: readonly string[];
  /** The client chose the id: it may be taken already. */
  readonly isChosen?: boolean;
  /** So many of its kind the account may have; only with `keys`. */
  readonly most?: number;
}

interface NetworkTaken {
  readonly outcome: 'network_taken';
  readonly network: string;
}

interface KeyTaken {
  readonly outcome: 'key_taken';
  readonly key: UniqueKey;
}

/** The value belonged to another record, which was deleted or has another one since. */
interface KeyRetired {
  readonly outcome: 'key_retired';
  readonly key: UniqueKey;
}

interface VersionChanged {
  readonly outcome: 'version_changed';
  readonly version: number;
}

/** The draft, where the write went instead, has no room for another record. */
interface DraftFull {
  readonly outcome: 'draft_full';
}

export type CreateResult =
  | ClaimResult
  | DraftFull
  | KeyTaken
  | KeyRetired
  | NetworkTaken
  | { readonly outcome: 'too_many' };

export interface RecordUpdate extends RecordAddress, ByActor {
  readonly atMs: number;
  readonly json: string;
  /** All unique keys of the record after the update. */
  readonly keys?: readonly UniqueKey[];
  readonly networks?: readonly string[];
  readonly expectedVersion?: number;
}

export type UpdateResult =
  | { readonly outcome: 'updated'; readonly version: number }
  | { readonly outcome: 'unknown' }
  | DraftFull
  | VersionChanged
  | KeyTaken
  | KeyRetired
  | NetworkTaken;

export interface RecordDeletion extends RecordAddress, ByActor {
  readonly expectedVersion?: number;
}

export type DeleteResult =
  | { readonly outcome: 'deleted' }
  | { readonly outcome: 'unknown' }
  | DraftFull
  | VersionChanged;

export interface Page {
  readonly accountId: string;
  readonly kind: RecordKind;
  /** Rows after this id, in the order of ids. */
  readonly afterId: string;
  readonly limit: number;
  /** Bytes of JSON after which the page ends: at least one row, and one more, which shows that there are more. */
  readonly maxBytes?: number;
}

export interface RecordStamp {
  readonly kind: RecordKind;
  readonly id: string;
  readonly version: number;
}

export interface ChangesSince {
  readonly revision: number;
  readonly changes: readonly Pick<RecordStamp, 'kind' | 'id'>[] | null;
}

export interface Referrer {
  readonly kind: RecordKind;
  readonly id: string;
  readonly json: string;
}

export interface RecordStorage {
  createRecord(input: NewRecord): Promise<CreateResult>;
  updateRecord(input: RecordUpdate): Promise<UpdateResult>;
  deleteRecord(input: RecordDeletion): Promise<DeleteResult>;
  getRecord(address: RecordAddress): Promise<StoredRow | null>;
  /** The id itself where a record has it, else that of the record with this unique key. */
  findRecordId(input: RecordAddress & { key: UniqueKey }): Promise<string | null>;
  /** Those of the ids that exist, in no order. */
  getRecords(input: { accountId: string; kind: RecordKind; ids: readonly string[] }): Promise<StoredRow[]>;
  listRecords(page: Page): Promise<StoredRow[]>;
  /** Which records an account has, and at which versions: what a cache compares itself with. */
  listStamps(input: { accountId: string; kinds: readonly RecordKind[] }): Promise<RecordStamp[]>;
  /**
   * Records that were written or deleted after a revision of the account's records, and the present revision. `changes` is null where
   * they are more than `limit`, or not all known any more.
   */
  recordChanges(input: { accountId: string; since: number; limit: number }): Promise<ChangesSince>;
  /** Former versions and the present one, newest first. */
  listVersions(
    page: RecordAddress & { beforeVersion: number; limit: number; maxBytes?: number },
  ): Promise<StoredRow[]>;
  getVersion(input: RecordAddress & { version: number }): Promise<StoredRow | null>;
  /** Records whose text holds this reference, at most `limit`; scans the account, so for rare questions only. */
  findReferrers(input: { accountId: string; reference: string; limit: number }): Promise<Referrer[]>;
  /** The next number of a series, never given before, and not among the present or former keys of that name. */
  takeNumber(input: { accountId: string; kind: RecordKind; name: string; from: number }): Promise<number>;
  /** SHA-256 hashes of the audio files that an account's recordings refer to, by their present and former versions. */
  recordedSounds(accountId: string): Promise<string[]>;
}

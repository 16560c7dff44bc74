// Records that were deleted, kept for a while so that they can be restored. Bounded in number and age.
import type { RecordKind } from '../../kinds/lists.ts';
import type { ByActor } from './audit.ts';
import type { CreateResult, UniqueKey } from './records.ts';

/** Deleted records of an account; the earliest beyond them are forgotten. */
export const MAX_DELETED = 1_000;

export interface DeletedRow {
  /** The id of the deletion, not of the record: sorts by time. */
  readonly id: string;
  readonly kind: RecordKind;
  readonly recordId: string;
  readonly version: number;
  readonly createdAtMs: number;
  readonly deletedAtMs: number;
  /** The actor's name. */
  readonly deletedBy: string;
  readonly json: string;
}

export interface DeletedAddress {
  readonly accountId: string;
  readonly id: string;
}

export interface DeletedPage {
  readonly accountId: string;
  /** Only these; absent: all. */
  readonly kinds?: readonly RecordKind[];
  /** Only those before this one. */
  readonly beforeId?: string;
  readonly limit: number;
  readonly maxBytes?: number;
}

export interface Restoring extends DeletedAddress, ByActor {
  readonly atMs: number;
  readonly keys?: readonly UniqueKey[];
  readonly networks?: readonly string[];
  readonly most?: number;
}

export type RestoreResult =
  | { readonly outcome: 'restored'; readonly version: number }
  | { readonly outcome: 'unknown' }
  | Exclude<CreateResult, { outcome: 'created' | 'claimed_before' }>;

export interface DeletedRecordStorage {
  /** Newest first. */
  listDeleted(page: DeletedPage): Promise<DeletedRow[]>;
  getDeleted(address: DeletedAddress): Promise<DeletedRow | null>;
  /** The record with its former id, as its next version; it is no longer among the deleted ones. */
  restoreDeleted(input: Restoring): Promise<RestoreResult>;
  /** For good. */
  dropDeleted(input: DeletedAddress & ByActor): Promise<{ readonly dropped: boolean }>;
  forgetDeleted(input: { beforeMs: number; limit: number }): Promise<{ readonly forgotten: number }>;
}

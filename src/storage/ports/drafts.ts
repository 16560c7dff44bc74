// Changes of records that are collected before they take effect, and publications: several changes in one transaction, with what
// stood there before, so that they can be rolled back together.
import type { RecordKind } from '../../kinds/lists.ts';
import type { ByActor } from './audit.ts';
import type { RecordAddress, UniqueKey } from './records.ts';

/** One record of an account's draft. */
export interface DraftEntry {
  readonly kind: RecordKind;
  readonly id: string;
  /** The stored version that it was made from; null: the record is new. */
  readonly baseVersion: number | null;
  /** Null if the record is to be deleted. */
  readonly json: string | null;
  /** How often it was changed in the draft. */
  readonly edits: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Who changed it last. */
  readonly editorId: string;
  readonly editorName: string;
}

export interface DraftChange extends RecordAddress {
  readonly baseVersion: number | null;
  readonly json: string | null;
  /** How often it was changed before, as the writer has read it; 0: not yet. */
  readonly edits: number;
  readonly atMs: number;
  readonly editorId: string;
  readonly editorName: string;
  /** So many records a draft may have. */
  readonly most: number;
  /** And so many bytes of JSON. */
  readonly mostBytes: number;
}

/** `changed`: another change came first. `too_many`: of records, or of bytes. */
export type DraftResult = 'saved' | 'changed' | 'too_many';

/** One record of a publication. */
export interface PublishedChange {
  readonly kind: RecordKind;
  readonly id: string;
  /** The version that is replaced; null: the record is created. */
  readonly baseVersion: number | null;
  readonly json: string | null;
  readonly keys?: readonly UniqueKey[];
}

export interface Publishing extends ByActor {
  readonly accountId: string;
  readonly id: string;
  readonly atMs: number;
  readonly reason: string;
  readonly publisherId: string;
  readonly publisherName: string;
  /** The publication that is rolled back; null: none. */
  readonly rollsBack: string | null;
  readonly changes: readonly PublishedChange[];
  /** How often each change had been edited: the draft loses those entries. Left out: the draft stays. */
  readonly edits?: readonly number[];
  /** So many publications are kept; the earliest are forgotten. */
  readonly most: number;
}

/** Nothing was written: the record is not what the change was made from, or something it needs is taken. */
export interface PublishConflict {
  readonly outcome: 'conflict';
  readonly kind: RecordKind;
  readonly id: string;
  readonly why: 'changed' | 'deleted' | 'exists' | 'key_taken' | 'draft_changed' | 'rolled_back';
}

export type PublishResult = { readonly outcome: 'published' } | PublishConflict;

/** A record before and after a publication. */
export interface Replaced {
  readonly kind: RecordKind;
  readonly id: string;
  /** Null if it did not exist. */
  readonly before: string | null;
  /** Null if it was deleted. */
  readonly after: string | null;
  /** The version that was written; null: it was deleted. */
  readonly version: number | null;
}

/** What a publication did to a record, in short. */
export interface ChangeSummary {
  readonly kind: RecordKind;
  readonly id: string;
  /** The name or number that the record had; empty: it has none. */
  readonly name: string;
  readonly action: 'create' | 'update' | 'delete';
}

export interface Publication {
  readonly id: string;
  readonly atMs: number;
  readonly reason: string;
  readonly publisherId: string;
  readonly publisherName: string;
  readonly rollsBack: string | null;
  /** The publication that rolled this one back. */
  readonly rolledBackBy: string | null;
  readonly summary: readonly ChangeSummary[];
}

export interface DraftStorage {
  /** The audit has that a record came into the draft, and that somebody else went on with it: not each edit. */
  saveDraft(input: DraftChange & ByActor): Promise<DraftResult>;
  /** In the order of kinds and ids. `kind`: only of this kind; `ids`: and of these ids. */
  listDraft(input: {
    readonly accountId: string;
    readonly kind?: RecordKind;
    readonly ids?: readonly string[];
  }): Promise<DraftEntry[]>;
  /** One record of the draft, or all of it. */
  dropDraft(
    input: {
      readonly accountId: string;
      readonly only?: Pick<RecordAddress, 'kind' | 'id'>;
    } & ByActor,
  ): Promise<{ readonly dropped: number }>;
  /** All changes in one transaction, or none. */
  publish(input: Publishing): Promise<PublishResult>;
  /** Newest first. */
  listPublications(page: {
    readonly accountId: string;
    readonly beforeId?: string;
    readonly limit: number;
  }): Promise<Publication[]>;
  /** What it replaced; null: there is no such publication. */
  publishedChanges(input: { readonly accountId: string; readonly id: string }): Promise<Replaced[] | null>;
}

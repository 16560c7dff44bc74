// What is stored of the records of each kind.
import type { Agent } from './agent.ts';
import type { DataOf } from './define-kind.ts';
import type { RecordKind } from './lists.ts';
import type { StoredRecord } from './record.ts';
import type { RECORDS } from './records.ts';
import type { Trunk } from './trunk.ts';
import type { Webhook } from './webhook.ts';

/** Kinds of which more is stored than is sent, or in another form. */
interface OwnForm {
  readonly agent: Agent;
  readonly trunk: Trunk;
  readonly webhook: Webhook;
}

export type RecordData = {
  readonly [K in RecordKind]: K extends keyof OwnForm ? OwnForm[K] : DataOf<(typeof RECORDS)[K]>;
};

/** A stored record with its kind; of a union of kinds, a union that `record.kind` narrows. */
export type StoredRecordOf<K extends RecordKind> = {
  [Each in RecordKind]: StoredRecord<RecordData[Each]> & { readonly kind: Each };
}[K];
export type AnyRecord = StoredRecordOf<RecordKind>;

export function isOfKind<K extends RecordKind>(kind: K, record: AnyRecord): record is StoredRecordOf<K> {
  return record.kind === kind;
}

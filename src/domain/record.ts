// What every stored thing has in common. The data of each kind is in the file of that name.

/** Kinds of configuration records. Call records are not among them: they are another shape and another size. */
export const RECORD_KINDS = [
  'ivr',
  'agent',
  'team',
  'department',
  'recording',
  'number',
  'trunk',
  'timegroup',
  'announcement',
  /** A voicemail box; the messages in it are no configuration. */
  'voicemail',
  'sms_template',
  'webhook',
  'blocked_number',
  'caller_id_rule',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Kinds whose former versions are kept, so many of each. */
export const VERSIONED_KINDS: ReadonlySet<RecordKind> = new Set(['ivr', 'recording']);
export const MAX_VERSIONS = 1000;

export interface StoredRecord<Data> {
  readonly id: string;
  /** Rises by one with every update; the ETag is made of it. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly data: Data;
}

/** What a reader is shown beside the data. */
export function stamps(record: StoredRecord<unknown>): {
  version: number;
  created_at: string;
  updated_at: string;
} {
  return {
    version: record.version,
    created_at: new Date(record.createdAtMs).toISOString(),
    updated_at: new Date(record.updatedAtMs).toISOString(),
  };
}

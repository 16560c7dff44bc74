// What every stored record has in common. The data of each kind is in the file of that name; kinds.ts lists them.

/** The oldest former version that is kept of one record is so many before the present one. */
export const MAX_VERSIONS = 1000;
/** The last so many versions are all kept; before them, each tenth. */
export const WHOLE_VERSIONS = 100;
export const KEPT_EVERY = 10;
/** So long a deleted record can be restored. */
export const KEEP_DELETED_DAYS = 30;

export interface StoredRecord<Data> {
  readonly id: string;
  /** Rises by one with every update; the ETag is made of it. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly data: Data;
}

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

// What an account has stored, for its quotas.

/** `records`: rows of configuration; the others in bytes. Prompts: promptSounds. */
export type UsageOf = 'voicemail' | 'call_recordings' | 'records';

/** A recording as it is now, or one of its former versions. */
export interface PromptPlace {
  readonly of: 'current' | 'former';
  readonly id: string;
  readonly version: number;
}

export interface PromptSounds {
  /** The same sound in several recordings or versions is one file. */
  readonly sounds: readonly { readonly sha256: string; readonly bytes: number }[];
  /** Null if these were the last. */
  readonly next: PromptPlace | null;
}

/** A record, a former version of one, or a deleted one. */
export interface RowPlace {
  readonly of: 'records' | 'record_versions' | 'deleted_records';
  readonly kind: string;
  readonly id: string;
  readonly version: number;
}

export interface ConfigurationBytes {
  readonly bytes: number;
  /** Null if these were the last. */
  readonly next: RowPlace | null;
}

export interface UsageStorage {
  usage(input: { accountId: string; of: UsageOf }): Promise<number>;
  /** The sounds of some recordings and versions after a place, null from the first: a whole account could occupy the database for seconds. */
  promptSounds(input: { accountId: string; after: PromptPlace | null }): Promise<PromptSounds>;
  /** The bytes of some records, former versions and deleted records after a place, null from the first. */
  configurationBytes(input: { accountId: string; after: RowPlace | null }): Promise<ConfigurationBytes>;
}

// What an account has stored, for its quotas.

/** `recordings`: bytes of prompts, with those of former versions. `records`: rows of configuration. */
export type UsageOf = 'recordings' | 'voicemail' | 'call_recordings' | 'records';

export interface UsageStorage {
  usage(input: { accountId: string; of: UsageOf }): Promise<number>;
}

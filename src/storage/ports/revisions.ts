// Revisions of what caches hold. A revision rises in the same transaction as each change of its topic.

/**
 * What a cache depends on: all tokens and accounts; the networks of all trunks; per account its directory, all its records, its agents' counts of
 * answered calls, and its voicemail messages.
 */
export type Topic =
  | 'access'
  | 'networks'
  | `directory:${string}`
  | `records:${string}`
  | `answered:${string}`
  | `messages:${string}`;

export interface RevisionStorage {
  /** The revision of each topic, not older than the call. Cheap: calls made together are one query. */
  revisions(topics: readonly Topic[]): Promise<number[]>;
}

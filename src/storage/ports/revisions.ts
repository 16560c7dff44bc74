// Revisions of what caches hold. A revision rises in the same transaction as each change of its topic.

/**
 * What a cache depends on: all tokens and accounts; the networks of all trunks; per account its directory, all its records, and its agents' counts of
 * answered calls.
 */
export type Topic =
  | 'access'
  | 'networks'
  | `directory:${string}`
  | `records:${string}`
  | `answered:${string}`;

export interface RevisionStorage {
  /** The revision of each topic, not older than the call. Cheap: calls made together are one query. */
  revisions(topics: readonly Topic[]): Promise<number[]>;
}

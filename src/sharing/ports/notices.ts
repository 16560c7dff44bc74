// PORT: short messages to all nodes, the own one included. A notice may be lost, and may arrive before its subscriber could act on
// it, so it only says that something changed: what changed is read from the database.

export interface Notices {
  /** Rejects with StorageError. Topic: a word without spaces; both together below MAX_NOTICE_BYTES. Never one per call event. */
  publish(topic: string, text: string): void | Promise<void>;
  /**
   * `missed`: notices may have been lost, and the subscriber reads all it needs again. Called each time that listening begins, and
   * every second while the database cannot be listened to. Returns the function that ends the subscription.
   */
  subscribe(topic: string, heard: (text: string) => void, missed: () => void): () => void;
}

/** PostgreSQL's limit of a payload is 8000. */
export const MAX_NOTICE_BYTES = 7900;

/** A topic and its text as one payload. Throws for one that is too long or has no topic: a bug, not an outage. */
export function noticePayload(topic: string, text: string): string {
  const payload = `${topic} ${text}`;
  if (!/^\S+$/.test(topic) || Buffer.byteLength(payload) > MAX_NOTICE_BYTES)
    throw new RangeError(`notice of topic "${topic}" with ${Buffer.byteLength(payload)} bytes`);
  return payload;
}

// The sound of recordings (prompts), by the hash of its content, where the nodes of a service share a database. A sound is stored in
// pieces before the record that refers to it, and forgotten when no record has referred to it for a while.

/** The length of a list of hashes, and of a page. */
export const MAX_PROMPTS = 200;

export interface StoredPrompt {
  readonly sha256: string;
  /** Since when no record refers to it, by the clock of the database; null: one does, or none was looked for. */
  readonly unusedSinceMs: number | null;
}

export interface PromptStorage {
  /** Before its pieces. One that is stored already, or partly, is not forgotten within the next grace time. */
  beginPrompt(input: { sha256: string; bytes: number }): Promise<{ isWhole: boolean }>;
  /** `content` is base64; piece numbers begin with 0. A piece that is stored already stays. */
  savePromptPiece(input: { sha256: string; piece: number; content: string }): Promise<void>;
  /** All pieces are stored: it can be read from now on. */
  finishPrompt(input: { sha256: string }): Promise<void>;
  /** Pieces in their order from one on; none: there is no such sound, or no further piece. */
  readPrompt(input: { sha256: string; from: number; limit: number }): Promise<string[]>;
  /** Those of the hashes whose sound is stored as a whole. */
  storedPrompts(sha256s: readonly string[]): Promise<string[]>;
  /** In the order of their hashes, also those that are stored partly. */
  listPrompts(page: { after: string; limit: number }): Promise<StoredPrompt[]>;
  /** Which sounds records refer to and which not, as it was found; `unusedSinceMs` of the others stays. */
  markPrompts(input: { used: readonly string[]; unused: readonly string[] }): Promise<void>;
  /** Those of the hashes that were unused for so long, unless they were begun again meanwhile. */
  forgetPrompts(input: { sha256s: readonly string[]; graceMs: number }): Promise<{ forgotten: number }>;
}

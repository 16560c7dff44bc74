// Whether writing works, for a database of either kind.
import { StorageError } from './storage.ts';

/** For so long after a write that found the disk full the service is not ready. */
const FULL_MS = 3000;

/** Whether the last write failed, and how: a probe then tries one. */
export class WriteOutcomes {
  #failed: { readonly error: unknown; readonly atMs: number } | undefined;
  #isKnown: boolean;

  /** `isKnown`: it was written to when it was opened. */
  constructor(isKnown: boolean) {
    this.#isKnown = isKnown;
  }

  failed(error: unknown): void {
    this.#failed = { error, atMs: performance.now() };
  }

  /** Known by a probe alone: other writes may find nothing to change, and succeed on a full disk. */
  succeeded(): void {
    this.#failed = undefined;
    this.#isKnown = true;
  }

  mustTry(): boolean {
    if (!this.#failed) return !this.#isKnown;
    const { error, atMs } = this.#failed;
    // A probe's row is so small that it may fit into a page where a record does not.
    if (error instanceof StorageError && error.reason === 'full' && performance.now() - atMs < FULL_MS)
      throw error;
    return true;
  }
}

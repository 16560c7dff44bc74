// The bytes of an account's prompts, former versions included. Counting reads every recording and version, so it is done in parts between
// which other requests are served, once for all who ask at the same time, and anew only after a change. An account that changes something
// before each request gets the last count for ten times as long as counting took, so that counting takes a tenth of the time.
import type { PromptPlace, PromptSounds } from '../../storage/ports/usage.ts';
import type { Storage } from '../../storage/storage.ts';

const MAX_REUSED_MS = 600_000;
const REUSED_TIMES = 10;
const MAX_COUNTS = 10_000;

interface Count {
  readonly revision: number | undefined;
  readonly bytes: number;
  readonly reusedUntilMs: number;
  /** Bytes of sounds that were accepted since. */
  added: number;
}

export class PromptBytes {
  readonly #storage: Pick<Storage, 'promptSounds' | 'revisions'>;
  readonly #counts = new Map<string, Count>();
  readonly #counting = new Map<string, Promise<Count>>();

  constructor(storage: Pick<Storage, 'promptSounds' | 'revisions'>) {
    this.#storage = storage;
  }

  async of(accountId: string): Promise<number> {
    let counting = this.#counting.get(accountId);
    if (!counting) {
      counting = this.#count(accountId).finally(() => this.#counting.delete(accountId));
      this.#counting.set(accountId, counting);
    }
    const { bytes, added } = await counting;
    return bytes + added;
  }

  /** A sound that was accepted counts before its recording is stored, and while an older count is reused. */
  add(accountId: string, bytes: number): void {
    const count = this.#counts.get(accountId);
    if (count) count.added += bytes;
  }

  async #count(accountId: string): Promise<Count> {
    const [revision] = await this.#storage.revisions([`records:${accountId}`]);
    const known = this.#counts.get(accountId);
    const startedMs = performance.now();
    if (known && startedMs < known.reusedUntilMs) return known;
    if (known && known.revision === revision && known.added === 0) return known;
    const bytes = await this.#read(accountId);
    const endedMs = performance.now();
    const reusedMs = Math.min(MAX_REUSED_MS, (endedMs - startedMs) * REUSED_TIMES);
    const count: Count = { revision, bytes, reusedUntilMs: endedMs + reusedMs, added: 0 };
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(accountId, count);
    return count;
  }

  async #read(accountId: string): Promise<number> {
    const seen = new Set<string>();
    let sum = 0;
    let after: PromptPlace | null = null;
    do {
      const part: PromptSounds = await this.#storage.promptSounds({ accountId, after });
      for (const { sha256, bytes } of part.sounds) {
        if (seen.has(sha256)) continue;
        seen.add(sha256);
        sum += bytes;
      }
      after = part.next;
    } while (after);
    return sum;
  }
}

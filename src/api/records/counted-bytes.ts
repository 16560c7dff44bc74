// The bytes of an account's prompts, and those of its records, former versions included. Counting reads every row, so it is done in parts
// between which other requests are served, once for all who ask at the same time, and anew only after a change. An account that changes something
// before each request gets the last count for ten times as long as counting took, so that counting takes a tenth of the time.
import type { ConfigurationBytes, PromptPlace, PromptSounds, RowPlace } from '../../storage/ports/usage.ts';
import type { Storage } from '../../storage/storage.ts';

const MAX_REUSED_MS = 600_000;
const REUSED_TIMES = 10;
const MAX_COUNTS = 10_000;

interface Count {
  readonly revision: number | undefined;
  readonly bytes: number;
  readonly reusedUntilMs: number;
  /** Bytes that were accepted since. */
  added: number;
}

type Read = (accountId: string) => Promise<number>;

export class CountedBytes {
  readonly #storage: Pick<Storage, 'revisions'>;
  readonly #read: Read;
  readonly #counts = new Map<string, Count>();
  readonly #counting = new Map<string, Promise<Count>>();

  constructor(storage: Pick<Storage, 'revisions'>, read: Read) {
    this.#storage = storage;
    this.#read = read;
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

  /** What was accepted counts before it is stored, and while an older count is reused. */
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
}

export const promptBytes =
  (storage: Pick<Storage, 'promptSounds'>): Read =>
  async (accountId) => {
    const seen = new Set<string>();
    let sum = 0;
    let after: PromptPlace | null = null;
    do {
      const part: PromptSounds = await storage.promptSounds({ accountId, after });
      for (const { sha256, bytes } of part.sounds) {
        if (seen.has(sha256)) continue;
        seen.add(sha256);
        sum += bytes;
      }
      after = part.next;
    } while (after);
    return sum;
  };

export const configurationBytes =
  (storage: Pick<Storage, 'configurationBytes'>): Read =>
  async (accountId) => {
    let sum = 0;
    let after: RowPlace | null = null;
    do {
      const part: ConfigurationBytes = await storage.configurationBytes({ accountId, after });
      sum += part.bytes;
      after = part.next;
    } while (after);
    return sum;
  };

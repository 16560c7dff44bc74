// Which sounds are missing, as far as is known. Each question looks at a bounded number of them, those first that were looked at longest
// ago, so that an account with thousands of recordings is gone through question by question.

/** Sounds that one question looks at; as many as the database is asked for at once. */
export const MAX_LOOKS = 200;
/** A sound that is there is looked at again after so long; one that is missing may be put back any moment. */
const KEPT_MS = 60_000;
const LOST_KEPT_MS = 2_000;
/** Sounds of all accounts whose state is kept. */
const MAX_KNOWN = 200_000;

interface Known {
  readonly atMs: number;
  readonly isLost: boolean;
}

export class LostSounds {
  readonly #look: (sha256s: readonly string[]) => Promise<readonly string[]>;
  readonly #known = new Map<string, Known>();

  constructor(look: (sha256s: readonly string[]) => Promise<readonly string[]>) {
    this.#look = look;
  }

  async among(sha256s: readonly string[], nowMs: number): Promise<ReadonlySet<string>> {
    const all = [...new Set(sha256s)];
    const due = all
      .filter((sha256) => this.#isDue(sha256, nowMs))
      .sort((one, other) => this.#atMs(one) - this.#atMs(other))
      .slice(0, MAX_LOOKS);
    if (due.length > 0) this.#keep(due, new Set(await this.#look(due)), nowMs);
    return new Set(all.filter((sha256) => this.#known.get(sha256)?.isLost));
  }

  #isDue(sha256: string, nowMs: number): boolean {
    const known = this.#known.get(sha256);
    return !known || nowMs - known.atMs >= (known.isLost ? LOST_KEPT_MS : KEPT_MS);
  }

  #atMs(sha256: string): number {
    return this.#known.get(sha256)?.atMs ?? Number.NEGATIVE_INFINITY;
  }

  #keep(looked: readonly string[], lost: ReadonlySet<string>, atMs: number): void {
    if (this.#known.size + looked.length > MAX_KNOWN) this.#known.clear();
    for (const sha256 of looked) this.#known.set(sha256, { atMs, isLost: lost.has(sha256) });
  }
}

// Counts legs against quotas, such as one agent's or one account's. Asked before ports are opened (docs/threat-model.md T41).
import type { Quota } from '../../telephony.ts';

export class LegCounts {
  /** By the quota's key; without an entry: none. */
  readonly #legs = new Map<string, number>();
  readonly #changed: (key: string, count: number) => void;

  constructor(changed: (key: string, count: number) => void = () => undefined) {
    this.#changed = changed;
  }

  /** The first quota that has no room; null: a leg may begin. */
  full(quotas: readonly Quota[]): Quota | null {
    return quotas.find(({ key, most }) => (this.#legs.get(key) ?? 0) >= most) ?? null;
  }

  /**
   * Counts a leg; the returned function, which is idempotent, ends it. Null: a quota has no room. `resumes`: it replaces a leg that ends
   * in a moment, and is counted in any case.
   */
  begin(quotas: readonly Quota[], resumes = false): (() => void) | null {
    if (!resumes && this.full(quotas)) return null;
    for (const { key } of quotas) {
      const count = (this.#legs.get(key) ?? 0) + 1;
      this.#legs.set(key, count);
      this.#changed(key, count);
    }
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      for (const { key } of quotas) this.#end(key);
    };
  }

  get keys(): number {
    return this.#legs.size;
  }

  #end(key: string): void {
    const left = (this.#legs.get(key) ?? 1) - 1;
    if (left > 0) this.#legs.set(key, left);
    else this.#legs.delete(key);
    this.#changed(key, left);
  }
}

// Places that are taken at once, each in several groups, such as all, an account's and an address's: none has more than its most.

export interface Group {
  readonly key: string;
  readonly most: number;
}

export class Places {
  /** By key; without an entry: none. */
  readonly #taken = new Map<string, number>();

  isFull(groups: readonly Group[]): boolean {
    return groups.some(({ key, most }) => (this.#taken.get(key) ?? 0) >= most);
  }

  /** False: one of the groups is full, and nothing is taken. */
  take(groups: readonly Group[]): boolean {
    if (this.isFull(groups)) return false;
    for (const { key } of groups) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    return true;
  }

  release(groups: readonly Group[]): void {
    for (const { key } of groups) {
      const left = (this.#taken.get(key) ?? 1) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    }
  }
}

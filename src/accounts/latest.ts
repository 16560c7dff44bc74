// A value that was read for a revision. It is read again when the revision rises, or when reading failed.

export class Latest<T> {
  #value: Promise<T> | null = null;
  #revision = -1;

  /** The same promise until then. `read` gets the one before it, which may still be pending or have failed. */
  at(revision: number, read: (before: Promise<T> | null) => Promise<T>): Promise<T> {
    // A value of a newer revision serves an older one: it was read later.
    if (this.#value && this.#revision >= revision) return this.#value;
    const value = read(this.#value);
    this.#value = value;
    this.#revision = revision;
    value.catch(() => {
      if (this.#value === value) this.#value = null;
    });
    return value;
  }
}

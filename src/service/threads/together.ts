// Equal questions share answers. One that arrives while the same is being asked waits for the next answer, so that none is older than
// its question.

interface Asked {
  readonly running: Promise<unknown>;
  next: Promise<unknown> | null;
}

export class Together {
  readonly #asked = new Map<string, Asked>();

  /** Questions with the same key have the same answer. */
  ask<T>(key: string, question: () => Promise<T>): Promise<T> {
    const asked = this.#asked.get(key);
    // The casts hold: the key says which question it is.
    if (!asked) return this.#start(key, question);
    asked.next ??= asked.running.then(
      () => this.#start(key, question),
      () => this.#start(key, question),
    );
    return asked.next as Promise<T>;
  }

  #start<T>(key: string, question: () => Promise<T>): Promise<T> {
    const running = question();
    const asked: Asked = { running, next: null };
    this.#asked.set(key, asked);
    const done = (): void => {
      if (this.#asked.get(key) === asked && asked.next === null) this.#asked.delete(key);
    };
    running.then(done, done);
    return running;
  }
}

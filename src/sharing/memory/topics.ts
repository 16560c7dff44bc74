// The subscribers of one process, by topic.

export interface Subscriber {
  readonly heard: (text: string) => void;
  readonly missed: () => void;
}

export class Topics {
  readonly #byTopic = new Map<string, Set<Subscriber>>();
  readonly #failed: (error: unknown) => void;

  /** `failed`: a subscriber threw; the others are called nevertheless. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  add(topic: string, subscriber: Subscriber): () => void {
    const all = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, all.add(subscriber));
    return () => {
      all.delete(subscriber);
      if (all.size === 0 && this.#byTopic.get(topic) === all) this.#byTopic.delete(topic);
    };
  }

  heard(topic: string, text: string): void {
    for (const { heard } of this.#byTopic.get(topic) ?? []) this.#call(() => heard(text));
  }

  missed(): void {
    for (const all of this.#byTopic.values()) for (const { missed } of all) this.#call(missed);
  }

  #call(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failed(error);
    }
  }
}

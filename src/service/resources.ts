// What a process has opened. Each resource registers how it is closed as soon as it is open; they are closed in reverse
// order, so a start that fails at any step leaves nothing open.

export class Resources {
  readonly #closers: (() => unknown)[] = [];
  readonly #failed: (error: unknown) => void;

  /** `failed`: one resource was not closed; the others are closed nevertheless. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Returns the resource. `close` may be called for a resource that has been closed already. */
  add<Resource>(resource: Resource, close: (resource: Resource) => unknown): Resource {
    this.#closers.push(() => close(resource));
    return resource;
  }

  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}

export async function within(ms: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

// Numbers that two threads see at once: a message is read a moment later.

const REQUESTS = 0;
const ROUTES = 1;

export class SharedCounts {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  /** `memory`: of the other thread; without it new. */
  constructor(memory = new SharedArrayBuffer(8)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** Requests that are being answered. */
  get requests(): number {
    return Atomics.load(this.#cells, REQUESTS);
  }

  set requests(count: number) {
    Atomics.store(this.#cells, REQUESTS, count);
  }

  /** Writes of the API to what calls are routed by. */
  get routeWrites(): number {
    return Atomics.load(this.#cells, ROUTES);
  }

  routesWritten(): void {
    Atomics.add(this.#cells, ROUTES, 1);
  }
}

// Things to come, the earliest first; of two at the same time, the one planned first.

interface Planned<T> {
  readonly atMs: number;
  readonly order: number;
  readonly item: T;
}

export class EventHeap<T> {
  #planned: Planned<T>[] = [];
  #order = 0;

  push(atMs: number, item: T): void {
    const planned = { atMs, order: this.#order, item };
    this.#order += 1;
    const heap = this.#planned;
    let at = heap.length;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = heap[parentAt];
      if (!parent || before(parent, planned)) break;
      heap[at] = parent;
      at = parentAt;
    }
    heap[at] = planned;
  }

  /** The earliest, if it comes by then. */
  pop(untilMs = Number.POSITIVE_INFINITY): { readonly atMs: number; readonly item: T } | undefined {
    const heap = this.#planned;
    const first = heap[0];
    if (first && first.atMs > untilMs) return undefined;
    const last = heap.pop();
    if (!last || last === first) return first;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      const left = heap[childAt];
      if (!left) break;
      const right = heap[childAt + 1];
      if (right && before(right, left)) childAt += 1;
      const child = heap[childAt];
      if (!child || before(last, child)) break;
      heap[at] = child;
      at = childAt;
    }
    heap[at] = last;
    return first;
  }
}

function before<T>(one: Planned<T>, other: Planned<T>): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

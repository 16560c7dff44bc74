// Wakes a media worker that sleeps because it has no streams. A worker with streams looks for orders at each visit, within 20 ms.

export const ORDERS = 0;
export const DOORBELL_WORDS = 1;

/** Announces orders. Nearly free when the worker is awake. */
export function ring(words: Int32Array): void {
  Atomics.add(words, ORDERS, 1);
  Atomics.notify(words, ORDERS);
}

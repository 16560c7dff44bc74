// How the main thread wakes a media worker that has nothing to do. One that has streams is left alone: it looks for orders before it
// visits the next of them, within 20 ms.

/** A word of shared memory: how many times orders were given. */
export const ORDERS = 0;
export const DOORBELL_WORDS = 1;

/** Orders were given. Nearly free where nobody sleeps. */
export function ring(words: Int32Array): void {
  Atomics.add(words, ORDERS, 1);
  Atomics.notify(words, ORDERS);
}

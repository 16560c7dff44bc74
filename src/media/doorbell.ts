// How the main thread wakes a media worker. The worker sleeps on the counter of orders where nothing else can wake it, and in epoll
// where packets may: there an order must write to a descriptor.
import { closeSync, writeSync } from 'node:fs';

/** Words of shared memory. How many times orders were given. */
export const ORDERS = 0;
/** 1 while the worker sleeps in epoll. */
export const SLEEPS = 1;
/** The descriptor that ends such a sleep, plus one; 0: there is none. */
export const WAKER = 2;
export const DOORBELL_WORDS = 3;

const ONE = new BigUint64Array([1n]);

/** Orders were given. */
export function ring(words: Int32Array): void {
  Atomics.add(words, ORDERS, 1);
  // The worker says that it sleeps before it looks at the counter for the last time: either it sees the order, or we see the sleep.
  if (Atomics.exchange(words, SLEEPS, 0) === 1) writeSync(Atomics.load(words, WAKER) - 1, ONE);
  else Atomics.notify(words, ORDERS);
}

/** Done by the thread that rings, once the worker is gone: were the worker to do it, a last ring could hit another's descriptor. */
export function removeDoorbell(words: Int32Array): void {
  Atomics.store(words, SLEEPS, 0);
  const waker = Atomics.exchange(words, WAKER, 0) - 1;
  if (waker >= 0) closeSync(waker);
}

// Wakes a media worker that sleeps because it has no streams. A worker with streams looks for commands at each visit, within 20 ms.

export const COMMANDS = 0;
export const WAKE_WORDS = 1;

/** Announces commands. Nearly free when the worker is awake. */
export function ring(words: Int32Array): void {
  Atomics.add(words, COMMANDS, 1);
  Atomics.notify(words, COMMANDS);
}

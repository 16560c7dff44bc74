// What arrives while one flush is under way goes out together in the next: the more load, the larger the groups.
// So one sync to disk, or one round trip, serves many requests, and a lone request does not wait.
import { StorageError } from './storage.ts';

export interface GroupLimits {
  readonly maxGroup: number;
  /** Beyond it callers are refused at once: a queue without an end only hides an outage. */
  readonly maxWaiting: number;
}

interface Waiting<I, O> {
  readonly input: I;
  resolve(output: O): void;
  reject(error: unknown): void;
}

export type Outcome<O> = { readonly value: O } | { readonly error: unknown };

export function grouped<I, O>(
  flush: (inputs: I[]) => Promise<Outcome<O>[]>,
  { maxGroup, maxWaiting }: GroupLimits,
): (input: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.length <= maxGroup ? waiting : waiting.slice(0, maxGroup);
      waiting = waiting.length <= maxGroup ? [] : waiting.slice(maxGroup);
      try {
        const outcomes = await flush(group.map(({ input }) => input));
        for (const [index, item] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome && 'value' in outcome) item.resolve(outcome.value);
          else item.reject(outcome?.error ?? new StorageError('unavailable', 'A write had no outcome.'));
        }
      } catch (error) {
        // Who waited behind a database that did not answer is told now, rather than after a time-out of their own.
        const behind = error instanceof StorageError ? waiting : [];
        if (behind.length > 0) waiting = [];
        for (const item of [...group, ...behind]) item.reject(error);
      }
    }
    running = false;
  }

  return (input) => {
    if (waiting.length >= maxWaiting) {
      return Promise.reject(new StorageError('overloaded', 'Too many writes are waiting for the database.'));
    }
    return new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (running) return;
      running = true;
      // After the poll phase: requests that were read from their sockets in this turn go together.
      setImmediate(() => void run());
    });
  };
}

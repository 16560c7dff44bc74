// Group commit: inputs that arrive during one flush are flushed together by the next, so groups grow with the load.
// One sync to disk, or one round trip, serves many requests; a single request does not wait.
import { StorageError } from './storage.ts';

export interface GroupLimits {
  readonly maxGroup: number;
  /** More inputs are rejected at once: an unbounded queue only hides an outage. */
  readonly maxPending: number;
}

interface PendingInput<I, O> {
  readonly input: I;
  resolve(output: O): void;
  reject(error: unknown): void;
}

export type Outcome<O> = { readonly value: O } | { readonly error: unknown };

export function grouped<I, O>(
  flush: (inputs: I[]) => Promise<Outcome<O>[]>,
  { maxGroup, maxPending }: GroupLimits,
): (input: I) => Promise<O> {
  let pending: PendingInput<I, O>[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (pending.length > 0) {
      const group = pending.length <= maxGroup ? pending : pending.slice(0, maxGroup);
      pending = pending.length <= maxGroup ? [] : pending.slice(maxGroup);
      try {
        const outcomes = await flush(group.map(({ input }) => input));
        for (const [index, item] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome && 'value' in outcome) item.resolve(outcome.value);
          else item.reject(outcome?.error ?? new StorageError('unavailable', 'A write had no outcome.'));
        }
      } catch (error) {
        // When the database does not answer, those queued behind fail now too, rather than after a time-out of their own.
        const behind = error instanceof StorageError ? pending : [];
        if (behind.length > 0) pending = [];
        for (const item of [...group, ...behind]) item.reject(error);
      }
    }
    running = false;
  }

  return (input) => {
    if (pending.length >= maxPending) {
      return Promise.reject(new StorageError('overloaded', 'Too many writes are waiting for the database.'));
    }
    return new Promise<O>((resolve, reject) => {
      pending.push({ input, resolve, reject });
      if (running) return;
      running = true;
      // After the poll phase: requests read from their sockets in this turn of the event loop form one group.
      setImmediate(() => void run());
    });
  };
}

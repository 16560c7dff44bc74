// Group commit: inputs that arrive during one flush are flushed together by the next, so groups grow with the load.
// One sync to disk, or one round trip, serves many requests; a single request does not wait.
import { FairQueue } from '../kit/fair-share.ts';
import { StorageError } from './storage.ts';

export interface GroupLimits {
  readonly maxGroup: number;
  /** More inputs are rejected at once: an unbounded queue only hides an outage. Half of it is the most that one account may fill. */
  readonly maxPending: number;
}

/** The account that an input of a storage method is about; '' where it is about several, or none. */
export function accountOf(input: unknown): string {
  const isNamed = typeof input === 'object' && input !== null && 'accountId' in input;
  return isNamed && typeof input.accountId === 'string' ? input.accountId : '';
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
  account: (input: I) => string = accountOf,
): (input: I) => Promise<O> {
  const pending = new FairQueue<PendingInput<I, O>>({ total: maxPending, perAccount: maxPending / 2 });
  let running = false;

  const take = (most: number): PendingInput<I, O>[] => {
    const taken: PendingInput<I, O>[] = [];
    for (let next = pending.shift(); next; next = taken.length < most ? pending.shift() : undefined)
      taken.push(next);
    return taken;
  };

  async function run(): Promise<void> {
    while (pending.length > 0) {
      const group = take(maxGroup);
      try {
        const outcomes = await flush(group.map(({ input }) => input));
        for (const [index, item] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome && 'value' in outcome) item.resolve(outcome.value);
          else item.reject(outcome?.error ?? new StorageError('unavailable', 'A write had no outcome.'));
        }
      } catch (error) {
        // When the database does not answer, those queued behind fail now too, rather than after a time-out of their own.
        const behind = error instanceof StorageError ? take(pending.length) : [];
        for (const item of [...group, ...behind]) item.reject(error);
      }
    }
    running = false;
  }

  return (input) =>
    new Promise<O>((resolve, reject) => {
      if (!pending.push(account(input), { input, resolve, reject }))
        return reject(new StorageError('overloaded', 'Too many writes are waiting for the database.'));
      if (running) return;
      running = true;
      // After the poll phase: requests read from their sockets in this turn of the event loop form one group.
      setImmediate(() => void run());
    });
}

// Turns of the reads of requests: those of one account wait for each other before they make other accounts wait (T37), and a large result is
// handed over when the account has its turn on the main thread.
import { LARGE, type Turns } from '../api/http/turns.ts';
import type { UnsentBytes } from '../api/http/unsent-bytes.ts';
import { type Inputs, type Method, type Methods, type Outputs, ROWS } from '../storage/methods.ts';
import type { ReadTurns } from '../storage/pipeline.ts';
import { StorageError } from '../storage/storage.ts';

/** Reads of one account at once; a list or a scan counts as many. */
const UNITS = 16;
const MANY = 8;
const MAX_WAITING = 1_000;

const UNREAD = new StorageError('overloaded', 'The account does not read the responses that it asks for.');

export class FairReads implements ReadTurns {
  readonly #shares = new ReadShares();
  readonly #turns: Turns;
  readonly #unsent: Pick<UnsentBytes, 'isFull'>;

  /** `unsent`: an account that does not read its responses gets no more pages. */
  constructor(turns: Turns, unsent: Pick<UnsentBytes, 'isFull'>) {
    this.#turns = turns;
    this.#unsent = unsent;
  }

  async read<M extends Method>(method: M, input: Inputs[M], storage: Methods): Promise<Outputs[M]> {
    const account = accountOf(input);
    if (account === null) return storage[method](input);
    const isWide = ROWS[method].isWide === true;
    const units = isWide ? MANY : 1;
    const wait = this.#shares.take(account, units);
    if (wait) await wait;
    try {
      // Those that waited do not all go on at once, even if they are only refused.
      if (wait) await this.#turns.next(account);
      if (isWide && this.#unsent.isFull(account)) throw UNREAD;
      const output = await storage[method](input);
      if (isLarge(output)) await this.#turns.next(account);
      return output;
    } finally {
      this.#shares.release(account, units);
    }
  }
}

function accountOf(input: unknown): string | null {
  if (typeof input === 'string') return input;
  const { accountId } = (input ?? {}) as { readonly accountId?: unknown };
  return typeof accountId === 'string' ? accountId : null;
}

function isLarge(output: unknown): boolean {
  const rows = Array.isArray(output) ? output : [output];
  let bytes = 0;
  for (const row of rows as readonly ({ readonly json?: string } | null | undefined)[]) {
    bytes += row?.json?.length ?? 0;
    if (bytes > LARGE) return true;
  }
  return false;
}

interface Share {
  used: number;
  readonly waiting: { readonly units: number; start(): void }[];
}

/** An account that reads nothing is not held. */
class ReadShares {
  readonly #shares = new Map<string, Share>();

  take(account: string, units: number): Promise<void> | undefined {
    const share = this.#shares.get(account) ?? { used: 0, waiting: [] };
    if (share.used === 0) this.#shares.set(account, share);
    if (share.waiting.length === 0 && share.used + units <= UNITS) {
      share.used += units;
      return undefined;
    }
    if (share.waiting.length >= MAX_WAITING)
      return Promise.reject(new StorageError('overloaded', 'Too many reads of this account wait.'));
    return new Promise((resolve) => {
      share.waiting.push({ units, start: resolve });
    });
  }

  release(account: string, units: number): void {
    const share = this.#shares.get(account);
    if (!share) return;
    share.used -= units;
    for (let next = share.waiting[0]; next && share.used + next.units <= UNITS; next = share.waiting[0]) {
      share.waiting.shift();
      share.used += next.units;
      next.start();
    }
    if (share.used === 0) this.#shares.delete(account);
  }
}

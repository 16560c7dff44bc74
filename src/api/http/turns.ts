// Work that takes the main thread for milliseconds, such as parsing large records: one piece per turn of the event loop, accounts in
// turn, so that the sockets of others are served in between (T37).
import { FairQueue } from '../../kit/fair-share.ts';
import { StorageError } from '../../storage/storage.ts';

/** JSON of so many bytes is parsed or written in about a millisecond; less does not wait for a turn. */
export const LARGE = 64 * 1024;
export const WAITING = { total: 10_000, perAccount: 1_000 };

export class Turns {
  readonly #waiting = new FairQueue<() => void>(WAITING);
  #scheduled = false;

  /** What follows the promise, up to its next await, is the turn. */
  next(account: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#waiting.push(account, resolve))
        return reject(new StorageError('overloaded', 'Too many large requests wait for their turn.'));
      if (!this.#scheduled) setImmediate(this.#run);
      this.#scheduled = true;
      return undefined;
    });
  }

  readonly #run = (): void => {
    this.#waiting.shift()?.();
    this.#scheduled = this.#waiting.length > 0;
    if (this.#scheduled) setImmediate(this.#run);
  };
}

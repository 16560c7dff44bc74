// How many contacts that were not known before one id registers or unregisters: each becomes a row of the database that stays for a while, and
// a change that waits for it. Without a bound the password of one phone fills both for all accounts.
import { SERVER } from './dialogs/capabilities.ts';
import type { DialogCore } from './dialogs/core.ts';
import type { Reply } from './transactions/transactions.ts';

/** In `NEW_CONTACTS_MS`, of one id; refreshes do not count. */
export const NEW_CONTACTS = 20;
export const NEW_CONTACTS_MS = 10_000;

const TOO_MANY: Reply = {
  status: 503,
  headers: [['retry-after', String(NEW_CONTACTS_MS / 1000)], SERVER],
};

export class NewContacts {
  readonly #timers: Pick<DialogCore['timers'], 'now'>;
  /** By id, within the window: ids are those of agents, so there are no more than agents. */
  #counts = new Map<string, number>();
  #window = 0;

  constructor(timers: Pick<DialogCore['timers'], 'now'>) {
    this.#timers = timers;
  }

  /** Null if they may be added, and are counted. */
  refusal(id: string, count: number): Reply | null {
    if (count === 0) return null;
    const window = Math.floor(this.#timers.now() / NEW_CONTACTS_MS);
    if (window !== this.#window) this.#counts = new Map();
    this.#window = window;
    const counted = (this.#counts.get(id) ?? 0) + count;
    if (counted > NEW_CONTACTS) return TOO_MANY;
    this.#counts.set(id, counted);
    return null;
  }
}

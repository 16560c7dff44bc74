// What all accounts share, so that one of them cannot take all of it: slots (FairPool) and places in a queue (FairQueue).
// docs/limits.md lists the pools.

export interface Shares {
  readonly total: number;
  /** Of one account; less than the total. */
  readonly perAccount: number;
  /** Of the total: only for accounts that hold nothing yet, so that a few accounts together cannot take all either. */
  readonly reserved?: number;
}

/** How many of each account; an account with none is not held. */
export class Counts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(account: string): number {
    return this.#counts.get(account) ?? 0;
  }

  add(account: string, change: 1 | -1): void {
    const count = this.of(account) + change;
    this.#total += change;
    if (count > 0) this.#counts.set(account, count);
    else this.#counts.delete(account);
  }

  mayAdd(account: string, { total, perAccount, reserved = 0 }: Shares): boolean {
    const held = this.of(account);
    return held < perAccount && this.#total < (held === 0 ? total : total - reserved);
  }
}

export class FairPool {
  readonly #shares: Shares;
  readonly #taken = new Counts();

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  get inUse(): number {
    return this.#taken.total;
  }

  /** A slot, as the function that releases it (once; again does nothing), or null: the account's share or the pool is in use. */
  take(account: string): (() => void) | null {
    if (!this.#taken.mayAdd(account, this.#shares)) return null;
    this.#taken.add(account, 1);
    let held = true;
    return () => {
      if (held) this.#taken.add(account, -1);
      held = false;
    };
  }
}

/** Accounts take turns; the items of one account stay in their order. */
export class FairQueue<Item> {
  readonly #shares: Shares;
  readonly #waiting = new Counts();
  /** In the order of their turns; a Map keeps the order of insertion. */
  readonly #byAccount = new Map<string, Item[]>();

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  get length(): number {
    return this.#waiting.total;
  }

  /** False: the account's share or the queue is full. */
  push(account: string, item: Item): boolean {
    if (!this.#waiting.mayAdd(account, this.#shares)) return false;
    this.#waiting.add(account, 1);
    const items = this.#byAccount.get(account);
    if (items) items.push(item);
    else this.#byAccount.set(account, [item]);
    return true;
  }

  shift(): Item | undefined {
    for (const [account, items] of this.#byAccount) {
      const item = items.shift();
      this.#waiting.add(account, -1);
      this.#byAccount.delete(account);
      if (items.length > 0) this.#byAccount.set(account, items);
      return item;
    }
    return undefined;
  }
}

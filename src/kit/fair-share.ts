// What all accounts share, so that one of them cannot take all of it: slots (FairPool), places in a queue (FairQueue), slots with a
// queue before them (FairGate). docs/limits.md lists the pools.

export interface Shares {
  readonly total: number;
  /** What one account may hold; less than the total. */
  readonly perAccount: number;
  /** The part of the total for accounts that hold nothing yet, so that a few accounts together cannot take all either. */
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

  /** The account that has most. */
  most(): { readonly account: string; readonly count: number } {
    let most = { account: '', count: 0 };
    for (const [account, count] of this.#counts) if (count > most.count) most = { account, count };
    return most;
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

  /** `busy`: accounts whose turn has not come. */
  shift(busy: (account: string) => boolean = () => false): Item | undefined {
    for (const [account, items] of this.#byAccount) {
      if (busy(account)) continue;
      const item = items.shift();
      this.#waiting.add(account, -1);
      this.#byAccount.delete(account);
      if (items.length > 0) this.#byAccount.set(account, items);
      return item;
    }
    return undefined;
  }
}

/** Slots, and a queue of those that wait for one. */
export class FairGate {
  readonly #slots: Shares;
  readonly #running = new Counts();
  readonly #waiting: FairQueue<Waiter>;
  readonly #waitMs: number;
  readonly #refusal: () => Error;

  /** `refusal`: what is thrown when the queue is full, or no slot was free within `waitMs`. */
  constructor(slots: Shares, waiting: Shares, waitMs: number, refusal: () => Error) {
    this.#slots = slots;
    this.#waiting = new FairQueue(waiting);
    this.#waitMs = waitMs;
    this.#refusal = refusal;
  }

  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.mayAdd(account, this.#slots)) this.#running.add(account, 1);
    else await this.#turn(account);
    try {
      return await work();
    } finally {
      this.#running.add(account, -1);
      this.#next();
    }
  }

  #turn(account: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiter.late = true;
        reject(this.#refusal());
      }, this.#waitMs);
      const waiter: Waiter = {
        late: false,
        begin: () => {
          clearTimeout(late);
          this.#running.add(account, 1);
          resolve();
        },
      };
      if (this.#waiting.push(account, waiter)) return;
      clearTimeout(late);
      reject(this.#refusal());
    });
  }

  #next(): void {
    const busy = (account: string): boolean => !this.#running.mayAdd(account, this.#slots);
    let next = this.#waiting.shift(busy);
    while (next?.late) next = this.#waiting.shift(busy);
    next?.begin();
  }
}

interface Waiter {
  late: boolean;
  begin(): void;
}

// Look-ups of names, with a share for each account: an account's names that no server answers cost it its own share alone.
import { FairGate, type Shares } from '../kit/fair-share.ts';

export type Lookup = (name: string) => Promise<readonly string[]>;

/** Sockets at once, in each thread that looks names up; a look-up ends by itself after LOOKUP_MS. */
export const LOOKUP_SHARES: Shares = { total: 128, perAccount: 8, reserved: 32 };
const WAITING: Shares = { total: 2_000, perAccount: 200 };
const WAIT_MS = 5_000;

export class LookupsBusy extends Error {}

export class NameLookups {
  readonly #lookup: Lookup;
  readonly #gate = new FairGate(LOOKUP_SHARES, WAITING, WAIT_MS, () => new LookupsBusy());
  /** Under way or waiting, by account and name: what is asked at the same time is asked once. */
  readonly #asked = new Map<string, Promise<readonly string[]>>();

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  of(name: string, account: string): Promise<readonly string[]> {
    const key = `${account} ${name}`;
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const looked = this.#gate.run(account, () => this.#lookup(name)).finally(() => this.#asked.delete(key));
    this.#asked.set(key, looked);
    return looked;
  }
}

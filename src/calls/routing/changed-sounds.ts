// Sounds that calls may play from now on: those of accounts whose routes have changed.
import type { AccountRoutes } from './routing.ts';

export class ChangedSounds {
  readonly #seen = new WeakSet<AccountRoutes>();
  readonly #report: (sha256s: Iterable<string>) => void;

  constructor(report: (sha256s: Iterable<string>) => void = () => undefined) {
    this.#report = report;
  }

  read(accounts: readonly AccountRoutes[]): void {
    for (const account of accounts) {
      // Routes of an account that has not changed are the same value.
      if (this.#seen.has(account)) continue;
      this.#seen.add(account);
      this.#report(account.sounds.values());
    }
  }
}

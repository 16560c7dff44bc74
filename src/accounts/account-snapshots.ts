// The records of accounts in memory: one snapshot of each for API, linter and calls, so that a changed row is read, parsed and
// compiled once. Two parts with a revision each: the directory, which most requests need, and everything with the menus, which
// calls and the linter of a whole account need.
import type { Settings } from '../domain/account.ts';
import { flowSettings } from '../domain/compile.ts';
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { RevisionStorage } from '../storage/ports/revisions.ts';
import { type AccountSnapshot, HeldAccount } from './account-snapshot.ts';
import { type DirectorySnapshot, HeldDirectory } from './directory-snapshot.ts';
import type { SnapshotStorage } from './held-records.ts';

/** Accounts in memory at once; the oldest goes first. */
const MAX_DIRECTORIES = 1000;
const MAX_ACCOUNTS = 100;

export class AccountSnapshots {
  readonly #storage: SnapshotStorage & RevisionStorage;
  readonly #most: { readonly directories: number; readonly accounts: number };
  readonly #directories = new Map<string, HeldDirectory>();
  readonly #accounts = new Map<string, HeldAccount>();

  constructor(
    storage: SnapshotStorage & RevisionStorage,
    most = { directories: MAX_DIRECTORIES, accounts: MAX_ACCOUNTS },
  ) {
    this.#storage = storage;
    this.#most = most;
  }

  /** Not older than the revision; the same promise until the directory changes. Reads no menus. */
  directory(accountId: string, revision: number): Promise<DirectorySnapshot> {
    let held = this.#directories.get(accountId);
    if (!held) {
      held = new HeldDirectory(this.#storage, accountId);
      keep(this.#directories, this.#most.directories, accountId, held);
    }
    return held.at(revision);
  }

  /** The directory as a flow; flowAround() adds menus. */
  async directoryFlow(accountId: string, revision: number, settings: Settings): Promise<Flow> {
    const { flow } = await this.directory(accountId, revision);
    return changeFlow(flow, { settings: flowSettings(settings) });
  }

  /** Everything of the account, not older than the call. */
  async whole(accountId: string, settings: Settings): Promise<AccountSnapshot> {
    const held =
      this.#accounts.get(accountId) ??
      new HeldAccount(this.#storage, accountId, (revision) => this.directory(accountId, revision));
    keep(this.#accounts, this.#most.accounts, accountId, held);
    const snapshot = await held.now();
    const webhooks = new Set(snapshot.webhooks.map(({ id }) => id));
    return {
      ...snapshot,
      flow: changeFlow(snapshot.flow, { settings: { ...flowSettings(settings), webhooks } }),
    };
  }
}

function keep<Held>(all: Map<string, Held>, most: number, accountId: string, held: Held): void {
  all.delete(accountId);
  all.set(accountId, held);
  for (const oldest of all.keys()) {
    if (all.size <= most) break;
    all.delete(oldest);
  }
}

// Who may do what concerns the whole service, and which node answers.
import type { Storage } from '../../storage/storage.ts';

/** Who this node is, where the database has no list of nodes: an embedded one has one node. */
export interface OwnNode {
  readonly id: string;
  readonly version: string;
  readonly startedAtMs: number;
  /** Whether the database has the list of nodes. */
  readonly isListed: boolean;
}

export class OperatorAccount {
  readonly #storage: Pick<Storage, 'listAccounts'>;
  #first: Promise<string | undefined> | null = null;

  constructor(storage: Pick<Storage, 'listAccounts'>) {
    this.#storage = storage;
  }

  /** Accounts are never removed: the first one stays the first. */
  async is(accountId: string): Promise<boolean> {
    this.#first ??= this.#read().catch((error: unknown) => {
      this.#first = null;
      throw error;
    });
    return (await this.#first) === accountId;
  }

  async #read(): Promise<string | undefined> {
    const accounts = [...(await this.#storage.listAccounts())];
    accounts.sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
    return accounts[0]?.id;
  }
}

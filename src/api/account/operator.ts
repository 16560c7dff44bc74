// Who may do what concerns the whole service, and which node answers.
import type {
  SettableVariable,
  VariableLock,
  VariableSource,
  VariableValues,
} from '../../domain/service-variable.ts';
import type { Storage } from '../../storage/storage.ts';

/** Who this node is, where the database has no list of nodes: an embedded one has one node. */
export interface OwnNode {
  readonly id: string;
  readonly version: string;
  readonly startedAtMs: number;
  /** Whether the database has the list of nodes. */
  readonly isListed: boolean;
}

/** A variable of the service, as the operator may see it. */
export interface ShownSetting {
  readonly name: string;
  /** What this process runs with. */
  readonly value: string | null;
  readonly fixed: boolean;
  readonly secret: boolean;
  readonly source: VariableSource;
  /** Why it cannot be set by request; null: it can. */
  readonly locked: VariableLock | null;
  /** What a process that starts now would run with. */
  readonly next_value: string | null;
  readonly next_source: VariableSource;
  readonly pending_restart: boolean;
}

/** By group. */
export interface ShownSettings {
  readonly mail: readonly ShownSetting[];
  readonly sms: readonly ShownSetting[];
  readonly speech: readonly ShownSetting[];
  readonly network: readonly ShownSetting[];
}

/** What the service runs with, and what it would run with. */
export interface RunningConfiguration {
  /** `stored`: what the database has now. */
  shown(stored: VariableValues): ShownSettings;
  /** The environment sets it, which always wins. */
  isFixed(name: SettableVariable): boolean;
  /** What the value must be; null: it can be used. */
  faultIn(name: SettableVariable, value: string): string | null;
}

export class OperatorAccount {
  readonly #storage: Pick<Storage, 'listAccounts'>;
  #first: Promise<string | undefined> | null = null;

  constructor(storage: Pick<Storage, 'listAccounts'>) {
    this.#storage = storage;
  }

  /** Accounts are never removed: the first one stays the first. */
  async is(accountId: string): Promise<boolean> {
    return (await this.id()) === accountId;
  }

  /** Undefined: there is no account yet. */
  async id(): Promise<string | undefined> {
    this.#first ??= this.#read().catch((error: unknown) => {
      this.#first = null;
      throw error;
    });
    const first = await this.#first;
    if (first === undefined) this.#first = null;
    return first;
  }

  async #read(): Promise<string | undefined> {
    const accounts = [...(await this.#storage.listAccounts())];
    accounts.sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
    return accounts[0]?.id;
  }
}

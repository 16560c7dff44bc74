// The agents of each account as the API shows them, serialized once per change; and what is shown with them that is not in the
// directory: counts of answered calls, and names of menus.
import { createHash } from 'node:crypto';
import type { AccountSnapshots } from '../../accounts/account-snapshots.ts';
import type { DirectorySnapshot } from '../../accounts/directory-snapshot.ts';
import { Latest } from '../../accounts/latest.ts';
import { type AnsweredCounts, describeAgent, type MenuNames } from '../../domain/agent-view.ts';
import type { Directory } from '../../domain/directory.ts';
import { readData } from '../../domain/row.ts';
import type { CallStorage } from '../../storage/ports/calls.ts';
import type { RecordStorage } from '../../storage/ports/records.ts';

/** Accounts in memory at once; the one that changed longest ago goes first. */
const MAX_ACCOUNTS = 1000;
const NO_NAMES: MenuNames = new Map();

export interface AgentList {
  readonly bytes: Buffer;
  readonly etag: string;
  /** What it was made of beside the directory. */
  readonly answered: AnsweredCounts;
  readonly menus: MenuNames;
}

type ListStorage = Pick<RecordStorage, 'getRecords'> & Pick<CallStorage, 'answeredCounts'>;

interface Entry {
  readonly snapshot: Promise<DirectorySnapshot>;
  /** Taken over from the snapshot before: calls are answered far more often than the directory changes. */
  readonly answered: Latest<AnsweredCounts>;
  readonly menus: Latest<MenuNames>;
  list?: {
    readonly answered: Promise<AnsweredCounts>;
    readonly menus: Promise<MenuNames>;
    readonly made: Promise<AgentList>;
  };
}

export class AgentLists {
  readonly #storage: ListStorage;
  readonly #snapshots: AccountSnapshots;
  readonly #entries = new Map<string, Entry>();

  constructor(storage: ListStorage, snapshots: AccountSnapshots) {
    this.#storage = storage;
    this.#snapshots = snapshots;
  }

  answered(accountId: string, revision: number, answeredRevision: number): Promise<AnsweredCounts> {
    return this.#answered(accountId, this.#entry(accountId, revision), answeredRevision);
  }

  /** Names of the menus that agents fail over to. Without such agents nothing is read, however often menus change. */
  menuNames(accountId: string, revision: number, recordsRevision: number): Promise<MenuNames> {
    return this.#menuNames(accountId, this.#entry(accountId, revision), recordsRevision);
  }

  /** Serialized and hashed once per change, not once per request. */
  agentList(
    accountId: string,
    revision: number,
    answeredRevision: number,
    recordsRevision: number,
  ): Promise<AgentList> {
    const entry = this.#entry(accountId, revision);
    const answered = this.#answered(accountId, entry, answeredRevision);
    const menus = this.#menuNames(accountId, entry, recordsRevision);
    const held = entry.list;
    if (held?.answered === answered && held.menus === menus) return held.made;
    const made = makeList(entry.snapshot, answered, menus, held?.made);
    entry.list = { answered, menus, made };
    made.catch(() => {
      if (entry.list?.made === made) delete entry.list;
    });
    return made;
  }

  #answered(accountId: string, { answered }: Entry, revision: number): Promise<AnsweredCounts> {
    return answered.at(revision, () => this.#storage.answeredCounts(accountId));
  }

  #menuNames(accountId: string, { snapshot, menus }: Entry, revision: number): Promise<MenuNames> {
    return menus.at(revision, (before) => this.#readMenuNames(accountId, snapshot, before));
  }

  /** Returns the map before it when the names are the same, so that a list made of it stays valid. */
  async #readMenuNames(
    accountId: string,
    snapshot: Promise<DirectorySnapshot>,
    last: Promise<MenuNames> | null,
  ): Promise<MenuNames> {
    const ids = [...(await snapshot).directory.failoverMenus];
    if (ids.length === 0) return NO_NAMES;
    const before = await last?.catch(() => undefined);
    const rows = await this.#storage.getRecords({ accountId, kind: 'ivr', ids });
    const names = new Map(rows.map(({ id, json }) => [id, readData('ivr', json).name]));
    const same = before?.size === names.size && [...names].every(([id, name]) => before.get(id) === name);
    return same ? before : names;
  }

  #entry(accountId: string, revision: number): Entry {
    const snapshot = this.#snapshots.directory(accountId, revision);
    const held = this.#entries.get(accountId);
    if (held?.snapshot === snapshot) return held;
    const entry: Entry = { snapshot, answered: held?.answered ?? new Latest(), menus: new Latest() };
    this.#entries.delete(accountId);
    this.#entries.set(accountId, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ACCOUNTS) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }
}

/** The list before it when it was made of the same. */
async function makeList(
  snapshot: Promise<DirectorySnapshot>,
  answered: Promise<AnsweredCounts>,
  menus: Promise<MenuNames>,
  last: Promise<AgentList> | undefined,
): Promise<AgentList> {
  const [{ directory }, counts, names, before] = await Promise.all([
    snapshot,
    answered,
    menus,
    last?.catch(() => undefined),
  ]);
  return before && before.answered === counts && before.menus === names
    ? before
    : writeList(directory, counts, names);
}

function writeList(directory: Directory, answered: AnsweredCounts, menus: MenuNames): AgentList {
  const agents = [...directory.agents.values()].map((agent) =>
    describeAgent(agent, directory, answered, menus),
  );
  const bytes = Buffer.from(JSON.stringify(agents));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, etag, answered, menus };
}

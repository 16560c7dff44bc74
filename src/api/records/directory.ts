// The directory of each account in memory, valid as long as its revision; and the agent list, ready to be sent.
import { createHash } from 'node:crypto';
import { type HeldRecords, refreshRecords } from '../../calls/routing/held-records.ts';
import type { Settings } from '../../domain/account.ts';
import { type AnsweredCounts, describeAgent, type MenuNames } from '../../domain/agent-view.ts';
import { directoryFlow } from '../../domain/compile.ts';
import { type Directory, makeDirectory } from '../../domain/directory.ts';
import { DIRECTORY_KINDS, type DirectoryKind, isOfKind } from '../../domain/kinds.ts';
import { readData } from '../../domain/row.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Storage } from '../../storage/storage.ts';

/** Accounts held at once; the one loaded longest ago goes first. */
const MAX_ACCOUNTS = 1000;
const NO_NAMES: MenuNames = new Map();

export interface AgentList {
  readonly bytes: Buffer;
  readonly etag: string;
  /** What went into it beside the directory. */
  readonly answered: AnsweredCounts;
  readonly menus: MenuNames;
}

interface Entry {
  readonly revision: number;
  readonly held: Promise<HeldRecords>;
  readonly directory: Promise<Directory>;
  answered?: { readonly revision: number; readonly counts: Promise<AnsweredCounts> };
  menus?: { readonly revision: number; readonly names: Promise<MenuNames> };
  agentList?: {
    readonly answeredRevision: number;
    readonly recordsRevision: number;
    readonly list: Promise<AgentList>;
  };
  flow?: { readonly settings: Settings; readonly flow: Promise<Flow> };
}

export class Directories {
  readonly #storage: Storage;
  readonly #entries = new Map<string, Entry>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get(accountId: string, revision: number): Promise<Directory> {
    return this.#entry(accountId, revision).directory;
  }

  /** Read once per change: calls are answered far more often than the directory changes, so it is not read with them. */
  answered(accountId: string, revision: number, answeredRevision: number): Promise<AnsweredCounts> {
    const entry = this.#entry(accountId, revision);
    if (entry.answered && entry.answered.revision >= answeredRevision) return entry.answered.counts;
    const counts = this.#storage.answeredCounts(accountId);
    const answered = { revision: answeredRevision, counts };
    entry.answered = answered;
    counts.catch(() => {
      // Whoever took it over is to ask again, too.
      for (const one of [entry, this.#entries.get(accountId)])
        if (one?.answered === answered) delete one.answered;
    });
    return counts;
  }

  /** Names of the menus that agents fail over to. Without such agents nothing is read, however often menus change. */
  menuNames(accountId: string, revision: number, recordsRevision: number): Promise<MenuNames> {
    const entry = this.#entry(accountId, revision);
    if (entry.menus && entry.menus.revision >= recordsRevision) return entry.menus.names;
    const names = this.#readMenuNames(accountId, entry.directory, entry.menus?.names);
    const menus = { revision: recordsRevision, names };
    entry.menus = menus;
    names.catch(() => {
      if (entry.menus === menus) delete entry.menus;
    });
    return names;
  }

  /** The former names themselves when they are still right, so that what was made of them is, too. */
  async #readMenuNames(
    accountId: string,
    asked: Promise<Directory>,
    last: Promise<MenuNames> | undefined,
  ): Promise<MenuNames> {
    const ids = [...(await asked).failoverMenus];
    if (ids.length === 0) return NO_NAMES;
    const before = await last?.catch(() => undefined);
    const rows = await this.#storage.getRecords({ accountId, kind: 'ivr', ids });
    const names = new Map(rows.map(({ id, json }) => [id, readData('ivr', json).name]));
    const same = before?.size === names.size && [...names].every(([id, name]) => before.get(id) === name);
    return same ? before : names;
  }

  /** Written and hashed once per change, not once per request. */
  agentList(
    accountId: string,
    revision: number,
    answeredRevision: number,
    recordsRevision: number,
  ): Promise<AgentList> {
    const entry = this.#entry(accountId, revision);
    const held = entry.agentList;
    if (held && held.answeredRevision >= answeredRevision && held.recordsRevision >= recordsRevision)
      return held.list;
    const list = Promise.all([
      entry.directory,
      this.answered(accountId, revision, answeredRevision),
      this.menuNames(accountId, revision, recordsRevision),
      held?.list.catch(() => undefined),
    ]).then(([directory, answered, menus, before]) =>
      before && before.answered === answered && before.menus === menus
        ? before
        : writeList(directory, answered, menus),
    );
    const agentList = { answeredRevision, recordsRevision, list };
    entry.agentList = agentList;
    list.catch(() => {
      if (entry.agentList === agentList) delete entry.agentList;
    });
    return list;
  }

  /** Compiled once per change of the directory or of the account's settings. */
  flow(accountId: string, revision: number, settings: Settings): Promise<Flow> {
    const entry = this.#entry(accountId, revision);
    if (entry.flow?.settings !== settings) {
      entry.flow = {
        settings,
        flow: entry.directory.then((directory) => directoryFlow(directory, settings)),
      };
    }
    return entry.flow.flow;
  }

  #entry(accountId: string, revision: number): Entry {
    const held = this.#entries.get(accountId);
    // A newer one than asked for is as good: it was read after the asking.
    if (held && held.revision >= revision) return held;
    const records = this.#refresh(accountId, held);
    const entry: Entry = {
      revision,
      held: records,
      directory: records.then(directoryOf),
      ...(held?.answered ? { answered: held.answered } : {}),
    };
    this.#entries.delete(accountId);
    this.#entries.set(accountId, entry);
    entry.directory.catch(() => {
      if (this.#entries.get(accountId) === entry) this.#entries.delete(accountId);
    });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ACCOUNTS) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }

  async #refresh(accountId: string, last: Entry | undefined): Promise<HeldRecords> {
    const before = await last?.held.catch(() => undefined);
    return refreshRecords(this.#storage, accountId, DIRECTORY_KINDS, before);
  }
}

function writeList(directory: Directory, answered: AnsweredCounts, menus: MenuNames): AgentList {
  const agents = [...directory.agents.values()].map((agent) =>
    describeAgent(agent, directory, answered, menus),
  );
  const bytes = Buffer.from(JSON.stringify(agents));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, etag, answered, menus };
}

function directoryOf({ records }: HeldRecords): Directory {
  const all = [...records.values()];
  const of = <K extends DirectoryKind>(kind: K) => all.filter((record) => isOfKind(kind, record));
  return makeDirectory({
    agent: of('agent'),
    team: of('team'),
    department: of('department'),
    recording: of('recording'),
    trunk: of('trunk'),
    timegroup: of('timegroup'),
    announcement: of('announcement'),
    voicemail: of('voicemail'),
    sms_template: of('sms_template'),
  });
}

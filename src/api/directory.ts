// The directory of each account in memory, valid as long as its revision; and the agent list, ready to be sent.
import { createHash } from 'node:crypto';
import type { Settings } from '../domain/account.ts';
import { type Agent, type Department, describeAgent, type Team } from '../domain/agent.ts';
import { directoryFlow } from '../domain/compile.ts';
import { type DIRECTORY_KINDS, type Directory, makeDirectory } from '../domain/directory.ts';
import type { StoredRecord } from '../domain/record.ts';
import type { Recording } from '../domain/recording.ts';
import type { Flow } from '../flow/flow.ts';
import type { Storage, StoredRow } from '../storage/storage.ts';

const PAGE = 1000;
/** Accounts held at once; the one loaded longest ago goes first. */
const MAX_ACCOUNTS = 1000;

export interface AgentList {
  readonly bytes: Buffer;
  readonly etag: string;
}

interface Entry {
  readonly revision: number;
  readonly directory: Promise<Directory>;
  agentList?: Promise<AgentList>;
  flow?: { readonly settings: Settings; readonly flow: Promise<Flow> };
}

export function parseRow<T>({ json, ...row }: StoredRow): StoredRecord<T> {
  return { ...row, data: JSON.parse(json) as T };
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

  /** Written and hashed once per change, not once per request. */
  agentList(accountId: string, revision: number): Promise<AgentList> {
    const entry = this.#entry(accountId, revision);
    entry.agentList ??= entry.directory.then((directory) => {
      const agents = [...directory.agents.values()].map((agent) => describeAgent(agent, directory));
      const bytes = Buffer.from(JSON.stringify(agents));
      return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
    });
    return entry.agentList;
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
    const entry: Entry = { revision, directory: this.#load(accountId) };
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

  async #load(accountId: string): Promise<Directory> {
    const all = <T>(kind: (typeof DIRECTORY_KINDS)[number]) => this.#all<T>(accountId, kind);
    const [agent, team, department, recording] = await Promise.all([
      all<Agent>('agent'),
      all<Team>('team'),
      all<Department>('department'),
      all<Recording>('recording'),
    ]);
    return makeDirectory({ agent, team, department, recording });
  }

  async #all<T>(accountId: string, kind: (typeof DIRECTORY_KINDS)[number]): Promise<StoredRecord<T>[]> {
    const records: StoredRecord<T>[] = [];
    for (let afterId = ''; ; ) {
      const page = await this.#storage.listRecords({ accountId, kind, afterId, limit: PAGE });
      for (const row of page) records.push(parseRow<T>(row));
      const last = page.at(-1);
      if (page.length < PAGE || !last) return records;
      afterId = last.id;
    }
  }
}

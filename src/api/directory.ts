// The directory of each account in memory, valid as long as its revision; and the agent list, ready to be sent.
import { createHash } from 'node:crypto';
import { type HeldRecords, refreshRecords } from '../calls/held-records.ts';
import type { Settings } from '../domain/account.ts';
import {
  type Agent,
  type AnsweredCounts,
  type Department,
  describeAgent,
  type Team,
} from '../domain/agent.ts';
import { directoryFlow } from '../domain/compile.ts';
import { DIRECTORY_KINDS, type Directory, makeDirectory } from '../domain/directory.ts';
import type { RecordKind, StoredRecord } from '../domain/record.ts';
import type { Recording } from '../domain/recording.ts';
import type { SmsTemplate } from '../domain/sms-template.ts';
import type { Trunk } from '../domain/trunk.ts';
import type { Flow } from '../flow/flow.ts';
import type { Storage, StoredRow } from '../storage/storage.ts';

/** Accounts held at once; the one loaded longest ago goes first. */
const MAX_ACCOUNTS = 1000;

export interface AgentList {
  readonly bytes: Buffer;
  readonly etag: string;
}

interface Entry {
  readonly revision: number;
  readonly held: Promise<HeldRecords>;
  readonly directory: Promise<Directory>;
  answered?: { readonly revision: number; readonly counts: Promise<AnsweredCounts> };
  agentList?: { readonly answeredRevision: number; readonly list: Promise<AgentList> };
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

  /** Written and hashed once per change, not once per request. */
  agentList(accountId: string, revision: number, answeredRevision: number): Promise<AgentList> {
    const entry = this.#entry(accountId, revision);
    if (entry.agentList && entry.agentList.answeredRevision >= answeredRevision) return entry.agentList.list;
    const counts = this.answered(accountId, revision, answeredRevision);
    const list = Promise.all([entry.directory, counts]).then(([directory, answered]) => {
      const agents = [...directory.agents.values()].map((agent) => describeAgent(agent, directory, answered));
      const bytes = Buffer.from(JSON.stringify(agents));
      return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
    });
    const agentList = { answeredRevision, list };
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

function directoryOf({ records }: HeldRecords): Directory {
  const of = <T>(wanted: RecordKind): StoredRecord<T>[] =>
    [...records.values()]
      .filter(({ kind }) => kind === wanted)
      .map(({ record }) => record as StoredRecord<T>);
  return makeDirectory({
    agent: of<Agent>('agent'),
    team: of<Team>('team'),
    department: of<Department>('department'),
    recording: of<Recording>('recording'),
    trunk: of<Trunk>('trunk'),
    sms_template: of<SmsTemplate>('sms_template'),
  });
}

// The small kinds of one account, parsed and compiled: the directory, and its flow without menus.
import { flowTemplates, recompile } from '../domain/compile.ts';
import { type Directory, type DirectoryRecords, makeDirectory } from '../domain/directory.ts';
import { changeFlow, type Flow, makeFlow } from '../flow/flow.ts';
import { DIRECTORY_KINDS } from '../kinds/lists.ts';
import { HeldRecords, type SnapshotStorage } from './held-records.ts';
import { Latest } from './latest.ts';

export interface DirectorySnapshot {
  readonly directory: Directory;
  /** With default settings. */
  readonly flow: Flow;
}

const NO_FLOW = makeFlow({});

export class HeldDirectory {
  readonly #records: HeldRecords;
  readonly #latest = new Latest<DirectorySnapshot>();
  #snapshot: DirectorySnapshot | null = null;

  constructor(storage: SnapshotStorage, accountId: string) {
    this.#records = new HeldRecords(storage, accountId, DIRECTORY_KINDS);
  }

  /** Not older than the revision; the same promise until the directory changes. */
  at(revision: number): Promise<DirectorySnapshot> {
    return this.#latest.at(revision, this.#refresh);
  }

  readonly #refresh = async (before: Promise<unknown> | null): Promise<DirectorySnapshot> => {
    await before?.catch(() => undefined);
    try {
      const { written, former } = await this.#records.refresh();
      if (this.#snapshot && written.length === 0 && former.length === 0) return this.#snapshot;
      const directory = directoryOf(this.#records);
      const compiled = recompile(this.#snapshot?.flow ?? NO_FLOW, written, former);
      const templates = flowTemplates(directory.smsTemplates?.values() ?? []);
      this.#snapshot = { directory, flow: changeFlow(compiled, { templates }) };
      return this.#snapshot;
    } catch (error) {
      this.#snapshot = null;
      this.#records.clear();
      throw error;
    }
  };
}

function directoryOf(records: HeldRecords): Directory {
  const lists = DIRECTORY_KINDS.map((kind) => [kind, records.of(kind)]);
  // The cast holds: a list for each kind that is held.
  return makeDirectory(Object.fromEntries(lists) as unknown as DirectoryRecords);
}

// All records of one account, parsed and compiled: what calls are routed by, and the flow with its menus.
import { recompile } from '../domain/compile.ts';
import type { Directory } from '../domain/directory.ts';
import { changeFlow, type Flow, makeFlow } from '../flow/flow.ts';
import type { LayeredMap } from '../flow/layered-map.ts';
import { type Ref, referenceTo } from '../flow/node.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { DIRECTORY_KINDS, RECORD_KINDS, type RecordKind } from '../kinds/lists.ts';
import type { StoredRecordOf } from '../kinds/record-data.ts';
import type { RevisionStorage } from '../storage/ports/revisions.ts';
import type { DirectorySnapshot } from './directory-snapshot.ts';
import { HeldRecords, type RecordChanges, type SnapshotStorage } from './held-records.ts';

/** Reads of one refresh while others write; the next refresh sees the rest. */
const MAX_READS = 3;

/** What running the tests of a menu needs, beside the flow. */
export type TestedMenu = Pick<Ivr, 'name' | 'tests'>;

export interface AccountSnapshot {
  readonly directory: Directory;
  /** With default settings. */
  readonly flow: Flow;
  readonly numbers: readonly StoredRecordOf<'number'>[];
  readonly blockedNumbers: readonly StoredRecordOf<'blocked_number'>[];
  readonly callerIdRules: readonly StoredRecordOf<'caller_id_rule'>[];
  readonly webhooks: readonly StoredRecordOf<'webhook'>[];
  /** The same list until a contact changes. */
  readonly contacts: readonly StoredRecordOf<'contact'>[];
  /** Menus that carry tests, by id. */
  readonly tested: ReadonlyMap<string, TestedMenu>;
}

const inDirectory: ReadonlySet<RecordKind> = new Set(DIRECTORY_KINDS);
const OTHER_KINDS = RECORD_KINDS.filter((kind) => !inDirectory.has(kind));
const NO_FLOW = makeFlow({});

export class HeldAccount {
  readonly #storage: SnapshotStorage & RevisionStorage;
  readonly #accountId: string;
  readonly #directory: (revision: number) => Promise<DirectorySnapshot>;
  /** A menu is needed as a node of the flow alone, and an account may have 100,000 of them. */
  readonly #records: HeldRecords;
  #directoryFlow = NO_FLOW;
  #tested: ReadonlyMap<string, TestedMenu> = new Map();
  #contacts: AccountSnapshot['contacts'] = [];
  #snapshot: AccountSnapshot | null = null;
  #revision = -1;
  #refreshed: Promise<AccountSnapshot> | null = null;

  constructor(
    storage: SnapshotStorage & RevisionStorage,
    accountId: string,
    directory: (revision: number) => Promise<DirectorySnapshot>,
  ) {
    this.#storage = storage;
    this.#accountId = accountId;
    this.#directory = directory;
    this.#records = new HeldRecords(storage, accountId, OTHER_KINDS, 'ivr');
  }

  /** Not older than the call: it asks for the revision, after the refresh before it is done. */
  now(): Promise<AccountSnapshot> {
    this.#refreshed = this.#refresh(this.#refreshed);
    return this.#refreshed;
  }

  async #refresh(previous: Promise<unknown> | null): Promise<AccountSnapshot> {
    await previous?.catch(() => undefined);
    let [revision, directoryRevision] = await this.#revisions();
    if (this.#snapshot && this.#revision === revision) return this.#snapshot;
    try {
      // The directory and the menus are two reads: a write in between could bring a menu without its department.
      for (let read = 1; ; read++) {
        const { directory, flow } = await this.#directory(directoryRevision);
        const changes = await this.#records.refresh();
        this.#tested = testedAfter(this.#tested, changes);
        const { written, deleted } = changes;
        if ([...written, ...deleted].some(({ kind }) => kind === 'contact'))
          this.#contacts = this.#records.of('contact');
        this.#snapshot = this.#snapshotOf(directory, this.#compile(flow, changes));
        this.#directoryFlow = flow;
        this.#revision = revision;
        [revision, directoryRevision] = await this.#revisions();
        if (revision === this.#revision || read === MAX_READS) return this.#snapshot;
      }
    } catch (error) {
      this.#snapshot = null;
      this.#directoryFlow = NO_FLOW;
      this.#tested = new Map();
      this.#contacts = [];
      this.#records.clear();
      throw error;
    }
  }

  async #revisions(): Promise<[records: number, directory: number]> {
    const [records = 0, directory = 0] = await this.#storage.revisions([
      `records:${this.#accountId}`,
      `directory:${this.#accountId}`,
    ]);
    return [records, directory];
  }

  /** The directory's nodes are taken from its own flow: each record is compiled once. */
  #compile(directoryFlow: Flow, { written, former, deleted }: RecordChanges): Flow {
    const { nodes, removedNodes, ...recordings } = changesBetween(this.#directoryFlow, directoryFlow);
    const deletedMenus = deleted.flatMap(({ kind, id }) => (kind === 'ivr' ? referenceTo('menu', id) : []));
    return changeFlow(recompile(this.#snapshot?.flow ?? NO_FLOW, written, former), {
      nodes,
      removedNodes: [...deletedMenus, ...removedNodes],
      ...recordings,
      templates: directoryFlow.templates,
    });
  }

  #snapshotOf(directory: Directory, flow: Flow): AccountSnapshot {
    return {
      directory,
      flow,
      numbers: this.#records.of('number'),
      blockedNumbers: this.#records.of('blocked_number'),
      callerIdRules: this.#records.of('caller_id_rule'),
      webhooks: this.#records.of('webhook'),
      contacts: this.#contacts,
      tested: this.#tested,
    };
  }
}

/** A new map: a job may still read the former one. */
function testedAfter(
  tested: ReadonlyMap<string, TestedMenu>,
  { written, deleted }: RecordChanges,
): ReadonlyMap<string, TestedMenu> {
  const after = new Map(tested);
  for (const { kind, id } of deleted) if (kind === 'ivr') after.delete(id);
  for (const record of written) {
    if (record.kind !== 'ivr') continue;
    const { name, tests = [] } = record.data;
    if (tests.length > 0) after.set(record.id, { name, tests });
    else after.delete(record.id);
  }
  return after;
}

export function entriesOf({ numbers }: AccountSnapshot): Set<Ref> {
  return new Set(numbers.map(({ data }) => data.destination));
}

/** By identity: a record that did not change has the same node in both. */
function changesBetween(before: Flow, after: Flow) {
  const [nodes, removedNodes] = differences(before.nodes, after.nodes);
  const [recordings, removedRecordings] = differences(before.recordings, after.recordings);
  return { nodes, removedNodes, recordings, removedRecordings };
}

function differences<T>(before: LayeredMap<T>, after: LayeredMap<T>): [set: T[], removed: string[]] {
  const set: T[] = [];
  const removed: string[] = [];
  if (before === after) return [set, removed];
  for (const [key, value] of after) if (before.get(key) !== value) set.push(value);
  for (const [key] of before) if (!after.has(key)) removed.push(key);
  return [set, removed];
}

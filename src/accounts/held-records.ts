// Records of some kinds of an account, in memory. A refresh reads and parses only what has changed.

import { readRow } from '../domain/row.ts';
import type { RecordKind } from '../kinds/lists.ts';
import { type AnyRecord, isOfKind, type StoredRecordOf } from '../kinds/record-data.ts';
import type { RecordStamp, RecordStorage, StoredRow } from '../storage/ports/records.ts';

/** More changed records of a kind than this are read in pages, with those that did not change. */
const MAX_SINGLE = 500;
/** Read at once: parsing so much takes some milliseconds, then other work has its turn. */
const PAGE = { limit: 1000, maxBytes: 1024 * 1024 };
const IDS_AT_ONCE = 32;

/** More changes than this since the last refresh: all versions of the account are compared. */
const MAX_CHANGES = 200;
const UNKNOWN = -1;

/** What snapshots are made from. */
export type SnapshotStorage = Pick<
  RecordStorage,
  'getRecords' | 'listRecords' | 'listStamps' | 'recordChanges'
>;

/** In groups, so that a few hundred large records do not come in one piece. */
export async function* readByIds(
  storage: Pick<RecordStorage, 'getRecords'>,
  { accountId, kind, ids }: { accountId: string; kind: RecordKind; ids: readonly string[] },
): AsyncGenerator<StoredRow> {
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
    yield* await storage.getRecords({ accountId, kind, ids: ids.slice(from, from + IDS_AT_ONCE) });
}

type Address = Pick<RecordStamp, 'kind' | 'id'>;

interface Difference {
  readonly written: readonly AnyRecord[];
  readonly deleted: readonly Address[];
}

export interface RecordChanges extends Difference {
  /** What the written ones replace, and the deleted ones, as far as they are kept. */
  readonly former: readonly AnyRecord[];
}

export class HeldRecords {
  readonly #storage: SnapshotStorage;
  readonly #accountId: string;
  readonly #kinds: readonly RecordKind[];
  readonly #notKept: RecordKind | null;
  readonly #versions = new Map<RecordKind, Map<string, number>>();
  readonly #records = new Map<RecordKind, Map<string, AnyRecord>>();
  /** The revision of the account's records that the last refresh has read. */
  #revision = UNKNOWN;

  /** Only the versions of `notKept` are kept: its records are in `written`, and what the caller makes of them is enough. */
  constructor(
    storage: SnapshotStorage,
    accountId: string,
    kinds: readonly RecordKind[],
    notKept: RecordKind | null = null,
  ) {
    this.#storage = storage;
    this.#accountId = accountId;
    this.#kinds = kinds;
    this.#notKept = notKept;
    this.clear();
  }

  /** The next refresh reads everything. */
  clear(): void {
    this.#revision = UNKNOWN;
    for (const kind of this.#kinds) {
      this.#versions.set(kind, new Map());
      this.#records.set(kind, new Map());
    }
  }

  of<K extends RecordKind>(kind: K): StoredRecordOf<K>[] {
    const records: StoredRecordOf<K>[] = [];
    for (const record of this.#records.get(kind)?.values() ?? [])
      if (isOfKind(kind, record)) records.push(record);
    return records;
  }

  /** Not to be called again before it has settled. */
  async refresh(): Promise<RecordChanges> {
    const { revision, changes } = await this.#storage.recordChanges({
      accountId: this.#accountId,
      since: this.#revision,
      limit: MAX_CHANGES,
    });
    const { written, deleted } = changes ? await this.#readChanged(changes) : await this.#compareAll();
    this.#revision = revision;
    const former = [...deleted, ...written].flatMap(({ kind, id }) => this.#records.get(kind)?.get(id) ?? []);
    for (const { kind, id } of deleted) {
      this.#versions.get(kind)?.delete(id);
      this.#records.get(kind)?.delete(id);
    }
    for (const record of written) {
      this.#versions.get(record.kind)?.set(record.id, record.version);
      if (record.kind !== this.#notKept) this.#records.get(record.kind)?.set(record.id, record);
    }
    return { written, former, deleted };
  }

  /** What changes cost: the records that are named, whatever else the account has. */
  async #readChanged(changes: readonly Address[]): Promise<Difference> {
    const written: AnyRecord[] = [];
    const deleted: Address[] = [];
    for (const kind of this.#kinds) {
      const ids = new Set(changes.flatMap((each) => (each.kind === kind ? each.id : [])));
      if (ids.size === 0) continue;
      for await (const row of readByIds(this.#storage, { accountId: this.#accountId, kind, ids: [...ids] })) {
        written.push(readRow(kind, row));
        ids.delete(row.id);
      }
      for (const id of ids) if (this.#versions.get(kind)?.has(id)) deleted.push({ kind, id });
    }
    return { written, deleted };
  }

  async #compareAll(): Promise<Difference> {
    const stamps = await this.#storage.listStamps({ accountId: this.#accountId, kinds: this.#kinds });
    return { written: await this.#read(stamps), deleted: this.#missingFrom(stamps) };
  }

  async #read(stamps: readonly RecordStamp[]): Promise<AnyRecord[]> {
    const changed = new Map<RecordKind, string[]>();
    for (const { kind, id, version } of stamps) {
      if (this.#versions.get(kind)?.get(id) === version) continue;
      const ids = changed.get(kind);
      if (ids) ids.push(id);
      else changed.set(kind, [id]);
    }
    const written: AnyRecord[] = [];
    for (const [kind, ids] of changed) {
      if (ids.length > MAX_SINGLE) await this.#readAll(kind, written);
      // One that was deleted meanwhile is not among the rows; the next refresh finds that.
      else {
        const rows = readByIds(this.#storage, { accountId: this.#accountId, kind, ids });
        for await (const row of rows) written.push(readRow(kind, row));
      }
    }
    return written;
  }

  async #readAll(kind: RecordKind, written: AnyRecord[]): Promise<void> {
    const versions = this.#versions.get(kind);
    for (let afterId: string | undefined = ''; afterId !== undefined; ) {
      const rows: StoredRow[] = await this.#storage.listRecords({
        accountId: this.#accountId,
        kind,
        afterId,
        ...PAGE,
      });
      for (const row of rows) if (versions?.get(row.id) !== row.version) written.push(readRow(kind, row));
      afterId = rows.at(-1)?.id;
    }
  }

  #missingFrom(stamps: readonly RecordStamp[]): Address[] {
    const present = new Map(this.#kinds.map((kind) => [kind, new Set<string>()]));
    for (const { kind, id } of stamps) present.get(kind)?.add(id);
    const missing: Address[] = [];
    for (const [kind, versions] of this.#versions)
      for (const id of versions.keys()) if (!present.get(kind)?.has(id)) missing.push({ kind, id });
    return missing;
  }
}

// Records of an account as they are held in memory: after a change only what changed is read and parsed again.
import type { AnyRecord, RecordKind } from '../../domain/kinds.ts';
import { readRow } from '../../domain/row.ts';
import type { RecordStamp, StoredRow } from '../../storage/ports/records.ts';
import type { Storage } from '../../storage/storage.ts';

/** More changed records than this are read in pages, with those that did not change. */
const MAX_SINGLE = 500;
const PAGE = 1000;

export interface HeldRecords {
  /** By kind and id. */
  readonly records: ReadonlyMap<string, AnyRecord>;
  /** What this refresh found new or changed, and what stood there before or is gone. */
  readonly written: readonly AnyRecord[];
  readonly former: readonly AnyRecord[];
}

export async function refreshRecords(
  storage: Storage,
  accountId: string,
  kinds: readonly RecordKind[],
  before: HeldRecords | undefined,
): Promise<HeldRecords> {
  const known = before?.records ?? new Map<string, AnyRecord>();
  const stamps = await storage.listStamps({ accountId, kinds });
  const changed = stamps.filter((stamp) => known.get(placeOf(stamp))?.version !== stamp.version);
  const present = new Set(stamps.map(placeOf));
  const deleted = [...known.keys()].filter((place) => !present.has(place));
  const written =
    changed.length > MAX_SINGLE
      ? await readAll(storage, accountId, kinds)
      : await readSome(storage, accountId, changed);

  const records = new Map(known);
  const former = [...deleted, ...written.map(placeOf)].flatMap((place) => known.get(place) ?? []);
  for (const place of deleted) records.delete(place);
  for (const one of written) records.set(placeOf(one), one);
  return { records, written, former };
}

/** One that was deleted meanwhile is not among them; the next refresh sees that. */
async function readSome(
  storage: Storage,
  accountId: string,
  stamps: readonly RecordStamp[],
): Promise<AnyRecord[]> {
  const byKind = new Map<RecordKind, string[]>();
  for (const { kind, id } of stamps) byKind.set(kind, [...(byKind.get(kind) ?? []), id]);
  const all: AnyRecord[] = [];
  for (const [kind, ids] of byKind) {
    const rows = await storage.getRecords({ accountId, kind, ids });
    all.push(...rows.map((row) => readRow(kind, row)));
  }
  return all;
}

async function readAll(
  storage: Storage,
  accountId: string,
  kinds: readonly RecordKind[],
): Promise<AnyRecord[]> {
  const all: AnyRecord[] = [];
  for (const kind of kinds) {
    for (let afterId: string | undefined = ''; afterId !== undefined; ) {
      const rows: StoredRow[] = await storage.listRecords({ accountId, kind, afterId, limit: PAGE });
      for (const row of rows) all.push(readRow(kind, row));
      afterId = rows.length < PAGE ? undefined : rows.at(-1)?.id;
    }
  }
  return all;
}

const placeOf = ({ kind, id }: { kind: RecordKind; id: string }): string => `${kind} ${id}`;

// A row of the database → a record. Members that an older row lacks get their defaults here and nowhere else.
import { DEFAULTS } from '../kinds/fields.ts';
import type { RecordKind } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData, StoredRecordOf } from '../kinds/record-data.ts';

interface RecordRow extends Omit<StoredRecord<unknown>, 'data'> {
  readonly json: string;
}

/** Per kind, since this runs for every row that is read. */
const MEMBERS = new Map(Object.entries(DEFAULTS).map(([kind, defaults]) => [kind, Object.entries(defaults)]));

export function readRow<K extends RecordKind>(kind: K, row: RecordRow): StoredRecordOf<K> {
  const { id, version, createdAtMs, updatedAtMs } = row;
  return { kind, id, version, createdAtMs, updatedAtMs, data: readData(kind, row.json) } as StoredRecordOf<K>;
}

export function readData<K extends RecordKind>(kind: K, json: string): RecordData[K] {
  const data = JSON.parse(json);
  for (const [name, value] of MEMBERS.get(kind) ?? []) if (data[name] === undefined) data[name] = value;
  return data;
}

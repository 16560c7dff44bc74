// Values that no two records of a kind may share within an account, and networks that no two accounts may share.
import type { KindRecord, UniqueKey } from '../kinds/define-kind.ts';
import type { RecordKind } from '../kinds/lists.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { RECORDS } from '../kinds/records.ts';

export const lastingKeys = (kind: RecordKind): readonly string[] => {
  const { lasting = [] }: KindRecord = RECORDS[kind];
  return lasting;
};

/** To be spread into what is written; a kind without keys writes none, and only trunks have networks. */
export function uniqueKeys<K extends RecordKind>(
  kind: K,
  id: string,
  data: RecordData[K],
): { readonly keys?: readonly UniqueKey[]; readonly networks?: readonly string[] } {
  const { unique }: KindRecord = RECORDS[kind];
  // The cast holds: a module's keys are made of its own kind's data.
  const keys = unique?.(id, data as never);
  return { ...(keys ? { keys } : {}), ...('addresses' in data ? { networks: data.addresses } : {}) };
}

// Names of records that were deleted, for sheets and reports of the time when they were there.
import { KINDS, type RecordKind } from '../kinds/lists.ts';
import { referenceText } from '../kinds/reference.ts';
import { type DeletedRecordStorage, type DeletedRow, MAX_DELETED } from '../storage/ports/deleted-records.ts';

const PAGE = 200;

/** The name behind a reference such as `extension||7`; null: it is not known any more. */
export type DeletedName = (reference: string) => string | null;

export type DeletedNamesStorage = Pick<DeletedRecordStorage, 'listDeleted'>;

/** What the path of its kind calls it: an agent's eid, else its id. */
export function deletedId(row: DeletedRow): string {
  const { eid } = JSON.parse(row.json) as { readonly eid?: unknown };
  return row.kind === 'agent' && typeof eid === 'string' ? eid : row.recordId;
}

/** By reference; of a record that was deleted twice the later name. */
export async function deletedNames(
  storage: DeletedNamesStorage,
  accountId: string,
  kinds: readonly RecordKind[],
): Promise<DeletedName> {
  const names = new Map<string, string>();
  let beforeId: string | undefined;
  for (let read = 0; read < MAX_DELETED; read += PAGE) {
    const rows = await storage.listDeleted({
      accountId,
      kinds,
      limit: PAGE,
      ...(beforeId === undefined ? {} : { beforeId }),
    });
    for (const row of rows) {
      const reference = referenceText(KINDS[row.kind].word ?? row.kind, deletedId(row));
      const { name } = JSON.parse(row.json) as { readonly name?: unknown };
      if (typeof name === 'string' && !names.has(reference)) names.set(reference, name);
    }
    beforeId = rows.at(-1)?.id;
    if (rows.length < PAGE) break;
  }
  return (reference) => names.get(reference) ?? null;
}

interface NamedRows {
  readonly agents: readonly { readonly name: string | null }[];
  readonly departments: readonly { readonly name: string | null }[];
}

/** Read where some row has no name. */
export async function deletedNamesFor(
  storage: DeletedNamesStorage,
  accountId: string,
  { agents, departments }: NamedRows,
): Promise<DeletedName> {
  if ([...agents, ...departments].every(({ name }) => name !== null)) return () => null;
  return deletedNames(storage, accountId, ['agent', 'department']);
}

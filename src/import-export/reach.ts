// What menus lead to: for a file that has some of an account.

import { placedReferences } from '../domain/record-references.ts';
import type { RecordKind } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { referenceText, splitReference } from '../kinds/reference.ts';
import { type AccountRecords, byKind } from './export-file.ts';
import { EXPORT_ORDER, type NamedKind, wordOf } from './fields.ts';

/** By reference of each record: the references in it. */
type Graph = ReadonlyMap<string, readonly string[]>;

const referenceTo = (kind: RecordKind, id: string, data: object): string =>
  referenceText(wordOf(kind), kind === 'agent' && 'eid' in data ? String(data.eid) : id);

export function graphOf(records: AccountRecords): Graph {
  const graph = new Map<string, readonly string[]>();
  for (const kind of EXPORT_ORDER)
    for (const { id, data } of records[kind])
      graph.set(referenceTo(kind, id, data), [
        ...placedReferences(data).map((reference) => referenceText(reference.kind, reference.id)),
        ...plainReferences(data),
      ]);
  return graph;
}

/** Members that hold an id without its word. */
function plainReferences(data: object): string[] {
  const {
    timegroup_id: hours,
    team_id: team,
    agents,
  } = data as Partial<RecordData['agent'] & RecordData['department']>;
  return [
    ...(hours ? [referenceText(wordOf('timegroup'), hours)] : []),
    ...(team ? [referenceText(wordOf('team'), String(team))] : []),
    ...(agents ?? []).map((eid) => referenceText(wordOf('agent'), eid)),
  ];
}

/** References of everything that `roots` lead to, whether it exists or not. */
export function reachedFrom(graph: Graph, roots: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const open = [...roots];
  for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
    if (reached.has(reference)) continue;
    reached.add(reference);
    open.push(...(graph.get(reference) ?? []));
  }
  return reached;
}

export function reachedRecords(records: AccountRecords, reached: ReadonlySet<string>): AccountRecords {
  const menus = new Set(records.ivr.map(({ id }) => referenceText('ivr', id)));
  return byKind<AccountRecords>((kind) =>
    records[kind].filter((record: StoredRecord<RecordData[RecordKind]>) => {
      const { id, data } = record;
      // Only numbers that lead to the menus are reached.
      if (kind === 'number' && 'destination' in data)
        return (
          typeof data.destination === 'string' && menus.has(data.destination) && reached.has(data.destination)
        );
      return reached.has(referenceTo(kind, id, data));
    }),
  );
}

/** Ids that something points to and no record has: they stand in the file as they are, so no name may look like them. */
export function unknownIds(
  reached: ReadonlySet<string>,
  kind: NamedKind,
  known: readonly StoredRecord<unknown>[],
): Set<string> {
  const ids = new Set(known.map(({ id }) => id));
  return new Set(
    [...reached]
      .map(splitReference)
      .filter((reference) => reference.kind === wordOf(kind) && !ids.has(reference.id))
      .map(({ id }) => id),
  );
}

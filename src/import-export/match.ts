// Which records of an account a file means: those with the ids in it; else agents by eid, numbers by number, all others by name.

import { placedReferences } from '../domain/record-references.ts';
import { KINDS, type RecordKind } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { type AccountRecords, byKind, type ExportFile, type RecordFault } from './export-file.ts';
import { EXPORT_ORDER, keyOf, NAMED_KINDS, type NamedKind, nounOf, wordOf } from './fields.ts';

export interface Match<Data> {
  /** The stored record's, or one for the record that will be made. */
  readonly id: string;
  readonly stored: StoredRecord<Data> | null;
}

export type Matches = { readonly [K in RecordKind]: (key: string) => Match<RecordData[K]> };

/** Ids of new records that have none in the file. */
export interface NewIds {
  newId(): string;
  newTeamNumber(name: string): number;
}

/** By the id in the file, if the account has it; else by key. The same key always gets the same answer. */
export function matchRecords(exportFile: ExportFile, target: AccountRecords, ids: NewIds): Matches {
  return byKind<Matches>((kind) => {
    const stored = new Map(target[kind].map((record) => [record.id, record]));
    const marked = markedIds(kind, exportFile);
    const claimed = new Set(marked.values());
    const matches = new Map<string, Match<unknown>>();
    for (const record of target[kind])
      if (!claimed.has(record.id))
        matches.set(keyOf(kind, { id: record.id, ...record.data }), { id: record.id, stored: record });
    for (const [key, id] of marked) {
      const found = stored.get(id);
      if (found || !matches.has(key)) matches.set(key, { id, stored: found ?? null });
    }
    return (key: string) => {
      const found = matches.get(key) ?? { id: makeId(kind, key, ids), stored: null };
      matches.set(key, found);
      return found;
    };
  });
}

/** The ids that the file's records have, by key. */
function markedIds(kind: RecordKind, exportFile: ExportFile): Map<string, string> {
  return new Map(
    exportFile[kind].flatMap((record) =>
      record.id === undefined ? [] : [[keyOf(kind, record), record.id] as const],
    ),
  );
}

function makeId(kind: RecordKind, key: string, ids: NewIds): string {
  if (kind === 'recording') return key;
  return kind === 'team' ? String(ids.newTeamNumber(key)) : ids.newId();
}

/** What keeps the file from meaning one record each. */
export function matchFaults(exportFile: ExportFile, target: AccountRecords): RecordFault[] {
  const meant = meantNames(exportFile);
  return [
    ...NAMED_KINDS.flatMap((kind) => {
      // What the file means by id is clear.
      const marked = markedIds(kind, exportFile);
      const claimed = new Set(marked.values());
      const byName = [...(meant.get(kind) ?? [])].filter((name) => {
        const id = marked.get(name);
        return id === undefined || !target[kind].some((record) => record.id === id);
      });
      const unclaimed = target[kind].filter(({ id }) => !claimed.has(id));
      return ambiguous(kind, unclaimed, new Set(byName));
    }),
    ...takenIntercoms(exportFile, target),
    ...unknownNames('team', exportFile, target),
    ...unknownNames('timegroup', exportFile, target),
  ];
}

/** Names that the file has or points to, by kind. */
function meantNames(exportFile: ExportFile): Map<NamedKind, Set<string>> {
  const lists: readonly (readonly object[])[] = EXPORT_ORDER.map((kind) => exportFile[kind]);
  const references = lists.flatMap((records) => records.flatMap(placedReferences));
  const ofAgents = { timegroup: 'timegroup', team: 'team' } as const;
  return new Map(
    NAMED_KINDS.map((kind) => [
      kind,
      new Set([
        ...exportFile[kind].map(({ name }) => name),
        ...(kind in ofAgents
          ? exportFile.agent.flatMap((agent) => agent[kind as keyof typeof ofAgents] ?? [])
          : []),
        ...references.filter((reference) => reference.kind === wordOf(kind)).map(({ id }) => id),
      ]),
    ]),
  );
}

function ambiguous(
  kind: NamedKind,
  records: readonly StoredRecord<{ readonly name: string }>[],
  meant: ReadonlySet<string>,
): RecordFault[] {
  const counts = new Map<string, number>();
  for (const { data } of records) counts.set(data.name, (counts.get(data.name) ?? 0) + 1);
  return [...counts]
    .filter(([name, count]) => count > 1 && meant.has(name))
    .map(([name, count]) => {
      const message = `The account has ${count} of that name, so it is not clear which is meant: rename the others first.`;
      return { record: `${nounOf(kind)} "${name}"`, pointer: '', message };
    });
}

function takenIntercoms(exportFile: ExportFile, target: AccountRecords): RecordFault[] {
  const owners = new Map(target.agent.map(({ data }) => [data.intercom, data.eid]));
  return exportFile.agent.flatMap(({ eid, name, intercom }, index) => {
    const owner = owners.get(intercom);
    if (owner === undefined || owner === eid) return [];
    const message = `Agent ${owner} of the account has the intercom ${intercom}.`;
    return [{ record: `agent ${eid} "${name}"`, pointer: `/agents/${index}/intercom`, message }];
  });
}

/** Agents of the file whose team or time group is neither in the file nor in the account. */
function unknownNames(
  kind: 'team' | 'timegroup',
  exportFile: ExportFile,
  target: AccountRecords,
): RecordFault[] {
  const known = new Set([
    ...exportFile[kind].map(({ name }) => name),
    ...target[kind].map(({ data }) => data.name),
  ]);
  return exportFile.agent.flatMap((agent, index) => {
    const wanted = agent[kind];
    if (wanted === null || known.has(wanted)) return [];
    const message = `The ${KINDS[kind].noun} "${wanted}" is neither in the file nor in the account.`;
    return [{ record: `agent ${agent.eid} "${agent.name}"`, pointer: `/agents/${index}/${kind}`, message }];
  });
}

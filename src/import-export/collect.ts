// Records → a file: the menus asked for, everything they refer to, and names in place of ids.
import { type ExportedKind, KINDS, type RecordData } from '../domain/kinds.ts';
import type { StoredRecord } from '../domain/record.ts';
import { mapReferences, placedReferences } from '../domain/record-references.ts';
import { referenceText, splitReference } from '../domain/reference.ts';
import { type AccountRecords, byExportedKind, type ExportFile } from './export-file.ts';
import { type Exported, inOrder, isNamedKind, keyOf, NAMED_KINDS, type NamedKind } from './fields.ts';
import { type Labels, labelsOf, type Named } from './labels.ts';

export interface Collected {
  readonly exportFile: ExportFile;
  /** Names that several records share, and what the later ones are called in the file. */
  readonly renamed: readonly Named[];
}

/** `roots` are ids of menus; without them, all menus. */
export function collectExport(records: AccountRecords, roots?: readonly string[]): Collected {
  const reached = reachedFrom(records, roots ?? records.ivr.map(({ id }) => id));
  const found = reachedRecords(records, reached);
  const labels = new Map<ExportedKind, Labels>(
    NAMED_KINDS.map((kind) => [kind, labelsOf(kind, found[kind], unknownIds(reached, kind, found[kind]))]),
  );
  const teams = labelsOf('team', found.team, new Set());
  const label = (kind: ExportedKind, id: string): string => labels.get(kind)?.of(id) ?? id;
  const known = (kind: NamedKind, id: string): string | null =>
    labels.get(kind)?.has(id) ? label(kind, id) : null;
  const byName = (text: string): string => {
    const { kind, id } = splitReference(text);
    return isNamedKind(kind) ? referenceText(kind, label(kind, id)) : text;
  };
  const named = <Data extends { readonly name: string }>(
    kind: NamedKind,
    { id, data }: StoredRecord<Data>,
  ): Data => ({ ...data, name: label(kind, id) });

  const inFile: { readonly [K in ExportedKind]: (record: StoredRecord<RecordData[K]>) => Exported[K] } = {
    ivr: (record) => named('ivr', record),
    department: (record) => named('department', record),
    team: ({ id }) => ({ name: teams.of(id) }),
    agent: ({ data }) => ({
      ...data,
      // A team or a time group that does not exist has no name to be called by.
      team: teams.has(String(data.team_id)) ? teams.of(String(data.team_id)) : null,
      timegroup: known('timegroup', data.timegroup_id ?? ''),
    }),
    timegroup: (record) => named('timegroup', record),
    announcement: (record) => named('announcement', record),
    voicemail: (record) => named('voicemail', record),
    recording: ({ id, data }) => ({ ...data, id }),
    number: ({ data }) => data,
  };
  const exportFile = byExportedKind<ExportFile>((kind) =>
    sorted(
      kind,
      found[kind].map((record) => inOrder(kind, mapReferences(inFile[kind](record), byName))),
    ),
  );
  return {
    exportFile,
    renamed: [...NAMED_KINDS.flatMap((kind) => labels.get(kind)?.renamed ?? []), ...teams.renamed],
  };
}

const wordOf = (kind: ExportedKind): string => KINDS[kind].word ?? kind;

function reachedRecords(records: AccountRecords, reached: ReadonlySet<string>): AccountRecords {
  const agent = records.agent.filter(({ data }) => reached.has(referenceText(wordOf('agent'), data.eid)));
  const teams = new Set(agent.map(({ data }) => String(data.team_id)));
  const menus = new Set(records.ivr.map(({ id }) => referenceText('ivr', id)));
  const isFound: { readonly [K in ExportedKind]?: (record: StoredRecord<RecordData[K]>) => boolean } = {
    agent: (record) => agent.includes(record),
    team: ({ id }) => teams.has(id),
    number: ({ data: { destination } }) => menus.has(destination) && reached.has(destination),
  };
  return byExportedKind<AccountRecords>((kind) =>
    records[kind].filter(isFound[kind] ?? (({ id }) => reached.has(referenceText(wordOf(kind), id)))),
  );
}

/** References of everything the menus lead to, whether it exists or not. */
function reachedFrom(records: AccountRecords, roots: readonly string[]): Set<string> {
  const byReference = new Map<string, object>();
  for (const kind of NAMED_KINDS)
    for (const { id, data } of records[kind]) byReference.set(referenceText(wordOf(kind), id), data);
  const members = new Map<string, readonly string[]>();
  for (const { data } of records.agent) {
    const reference = referenceText(wordOf('agent'), data.eid);
    byReference.set(reference, data);
    if (data.timegroup_id) members.set(reference, [referenceText('timegroup', data.timegroup_id)]);
  }
  for (const { id, data } of records.department) {
    members.set(
      referenceText('department', id),
      data.agents.map((eid) => referenceText(wordOf('agent'), eid)),
    );
  }
  const reached = new Set<string>();
  const open = roots.map((id) => referenceText('ivr', id));
  for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
    if (reached.has(reference)) continue;
    reached.add(reference);
    const record = byReference.get(reference);
    if (record) open.push(...placedReferences(record).map(({ kind, id }) => referenceText(kind, id)));
    open.push(...(members.get(reference) ?? []));
  }
  return reached;
}

/** Ids that something points to and no record has: they stand in the file as they are, so no name may look like them. */
function unknownIds(
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

/** By code units, not by a locale: the same file on every machine. */
function sorted<K extends ExportedKind>(kind: K, records: readonly Exported[K][]): Exported[K][] {
  const key = (record: Exported[K]): string => keyOf(kind, record);
  return records.toSorted((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}

// Records → a file: the menus asked for, everything they refer to, and names in place of ids.

import type { StoredRecord } from '../record.ts';
import { referenceText, splitReference } from '../reference.ts';
import {
  type AccountRecords,
  type ExportFile,
  isNamedKind,
  NAMED_KINDS,
  type NamedKind,
  orderedAgent,
  orderedAnnouncement,
  orderedBox,
  orderedDepartment,
  orderedIvr,
  orderedRecording,
  orderedTimeGroup,
} from './export-file.ts';
import { type Labels, labelsOf, type Named } from './labels.ts';
import { mapReferences, placedReferences } from './reference.ts';

export interface Collected {
  readonly exportFile: ExportFile;
  /** Names that several records share, and what the later ones are called in the file. */
  readonly renamed: readonly Named[];
}

/** `roots` are ids of menus; without them, all menus. */
export function collectExport(records: AccountRecords, roots?: readonly string[]): Collected {
  const reached = reachedFrom(records, roots ?? records.ivr.map(({ id }) => id));
  const among = <T>(kind: string, list: readonly StoredRecord<T>[]): StoredRecord<T>[] =>
    list.filter(({ id }) => reached.has(referenceText(kind, id)));
  const found = {
    ivr: among('ivr', records.ivr),
    department: among('department', records.department),
    timegroup: among('timegroup', records.timegroup),
    announcement: among('announcement', records.announcement),
    voicemail: among('voicemail', records.voicemail),
  };
  const agents = records.agent.filter(({ data }) => reached.has(referenceText('extension', data.eid)));
  const usedTeams = new Set(agents.map(({ data }) => String(data.team_id)));
  const teams = records.team.filter(({ id }) => usedTeams.has(id));
  const recordings = among('recording', records.recording);

  const labels = labelsOfAll(found, reached);
  const teamLabels = labelsOf('team', teams, new Set());
  const byName = (text: string): string => {
    const { kind, id } = splitReference(text);
    return isNamedKind(kind) ? referenceText(kind, labels[kind].of(id)) : text;
  };
  const named = <T extends { readonly name: string }>(kind: NamedKind, list: readonly StoredRecord<T>[]) =>
    sorted(
      list.map(({ id, data }): T => mapReferences({ ...data, name: labels[kind].of(id) }, byName)),
      ({ name }) => name,
    );

  const exportFile: ExportFile = {
    ivrs: named('ivr', found.ivr).map(orderedIvr),
    departments: named('department', found.department).map(orderedDepartment),
    timegroups: named('timegroup', found.timegroup).map(orderedTimeGroup),
    announcements: named('announcement', found.announcement).map(orderedAnnouncement),
    voicemail_boxes: named('voicemail', found.voicemail).map(orderedBox),
    teams: sorted(
      teams.map(({ id }) => ({ name: teamLabels.of(id) })),
      ({ name }) => name,
    ),
    agents: sorted(
      agents.map(({ data }) => {
        // A team or a time group that does not exist has no name to be called by.
        const team = labelOf(teamLabels, String(data.team_id));
        const timegroup = labelOf(labels.timegroup, data.timegroup_id ?? '');
        return orderedAgent(mapReferences({ ...data, team, timegroup }, byName));
      }),
      ({ eid }) => eid,
    ),
    recordings: sorted(
      recordings.map(({ id, data }) => orderedRecording({ ...data, id })),
      ({ id }) => id,
    ),
    numbers: sorted(
      records.number
        .filter(({ data }) => leadsTo(data.destination, labels.ivr))
        .map(({ data: { number, destination } }) => ({ number, destination: byName(destination) })),
      ({ number }) => number,
    ),
  };
  return {
    exportFile,
    renamed: [...NAMED_KINDS.flatMap((kind) => labels[kind].renamed), ...teamLabels.renamed],
  };
}

type Found = Readonly<Record<NamedKind, readonly StoredRecord<{ readonly name: string }>[]>>;

function labelsOfAll(found: Found, reached: ReadonlySet<string>): Record<NamedKind, Labels> {
  const of = (kind: NamedKind): Labels => labelsOf(kind, found[kind], unknownIds(reached, kind, found[kind]));
  return {
    ivr: of('ivr'),
    department: of('department'),
    timegroup: of('timegroup'),
    announcement: of('announcement'),
    voicemail: of('voicemail'),
  };
}

const labelOf = (labels: Labels, id: string): string | null => (labels.has(id) ? labels.of(id) : null);

function leadsTo(destination: string, ivrs: Labels): boolean {
  const { kind, id } = splitReference(destination);
  return kind === 'ivr' && ivrs.has(id);
}

/** References of everything the menus lead to, whether it exists or not. */
function reachedFrom(records: AccountRecords, roots: readonly string[]): Set<string> {
  const byReference = new Map<string, object>();
  for (const kind of NAMED_KINDS)
    for (const { id, data } of records[kind]) byReference.set(referenceText(kind, id), data);
  const members = new Map<string, readonly string[]>();
  for (const { data } of records.agent) {
    const reference = referenceText('extension', data.eid);
    byReference.set(reference, data);
    if (data.timegroup_id) members.set(reference, [referenceText('timegroup', data.timegroup_id)]);
  }
  for (const { id, data } of records.department) {
    members.set(
      referenceText('department', id),
      data.agents.map((eid) => referenceText('extension', eid)),
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

/** Ids that something points to and nobody has: they stand in the file as they are, so no name may look like them. */
function unknownIds(
  reached: ReadonlySet<string>,
  kind: string,
  known: readonly StoredRecord<unknown>[],
): Set<string> {
  const ids = new Set(known.map(({ id }) => id));
  return new Set(
    [...reached]
      .map(splitReference)
      .filter((reference) => reference.kind === kind && !ids.has(reference.id))
      .map(({ id }) => id),
  );
}

/** By code units, not by a locale: the same file on every machine. */
function sorted<T>(items: readonly T[], key: (item: T) => string): T[] {
  return items.toSorted((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}

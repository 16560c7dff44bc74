// Records → a file: the menus asked for, everything they refer to, and names in place of ids.
import {
  type AccountRecords,
  type Exchange,
  orderedAgent,
  orderedDepartment,
  orderedIvr,
  orderedRecording,
} from '../exchange.ts';
import type { StoredRecord } from '../record.ts';
import { referenceText, splitReference } from '../reference.ts';
import { type Labels, labelsOf, type Named } from './labels.ts';
import { mapReferences, placedReferences } from './reference.ts';

export interface Collected {
  readonly exchange: Exchange;
  /** Names that several records share, and what the later ones are called in the file. */
  readonly renamed: readonly Named[];
}

/** `roots` are ids of menus; without them, all menus. */
export function collectExchange(records: AccountRecords, roots?: readonly string[]): Collected {
  const reached = reachedFrom(records, roots ?? records.ivr.map(({ id }) => id));
  const ivrs = records.ivr.filter(({ id }) => reached.has(referenceText('ivr', id)));
  const departments = records.department.filter(({ id }) => reached.has(referenceText('department', id)));
  const agents = records.agent.filter(({ data }) => reached.has(referenceText('extension', data.eid)));
  const usedTeams = new Set(agents.map(({ data }) => String(data.team_id)));
  const teams = records.team.filter(({ id }) => usedTeams.has(id));
  const recordings = records.recording.filter(({ id }) => reached.has(referenceText('recording', id)));

  const ivrLabels = labelsOf('ivr', ivrs, unknownIds(reached, 'ivr', ivrs));
  const departmentLabels = labelsOf(
    'department',
    departments,
    unknownIds(reached, 'department', departments),
  );
  const teamLabels = labelsOf('team', teams, new Set());
  const byName = (text: string): string => {
    const { kind, id } = splitReference(text);
    if (kind === 'ivr') return referenceText(kind, ivrLabels.of(id));
    return kind === 'department' ? referenceText(kind, departmentLabels.of(id)) : text;
  };
  const named = <T extends object>({ id, data }: StoredRecord<T>, labels: Labels): T =>
    mapReferences({ ...data, name: labels.of(id) }, byName);

  const exchange: Exchange = {
    ivrs: sorted(
      ivrs.map((record) => orderedIvr(named(record, ivrLabels))),
      ({ name }) => name,
    ),
    departments: sorted(
      departments.map((record) => orderedDepartment(named(record, departmentLabels))),
      ({ name }) => name,
    ),
    teams: sorted(
      teams.map(({ id }) => ({ name: teamLabels.of(id) })),
      ({ name }) => name,
    ),
    agents: sorted(
      agents.map(({ data }) => {
        // A team that does not exist has no name to be called by.
        const team = teamLabels.has(String(data.team_id)) ? teamLabels.of(String(data.team_id)) : null;
        return orderedAgent(mapReferences({ ...data, team }, byName));
      }),
      ({ eid }) => eid,
    ),
    recordings: sorted(
      recordings.map(({ id, data }) => orderedRecording({ ...data, id })),
      ({ id }) => id,
    ),
    numbers: sorted(
      records.number
        .filter(({ data }) => leadsTo(data.destination, ivrLabels))
        .map(({ data: { number, destination } }) => ({ number, destination: byName(destination) })),
      ({ number }) => number,
    ),
  };
  return { exchange, renamed: [...ivrLabels.renamed, ...departmentLabels.renamed, ...teamLabels.renamed] };
}

function leadsTo(destination: string, ivrs: Labels): boolean {
  const { kind, id } = splitReference(destination);
  return kind === 'ivr' && ivrs.has(id);
}

/** References of everything the menus lead to, whether it exists or not. */
function reachedFrom(records: AccountRecords, roots: readonly string[]): Set<string> {
  const byReference = new Map<string, object>([
    ...records.ivr.map(({ id, data }) => [referenceText('ivr', id), data] as const),
    ...records.agent.map(({ data }) => [referenceText('extension', data.eid), data] as const),
  ]);
  const members = new Map<string, readonly string[]>();
  for (const { id, data } of records.department) {
    byReference.set(referenceText('department', id), data);
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

// Which records of an account a file means: agents by eid, numbers by number, recordings by id, all others by name.
import { type ExportedKind, KINDS, type RecordData } from '../domain/kinds.ts';
import type { StoredRecord } from '../domain/record.ts';
import { placedReferences } from '../domain/record-references.ts';
import { type AccountRecords, byExportedKind, type ExportFile, type RecordFault } from './export-file.ts';
import { keyOf, NAMED_KINDS, type NamedKind } from './fields.ts';

export interface Match<Data> {
  /** The stored record's, or one for the record that will be made. */
  readonly id: string;
  readonly stored: StoredRecord<Data> | null;
}

export type Matches = { readonly [K in ExportedKind]: (key: string) => Match<RecordData[K]> };

/** Ids of new records. A recording's is in the file. */
export interface NewIds {
  newId(): string;
  newTeamNumber(name: string): number;
}

export function matchRecords(target: AccountRecords, ids: NewIds): Matches {
  return byExportedKind<Matches>((kind) => {
    const makeId = (key: string): string => {
      if (kind === 'recording') return key;
      return kind === 'team' ? String(ids.newTeamNumber(key)) : ids.newId();
    };
    return matching(target[kind], ({ id, data }) => keyOf(kind, { id, ...data }), makeId);
  });
}

/** The same key always gets the same answer, so that everything that points to a new record points to one. */
function matching<Data>(
  records: readonly StoredRecord<Data>[],
  key: (record: StoredRecord<Data>) => string,
  makeId: (key: string) => string,
): (wanted: string) => Match<Data> {
  const matches = new Map<string, Match<Data>>();
  for (const stored of records) matches.set(key(stored), { id: stored.id, stored });
  return (wanted) => {
    const found = matches.get(wanted) ?? { id: makeId(wanted), stored: null };
    matches.set(wanted, found);
    return found;
  };
}

/** What keeps the file from meaning one record each. */
export function matchFaults(exportFile: ExportFile, target: AccountRecords): RecordFault[] {
  const meant = meantNames(exportFile);
  return [
    ...NAMED_KINDS.flatMap((kind) => ambiguous(kind, target[kind], meant.get(kind) ?? new Set())),
    ...ambiguous('team', target.team, meantTeams(exportFile)),
    ...takenIntercoms(exportFile, target),
    ...unknownNames('team', exportFile, target),
    ...unknownNames('timegroup', exportFile, target),
  ];
}

/** Names that the file has or points to, by kind. */
function meantNames(exportFile: ExportFile): Map<NamedKind, Set<string>> {
  const references = Object.values(exportFile).flatMap((records) => records.flatMap(placedReferences));
  const hours = exportFile.agent.flatMap(({ timegroup }) => timegroup ?? []);
  return new Map(
    NAMED_KINDS.map((kind) => [
      kind,
      new Set([
        ...exportFile[kind].map(({ name }) => name),
        ...(kind === 'timegroup' ? hours : []),
        ...references.filter((reference) => reference.kind === KINDS[kind].word).map(({ id }) => id),
      ]),
    ]),
  );
}

function meantTeams({ team, agent }: ExportFile): Set<string> {
  return new Set([...team.map(({ name }) => name), ...agent.flatMap((each) => each.team ?? [])]);
}

function ambiguous(
  kind: NamedKind | 'team',
  records: readonly StoredRecord<{ readonly name: string }>[],
  meant: ReadonlySet<string>,
): RecordFault[] {
  const counts = new Map<string, number>();
  for (const { data } of records) counts.set(data.name, (counts.get(data.name) ?? 0) + 1);
  return [...counts]
    .filter(([name, count]) => count > 1 && meant.has(name))
    .map(([name, count]) => {
      const message = `The account has ${count} of that name, so it is not clear which is meant: rename the others first.`;
      return { record: `${kind} "${name}"`, pointer: '', message };
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

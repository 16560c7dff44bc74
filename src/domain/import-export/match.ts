// Which records of an account a file means: agents by eid, numbers by number, all others by name.
import type { Agent, Team } from '../agent.ts';
import type { Announcement } from '../announcement.ts';
import type { Department } from '../department.ts';
import type { Ivr } from '../ivr.ts';
import type { DialledNumber } from '../number.ts';
import type { StoredRecord } from '../record.ts';
import type { TimeGroup } from '../time-group.ts';
import type { VoicemailBox } from '../voicemail-box.ts';
import {
  type AccountRecords,
  type ExportFile,
  NAMED_KINDS,
  type NamedKind,
  type RecordFault,
} from './export-file.ts';
import type { ImportWorld } from './plan.ts';
import { placedReferences } from './reference.ts';

export interface Match<Data> {
  /** The stored record's, or one for the record that will be made. */
  readonly id: string;
  readonly stored: StoredRecord<Data> | null;
}

export interface Matches {
  ivr(name: string): Match<Ivr>;
  department(name: string): Match<Department>;
  timegroup(name: string): Match<TimeGroup>;
  announcement(name: string): Match<Announcement>;
  voicemail(name: string): Match<VoicemailBox>;
  team(name: string): Match<Team>;
  agent(eid: string): Match<Agent>;
  number(number: string): Match<DialledNumber>;
  /** A team number that no team of the account has: the file cannot name it, so it stays as it is. */
  strayTeam(id: number | null | undefined): number | null | undefined;
  strayTimeGroup(id: string | null | undefined): string | null | undefined;
}

export function matchRecords(
  exportFile: ExportFile,
  target: AccountRecords,
  world: ImportWorld,
  faults: RecordFault[],
): Matches {
  const called = ({ data }: StoredRecord<{ readonly name: string }>): string => data.name;
  const teams = new Set(target.team.map(({ id }) => id));
  const timeGroups = new Set(target.timegroup.map(({ id }) => id));
  for (const kind of NAMED_KINDS) {
    const names = target[kind].map(({ data }) => data.name);
    refuseAmbiguous(kind, names, meantNames(kind, exportFile), faults);
  }
  refuseAmbiguous('team', target.team.map(called), meantTeams(exportFile), faults);
  refuseTakenIntercoms(exportFile, target, faults);
  refuseUnknownTeams(exportFile, target, faults);
  refuseUnknownHours(exportFile, target, faults);
  return {
    ivr: matching(target.ivr, called, () => world.newId()),
    department: matching(target.department, called, () => world.newId()),
    timegroup: matching(target.timegroup, called, () => world.newId()),
    announcement: matching(target.announcement, called, () => world.newId()),
    voicemail: matching(target.voicemail, called, () => world.newId()),
    team: matching(target.team, called, (name) => String(world.newTeamNumber(name))),
    agent: matching(
      target.agent,
      ({ data }) => data.eid,
      () => world.newId(),
    ),
    number: matching(
      target.number,
      ({ data }) => data.number,
      () => world.newId(),
    ),
    strayTeam: (id) => (teams.has(String(id)) ? null : id),
    strayTimeGroup: (id) => (timeGroups.has(id ?? '') ? null : id),
  };
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

/** Names of the file's own records of a kind. */
export function namesIn(exportFile: ExportFile, kind: NamedKind): string[] {
  const { ivrs, departments, timegroups, announcements, voicemail_boxes: boxes } = exportFile;
  const lists = {
    ivr: ivrs,
    department: departments,
    timegroup: timegroups,
    announcement: announcements,
    voicemail: boxes,
  };
  return lists[kind].map(({ name }) => name);
}

/** Names that the file has or points to. */
function meantNames(kind: NamedKind, exportFile: ExportFile): Set<string> {
  const { ivrs, departments, agents, numbers, timegroups, announcements } = exportFile;
  const pointing = [...ivrs, ...departments, ...agents, ...numbers, ...timegroups, ...announcements];
  return new Set([
    ...namesIn(exportFile, kind),
    ...(kind === 'timegroup' ? agents.flatMap(({ timegroup }) => timegroup ?? []) : []),
    ...pointing
      .flatMap(placedReferences)
      .flatMap((reference) => (reference.kind === kind ? [reference.id] : [])),
  ]);
}

function meantTeams({ teams, agents }: ExportFile): Set<string> {
  return new Set([...teams.map(({ name }) => name), ...agents.flatMap(({ team }) => team ?? [])]);
}

function refuseAmbiguous(
  kind: string,
  names: readonly string[],
  meant: ReadonlySet<string>,
  faults: RecordFault[],
): void {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) {
    if (count === 1 || !meant.has(name)) continue;
    const message = `The account has ${count} of that name, so it is not clear which is meant: rename the others first.`;
    faults.push({ record: `${kind} "${name}"`, pointer: '', message });
  }
}

function refuseTakenIntercoms(exportFile: ExportFile, target: AccountRecords, faults: RecordFault[]): void {
  const owners = new Map(target.agent.map(({ data }) => [data.intercom, data.eid]));
  for (const [index, { eid, name, intercom }] of exportFile.agents.entries()) {
    const owner = owners.get(intercom);
    if (owner === undefined || owner === eid) continue;
    const message = `Agent ${owner} of the account has the intercom ${intercom}.`;
    faults.push({ record: `agent ${eid} "${name}"`, pointer: `/agents/${index}/intercom`, message });
  }
}

function refuseUnknownTeams(exportFile: ExportFile, target: AccountRecords, faults: RecordFault[]): void {
  const teams = new Set([
    ...exportFile.teams.map(({ name }) => name),
    ...target.team.map(({ data }) => data.name),
  ]);
  for (const [index, { eid, name, team }] of exportFile.agents.entries()) {
    if (team === null || teams.has(team)) continue;
    const message = `The team "${team}" is neither in the file nor in the account.`;
    faults.push({ record: `agent ${eid} "${name}"`, pointer: `/agents/${index}/team`, message });
  }
}

function refuseUnknownHours(exportFile: ExportFile, target: AccountRecords, faults: RecordFault[]): void {
  const groups = new Set([
    ...exportFile.timegroups.map(({ name }) => name),
    ...target.timegroup.map(({ data }) => data.name),
  ]);
  for (const [index, { eid, name, timegroup }] of exportFile.agents.entries()) {
    if (timegroup === null || groups.has(timegroup)) continue;
    const message = `The time group "${timegroup}" is neither in the file nor in the account.`;
    faults.push({ record: `agent ${eid} "${name}"`, pointer: `/agents/${index}/timegroup`, message });
  }
}

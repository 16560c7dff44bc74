// Which records of an account a file means: menus, departments and teams by name, agents by eid, numbers by number.
import type { Agent, Department, Team } from '../agent.ts';
import type { AccountRecords, Exchange, RecordFault } from '../exchange.ts';
import type { Ivr } from '../ivr.ts';
import type { DialledNumber } from '../number.ts';
import type { StoredRecord } from '../record.ts';
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
  team(name: string): Match<Team>;
  agent(eid: string): Match<Agent>;
  number(number: string): Match<DialledNumber>;
  /** A team number that no team of the account has: the file cannot name it, so it stays as it is. */
  strayTeam(id: number | null | undefined): number | null | undefined;
}

export function matchRecords(
  exchange: Exchange,
  target: AccountRecords,
  world: ImportWorld,
  faults: RecordFault[],
): Matches {
  const called = ({ data }: StoredRecord<{ readonly name: string }>): string => data.name;
  const teams = new Set(target.team.map(({ id }) => id));
  refuseAmbiguous('ivr', target.ivr.map(called), meantNames('ivr', exchange), faults);
  refuseAmbiguous('department', target.department.map(called), meantNames('department', exchange), faults);
  refuseAmbiguous('team', target.team.map(called), meantTeams(exchange), faults);
  refuseTakenIntercoms(exchange, target, faults);
  refuseUnknownTeams(exchange, target, faults);
  return {
    ivr: matching(target.ivr, called, () => world.newId()),
    department: matching(target.department, called, () => world.newId()),
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

/** Names that the file has or points to. */
function meantNames(kind: 'ivr' | 'department', exchange: Exchange): Set<string> {
  const { ivrs, departments, agents, numbers } = exchange;
  const own = kind === 'ivr' ? ivrs : departments;
  const pointing = [...ivrs, ...departments, ...agents, ...numbers].flatMap(placedReferences);
  return new Set([
    ...own.map(({ name }) => name),
    ...pointing.filter((reference) => reference.kind === kind).map(({ id }) => id),
  ]);
}

function meantTeams({ teams, agents }: Exchange): Set<string> {
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

function refuseTakenIntercoms(exchange: Exchange, target: AccountRecords, faults: RecordFault[]): void {
  const owners = new Map(target.agent.map(({ data }) => [data.intercom, data.eid]));
  for (const [index, { eid, name, intercom }] of exchange.agents.entries()) {
    const owner = owners.get(intercom);
    if (owner === undefined || owner === eid) continue;
    const message = `Agent ${owner} of the account has the intercom ${intercom}.`;
    faults.push({ record: `agent ${eid} "${name}"`, pointer: `/agents/${index}/intercom`, message });
  }
}

function refuseUnknownTeams(exchange: Exchange, target: AccountRecords, faults: RecordFault[]): void {
  const teams = new Set([
    ...exchange.teams.map(({ name }) => name),
    ...target.team.map(({ data }) => data.name),
  ]);
  for (const [index, { eid, name, team }] of exchange.agents.entries()) {
    if (team === null || teams.has(team)) continue;
    const message = `The team "${team}" is neither in the file nor in the account.`;
    faults.push({ record: `agent ${eid} "${name}"`, pointer: `/agents/${index}/team`, message });
  }
}

// Everything small of one account, held in memory: agents, teams, departments, recordings, trunks. Menus are not in it:
// an account may have a hundred thousand of them.
import type { Agent, Department, Team } from './agent.ts';
import type { RecordKind, StoredRecord } from './record.ts';
import type { Recording } from './recording.ts';
import type { SmsTemplate } from './sms-template.ts';
import type { Trunk } from './trunk.ts';

export interface Directory {
  /** By eid, in the order of their ids. */
  readonly agents: ReadonlyMap<string, StoredRecord<Agent>>;
  readonly teams: ReadonlyMap<string, StoredRecord<Team>>;
  readonly departments: ReadonlyMap<string, StoredRecord<Department>>;
  readonly recordings: ReadonlyMap<string, StoredRecord<Recording>>;
  /** By id. */
  readonly trunks: ReadonlyMap<string, StoredRecord<Trunk>>;
  /** By id; null: not known, as in a file of menus. */
  readonly smsTemplates: ReadonlyMap<string, StoredRecord<SmsTemplate>> | null;
  /** By eid: the departments that have the agent. */
  readonly departmentsOf: ReadonlyMap<string, readonly StoredRecord<Department>[]>;
}

export const DIRECTORY_KINDS = [
  'agent',
  'team',
  'department',
  'recording',
  'trunk',
  'sms_template',
] as const satisfies RecordKind[];

export interface DirectoryRecords {
  readonly agent: readonly StoredRecord<Agent>[];
  readonly team: readonly StoredRecord<Team>[];
  readonly department: readonly StoredRecord<Department>[];
  readonly recording: readonly StoredRecord<Recording>[];
  /** Where nobody telephones, such as in a file of menus, there are none. */
  readonly trunk?: readonly StoredRecord<Trunk>[];
  readonly sms_template?: readonly StoredRecord<SmsTemplate>[];
}

export function makeDirectory(records: DirectoryRecords): Directory {
  const departmentsOf = new Map<string, StoredRecord<Department>[]>();
  for (const department of inOrder(records.department)) {
    for (const eid of department.data.agents) {
      const list = departmentsOf.get(eid);
      if (list) list.push(department);
      else departmentsOf.set(eid, [department]);
    }
  }
  return {
    agents: new Map(inOrder(records.agent).map((record) => [record.data.eid, record])),
    teams: byId(records.team),
    departments: byId(records.department),
    recordings: byId(records.recording),
    trunks: byId(records.trunk ?? []),
    smsTemplates: records.sms_template ? byId(records.sms_template) : null,
    departmentsOf,
  };
}

const byId = <T>(list: readonly StoredRecord<T>[]) =>
  new Map(inOrder(list).map((record) => [record.id, record]));

function inOrder<T>(list: readonly StoredRecord<T>[]): StoredRecord<T>[] {
  return [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
}

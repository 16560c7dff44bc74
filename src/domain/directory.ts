// Everything small of one account, held in memory: agents, teams, departments, recordings, trunks, time groups,
// announcements, voicemail boxes. Menus are not in it: an account may have a hundred thousand of them.
import type { Agent, Department, Team } from './agent.ts';
import type { Announcement } from './announcement.ts';
import type { RecordKind, StoredRecord } from './record.ts';
import type { Recording } from './recording.ts';
import { splitReference } from './reference.ts';
import type { SmsTemplate } from './sms-template.ts';
import type { TimeGroup } from './time-group.ts';
import type { Trunk } from './trunk.ts';
import type { VoicemailBox } from './voicemail-box.ts';

export interface Directory {
  /** By eid, in the order of their ids. */
  readonly agents: ReadonlyMap<string, StoredRecord<Agent>>;
  readonly teams: ReadonlyMap<string, StoredRecord<Team>>;
  readonly departments: ReadonlyMap<string, StoredRecord<Department>>;
  readonly recordings: ReadonlyMap<string, StoredRecord<Recording>>;
  /** By id. */
  readonly trunks: ReadonlyMap<string, StoredRecord<Trunk>>;
  readonly timeGroups: ReadonlyMap<string, StoredRecord<TimeGroup>>;
  readonly announcements: ReadonlyMap<string, StoredRecord<Announcement>>;
  readonly voicemailBoxes: ReadonlyMap<string, StoredRecord<VoicemailBox>>;
  /** By id; null: not known, as in a file of menus. */
  readonly smsTemplates: ReadonlyMap<string, StoredRecord<SmsTemplate>> | null;
  /** By eid: the departments that have the agent. */
  readonly departmentsOf: ReadonlyMap<string, readonly StoredRecord<Department>[]>;
  /** Ids of menus that agents fail over to: their names are shown with the agents. */
  readonly failoverMenus: ReadonlySet<string>;
}

export const DIRECTORY_KINDS = [
  'agent',
  'team',
  'department',
  'recording',
  'trunk',
  'timegroup',
  'announcement',
  'voicemail',
  'sms_template',
] as const satisfies RecordKind[];

export interface DirectoryRecords {
  readonly agent: readonly StoredRecord<Agent>[];
  readonly team: readonly StoredRecord<Team>[];
  readonly department: readonly StoredRecord<Department>[];
  readonly recording: readonly StoredRecord<Recording>[];
  /** Where nobody telephones, such as in a file of menus, there are none. */
  readonly trunk?: readonly StoredRecord<Trunk>[];
  readonly timegroup: readonly StoredRecord<TimeGroup>[];
  readonly announcement: readonly StoredRecord<Announcement>[];
  readonly voicemail: readonly StoredRecord<VoicemailBox>[];
  readonly sms_template?: readonly StoredRecord<SmsTemplate>[];
}

export const NO_RECORDS: DirectoryRecords = {
  agent: [],
  team: [],
  department: [],
  recording: [],
  timegroup: [],
  announcement: [],
  voicemail: [],
};

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
    timeGroups: byId(records.timegroup),
    announcements: byId(records.announcement),
    voicemailBoxes: byId(records.voicemail),
    smsTemplates: records.sms_template ? byId(records.sms_template) : null,
    departmentsOf,
    failoverMenus: failoverMenusOf(records.agent),
  };
}

function failoverMenusOf(agents: readonly StoredRecord<Agent>[]): Set<string> {
  const menus = new Set<string>();
  for (const { data } of agents) {
    const { kind, id } = splitReference(data.failover_destination ?? '');
    if (kind === 'ivr') menus.add(id);
  }
  return menus;
}

const byId = <T>(list: readonly StoredRecord<T>[]) =>
  new Map(inOrder(list).map((record) => [record.id, record]));

function inOrder<T>(list: readonly StoredRecord<T>[]): StoredRecord<T>[] {
  return [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
}

// Everything small of one account, held in memory: agents, teams, departments, recordings, trunks, time groups,
// announcements, voicemail boxes, conference rooms. Menus are not in it: an account may have a hundred thousand of them.

import type { Agent } from '../kinds/agent.ts';
import type { Department } from '../kinds/department.ts';
import { DIRECTORY_KINDS, type DirectoryKind, KINDS } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { splitReference } from '../kinds/reference.ts';

/** By id, except `agents`: by eid, in the order of their ids. */
type Held = {
  readonly [K in DirectoryKind as (typeof KINDS)[K]['directory']]: ReadonlyMap<
    string,
    StoredRecord<RecordData[K]>
  >;
};

export interface Directory extends Omit<Held, 'smsTemplates'> {
  /** Null if not known, as in a file of menus. */
  readonly smsTemplates: Held['smsTemplates'] | null;
  /** By eid: the departments that have the agent. */
  readonly departmentsOf: ReadonlyMap<string, readonly StoredRecord<Department>[]>;
  /** Ids of menus that agents fail over to: their names are shown with the agents. */
  readonly failoverMenus: ReadonlySet<string>;
}

type Lists = { readonly [K in DirectoryKind]: readonly StoredRecord<RecordData[K]>[] };
/** A file of menus has neither trunks nor SMS templates. */
export type DirectoryRecords = Omit<Lists, 'trunk' | 'sms_template'> &
  Partial<Pick<Lists, 'trunk' | 'sms_template'>>;

export function makeDirectory(records: DirectoryRecords): Directory {
  const departmentsOf = new Map<string, StoredRecord<Department>[]>();
  for (const department of inOrder(records.department)) {
    for (const eid of department.data.agents) {
      const list = departmentsOf.get(eid);
      if (list) list.push(department);
      else departmentsOf.set(eid, [department]);
    }
  }
  // The cast holds: a member for each kind that is held (KINDS).
  const held = Object.fromEntries(
    DIRECTORY_KINDS.map((kind) => [KINDS[kind].directory, records[kind] && byKey(kind, records[kind])]),
  ) as unknown as Held;
  return {
    ...held,
    trunks: held.trunks ?? new Map(),
    smsTemplates: held.smsTemplates ?? null,
    departmentsOf,
    failoverMenus: failoverMenusOf(records.agent),
  };
}

/** The records of a kind that the directory holds. */
export function recordsIn<K extends DirectoryKind>(
  directory: Directory,
  kind: K,
): Iterable<StoredRecord<RecordData[K]>> {
  const held: ReadonlyMap<string, unknown> | null = directory[KINDS[kind].directory];
  return (held?.values() ?? []) as Iterable<StoredRecord<RecordData[K]>>;
}

function failoverMenusOf(agents: readonly StoredRecord<Agent>[]): Set<string> {
  const menus = new Set<string>();
  for (const { data } of agents) {
    const { kind, id } = splitReference(data.failover_destination ?? '');
    if (kind === 'ivr') menus.add(id);
  }
  return menus;
}

function byKey(
  kind: DirectoryKind,
  list: readonly StoredRecord<object>[],
): Map<string, StoredRecord<object>> {
  const name = KINDS[kind].key === 'eid' ? 'eid' : null;
  return new Map(
    inOrder(list).map((record) => [name ? String(Reflect.get(record.data, name)) : record.id, record]),
  );
}

function inOrder<T>(list: readonly StoredRecord<T>[]): StoredRecord<T>[] {
  return [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
}

// An agent as readers see it: with the names of its team, time group, departments and failover destination.

import type { Agent } from '../kinds/agent.ts';
import { DIRECTORY_KINDS, KINDS } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { splitReference } from '../kinds/reference.ts';
import type { Directory } from './directory.ts';

/** By eid: how many calls each agent has answered. Those who never did are not in it. */
export type AnsweredCounts = ReadonlyMap<string, number>;

/** By id: the names of the menus that agents fail over to. */
export type MenuNames = ReadonlyMap<string, string>;

/** The specification's Agent, every field in its order. */
export function describeAgent(
  record: StoredRecord<Agent>,
  directory: Directory,
  answered: AnsweredCounts,
  menus: MenuNames,
): Record<string, unknown> {
  const { data } = record;
  const { timegroup_id: hours } = data;
  return {
    id: record.id,
    name: data.name,
    follow_me_number: data.follow_me_number,
    eid: data.eid,
    intercom: data.intercom,
    calls_answered: answered.get(data.eid) ?? 0,
    product_clicktocall: data.product_clicktocall,
    team_id: data.team_id,
    team_name: data.team_id === null ? null : (directory.teams.get(String(data.team_id))?.data.name ?? null),
    custom_status: data.custom_status,
    timegroup_name: hours === null ? null : (directory.timeGroups.get(hours)?.data.name ?? null),
    timegroup_id: hours,
    failover_destination: data.failover_destination,
    failover_destination_name: destinationName(data.failover_destination, directory, menus),
    departments: (directory.departmentsOf.get(data.eid) ?? []).map(({ id, data: { name } }) => ({
      name,
      id,
    })),
  };
}

function destinationName(text: string | null, directory: Directory, menus: MenuNames): string | null {
  if (text === null) return null;
  const { kind, id } = splitReference(text);
  if (kind === 'ivr') return menus.get(id) ?? null;
  if (kind === 'hangup') return 'Hang up';
  const of = DIRECTORY_KINDS.find((each) => KINDS[each].word === kind);
  // A number is its own name.
  if (of === undefined) return id;
  const held: ReadonlyMap<string, { readonly data: { readonly name: string } }> | null =
    directory[KINDS[of].directory];
  return held?.get(id)?.data.name ?? null;
}

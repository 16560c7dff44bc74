// An agent as readers see it: with the names of its team, time group, departments and failover destination.

import type { Agent } from '../kinds/agent.ts';
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
  switch (kind) {
    case 'extension':
      return directory.agents.get(id)?.data.name ?? null;
    case 'department':
      return directory.departments.get(id)?.data.name ?? null;
    case 'timegroup':
      return directory.timeGroups.get(id)?.data.name ?? null;
    case 'announcement':
      return directory.announcements.get(id)?.data.name ?? null;
    case 'voicemail':
      return directory.voicemailBoxes.get(id)?.data.name ?? null;
    case 'room':
      return directory.rooms.get(id)?.data.name ?? null;
    case 'collect':
      return directory.collects.get(id)?.data.name ?? null;
    case 'request':
      return directory.requests.get(id)?.data.name ?? null;
    case 'stream':
      return directory.streams.get(id)?.data.name ?? null;
    case 'switch':
      return directory.switches.get(id)?.data.name ?? null;
    case 'message':
      return directory.messages.get(id)?.data.name ?? null;
    case 'sip_address':
      return directory.sipAddresses.get(id)?.data.name ?? null;
    case 'ivr':
      return menus.get(id) ?? null;
    case 'hangup':
      return 'Hang up';
    default:
      // A number is its own name.
      return id;
  }
}

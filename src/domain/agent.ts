// Agents, teams and departments: who can be called. An agent's teams and departments are looked up, not copied.
import type { RingStrategy } from '../flow/node.ts';
import type { Directory } from './directory.ts';
import type { StoredRecord } from './record.ts';
import { splitReference } from './reference.ts';

export interface Agent {
  readonly name: string;
  readonly follow_me_number: string;
  readonly eid: string;
  readonly intercom: string;
  readonly product_clicktocall: 0 | 1;
  readonly team_id: number | null;
  /** 1 is blocked: no call is offered. */
  readonly custom_status: 0 | 1;
  /** When calls are offered; null or absent: always. */
  readonly timegroup_id?: string | null;
  readonly failover_destination: string | null;
  readonly sip: SipDigests;
  /** Whether phones are challenged with SHA-256 (RFC 8760); common ones understand MD5 alone. */
  readonly sip_sha256?: boolean;
  /** Whether calls with this agent are recorded. */
  readonly record_calls?: boolean;
}

/** By eid: how many calls each agent has answered. Those who never did are not in it. */
export type AnsweredCounts = ReadonlyMap<string, number>;

/** By id: the names of the menus that agents fail over to. */
export type MenuNames = ReadonlyMap<string, string>;

/** H(intercom:realm:password). The password itself is shown once and never stored. */
export interface SipDigests {
  readonly realm: string;
  readonly md5: string;
  readonly sha256: string;
}

export interface Team {
  readonly name: string;
}

export interface Department {
  readonly name: string;
  readonly description: string;
  /** eids, in the order in which they are rung. */
  readonly agents: readonly string[];
  readonly strategy: RingStrategy;
  /** How long one agent's phones ring; null: as everywhere in the account. */
  readonly ring_seconds: number | null;
  readonly failover_destination: string | null;
  /** Whether callers who find nobody free wait in line. Departments written before there were queues lack the rest, too. */
  readonly queue?: boolean;
  /** A reference; null: the built-in music. */
  readonly music_on_hold?: string | null;
  /** Seconds between announcements of the place in line; 0: none. */
  readonly announce_position?: number;
  /** 0: as long as a call may last. */
  readonly max_wait_seconds?: number;
  /** Callers in line at once; 0: as many as any line may have. */
  readonly max_waiting?: number;
  readonly wrapup_seconds?: number;
  readonly join_when_empty?: boolean;
  /** The key that leads to the failover. */
  readonly exit_key?: string | null;
}

/** Callers in one line, whatever the department allows: a place is counted from the front. */
export const MAX_IN_LINE = 1_000;

export const DEFAULT_QUEUE = {
  queue: false,
  music_on_hold: null,
  announce_position: 0,
  max_wait_seconds: 600,
  max_waiting: 0,
  wrapup_seconds: 0,
  join_when_empty: false,
  exit_key: null,
} as const satisfies Partial<Department>;

/** The department with every field it can have. */
export function wholeDepartment(department: Department): Required<Department> {
  return { ...DEFAULT_QUEUE, ...department };
}

/** The specification's Agent, every field in its order. */
export function describeAgent(
  record: StoredRecord<Agent>,
  directory: Directory,
  answered: AnsweredCounts,
  menus: MenuNames,
): Record<string, unknown> {
  const { data } = record;
  const { timegroup_id: hours = null } = data;
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
    case 'ivr':
      return menus.get(id) ?? null;
    case 'hangup':
      return 'Hang up';
    default:
      // A number is its own name.
      return id;
  }
}

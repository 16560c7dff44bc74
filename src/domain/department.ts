// Departments: agents that are rung together or one after the other, and the line in which callers wait for them.
import type { RingStrategy } from '../flow/node.ts';

export interface Department {
  readonly name: string;
  readonly description: string;
  /** eids, in the order in which they are rung. */
  readonly agents: readonly string[];
  readonly strategy: RingStrategy;
  /** How long one agent's phones ring; null: as everywhere in the account. */
  readonly ring_seconds: number | null;
  readonly failover_destination: string | null;
  /** Whether callers wait in line while all agents are busy. */
  readonly queue: boolean;
  /** A reference; null: the built-in music. */
  readonly music_on_hold: string | null;
  /** Seconds between announcements of the place in line; 0: none. */
  readonly announce_position: number;
  /** 0: as long as a call may last. */
  readonly max_wait_seconds: number;
  /** Callers in line at once; 0: as many as any line may have. */
  readonly max_waiting: number;
  readonly wrapup_seconds: number;
  readonly join_when_empty: boolean;
  /** The key that leads to the failover. */
  readonly exit_key: string | null;
}

/** Callers in one line, whatever the department allows: a place is counted from the front. */
export const MAX_IN_LINE = 1_000;

export const DEPARTMENT_DEFAULTS: Omit<Department, 'name'> = {
  description: '',
  agents: [],
  strategy: 'simultaneous',
  ring_seconds: null,
  failover_destination: null,
  queue: false,
  music_on_hold: null,
  announce_position: 0,
  max_wait_seconds: 600,
  max_waiting: 0,
  wrapup_seconds: 0,
  join_when_empty: false,
  exit_key: null,
};

// Departments: agents that are rung together or one after the other, and the queue in which callers wait for them.
import type { RingStrategy } from '../flow/node.ts';

export interface Department {
  readonly name: string;
  readonly description: string;
  /** eids, in the order in which they are rung. */
  readonly agents: readonly string[];
  /** By eid, 1 where none is given: agents of a lower level are rung first. */
  readonly agent_levels: Readonly<Record<string, number>>;
  /** An agent of several departments with a queue serves callers of the one with the highest first. */
  readonly priority: number;
  readonly strategy: RingStrategy;
  /** How long one agent's phones ring; null: as everywhere in the account. */
  readonly ring_seconds: number | null;
  /** How many agents ring at once by another strategy than simultaneous. */
  readonly ring_together: number;
  readonly failover_destination: string | null;
  /** Where callers go who find the queue full; null: to the failover. */
  readonly full_destination: string | null;
  /** Where callers go who have waited for the longest time; null: to the failover. */
  readonly timeout_destination: string | null;
  /** Where callers go on when the agent hangs up first; null: the call ends. */
  readonly after_call_destination: string | null;
  /** Whether callers wait in the queue while all agents are busy. */
  readonly queue: boolean;
  /** A reference; null: the built-in music. */
  readonly music_on_hold: string | null;
  /** Seconds between announcements of the place in the queue; 0: none. */
  readonly announce_position: number;
  /** Whether the estimated wait is announced with it, where it is known. */
  readonly announce_wait: boolean;
  /** Heard between the music; null: none. */
  readonly announce_recording: string | null;
  /** Between two of them. */
  readonly announce_recording_seconds: number;
  /** 0: as long as a call may last. */
  readonly max_wait_seconds: number;
  /** Callers in the queue at once; 0: as many as any queue may have. */
  readonly max_waiting: number;
  readonly wrapup_seconds: number;
  readonly join_when_empty: boolean;
  /** The key that leads to the failover. */
  readonly exit_key: string | null;
  /** The key that asks for a call-back; null: callers are not called back. */
  readonly callback_key: string | null;
  /** Seconds between offers of a call-back; 0: it is not offered. */
  readonly callback_offer_seconds: number;
  /** What offers it; null: the built-in prompt. */
  readonly callback_recording: string | null;
  /** Who is rung first. */
  readonly callback_first: 'agent' | 'caller';
  readonly callback_attempts: number;
  /** Between two attempts. */
  readonly callback_pause_seconds: number;
  /** Callers are called back in these hours alone; null: at any time. */
  readonly callback_hours: string | null;
  /** Call-backs that may be asked for in an hour. */
  readonly callbacks_per_hour: number;
}

/** Callers in one line, whatever the department allows: a place is counted from the front. */
export const MAX_IN_LINE = 1_000;

export const DEPARTMENT_DEFAULTS: Omit<Department, 'name'> = {
  description: '',
  agents: [],
  agent_levels: {},
  priority: 0,
  strategy: 'simultaneous',
  ring_seconds: null,
  ring_together: 1,
  failover_destination: null,
  full_destination: null,
  timeout_destination: null,
  after_call_destination: null,
  queue: false,
  music_on_hold: null,
  announce_position: 0,
  announce_wait: false,
  announce_recording: null,
  announce_recording_seconds: 60,
  max_wait_seconds: 600,
  max_waiting: 0,
  wrapup_seconds: 0,
  join_when_empty: false,
  exit_key: null,
  callback_key: null,
  callback_offer_seconds: 0,
  callback_recording: null,
  callback_first: 'agent',
  callback_attempts: 3,
  callback_pause_seconds: 300,
  callback_hours: null,
  callbacks_per_hour: 30,
};

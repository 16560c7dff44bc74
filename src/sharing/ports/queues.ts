// PORT: the queues of all departments, at all nodes: who waits since when, and which free agent is offered to whom. Strictly first come,
// first served among callers of one priority: an agent who becomes free goes to the caller who has waited longest among all whom the
// agent can serve, first in departments of a higher priority, then to callers of a higher one. What happens to a caller is reported to its call.
import type { Action, CallEvent } from '../../flow/call-state.ts';
import type { DepartmentNode, Ref } from '../../flow/node.ts';
import type { AgentStates } from './agent-states.ts';

export type QueueOrder = Extract<Action, { type: 'join-queue' }>;

type Reported = Extract<CallEvent, { type: 'queue-turn' | 'queue-position' | 'queue-refused' }>;
type Untimed<Event> = Event extends Reported ? Omit<Event, 'atMs'> : never;

export interface QueuedCall {
  report(event: Untimed<Reported>): void;
  /** Its place and its agents are decided without the other nodes. */
  sharingLost(): void;
}

export interface QueuedCaller {
  readonly accountId: string;
  readonly callId: string;
  readonly caller: string | null;
  /** The place of a call-back, as `callbackPlace` said: it is not refused, and comes where the caller would. */
  readonly place?: number;
}

export interface WaitingCaller extends QueuedCaller {
  readonly sinceMs: number;
  /** An agent's phone rings for this caller. */
  readonly ringing: boolean;
}

/** A place in a queue. */
export interface QueueEntry extends QueuedCaller {
  readonly order: QueueOrder;
}

export interface QueueLook {
  /** The next first. */
  readonly waiting: readonly WaitingCaller[];
  /** Those of the given agents that are busy. */
  readonly busy: ReadonlySet<string>;
  /** In wrap-up after a call from a queue, or after not answering one. */
  readonly resting: ReadonlySet<string>;
}

export interface Queues {
  /** Null if refused, and the refusal is reported. */
  join(order: QueueOrder, who: QueuedCaller, call: QueuedCall): QueueEntry | null;
  /** The offered agents did not answer: they rest, and the call keeps its position. */
  resume(entry: QueueEntry): void;
  reportPosition(entry: QueueEntry): void;
  /** The place of a call-back that takes the caller's, on any node and after a restart. */
  callbackPlace(entry: QueueEntry): number;
  /** Wrap-up, or the rest after a missed call, is over before its time: the agent is offered again. */
  endRest(agent: string): void | Promise<void>;
  /** Idempotent. */
  leave(entry: QueueEntry, servedBy: Ref | null): void;
  /** Another node has the caller, in the same place: its entry is dropped here alone. */
  forget(entry: QueueEntry): void;
  /** Callers of this node who wait. */
  readonly waiting: number;
  /** The wait of the caller of this node who waits longest; 0: no caller waits. */
  readonly longestWaitMs: number;
  look(department: string, agents: readonly string[]): QueueLook | Promise<QueueLook>;
}

/** What a node knows of agents by the routes and presences of now, without asking the others. Agents and departments by globalId. */
export interface Duty {
  /** On duty, not paused, and with a phone that can be rung; busy or not. */
  isPresent(agent: string): boolean;
  /** Whether calls of the department are for the agent. */
  isSignedIn(agent: string, department: string): boolean;
  /** Agents of a lower level are offered first; those of a higher one while none of the lower is free. */
  levelsOf(department: string): DepartmentNode['levels'];
  /** Callers of a department with a higher one are served first by an agent of several departments. */
  priorityOf(department: string): number;
  /** How many agents ring at once for one caller. */
  togetherOf(department: string): number;
}

/** Agents and queues, as one process has them or as nodes share them. */
export interface Agents {
  readonly agentStates: AgentStates;
  /** Once. */
  openQueues(duty: Duty): Queues;
  /** Agents whom calls of other nodes hold, by globalId. */
  busyElsewhere(): Promise<ReadonlySet<string>>;
  /** The node's calls are gone: its agents are free, its callers no longer wait. */
  nodeDied(nodeId: string): Promise<void>;
  /** The other nodes may have taken this one for dead: it holds again what its calls have. */
  claimAgain(): Promise<void>;
  /** These calls of a node that died go on here: a queue that one of them joins has its former place for it. */
  adopt(nodeId: string, calls: readonly string[]): Promise<void>;
  /** After the last call has ended. */
  close(): Promise<void>;
}

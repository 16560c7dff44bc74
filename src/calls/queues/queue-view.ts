// A department's queue as it is now, for the API.
import type { Ref } from '../../flow/node.ts';
import type { Duty } from '../../sharing/ports/queues.ts';
import { when } from '../../sharing/ports/when.ts';
import { globalId } from '../routing/dialling.ts';
import type { EstimatedQueues } from './wait-estimates.ts';

/** As far as the queue is concerned; domain/agent-state.ts has the states that all else shows. */
export const QUEUE_STATES = ['free', 'busy', 'resting', 'away'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

export interface QueueView {
  /** The next caller first. */
  readonly waiting: readonly {
    readonly callId: string;
    readonly caller: string | null;
    readonly sinceMs: number;
    /** An agent's phone rings for this caller. */
    readonly ringing: boolean;
  }[];
  /** The estimated wait per place; null: not known. */
  readonly placeMs: number | null;
  /** The states of the agents that were asked for, in their order. */
  readonly states: readonly QueueState[];
}

/** The queues of an environment, and the agents on duty. */
export interface QueuesAndDuty {
  readonly queues: Pick<EstimatedQueues, 'look' | 'placeMs'>;
  readonly desk: Pick<Duty, 'isPresent' | 'isSignedIn'>;
}

export function viewQueue(
  { queues, desk }: QueuesAndDuty,
  accountId: string,
  node: Ref,
  eids: readonly string[],
): QueueView | Promise<QueueView> {
  const agents = eids.map((eid) => globalId(accountId, eid));
  const department = globalId(accountId, node);
  return when(queues.look(department, agents), ({ waiting, busy, resting }) => {
    const stateOf = (agent: string): QueueState => {
      if (busy.has(agent)) return 'busy';
      if (!desk.isPresent(agent) || !desk.isSignedIn(agent, department)) return 'away';
      return resting.has(agent) ? 'resting' : 'free';
    };
    return { waiting, placeMs: queues.placeMs(department), states: agents.map(stateOf) };
  });
}

// A department's queue as it is now, for the API.
import type { Ref } from '../../flow/node.ts';
import { globalId } from '../routing/dialling.ts';
import type { AgentStates } from './agent-states.ts';
import type { Queues } from './queue.ts';

export const AGENT_STATES = ['free', 'busy', 'resting', 'away'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

export interface QueueView {
  /** The next caller first. */
  readonly waiting: readonly {
    readonly callId: string;
    readonly caller: string | null;
    readonly sinceMs: number;
    /** An agent's phone rings for this caller. */
    readonly ringing: boolean;
  }[];
  readonly stateOf: (eid: string) => AgentState;
}

/** Without telephony. */
export const NO_QUEUE: QueueView = { waiting: [], stateOf: () => 'away' };

export interface ViewParts {
  readonly queues: Queues;
  readonly agentStates: AgentStates;
  readonly isPresent: (agent: string) => boolean;
}

export function viewQueue(
  { queues, agentStates, isPresent }: ViewParts,
  accountId: string,
  node: Ref,
): QueueView {
  return {
    waiting: queues.callersOf(globalId(accountId, node)),
    stateOf: (eid) => {
      const agent = globalId(accountId, eid);
      if (agentStates.isBusy(agent)) return 'busy';
      if (!isPresent(agent)) return 'away';
      return queues.isResting(agent) ? 'resting' : 'free';
    },
  };
}

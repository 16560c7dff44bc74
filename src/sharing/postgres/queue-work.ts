// What a step of an account's queues has to do.
import type { Clock } from '../../kit/clock.ts';
import { priorityOf } from '../memory/matching.ts';
import type { Duty } from '../ports/queues.ts';
import type { PostgresAgentStates } from './agent-states.ts';
import type { SharedDatabase } from './database.ts';
import type { Entry } from './queue-entries.ts';
import type { LeftCaller } from './queue-step.ts';

export interface QueuesParts {
  readonly database: Pick<SharedDatabase, 'run' | 'query' | 'notices'>;
  readonly node: string;
  readonly clock: Clock;
  readonly agentStates: PostgresAgentStates;
  readonly duty: Duty;
  readonly random: () => number;
  readonly isAway: () => boolean;
  readonly failed: (error: unknown) => void;
}

interface EntryWork {
  /** 'keep': it was offered agents while the database was away. */
  readonly type: 'join' | 'resume' | 'keep' | 'position' | 'leave';
  readonly entry: Entry;
}

export type Work =
  | EntryWork
  /** A row that no call knows. */
  | { readonly type: 'forget'; readonly number: number }
  | { readonly type: 'look' };

export interface SortedWork {
  readonly joining: readonly Entry[];
  readonly resumed: readonly Entry[];
  readonly kept: readonly Entry[];
  readonly asking: readonly Entry[];
  readonly left: readonly LeftCaller[];
}

export function sortWork(work: readonly Work[]): SortedWork {
  const of = (type: EntryWork['type']): Entry[] =>
    work.flatMap((each) => (each.type === type ? [each.entry] : []));
  return {
    joining: [...new Set(of('join'))].filter(({ isLeft, storedMs }) => !isLeft && storedMs === null),
    resumed: of('resume').filter(
      ({ isLeft, number, offered }) => !isLeft && number !== null && offered === null,
    ),
    kept: of('keep').filter(({ isLeft, number, offered }) => !isLeft && number !== null && offered !== null),
    asking: of('position').filter(({ isLeft }) => !isLeft),
    left: work.flatMap((each): LeftCaller[] => {
      if (each.type === 'forget') return [{ number: each.number, department: null, priority: 0, offer: 0 }];
      if (each.type !== 'leave' || each.entry.number === null) return [];
      const { number, order, offer } = each.entry;
      return [{ number, department: order.node, priority: priorityOf(order), offer }];
    }),
  };
}

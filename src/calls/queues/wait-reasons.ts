// Why callers of a department wait: what its agents do, in words for the record of a call. Looked up at most every few seconds for a
// department, whatever the number of its callers.

import type { AgentState } from '../../domain/agent-state.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { Clock } from '../../kit/clock.ts';
import type { QueueEntry } from '../../sharing/ports/queues.ts';
import { when } from '../../sharing/ports/when.ts';
import type { AgentDesk } from '../agents/agent-desk.ts';
import { globalId } from '../routing/dialling.ts';
import { type QueuesAndDuty, viewQueue } from './queue-view.ts';

const FRESH_MS = 5_000;
/** How often the reason of one caller is looked up again. */
export const LOOK_MS = 15_000;

/** The caller's order, with the agents of the department as they were when the caller joined. */
export type WaitingFor = Pick<QueueEntry, 'accountId' | 'order'>;

interface QueuesAndDesk extends QueuesAndDuty {
  readonly desk: Pick<AgentDesk, 'isPresent' | 'isSignedIn' | 'stateOf'>;
}

/** What an agent does who cannot be offered a caller, by the first that is true. */
const WORDS = {
  busy: 'in a call, or rung',
  resting: 'in wrap-up, or did not answer a moment ago',
  signed_out: 'signed out',
  paused: 'paused',
  off_duty: 'off duty',
  blocked: 'blocked',
  unreachable: 'without a phone',
  free: 'free for callers before',
} as const;
type Why = keyof typeof WORDS;

const AWAY: Partial<Record<AgentState, Why>> = {
  paused: 'paused',
  off_duty: 'off_duty',
  blocked: 'blocked',
};

export class WaitReasons {
  readonly #environment: QueuesAndDesk;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #known = new Map<string, { readonly untilMs: number; readonly text: string | Promise<string> }>();

  constructor(environment: QueuesAndDesk, clock: Pick<Clock, 'nowMs'>) {
    this.#environment = environment;
    this.#clock = clock;
  }

  textOf({ accountId, order }: WaitingFor): string | Promise<string> {
    const nowMs = this.#clock.nowMs();
    const department = globalId(accountId, order.node);
    // After an edit callers wait for the agents of that time, or for those of now.
    const key = `${department} ${order.agents.join(' ')}`;
    const known = this.#known.get(key);
    if (known && known.untilMs > nowMs) return known.text;
    this.#forget(nowMs);
    const eids = [...new Set(order.agents)].map((ref) => splitReference(ref).id);
    const view = viewQueue(this.#environment, accountId, order.node, eids);
    const text = when(view, ({ states }) => {
      const counts = new Map<Why, number>();
      for (const [index, state] of states.entries()) {
        const agent = globalId(accountId, eids[index] ?? '');
        const why = state === 'away' ? this.#whyAway(agent, department) : state;
        counts.set(why, (counts.get(why) ?? 0) + 1);
      }
      return inWords(counts, eids.length);
    });
    this.#known.set(key, { untilMs: nowMs + FRESH_MS, text });
    return text;
  }

  /** Those that were looked up longest ago come first. */
  #forget(nowMs: number): void {
    for (const [key, { untilMs }] of this.#known) {
      if (untilMs > nowMs) return;
      this.#known.delete(key);
    }
  }

  #whyAway(agent: string, department: string): Why {
    const { desk } = this.#environment;
    if (!desk.isSignedIn(agent, department)) return 'signed_out';
    return AWAY[desk.stateOf(agent) ?? 'unreachable'] ?? 'unreachable';
  }
}

function inWords(counts: ReadonlyMap<Why, number>, agents: number): string {
  const parts = (Object.keys(WORDS) as Why[]).flatMap((why) => {
    const count = counts.get(why);
    return count === undefined ? [] : [`${count} ${WORDS[why]}`];
  });
  if (parts.length === 0) return 'The department has no agent.';
  return `Of ${agents} ${agents === 1 ? 'agent' : 'agents'}: ${parts.join('; ')}.`;
}

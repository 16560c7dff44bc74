// A call-back that this node holds: where it is, and its place in the queue.
import type { Callback } from '../../domain/callback.ts';
import type { Ref } from '../../flow/node.ts';
import type { QueuedCall, QueueEntry } from '../../sharing/ports/queues.ts';
import type { AgentRing } from '../operator/agent-ring.ts';

type Reported = Parameters<QueuedCall['report']>[0];

export class HeldCallback implements QueuedCall {
  callback: Callback;
  readonly #turn: (held: HeldCallback) => void;
  /** Its place; null: it does not wait. */
  entry: QueueEntry | null = null;
  /** Agents who are reserved for it. */
  offered: readonly Ref[] = [];
  /** An attempt is under way. */
  isBusy = false;
  /** On the wall clock: it does not wait for agents before. */
  notBeforeMs = 0;
  /** Phones that ring for it. */
  readonly rings = new Set<AgentRing>();
  /** The phone that has answered. */
  answered: AgentRing | null = null;
  /** The caller is on the line: the place is the call's. */
  #call: { readonly call: QueuedCall; readonly request: number } | null = null;

  constructor(callback: Callback, turn: (held: HeldCallback) => void) {
    this.callback = callback;
    this.#turn = turn;
  }

  get key(): string {
    return keyOf(this.callback);
  }

  report(event: Reported): void {
    if (this.#call) {
      const { call, request } = this.#call;
      call.report({ ...event, request });
    } else if (event.type === 'queue-turn') {
      this.offered = event.agents;
      this.#turn(this);
    }
  }

  sharingLost(): void {
    this.#call?.call.sharingLost();
  }

  /** The call has the place from here on, and the agents who are reserved. */
  handOver(call: QueuedCall, request: number): QueueEntry | null {
    const { entry, offered } = this;
    if (!entry) return null;
    this.entry = null;
    this.#call = { call, request };
    call.report({ type: 'queue-turn', request, agents: offered });
    return entry;
  }
}

export const keyOf = ({ accountId, id }: Pick<Callback, 'accountId' | 'id'>): string => `${accountId} ${id}`;

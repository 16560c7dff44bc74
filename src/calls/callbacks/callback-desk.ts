// What a call in a queue asks of call-backs.
import type { CallbackAnswer } from '../../flow/callback-phase.ts';
import type { Ref } from '../../flow/node.ts';
import type { QueuedCall, QueueEntry, QueueOrder } from '../../sharing/ports/queues.ts';
import type { CallFacts } from '../records/call-record.ts';
import type { AccountRoutes } from '../routing/routing.ts';

export interface CallbackRequest {
  readonly facts: CallFacts;
  readonly entry: QueueEntry;
  readonly node: Ref;
  readonly number: string;
  readonly typed: boolean;
}

export interface CallbackDesk {
  ask(account: AccountRoutes, request: CallbackRequest): Promise<CallbackAnswer>;
  /** The caller waits again: no call-back is needed. */
  calledAgain(account: AccountRoutes, node: Ref, caller: string | null): Promise<void>;
  /** The place of a call-back whose caller is on the line; null: it has none there. */
  takeOver(callId: string, order: QueueOrder, call: QueuedCall): QueueEntry | null;
}

// What operators ask of live calls, by the API: to see them, hang them up, transfer them, listen in, and begin new ones.
import type { Ref } from '../../flow/node.ts';
import type { Side } from '../call/call-input.ts';
import type { CallRegistry } from '../call-registry.ts';
import type { TransferredBy } from '../records/call-record.ts';
import type { ConsultOrder, ConsultOutcome, TransferOutcome } from '../transfer-outcome.ts';
import { type AskedCall, type ClickOutcome, ClickToCall } from './click-to-call.ts';
import { ListeningIn, type Talk } from './listening-in.ts';
import { describeCall, describeCalls, type LiveCall } from './live-calls.ts';

export class Operator {
  readonly clicks: ClickToCall;
  readonly listening = new ListeningIn((accountId, id) => this.#talk(accountId, id));
  readonly #calls: CallRegistry;

  constructor(calls: CallRegistry) {
    this.#calls = calls;
    this.clicks = new ClickToCall(calls, calls.environment.given.clicks ?? null);
  }

  liveCallsOf(accountId: string): LiveCall[] {
    return describeCalls(accountId, this.clicks.factsOf(accountId), this.#calls);
  }

  liveCallOf(accountId: string, id: string): LiveCall | null {
    const call = this.#calls.find(accountId, id);
    return call ? describeCall(call) : null;
  }

  /** False: the account has no such call. */
  hangUp(accountId: string, id: string): boolean {
    if (this.clicks.cancel(accountId, id)) return true;
    const call = this.#calls.find(accountId, id);
    call?.hangUp('operator-hung-up');
    return call !== undefined;
  }

  transferTo(accountId: string, id: string, party: Side, entry: Ref, by: TransferredBy): TransferOutcome {
    if (this.clicks.isRinging(accountId, id)) return 'not-connected';
    return this.#calls.transfers.to(accountId, id, party, entry, by);
  }

  consult(accountId: string, id: string, order: ConsultOrder, by: TransferredBy): ConsultOutcome {
    if (this.clicks.isRinging(accountId, id)) return 'not-connected';
    return this.#calls.transfers.consult(accountId, id, order, by);
  }

  readonly listenIn: ListeningIn['listenIn'] = (...asked) => this.listening.listenIn(...asked);
  readonly addParty: ListeningIn['addParty'] = (...asked) => this.listening.addParty(...asked);

  clickToCall(accountId: string, asked: AskedCall): ClickOutcome {
    const account = this.#calls.environment.routing.account(accountId);
    const context = account && this.#calls.contextOf(account);
    if (!context) return { refused: 'agent-unknown' };
    return 'eid' in asked ? this.clicks.start(context, asked) : this.clicks.place(context, asked);
  }

  #talk(accountId: string, id: string): Talk | 'not-connected' | 'unknown' {
    const call = this.#calls.find(accountId, id);
    const account = this.#calls.environment.routing.account(accountId);
    if (call && account) return { call, context: this.#calls.contextOf(account) };
    return this.clicks.isRinging(accountId, id) ? 'not-connected' : 'unknown';
  }
}

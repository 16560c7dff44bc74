// The INVITE client transaction (RFC 3261 §17.1.1 with RFC 6026 §7.2): an INVITE of ours.
import type { SipResponse } from '../message.ts';
import type { Timer } from '../timers.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { type ClientMachine, GIVE_UP_MS, type InviteClientContext, T1_MS } from './transaction-context.ts';

/**
 *                  INVITE
 *                    ▼
 *             ┌────────────┐  timer A: INVITE again
 *             │  calling   ├──── timer B, transport error ──┐
 *             └┬────┬─────┬┘                                │
 *          1xx │    │     └──────── 2xx ──────┐             │
 *              ▼    │                         │             │
 *   ┌────────────┐  │ 300–699                 │             │
 *   │ proceeding ├──┼───── 2xx ──────────┐    │             │
 *   └──────────┬─┘  │                    ▼    ▼             │
 *      300–699 │    │                 ┌──────────┐          │
 *              ▼    ▼                 │ accepted │ 2xx: to  │
 *            ┌────────────┐           └────┬─────┘ the user │
 *            │ completed  │ final again:   │                │
 *            └─────┬──────┘ ACK again      │ timer M        │
 *          timer D │                       │                │
 *                  ▼                       ▼                ▼
 *            ┌──────────────────────────────────────────────────┐
 *            │                   terminated                     │
 *            └──────────────────────────────────────────────────┘
 */
export type InviteClientState = 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated';

/** RFC 3261 §17.1.1.2: timer D is at least 32 s over UDP. */
const TIMER_D_MS = 32_000;

export class InviteClient implements ClientMachine {
  readonly #context: InviteClientContext;
  #state: InviteClientState = 'calling';
  /** The INVITE in `calling`, our ACK in `completed`. */
  #bytes: Buffer | null = null;
  /** Timer A. */
  #repeat: Timer | null = null;
  /** Timer B, D or M, or the time a cancelled INVITE has for its final response. */
  #end: Timer | null = null;
  #cancel: 'no' | 'wanted' | 'sent' = 'no';

  constructor(context: InviteClientContext) {
    this.#context = context;
  }

  get state(): InviteClientState {
    return this.#state;
  }

  start(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#end = this.#context.timers.start(GIVE_UP_MS, () => this.#fail('timeout'));
    if (!this.#context.reliable) this.#repeatAfter(T1_MS);
    this.#context.send(bytes);
  }

  received(response: SipResponse, flow: TransportFlow): void {
    if (this.#state === 'calling' || this.#state === 'proceeding') {
      if (response.status < 200) this.#provisional(response, flow);
      else if (response.status < 300) this.#accept(response, flow);
      else this.#complete(response, flow);
    } else if (this.#state === 'accepted') {
      // RFC 6026 §7.2: repeated and forked 2xx are for the user, which acknowledges them.
      if (response.status >= 200 && response.status < 300) this.#context.responded(response, flow);
    } else if (this.#state === 'completed') {
      if (response.status >= 300 && this.#bytes !== null) this.#context.send(this.#bytes);
    }
  }

  /** RFC 3261 §9.1: not before a provisional response, never after a final one. */
  cancel(): void {
    if (this.#cancel !== 'no') return;
    if (this.#state === 'calling') this.#cancel = 'wanted';
    else if (this.#state === 'proceeding') this.#sendCancel();
  }

  transportFailed(): void {
    if (this.#state === 'calling' || this.#state === 'proceeding') this.#fail('transport');
  }

  /** Stops without sending anything. */
  stop(): void {
    this.#clear();
    this.#state = 'terminated';
    this.#bytes = null;
  }

  #provisional(response: SipResponse, flow: TransportFlow): void {
    if (this.#state === 'calling') {
      this.#clear();
      this.#state = 'proceeding';
      this.#bytes = null;
      if (this.#cancel === 'wanted') this.#sendCancel();
    }
    if (response.status > 100) this.#context.responded(response, flow);
  }

  #accept(response: SipResponse, flow: TransportFlow): void {
    this.#clear();
    this.#state = 'accepted';
    this.#bytes = null;
    this.#end = this.#context.timers.start(GIVE_UP_MS, () => this.#terminate());
    this.#context.responded(response, flow);
  }

  #complete(response: SipResponse, flow: TransportFlow): void {
    this.#clear();
    this.#state = 'completed';
    const ack = this.#context.ack(response);
    this.#context.send(ack);
    if (this.#context.reliable) this.#terminate();
    else {
      this.#bytes = ack;
      this.#end = this.#context.timers.start(TIMER_D_MS, () => this.#terminate());
    }
    this.#context.responded(response, flow);
  }

  #sendCancel(): void {
    this.#cancel = 'sent';
    // RFC 3261 §9.1: without a final response 64*T1 after the CANCEL, the call counts as cancelled.
    this.#end = this.#context.timers.start(GIVE_UP_MS, () => this.#fail('timeout'));
    this.#context.sendCancel();
  }

  /** Timer A: doubles without a cap; timer B ends it. */
  #repeatAfter(ms: number): void {
    this.#repeat = this.#context.timers.start(ms, () => {
      this.#repeatAfter(ms * 2);
      if (this.#bytes !== null) this.#context.send(this.#bytes);
    });
  }

  #fail(why: 'timeout' | 'transport'): void {
    this.#terminate();
    this.#context.failed(why);
  }

  #clear(): void {
    this.#repeat?.stop();
    this.#end?.stop();
    this.#repeat = null;
    this.#end = null;
  }

  #terminate(): void {
    this.stop();
    this.#context.ended();
  }
}

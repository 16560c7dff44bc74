// The non-INVITE client transaction (RFC 3261 §17.1.2): BYE, CANCEL, REGISTER, OPTIONS… of ours.
import type { SipResponse } from '../message.ts';
import type { Timer } from '../timers.ts';
import type { TransportFlow } from '../transports/transport.ts';
import {
  type ClientContext,
  type ClientMachine,
  GIVE_UP_MS,
  T1_MS,
  T2_MS,
  T4_MS,
} from './transaction-context.ts';

/**
 *               request
 *                  ▼
 *            ┌────────────┐  timer E: request again
 *            │   trying   ├─── timer F, transport error ──┐
 *            └──┬──────┬──┘                               │
 *           1xx │      │ 200–699                          │
 *               ▼      │                                  │
 *      ┌────────────┐  │  timer E (T2): request again     │
 *      │ proceeding ├──┼──── timer F, transport error ──┐ │
 *      └────────┬───┘  │                                │ │
 *       200–699 │      │                                │ │
 *               ▼      ▼                                │ │
 *            ┌────────────┐                             │ │
 *            │ completed  │  responses: absorbed        │ │
 *            └─────┬──────┘                             │ │
 *          timer K │                                    │ │
 *                  ▼                                    ▼ ▼
 *            ┌──────────────────────────────────────────────┐
 *            │                  terminated                  │
 *            └──────────────────────────────────────────────┘
 */
export type NonInviteClientState = 'trying' | 'proceeding' | 'completed' | 'terminated';

export class NonInviteClient implements ClientMachine {
  readonly #context: ClientContext;
  #state: NonInviteClientState = 'trying';
  #bytes: Buffer | null = null;
  /** Timer E. */
  #repeat: Timer | null = null;
  /** Timer F or K. */
  #end: Timer | null = null;

  constructor(context: ClientContext) {
    this.#context = context;
  }

  get state(): NonInviteClientState {
    return this.#state;
  }

  start(bytes: Buffer): void {
    this.#end = this.#context.timers.start(GIVE_UP_MS, () => this.#fail('timeout'));
    if (!this.#context.reliable) {
      this.#bytes = bytes;
      this.#repeatAfter(T1_MS);
    }
    this.#context.send(bytes);
  }

  received(response: SipResponse, flow: TransportFlow): void {
    if (this.#state !== 'trying' && this.#state !== 'proceeding') return;
    if (response.status < 200) {
      this.#state = 'proceeding';
      if (response.status > 100) this.#context.responded(response, flow);
      return;
    }
    this.#clear();
    this.#state = 'completed';
    this.#bytes = null;
    // RFC 3261 §17.1.2.2: timer K absorbs repeated responses; a reliable transport repeats none.
    if (this.#context.reliable) this.#terminate();
    else this.#end = this.#context.timers.start(T4_MS, () => this.#terminate());
    this.#context.responded(response, flow);
  }

  transportFailed(): void {
    if (this.#state === 'trying' || this.#state === 'proceeding') this.#fail('transport');
  }

  /** Stops without sending anything. */
  stop(): void {
    this.#clear();
    this.#state = 'terminated';
    this.#bytes = null;
  }

  /** Timer E: doubles up to T2, and is T2 from the first provisional response on. */
  #repeatAfter(ms: number): void {
    this.#repeat = this.#context.timers.start(ms, () => {
      this.#repeatAfter(this.#state === 'proceeding' ? T2_MS : Math.min(ms * 2, T2_MS));
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

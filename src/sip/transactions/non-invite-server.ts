// The non-INVITE server transaction (RFC 3261 §17.2.2 with RFC 4320): BYE, REGISTER, OPTIONS… that came to us.
import type { Timer } from '../timers.ts';
import { GIVE_UP_MS, keep, type ServerContext, type ServerMachine, unkeep } from './transaction-context.ts';

/**
 *              request
 *                 │
 *                 ▼
 *            ┌────────────┐  request again: nothing
 *            │   trying   ├───────────────────────┐
 *            └─────┬──────┘                       │
 *   3.5 s, or 100  │                              │
 *    of the user   ▼                              │ 200–699
 *            ┌────────────┐  request again: 100   │
 *            │ proceeding │                       │
 *            └─────┬──────┘                       │
 *          200–699 │                              │
 *                  ▼                              │
 *            ┌────────────┐  request again:       │
 *            │ completed  │◄─ the final response ─┘
 *            └─────┬──────┘
 *          timer J │      (from `trying` and `proceeding`: 64*T1 without an answer)
 *                  ▼
 *            ┌────────────┐
 *            │ terminated │
 *            └────────────┘
 */
export type NonInviteServerState = 'trying' | 'proceeding' | 'completed' | 'terminated';

/** RFC 4320 §4.1: how long it takes the client's timer E to reach T2, T1 + 2*T1 + 4*T1. */
export const TRYING_AFTER_MS = 3_500;

export class NonInviteServer implements ServerMachine {
  readonly #context: ServerContext;
  #state: NonInviteServerState = 'trying';
  #last: string | null = null;
  #trying: Timer | null = null;
  /** Before the answer: the moment when the client has given up. */
  #end: Timer | null = null;
  readonly #began: number;

  constructor(context: ServerContext) {
    this.#context = context;
    this.#began = context.timers.now();
  }

  get state(): NonInviteServerState {
    return this.#state;
  }

  get open(): boolean {
    return this.#state === 'trying' || this.#state === 'proceeding';
  }

  start(): void {
    if (!this.open) return;
    const { timers } = this.#context;
    if (this.#state === 'trying') this.#trying = timers.start(TRYING_AFTER_MS, () => this.#context.trying());
    // RFC 4320 §4.2: no 408; the client has timed out after 64*T1 by itself.
    this.#end = timers.start(GIVE_UP_MS, () => this.expired());
  }

  repeated(): void {
    if (this.#last !== null) this.#context.send(unkeep(this.#last));
  }

  respond(status: number, bytes: Buffer): boolean {
    if (!this.open) return false;
    if (status < 200) return this.#provisional(status, bytes);
    this.#clear();
    if (status === 408) {
      // RFC 4320 §4.2: a 408 to a non-INVITE request would come too late by its nature.
      this.expired();
      return false;
    }
    this.#state = 'completed';
    this.#last = keep(bytes);
    this.#context.send(bytes);
    if (this.#context.reliable) this.expired();
    else this.#context.retire(this);
    return true;
  }

  /** RFC 4320 §4.1: nothing but 100, and over UDP not before the client's timer E reached T2. */
  #provisional(status: number, bytes: Buffer): boolean {
    if (status !== 100) return false;
    const early = this.#context.timers.now() - this.#began < TRYING_AFTER_MS;
    if (early && !this.#context.reliable) return false;
    this.#trying?.stop();
    this.#trying = null;
    this.#state = 'proceeding';
    this.#last = keep(bytes);
    this.#context.send(bytes);
    return true;
  }

  /** Stops without sending anything. */
  stop(): void {
    this.#clear();
    this.#state = 'terminated';
    this.#last = null;
  }

  #clear(): void {
    this.#trying?.stop();
    this.#end?.stop();
    this.#trying = null;
    this.#end = null;
  }

  expired(): void {
    this.stop();
    this.#context.ended();
  }
}

// The INVITE server transaction (RFC 3261 §17.2.1 with RFC 6026 §7.1): an INVITE that came to us.
import type { Timer } from '../timers.ts';
import {
  GIVE_UP_MS,
  keep,
  type ServerContext,
  type ServerMachine,
  T1_MS,
  T2_MS,
  T4_MS,
  unkeep,
} from './transaction-context.ts';

/**
 *               INVITE
 *                 │          ┌─ INVITE again: the last 1xx
 *                 ▼          ▼  200 ms of silence: 100
 *            ┌────────────────────┐   1xx
 *            │     proceeding     ├───────┐
 *            └──┬──────────────┬──┘◄──────┘
 *       300–699 │              │ 2xx
 *               ▼              ▼
 *        ┌────────────┐  ┌────────────┐  INVITE again: absorbed
 *        │ completed  │  │  accepted  │  2xx from the user: sent
 *        └─┬───────┬──┘  └─────┬──────┘  ACK: to the user
 *  timer G │       │ ACK       │
 *  repeats │       ▼           │
 *          │ ┌────────────┐    │
 *  timer H │ │ confirmed  │    │ timer L
 *          │ └─────┬──────┘    │
 *          ▼       ▼ timer I   ▼
 *            ┌────────────────────┐
 *            │     terminated     │
 *            └────────────────────┘
 */
export type InviteServerState = 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

/** RFC 3261 §17.2.1: how long the user may be silent before 100 (Trying). */
export const TRYING_AFTER_MS = 200;

export class InviteServer implements ServerMachine {
  readonly #context: ServerContext;
  #state: InviteServerState = 'proceeding';
  /** What a repeated INVITE is answered with: the last provisional, or the final one of `completed`. */
  #last: string | null = null;
  /** The 200 ms in `proceeding`, timer G in `completed`. */
  #timer: Timer | null = null;
  /** Timer H or I. */
  #end: Timer | null = null;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  get state(): InviteServerState {
    return this.#state;
  }

  get open(): boolean {
    return this.#state === 'proceeding';
  }

  start(): void {
    if (this.#state !== 'proceeding' || this.#last !== null) return;
    this.#timer = this.#context.timers.start(TRYING_AFTER_MS, () => {
      if (this.#state === 'proceeding' && this.#last === null) this.#context.trying();
    });
  }

  repeated(): void {
    if (this.#last !== null) this.#context.send(unkeep(this.#last));
  }

  respond(status: number, bytes: Buffer): boolean {
    if (this.#state === 'accepted' && status >= 200 && status < 300) {
      // RFC 6026 §7.1: the user repeats its 2xx until the ACK comes.
      this.#context.send(bytes);
      return true;
    }
    if (this.#state !== 'proceeding') return false;
    this.#clear();
    if (status < 200) this.#last = keep(bytes);
    else if (status < 300) this.#accept();
    else this.#complete(bytes);
    this.#context.send(bytes);
    return true;
  }

  /** True when the ACK belongs to a 2xx, and so to the user. */
  acknowledged(): boolean {
    if (this.#state === 'accepted') return true;
    if (this.#state !== 'completed') return false;
    this.#clear();
    this.#state = 'confirmed';
    this.#last = null;
    // RFC 3261 §17.2.1: timer I absorbs further ACKs; a reliable transport repeats none.
    if (this.#context.reliable) this.expired();
    else this.#end = this.#context.timers.start(T4_MS, () => this.expired());
    return false;
  }

  /** Stops without sending anything. */
  stop(): void {
    this.#clear();
    this.#state = 'terminated';
    this.#last = null;
  }

  #accept(): void {
    this.#state = 'accepted';
    // RFC 6026 §7.1: repeated INVITEs are absorbed without an answer, so nothing is kept to answer them with.
    this.#last = null;
    this.#context.retire(this);
  }

  #complete(bytes: Buffer): void {
    this.#state = 'completed';
    this.#last = keep(bytes);
    if (!this.#context.reliable) this.#repeatAfter(T1_MS);
    this.#end = this.#context.timers.start(GIVE_UP_MS, () => this.expired());
  }

  /** Timer G: doubles up to T2. */
  #repeatAfter(ms: number): void {
    this.#timer = this.#context.timers.start(ms, () => {
      this.repeated();
      this.#repeatAfter(Math.min(ms * 2, T2_MS));
    });
  }

  #clear(): void {
    this.#timer?.stop();
    this.#end?.stop();
    this.#timer = null;
    this.#end = null;
  }

  expired(): void {
    this.stop();
    this.#context.ended();
  }
}

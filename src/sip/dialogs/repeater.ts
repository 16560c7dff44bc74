// Retransmits a response until it is acknowledged: a 2xx until its ACK (RFC 3261 §13.3.1.4), a
// reliable provisional response until its PRACK (RFC 3262 §3). The transaction layer retransmits neither.
import type { Timer } from '../timers.ts';
import type { Reply, ServerTransaction } from '../transactions/transactions.ts';
import { type DialogCore, GIVE_UP_MS, T1_MS } from './core.ts';

export class Repeater {
  readonly #core: DialogCore;
  readonly #capMs: number;
  readonly #gaveUp: () => void;
  #transaction: ServerTransaction | null;
  #reply: Reply | null;
  #timer: Timer | null = null;
  #intervalMs = T1_MS;
  #spentMs = 0;

  /** Sends at once. `capMs` bounds the doubling interval. */
  constructor(
    core: DialogCore,
    transaction: ServerTransaction,
    reply: Reply,
    capMs: number,
    gaveUp: () => void,
  ) {
    this.#core = core;
    this.#transaction = transaction;
    this.#reply = reply;
    this.#capMs = capMs;
    this.#gaveUp = gaveUp;
    transaction.respond(reply);
    this.#schedule();
  }

  get isRunning(): boolean {
    return this.#timer !== null;
  }

  /** It was acknowledged, or no longer matters. Releases the response. */
  stop(): void {
    this.#timer?.stop();
    this.#timer = null;
    this.#transaction = null;
    this.#reply = null;
  }

  #schedule(): void {
    const waitMs = Math.min(this.#intervalMs, this.#capMs, GIVE_UP_MS - this.#spentMs);
    this.#timer = this.#core.timers.start(waitMs, () => this.#fire(waitMs));
  }

  #fire(waitedMs: number): void {
    this.#spentMs += waitedMs;
    this.#intervalMs *= 2;
    if (this.#spentMs >= GIVE_UP_MS) {
      this.stop();
      this.#gaveUp();
      return;
    }
    if (this.#reply !== null) this.#transaction?.respond(this.#reply);
    this.#schedule();
  }
}

// Reliable provisional responses of ours (RFC 3262 §3): one at a time, each repeated until its PRACK.
import { headerOf, type SipRequest } from '../message.ts';
import type { Reply, ServerTransaction } from '../transactions/transactions.ts';
import { type DialogCore, GIVE_UP_MS } from './core.ts';
import { Repeater } from './repeater.ts';

/** Provisional responses queued before the first PRACK; further ones are dropped. */
const MOST_WAITING = 4;

export class ReliableProgress {
  readonly #core: DialogCore;
  readonly #transaction: ServerTransaction;
  /** No PRACK for 64*T1. */
  readonly #gaveUp: () => void;
  readonly #waiting: Reply[] = [];
  #repeater: Repeater | null = null;
  #rseq: number;

  constructor(core: DialogCore, transaction: ServerTransaction, gaveUp: () => void) {
    this.#core = core;
    this.#transaction = transaction;
    this.#gaveUp = gaveUp;
    // RFC 3262 §3: anywhere in the lower half.
    this.#rseq = Math.floor(core.random() * 0x7fff_0000);
  }

  get isPending(): boolean {
    return this.#repeater !== null;
  }

  send(reply: Reply): void {
    if (this.#repeater !== null) {
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(reply);
      return;
    }
    this.#rseq++;
    const headers: (readonly [string, string])[] = [
      ['require', '100rel'],
      ['rseq', `${this.#rseq}`],
    ];
    if (reply.headers !== undefined) headers.push(...reply.headers);
    // Unlike a 2xx these double without a cap.
    this.#repeater = new Repeater(this.#core, this.#transaction, { ...reply, headers }, GIVE_UP_MS, () => {
      this.#repeater = null;
      this.#gaveUp();
    });
  }

  /** False when the PRACK fits nothing: 481. The next one that waits goes out. */
  acknowledged(prack: SipRequest): boolean {
    const [rseq, cseq, method] = (headerOf(prack, 'rack') ?? '').trim().split(/[ \t]{1,8}/);
    const invite = this.#transaction.request.cseq;
    const fits = Number(rseq) === this.#rseq && Number(cseq) === invite.number && method === 'INVITE';
    if (this.#repeater === null || !fits) return false;
    this.#repeater.stop();
    this.#repeater = null;
    return true;
  }

  /** After the PRACK was answered. */
  next(): void {
    const reply = this.#waiting.shift();
    if (reply !== undefined) this.send(reply);
  }

  stop(): void {
    this.#waiting.length = 0;
    this.#repeater?.stop();
    this.#repeater = null;
  }
}

// re-INVITE and UPDATE of ours: one at a time, in the order they were asked for, again after a glare (RFC 3261 §14.1).
import { NO_BODY, type SipResponse } from '../message.ts';
import type { Timer } from '../timers.ts';
import type { ClientEvents } from '../transactions/transactions.ts';
import { ALLOW, type HeaderList, SDP_TYPE } from './capabilities.ts';
import { type DialogCore, GIVE_UP_MS } from './core.ts';
import type { Dialog } from './dialog.ts';
import { askAsUac, minSeOf422 } from './session-timer.ts';

export interface OwnOffer {
  readonly method: 'INVITE' | 'UPDATE';
  /** Null for an UPDATE that only refreshes. */
  readonly sdp: Buffer | null;
  /** The 2xx, or the status that stands for what went wrong (408: nothing came, AWAY: it did not get there). */
  done(response: SipResponse | null, status: number): void;
}

/** A web page has no connection now, or another one than the request went by. It may come back: who knows its session decides. */
export const AWAY = 0;

/** Queued offers; the next one is refused. */
const MOST_WAITING = 4;
const MOST_TRIES = 5;
/** How long a peer that has answered provisionally may take: one that never decides would keep all other offers away. */
export const UNDECIDED_MS = GIVE_UP_MS;
/** No 100rel: provisional responses to a re-INVITE need no certainty. */
const SUPPORTED_INSIDE: readonly [string, string] = ['supported', 'timer'];

interface Waiting {
  readonly offer: OwnOffer;
  tries: number;
  minSeS: number;
}

export class OwnOffers {
  readonly #core: DialogCore;
  readonly #dialog: Dialog;
  /** Whether the peer leaves room for an offer now. */
  readonly #mayOffer: () => boolean;
  readonly #waiting: Waiting[] = [];
  #inFlight: Waiting | null = null;
  #backOff: Timer | null = null;
  #undecided: Timer | null = null;

  constructor(core: DialogCore, dialog: Dialog, mayOffer: () => boolean) {
    this.#core = core;
    this.#dialog = dialog;
    this.#mayOffer = mayOffer;
  }

  /** Whether the peer has an offer of ours to answer. A mere refresh is none. */
  get isOffering(): boolean {
    return this.#inFlight !== null && this.#inFlight.offer.sdp !== null;
  }

  make(offer: OwnOffer): void {
    if (this.#waiting.length >= MOST_WAITING) {
      offer.done(null, 491);
      return;
    }
    this.#waiting.push({ offer, tries: 0, minSeS: 0 });
    this.next();
  }

  next(): void {
    if (this.#inFlight !== null || this.#backOff !== null || !this.#mayOffer()) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) this.#send(waiting);
  }

  /** No callback is called any more. */
  close(): void {
    this.#backOff?.stop();
    this.#backOff = null;
    this.#undecided?.stop();
    this.#inFlight = null;
    this.#waiting.length = 0;
  }

  #send(waiting: Waiting): void {
    this.#inFlight = waiting;
    waiting.tries++;
    const { method, sdp } = waiting.offer;
    const timer = askAsUac(this.#core.settings, waiting.minSeS, true);
    const headers: HeaderList = [ALLOW, SUPPORTED_INSIDE, ...timer, ...(sdp === null ? [] : [SDP_TYPE])];
    const draft = this.#dialog.draft(method, headers, sdp ?? NO_BODY);
    const { connection } = this.#dialog.flow;
    const events: ClientEvents = {
      responded: (response) => this.#responded(waiting, draft.cseq.number, response),
      failed: (why) => this.#finish(waiting, null, this.#isAway(why, connection) ? AWAY : 408),
    };
    this.#dialog.request(draft, events, (transaction) => {
      this.#undecided?.stop();
      this.#undecided = this.#core.timers.start(UNDECIDED_MS, () => transaction.cancel());
    });
  }

  /** A connection that closed, or that its page has left meanwhile; silence on the one that it has is its own. */
  #isAway(why: 'timeout' | 'transport', connection: number): boolean {
    const { flow } = this.#dialog;
    return flow.protocol === 'ws' && (why === 'transport' || flow.connection !== connection);
  }

  #responded(waiting: Waiting, seq: number, response: SipResponse): void {
    if (response.status < 200) return;
    if (response.status < 300) {
      // Every repetition of the 2xx says that our ACK was lost.
      if (waiting.offer.method === 'INVITE') this.#dialog.sendAck(this.#dialog.draftAck(seq));
      if (this.#inFlight !== waiting) return;
      this.#dialog.refreshTarget(response);
      this.#finish(waiting, response, response.status);
      return;
    }
    // No challenge inside a dialog is ever answered: the far end behind the trunk could send it (ES2021-05, threat T6).
    if (this.#inFlight === waiting && waiting.tries < MOST_TRIES && this.#triesAgain(waiting, response))
      return;
    this.#finish(waiting, null, response.status);
  }

  #triesAgain(waiting: Waiting, response: SipResponse): boolean {
    if (response.status === 422) {
      waiting.minSeS = minSeOf422(response);
      if (waiting.minSeS > 0) this.#send(waiting);
      return waiting.minSeS > 0;
    }
    if (response.status !== 491) return false;
    this.#inFlight = null;
    this.#undecided?.stop();
    this.#waiting.unshift(waiting);
    this.#backOff = this.#core.timers.start(this.#glareMs(), () => {
      this.#backOff = null;
      this.next();
    });
    return true;
  }

  /** RFC 3261 §14.1: the owner of the Call-ID waits 2.1 to 4 s, the other one 0 to 2 s, in steps of 10 ms. */
  #glareMs(): number {
    const steps = this.#core.random();
    return this.#dialog.ownsCallId ? 2100 + Math.floor(steps * 191) * 10 : Math.floor(steps * 201) * 10;
  }

  #finish(waiting: Waiting, response: SipResponse | null, status: number): void {
    if (this.#inFlight !== waiting) return;
    this.#inFlight = null;
    this.#undecided?.stop();
    waiting.offer.done(response, status);
    this.next();
  }
}

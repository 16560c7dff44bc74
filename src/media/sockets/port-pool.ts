// Pairs of sockets held ready, RTP on an even port and RTCP on the next. Making a pair costs more than all the rest of a short call,
// so pairs are made ahead of need and kept for ever: a closed call's pair rests a moment and serves the next one.
import { IDLE, type Sockets } from './sockets.ts';

export interface Pair {
  readonly index: number;
  readonly port: number;
  readonly rtp: number;
  readonly rtcp: number;
}

/** Calls come faster than the ports of those before them rest and are told again: a burst must find this many. */
const SPARE = 384;
const BINDS_PER_TURN = 4;
/** Late packets of the call before are thrown away, not given to the next. */
const REST_MS = 20;
const RETRY_MS = 30_000;
/** With so many ready, the end of a rest may be told later, and with others. */
export const ENOUGH = 192;
export const PATIENCE_MS = 100;

export class PortPool {
  readonly #sockets: Sockets;
  readonly #ready: (pair: Pair) => void;
  readonly #pairs: Pair[] = [];
  /** Ports not tried yet, or taken by somebody else at the last try; from the back. */
  #fresh: number[] = [];
  #taken: number[] = [];
  #retryMs = 0;
  #binding = 0;
  #readyCount = 0;
  readonly #resting: { readonly pair: Pair; readonly untilMs: number }[] = [];

  constructor(sockets: Sockets, ports: { from: number; to: number }, ready: (pair: Pair) => void) {
    this.#sockets = sockets;
    this.#ready = ready;
    for (let port = ports.from; port + 1 <= ports.to; port += 2) this.#fresh.push(port);
    this.#fresh.reverse();
  }

  /** Makes a few pairs and ends rests. How long till there is more to do; IDLE: there is not. */
  tend(nowMs: number): number {
    for (;;) {
      const first = this.#resting[0];
      if (!first || first.untilMs > nowMs) break;
      this.#resting.shift();
      // Now and not when it is taken: its first packets may be there before the order that opens it.
      this.#sockets.drain(first.pair.rtp);
      this.#sockets.drain(first.pair.rtcp);
      this.#offer(first.pair);
    }
    if (this.#fresh.length === 0 && this.#taken.length > 0 && nowMs >= this.#retryMs) {
      this.#fresh = this.#taken.reverse();
      this.#taken = [];
      this.#retryMs = nowMs + RETRY_MS;
    }
    for (let count = 0; count < BINDS_PER_TURN && this.#wantsMore; count++) this.#make();
    if (this.#wantsMore || this.#binding > 0) return 1;
    const first = this.#resting[0];
    if (!first) return IDLE;
    // Nobody waits for them while others are ready: then they come together.
    return Math.max(1, first.untilMs - nowMs) + (this.#readyCount >= ENOUGH ? PATIENCE_MS : 0);
  }

  get readyCount(): number {
    return this.#readyCount;
  }

  /** The pair with this number begins to serve a call. */
  take(index: number): Pair {
    const pair = this.#pairs[index];
    if (!pair) throw new Error(`there is no pair ${index}`);
    this.#readyCount--;
    return pair;
  }

  giveBack(pair: Pair, nowMs: number): void {
    this.#resting.push({ pair, untilMs: nowMs + REST_MS });
  }

  get #wantsMore(): boolean {
    return this.#readyCount + this.#binding < SPARE && this.#fresh.length > 0;
  }

  #offer(pair: Pair): void {
    this.#readyCount++;
    this.#ready(pair);
  }

  #make(): void {
    const port = this.#fresh.pop();
    if (port === undefined) return;
    this.#binding++;
    const fail = (): void => {
      this.#binding--;
      this.#taken.push(port);
    };
    this.#sockets.bind(port, (rtp) => {
      if (rtp === null) return fail();
      this.#sockets.bind(port + 1, (rtcp) => {
        if (rtcp === null) {
          this.#sockets.close(rtp);
          return fail();
        }
        this.#binding--;
        const pair = { index: this.#pairs.length, port, rtp, rtcp };
        this.#pairs.push(pair);
        this.#offer(pair);
      });
    });
  }
}

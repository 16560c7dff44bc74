// Socket pairs that are ready for calls, RTP on an even port and RTCP on the next. Creating a pair costs more than the rest of a short
// call, so pairs are created ahead of need and never closed: after a short quarantine a pair serves another call.
import { IDLE, type Sockets } from './sockets.ts';

export interface Pair {
  readonly index: number;
  readonly port: number;
  readonly rtp: number;
  readonly rtcp: number;
}

/** Ready pairs for a burst of calls, which arrive faster than earlier pairs leave their quarantine. */
export const SPARE_PAIRS = 384;
const BINDS_PER_TURN = 4;
/** Late packets of the earlier call are discarded. */
const QUARANTINE_MS = 20;
const RETRY_MS = 30_000;
/** With so many ready, events about further ones may be delayed and batched. */
export const ENOUGH_READY = 192;
export const EVENT_DELAY_MS = 100;

export class PortPool {
  readonly #sockets: Sockets;
  readonly #ready: (pair: Pair) => void;
  readonly #pairs: Pair[] = [];
  /** Ports not bound yet, taken from the back; `#taken`: those that another process used at the last try. */
  #fresh: number[] = [];
  #taken: number[] = [];
  #retryMs = 0;
  #binding = 0;
  #readyCount = 0;
  readonly #quarantined: { readonly pair: Pair; readonly untilMs: number }[] = [];

  constructor(sockets: Sockets, ports: { from: number; to: number }, ready: (pair: Pair) => void) {
    this.#sockets = sockets;
    this.#ready = ready;
    for (let port = ports.from; port + 1 <= ports.to; port += 2) this.#fresh.push(port);
    this.#fresh.reverse();
  }

  /** Creates a few pairs and ends quarantines. Returns the time until there is more to do, or IDLE. */
  tend(nowMs: number): number {
    for (;;) {
      const first = this.#quarantined[0];
      if (!first || first.untilMs > nowMs) break;
      this.#quarantined.shift();
      // Now and not when it is taken: the first packets of a call may arrive before the command that opens its stream.
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
    const first = this.#quarantined[0];
    if (!first) return IDLE;
    // While enough others are ready these can be batched.
    return Math.max(1, first.untilMs - nowMs) + (this.#readyCount >= ENOUGH_READY ? EVENT_DELAY_MS : 0);
  }

  get readyCount(): number {
    return this.#readyCount;
  }

  take(index: number): Pair {
    const pair = this.#pairs[index];
    if (!pair) throw new Error(`no socket pair ${index}`);
    this.#readyCount--;
    return pair;
  }

  giveBack(pair: Pair, nowMs: number): void {
    this.#quarantined.push({ pair, untilMs: nowMs + QUARANTINE_MS });
  }

  get #wantsMore(): boolean {
    return this.#readyCount + this.#binding < SPARE_PAIRS && this.#fresh.length > 0;
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

// The messages of one SIP session, in order, for the call record. Each costs a small object and no text; what
// is retransmitted is not listed. It also knows whether a response is outstanding, so that the record can wait for the last one.
import { detached } from './ids.ts';
import { type Headers, headerOf } from './message.ts';
import type { Protocol, TransportFlow } from './transports/transport.ts';

export interface LadderLine {
  /** On the clock of the SIP timers, which is monotonic. */
  readonly atMs: number;
  readonly direction: 'in' | 'out';
  readonly method: string;
  /** 0: the request itself. */
  readonly status: number;
  readonly transport: Protocol;
  /** The peer's User-Agent or Server, with its first message. */
  readonly userAgent?: string;
}

/** The lines of one session. Bounds memory against endless re-INVITEs. */
export const MAX_LADDER_LINES = 60;
export const MAX_USER_AGENT = 128;
/** Longer pieces of a message would keep the whole of it alive. */
const SHORT = 12;

export class Ladder {
  readonly lines: LadderLine[] = [];
  /** Messages beyond the bound. */
  leftOut = 0;
  readonly #clock: { now(): number };
  /** Final responses and ACKs outstanding, in either direction. */
  #due = 0;
  #acksDue = 0;
  #isPeerNamed = false;
  #quiet: (() => void) | null = null;

  constructor(clock: { now(): number }) {
    this.#clock = clock;
  }

  /** Any request but ACK. */
  asked(
    direction: 'in' | 'out',
    { method, headers }: { readonly method: string; readonly headers: Headers },
    flow: TransportFlow,
  ): void {
    this.#due++;
    this.#add(direction, method, 0, flow, direction === 'in' ? headers : null);
  }

  answered(
    direction: 'in' | 'out',
    status: number,
    method: string,
    flow: TransportFlow,
    headers: Headers | null,
  ): void {
    this.#add(direction, method, status, flow, headers);
    if (status < 200) return;
    if (method === 'INVITE') this.#acksDue++;
    else this.#settle();
  }

  /** An ACK that is due; one that is repeated is not listed again. */
  acknowledged(direction: 'in' | 'out', flow: TransportFlow): void {
    if (this.#acksDue === 0) return;
    this.#acksDue--;
    this.#add(direction, 'ACK', 0, flow, null);
    this.#settle();
  }

  get isQuiet(): boolean {
    return this.#due === 0;
  }

  /** Once, when the last answer that is due has come; at once if none is. */
  whenQuiet(then: () => void): void {
    if (this.#due === 0) then();
    else this.#quiet = then;
  }

  #settle(): void {
    if (this.#due > 0) this.#due--;
    if (this.#due > 0) return;
    const quiet = this.#quiet;
    this.#quiet = null;
    quiet?.();
  }

  #add(
    direction: 'in' | 'out',
    method: string,
    status: number,
    flow: TransportFlow,
    headers: Headers | null,
  ): void {
    if (this.lines.length >= MAX_LADDER_LINES) {
      this.leftOut++;
      return;
    }
    const atMs = this.#clock.now();
    const kept = method.length > SHORT ? detached(method.slice(0, MAX_USER_AGENT)) : method;
    const transport = flow.protocol;
    const userAgent = headers === null || this.#isPeerNamed ? '' : nameOf(headers);
    // Written out: a spread for each message of each call would cost more than the rest of this.
    if (userAgent === '') this.lines.push({ atMs, direction, method: kept, status, transport });
    else {
      this.#isPeerNamed = true;
      this.lines.push({ atMs, direction, method: kept, status, transport, userAgent });
    }
  }
}

/** RFC 3261 §20.41 and §20.35: User-Agent in requests, Server in responses. */
function nameOf(headers: Headers): string {
  const name = headerOf({ headers }, 'user-agent') ?? headerOf({ headers }, 'server') ?? '';
  return name === '' ? '' : detached(name.slice(0, MAX_USER_AGENT));
}

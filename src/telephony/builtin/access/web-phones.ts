// Phones in web pages: what each connection may be, as its session says, whose requests go on with its calls, and when a page is gone.
//
//   open ──lost──▶ waiting ──not taken up in time, or the session is over──▶ gone: its calls end
//                       └──the same session by another connection──▶ its calls go on there
import type { Binding } from '../../../sip/bindings.ts';
import type { Session } from '../../../sip/session.ts';
import type { Timer, Timers } from '../../../sip/timers.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { SipTransports } from '../../../sip/transports/transports.ts';
import type { WebPhone } from '../../ports/web-phone.ts';
import type { TelephonyUser } from '../../telephony.ts';

/** How long a call waits for its web page to come back. */
export const PAGE_BACK_MS = 10_000;
/** How much longer where another page of its agent is there, which may be the same one after a reload: until it takes the call up. */
export const TAKE_UP_MS = 20_000;

/** Between two looks at pages that a node which drains need not keep. */
const DRAIN_CHECK_MS = 1_000;

interface PagesEnvironment {
  readonly timers: Timers;
  readonly legs: PageLegs;
  readonly config: { readonly user: Pick<TelephonyUser, 'phoneUser' | 'hasCallsFor'> };
  /** A page whose connection is closed comes back at another node, if there is one. */
  readonly transports: Pick<SipTransports, 'closeWebSocket'>;
}

/** The legs of web pages. */
export interface PageLegs {
  /** What is still by this connection is not taken up any more; `isOver`: because its session is over. */
  gone(connection: number, isOver: boolean): void;
  /** The session that had this connection has that flow. */
  back(connection: number, flow: TransportFlow): void;
  /** Whether there is a call by that connection, or with that phone. */
  has(connection: number, phone: string): boolean;
}

interface Open {
  readonly phone: WebPhone;
  readonly flow: TransportFlow;
  readonly sinceMs: number;
}

type Way = Pick<TransportFlow, 'protocol' | 'connection'>;

export class WebPhones {
  readonly #env: PagesEnvironment;
  readonly #open = new Map<number, Open>();
  /** Closed connections whose calls wait. */
  readonly #waiting = new Map<number, WebPhone>();
  #draining: Timer | null = null;

  constructor(env: PagesEnvironment) {
    this.#env = env;
  }

  /** `grant`: made by our own HTTP side (calls/web-phones.ts). */
  opened(flow: TransportFlow, grant: unknown): void {
    const phone = grant as WebPhone;
    this.#open.set(flow.connection, { phone, flow, sinceMs: this.#env.timers.now() });
    // Before the drain looks: the call that is taken up is what the page is needed for.
    for (const [connection, { id }] of [...this.#waiting])
      if (id === phone.id) this.#env.legs.back(connection, flow);
    if (this.#draining) this.#dismiss();
  }

  /** A node that takes no calls keeps the pages that its calls need, and sends the others away: no other node can ring them. */
  setDrain(isOn: boolean): void {
    this.#draining?.stop();
    this.#draining = isOn ? this.#env.timers.start(DRAIN_CHECK_MS, () => this.setDrain(true)) : null;
    if (isOn) this.#dismiss();
  }

  #dismiss(): void {
    for (const [connection, open] of [...this.#open])
      if (!this.#isNeededInDrain(connection, open)) this.#env.transports.closeWebSocket(connection);
  }

  /** A visitor’s page that was loaded again has another session: it has a moment to take its call up. */
  #isNeededInDrain(connection: number, { phone: { peer }, sinceMs }: Open): boolean {
    const { timers, config } = this.#env;
    if (this.#hasLeg(connection, peer.id)) return true;
    if (peer.kind === 'phone') return config.user.hasCallsFor?.(peer.id) ?? true;
    return timers.now() - sinceMs < PAGE_BACK_MS;
  }

  /** Null if its connection is closed, or its agent is gone. */
  of(connection: number): WebPhone | null {
    const web = this.#open.get(connection)?.phone ?? null;
    if (web?.peer.kind !== 'phone') return web;
    // The agent may have another number since the session was made.
    const caller = this.#env.config.user.phoneUser?.(web.peer.id);
    return caller === null ? null : { ...web, caller: caller ?? web.caller };
  }

  /** Visitors by call buttons are strangers: they have a connection for their call, and none to keep others out. */
  isNeeded(connection: number): boolean {
    const peer = this.#open.get(connection)?.phone.peer;
    const isVisitor = peer?.kind === 'guest' && peer.visitor.button !== null;
    return !isVisitor || this.#hasLeg(connection, peer.id);
  }

  #hasLeg(connection: number, phone: string): boolean {
    return this.#env.legs.has(connection, phone);
  }

  /**
   * Whether both lead to one agent's pages, or to one guest's session, or neither to a page. A call that began on a WebSocket never leaves
   * them: it ends with the session that it has, and by UDP nobody would see its end.
   */
  isOne(one: Way, other: Way): boolean {
    if (one.protocol !== 'ws' && other.protocol !== 'ws') return true;
    if (one.protocol !== other.protocol) return false;
    const peer = this.#peerOf(other.connection);
    return peer !== null && this.#peerOf(one.connection) === peer;
  }

  isOfPeer({ flow: { protocol }, connection }: Pick<Session, 'flow' | 'connection'>, flow: Way): boolean {
    return this.isOne({ protocol, connection }, flow);
  }

  /** A page that reloads, or changes its network, takes its call up by another connection. `isOver`: its session is, and its calls with it. */
  closed(connection: number, isOver: boolean): void {
    const phone = this.#open.get(connection)?.phone;
    if (!phone) return;
    this.#open.delete(connection);
    this.#waiting.set(connection, phone);
    if (isOver) {
      for (const [each, { id }] of [...this.#waiting]) if (id === phone.id) this.#lose(each, true);
      return;
    }
    for (const { phone: other, flow } of this.#open.values())
      if (other.id === phone.id) this.#env.legs.back(connection, flow);
    this.#wait(connection, phone, PAGE_BACK_MS);
  }

  #wait(connection: number, phone: WebPhone, ms: number): void {
    this.#env.timers.start(ms, () => {
      const isThere = [...this.#open.values()].some((each) => each.phone.peer.id === phone.peer.id);
      if (isThere && ms === PAGE_BACK_MS) this.#wait(connection, phone, TAKE_UP_MS);
      else this.#lose(connection, false);
    });
  }

  #lose(connection: number, isOver: boolean): void {
    if (this.#waiting.delete(connection)) this.#env.legs.gone(connection, isOver);
  }

  #peerOf(connection: number): string | null {
    return (this.#open.get(connection)?.phone ?? this.#waiting.get(connection))?.peer.id ?? null;
  }
}

/** One that registered with a password, not with the session of a web page. */
export const isDeskPhone = ({ flow }: Binding): boolean => flow.protocol !== 'ws';

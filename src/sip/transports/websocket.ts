// SIP over WebSocket (RFC 7118): each message of the WebSocket is one SIP message. The sockets themselves belong to the HTTP server,
// which may run in another thread: WebSocketSide is what this transport sees of it. A connection comes with a grant, which was
// checked before it was opened and says what its peer may do.
import type { Timer, Timers } from '../timers.ts';
import type { Inbound, Replier } from './inbound.ts';
import type { Address, TransportFlow } from './transport.ts';

/** What has the sockets. Ids are its own, and never used again. */
export interface WebSocketSide {
  /** False: too much waits to be sent; the message is lost. */
  send(id: number, bytes: Buffer): boolean;
  /** With a code of RFC 6455 §7.4. */
  close(id: number, code: number): void;
  deliverTo(user: WebSocketUser): void;
}

export interface WebSocketUser {
  opened(id: number, ends: WebSocketEnds, grant: unknown): void;
  received(id: number, bytes: Buffer): void;
  /** Also after `close`. `isOver`: what its grant is of is over, so that its peer does not come back. */
  closed(id: number, isOver: boolean): void;
}

export interface WebSocketEnds {
  /** Where HTTP listens. */
  readonly local: Address;
  /** The browser, as a trusted proxy in front says. */
  readonly remote: Address;
}

export interface WebSocketLimits {
  /** How long a connection may be open before a digest was right. */
  readonly unauthenticatedMs: number;
  /** How long one may be without a message or a keep-alive of CRLF. */
  readonly idleMs: number;
  /** How often it is looked whether one is still of use. */
  readonly lookMs: number;
}

export const WEBSOCKET_LIMITS: WebSocketLimits = {
  unauthenticatedMs: 30_000,
  idleMs: 4 * 3_600_000,
  lookMs: 60_000,
};

export const CLOSE_CODES = { away: 1001, policy: 1008, overloaded: 1013 } as const;

/** Connection numbers of TCP and TLS begin with 1: bindings and transactions know connections by their number alone. */
const FIRST_CONNECTION = 2 ** 40;
const PONG = Buffer.from('\r\n');
const CR = 13;
const LF = 10;
/** RFC 5626 §3.5.1: a ping is CRLF CRLF, a pong CRLF. */
const LONGEST_KEEP_ALIVE = 4;

interface Connection {
  readonly id: number;
  readonly flow: TransportFlow;
  authenticated: boolean;
  lastHeard: number;
  idle: Timer | null;
}

export interface WebSocketsParts {
  readonly side: WebSocketSide;
  readonly timers: Timers;
  readonly inbound: Inbound;
  readonly limits?: Partial<WebSocketLimits>;
}

export class WebSockets implements WebSocketUser, Replier {
  readonly #parts: WebSocketsParts;
  readonly #limits: WebSocketLimits;
  readonly #byId = new Map<number, Connection>();
  readonly #byConnection = new Map<number, Connection>();
  #last = FIRST_CONNECTION;

  constructor(parts: WebSocketsParts) {
    this.#parts = parts;
    this.#limits = { ...WEBSOCKET_LIMITS, ...parts.limits };
    parts.side.deliverTo(this);
  }

  get count(): number {
    return this.#byId.size;
  }

  opened(id: number, { local, remote }: WebSocketEnds, grant: unknown): void {
    const { timers, inbound } = this.#parts;
    const flow: TransportFlow = { protocol: 'ws', local, remote, connection: ++this.#last };
    const connection = { id, flow, authenticated: false, lastHeard: timers.now(), idle: null };
    this.#byId.set(id, connection);
    this.#byConnection.set(flow.connection, connection);
    this.#watch(connection, this.#limits.unauthenticatedMs);
    inbound.opened(flow, grant);
  }

  received(id: number, bytes: Buffer): void {
    const connection = this.#byId.get(id);
    if (connection === undefined) return;
    const { inbound, timers } = this.#parts;
    connection.lastHeard = timers.now();
    if (isKeepAlive(bytes)) {
      if (bytes.length === LONGEST_KEEP_ALIVE) this.#send(connection, PONG);
      return;
    }
    const isAccepted = connection.authenticated || inbound.acceptsWeb(connection.flow);
    if (!isAccepted || inbound.receive(bytes, connection.flow, this) === 'dropped')
      this.#close(connection, CLOSE_CODES.policy);
  }

  closed(id: number, isOver: boolean): void {
    const connection = this.#byId.get(id);
    if (connection !== undefined) this.#forget(connection, isOver);
  }

  authenticated(connection: number): void {
    const known = this.#byConnection.get(connection);
    if (known !== undefined) known.authenticated = true;
  }

  send(connection: number, bytes: Buffer): boolean {
    const known = this.#byConnection.get(connection);
    return known !== undefined && this.#send(known, bytes);
  }

  reply({ connection }: TransportFlow, bytes: Buffer): void {
    this.send(connection, bytes);
  }

  /** Closes one as when the service stops (RFC 6455 §7.4.1: going away). */
  leave(connection: number): void {
    const known = this.#byConnection.get(connection);
    if (known !== undefined) this.#close(known, CLOSE_CODES.away);
  }

  close(): void {
    for (const connection of [...this.#byId.values()]) this.#close(connection, CLOSE_CODES.away);
  }

  #send(connection: Connection, bytes: Buffer): boolean {
    if (this.#parts.side.send(connection.id, bytes)) return true;
    // On a connection nothing is repeated: without this message the peer would wait in vain.
    this.#close(connection, CLOSE_CODES.overloaded);
    return false;
  }

  #close(connection: Connection, code: number): void {
    this.#parts.side.close(connection.id, code);
    this.#forget(connection);
  }

  #forget(connection: Connection, isOver = false): void {
    if (!this.#byId.delete(connection.id)) return;
    this.#byConnection.delete(connection.flow.connection);
    connection.idle?.stop();
    this.#parts.inbound.closed(connection.flow, isOver);
  }

  /** One timer, looked at when it fires: nothing is restarted for each message. */
  #watch(connection: Connection, ms: number): void {
    const { timers, inbound } = this.#parts;
    const { idleMs, lookMs } = this.#limits;
    connection.idle = timers.start(ms, () => {
      const left = idleMs - (timers.now() - connection.lastHeard);
      const isUseful = connection.authenticated && left > 0 && inbound.isNeeded(connection.flow);
      if (isUseful) this.#watch(connection, Math.min(left, lookMs));
      else this.#close(connection, CLOSE_CODES.policy);
    });
  }
}

function isKeepAlive(bytes: Buffer): boolean {
  if (bytes.length > LONGEST_KEEP_ALIVE) return false;
  for (const byte of bytes) if (byte !== CR && byte !== LF) return false;
  return true;
}

// SIP over WebSocket at /sip (RFC 7118), on the port of HTTP: who may connect, how many and how fast. What comes is handed to the
// telephone side as it is (calls/web-phones.ts). A connection needs a phone session in its address, and its SIP requests the digest
// of that session: a page of another origin, or who reads addresses in a log, has neither.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { WebPhone, WebPhoneLink } from '../../calls/web-phones.ts';
import { globalId } from '../../domain/global-id.ts';
import { type PhoneSession, publicKey } from '../../domain/phone-session.ts';
import { PROBLEMS, type Problem, problem } from '../../kinds/problem.ts';
import type { PhoneSessions } from '../calls/phone-sessions.ts';
import { networkOf } from './client-address.ts';
import { failureBody } from './failure.ts';
import type { Lifecycle } from './handler.ts';
import { type Group, Places } from './places.ts';
import { RateLimit } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import { isForeign } from './session-cookie.ts';

export const SIP_PATH = '/sip';

export const SIP_WEBSOCKET_LIMITS = {
  connections: 1_000,
  perAccount: 400,
  perAddress: 100,
  /** A page that reloads may have two for a moment. */
  perSession: 2,
  /** How many of all these may be visitors by call buttons: strangers must not keep agents out. */
  visitors: 500,
  visitorsPerAccount: 100,
  visitorsPerAddress: 10,
  /** Attempts of one address, refused ones included: on average, and so many seconds' worth at once. */
  connectsPerSecond: 10,
  connectBurstSeconds: 20,
  /** The size of one message; the SDP of a browser has some 6 KiB. */
  messageBytes: 32 * 1024,
  /** In a second on average, and at once: messages, pings and pongs together. */
  messagesPerSecond: 20,
  burst: 60,
  /** What may wait for a browser that does not read. */
  unsentBytes: 256 * 1024,
  /** Between two pings; one that is not answered until the next ends the connection. */
  pingMs: 25_000,
  /** How often it is looked whether sessions still hold. */
  checkMs: 2_000,
} as const;
export type SipWebSocketLimits = { readonly [Name in keyof typeof SIP_WEBSOCKET_LIMITS]: number };

export interface SipWebSocketParts {
  readonly sessions: PhoneSessions;
  readonly link: WebPhoneLink;
  readonly lifecycle: Lifecycle;
  /** The browser's address, as a trusted proxy in front says. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Where browsers find the service; null: not configured. */
  readonly publicUrl: string | null;
  readonly limits?: Partial<SipWebSocketLimits>;
}

interface Connection {
  readonly id: number;
  readonly socket: WebSocket;
  readonly session: PhoneSession;
  readonly groups: readonly Group[];
  isAlive: boolean;
  /** GCRA: when its messages would be spread out. */
  fullAtMs: number;
}

const CODES = { normal: 1000, away: 1001, unsupported: 1003, policy: 1008, overloaded: 1013 } as const;

const CLOSING_MS = 1_000;

export class SipWebSockets {
  readonly #parts: SipWebSocketParts;
  readonly #limits: SipWebSocketLimits;
  readonly #server: WebSocketServer;
  readonly #connections = new Map<number, Connection>();
  /** Connections, and those that are being opened. */
  readonly #places = new Places();
  readonly #connects: RateLimit;
  readonly #timers: readonly NodeJS.Timeout[];
  #lastId = 0;

  constructor(parts: SipWebSocketParts) {
    this.#parts = parts;
    const limits = { ...SIP_WEBSOCKET_LIMITS, ...parts.limits };
    this.#limits = limits;
    this.#connects = new RateLimit(limits.connectsPerSecond, limits.connectBurstSeconds);
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: limits.messageBytes,
      // A small message may stand for a large one: not from strangers.
      perMessageDeflate: false,
      // ws would answer every ping, however many wait for a browser that does not read.
      autoPong: false,
      handleProtocols: () => 'sip',
    });
    parts.link.deliverTo({
      send: (id, bytes) => this.#send(id, bytes),
      close: (id, code) => this.#drop(this.#connections.get(id), code),
    });
    parts.sessions.onEnd = (sessionId) => this.#closeWhere(({ session }) => session.id === sessionId);
    this.#timers = [
      setInterval(() => this.#ping(), limits.pingMs).unref(),
      setInterval(() => void this.#check(), limits.checkMs).unref(),
    ];
  }

  get count(): number {
    return this.#connections.size;
  }

  /** Handles a request for /sip that asks for a WebSocket. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const address = this.#parts.addressOf(request);
    const refusal = this.#refusal(request, address);
    if (refusal) return refuse(request, socket, refusal);
    const nowMs = Date.now();
    const session = this.#parts.sessions.open(sealedIn(request.url ?? ''), nowMs);
    if (session === null) return refuse(request, socket, INVALID);
    const groups = this.#groupsOf(session, address);
    if (!this.#places.take(groups)) return refuse(request, socket, TOO_MANY);
    let isOpen = false;
    try {
      const holds = await this.#parts.sessions.holds(session, nowMs);
      if (!holds) return refuse(request, socket, INVALID);
      if (!this.#mayComeFrom(request, session)) return refuse(request, socket, FOREIGN);
      if (socket.destroyed) return;
      this.#server.handleUpgrade(request, socket, head, (opened) => {
        isOpen = this.#opened(opened, session, groups, address, request);
      });
    } finally {
      if (!isOpen) this.#places.release(groups);
    }
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const connection of [...this.#connections.values()]) this.#drop(connection, CODES.away);
  }

  /** What needs no session: it costs as good as nothing. */
  #refusal(request: IncomingMessage, address: string): Problem | null {
    // While it drains, a page comes back for its call; the telephone side sends others away (1001).
    if (this.#parts.lifecycle.state === 'starting')
      return problem('starting', 'The service does not take connections now.');
    if (this.#connects.take(networkOf(address), performance.now()) > 0) return TOO_MANY;
    if (!protocolsOf(request).includes('sip'))
      return problem('http_malformed', 'The WebSocket needs the subprotocol sip (RFC 7118).');
    return this.#places.isFull(this.#groupsAt(address)) ? TOO_MANY : null;
  }

  #groupsAt(address: string): Group[] {
    const { connections, perAddress } = this.#limits;
    return [
      { key: 'all', most: connections },
      { key: `address ${networkOf(address)}`, most: perAddress },
    ];
  }

  #groupsOf({ id, accountId, by }: PhoneSession, address: string): Group[] {
    const { perAccount, perSession, visitors, visitorsPerAccount, visitorsPerAddress } = this.#limits;
    const groups = [
      ...this.#groupsAt(address),
      { key: `account ${accountId}`, most: perAccount },
      { key: `session ${id}`, most: perSession },
    ];
    if (by.kind !== 'button') return groups;
    return [
      ...groups,
      { key: 'visitors', most: visitors },
      { key: `visitors of ${accountId}`, most: visitorsPerAccount },
      { key: `visitors at ${networkOf(address)}`, most: visitorsPerAddress },
    ];
  }

  /** Our own pages, and the one that the call button's session is for. What is no browser sends no Origin, and has no cookies of others to misuse. */
  #mayComeFrom({ headers }: IncomingMessage, { by }: PhoneSession): boolean {
    const { origin } = headers;
    if (origin === undefined || isOwnOrigin(origin, headers.host, this.#parts.publicUrl)) return true;
    return by.kind === 'button' && by.origin === origin.toLowerCase();
  }

  /** False: the telephone side cannot take it. */
  #opened(
    socket: WebSocket,
    session: PhoneSession,
    groups: readonly Group[],
    address: string,
    request: IncomingMessage,
  ): boolean {
    const { link, sessions } = this.#parts;
    const id = ++this.#lastId;
    // A frame that breaks RFC 6455, or is too long: ws closes with the code for it.
    socket.on('error', () => undefined);
    const { localPort = 0, remotePort = 0 } = request.socket;
    // The address that media goes to is found by the browser's, since a proxy may be between.
    const ends = { local: { address: '0.0.0.0', port: localPort }, remote: { address, port: remotePort } };
    if (!link.opened(id, ends, webPhoneOf(session, address))) {
      close(socket, CODES.overloaded);
      return false;
    }
    const connection = { id, socket, session, groups, isAlive: true, fullAtMs: 0 };
    this.#connections.set(id, connection);
    sessions.connected(session, 1);
    socket.on('message', (data) => this.#received(connection, data as Buffer));
    socket.on('ping', (data) => this.#pinged(connection, data));
    socket.on('pong', () => {
      connection.isAlive = true;
      if (this.#isTooFast(connection)) this.#drop(connection, CODES.policy);
    });
    socket.on('close', () => this.#forget(connection));
    return true;
  }

  #received(connection: Connection, bytes: Buffer): void {
    const { id, socket } = connection;
    if (socket.readyState !== socket.OPEN) return;
    if (this.#isTooFast(connection)) this.#drop(connection, CODES.policy);
    else if (!this.#parts.link.received(id, bytes)) this.#drop(connection, CODES.overloaded);
  }

  /** RFC 6455 §5.5.3, as far as the browser takes the answers. */
  #pinged(connection: Connection, data: Buffer): void {
    const { socket } = connection;
    if (socket.readyState !== socket.OPEN) return;
    if (this.#isTooFast(connection)) this.#drop(connection, CODES.policy);
    else if (socket.bufferedAmount + data.length > this.#limits.unsentBytes) socket.terminate();
    else socket.pong(data);
  }

  /** Its phone is gone at once. */
  #drop(connection: Connection | undefined, code: number, isOver = false): void {
    if (connection && this.#forget(connection, isOver)) close(connection.socket, code);
  }

  #forget({ id, groups, session }: Connection, isOver = false): boolean {
    if (!this.#connections.delete(id)) return false;
    this.#places.release(groups);
    this.#parts.sessions.connected(session, -1);
    this.#parts.link.closed(id, isOver);
    return true;
  }

  #isTooFast(connection: Connection): boolean {
    const { messagesPerSecond, burst } = this.#limits;
    const intervalMs = 1000 / messagesPerSecond;
    const nowMs = performance.now();
    const next = Math.max(connection.fullAtMs, nowMs) + intervalMs;
    if (next - nowMs > burst * intervalMs) return true;
    connection.fullAtMs = next;
    return false;
  }

  #send(id: number, bytes: Uint8Array): void {
    const socket = this.#connections.get(id)?.socket;
    if (socket?.readyState !== socket?.OPEN || !socket) return;
    if (socket.bufferedAmount + bytes.length > this.#limits.unsentBytes) socket.terminate();
    else socket.send(bytes, { binary: false });
  }

  #ping(): void {
    for (const connection of this.#connections.values()) {
      if (!connection.isAlive) connection.socket.terminate();
      else {
        connection.isAlive = false;
        connection.socket.ping();
      }
    }
  }

  /** Signed out, revoked, or no longer allowed: on any node. */
  async #check(): Promise<void> {
    const [first] = this.#connections.values();
    if (!first) return;
    // A database that does not answer ends no call.
    const isRead = await this.#parts.sessions.holds(first.session, Date.now()).then(
      () => true,
      () => false,
    );
    const nowMs = Date.now();
    if (isRead) this.#closeWhere(({ session }) => !this.#parts.sessions.holdsNow(session, nowMs));
  }

  /** Those whose session is over: their calls end with them. */
  #closeWhere(fits: (connection: Connection) => boolean): void {
    for (const connection of [...this.#connections.values()])
      if (fits(connection)) this.#drop(connection, CODES.policy, true);
  }
}

/** The browser has a moment to answer the closing (RFC 6455 §7.1.1). */
function close(socket: WebSocket, code: number): void {
  socket.close(code);
  setTimeout(() => socket.terminate(), CLOSING_MS).unref();
}

export function webPhoneOf(
  { id, accountId, by, grant, user, md5, sha256 }: PhoneSession,
  address: string,
): WebPhone {
  const secret = { id, user, md5, sha256 };
  if (grant.kind === 'agent')
    return { ...secret, peer: { kind: 'phone', id: globalId(accountId, grant.eid) }, caller: grant.caller };
  const { to, dial, name, page } = grant;
  const button = by.kind === 'button' ? publicKey(accountId, by.key) : null;
  const peer = {
    kind: 'guest',
    id: globalId(accountId, id),
    to,
    dial,
    name,
    network: networkOf(address),
    visitor: { button, page },
  } as const;
  return { ...secret, peer, caller: 'web' };
}

/** Behind a proxy that changes Host, PUBLIC_URL says what our own origin is. */
export function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string | null): boolean {
  if (publicUrl !== null && new URL(publicUrl).origin === origin.toLowerCase()) return true;
  return !isForeign({ origin, ...(host === undefined ? {} : { host }) });
}

function protocolsOf({ headers }: IncomingMessage): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim().toLowerCase());
}

function sealedIn(url: string): string {
  const from = url.indexOf('?session=');
  return from < 0 ? '' : url.slice(from + '?session='.length);
}

const INVALID = problem(
  'phone_session_invalid',
  'This phone session is unknown, too old or over. Make one with POST /v1/phone_session.',
);
const FOREIGN = problem('origin_refused', 'The page is of an origin that may not use this.');
const TOO_MANY = problem('rate_limited', 'There are too many connections of phones in browsers.', {
  headers: { 'retry-after': '10' },
});

function refuse(request: IncomingMessage, socket: Duplex, refusal: Problem): void {
  const id = requestIdOf(request.headers['x-request-id']);
  const body = failureBody(refusal, id);
  const status = PROBLEMS[refusal.problem];
  const headers = { ...refusal.headers, 'content-type': 'application/json', 'x-request-id': id };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${refusal.problem}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n${body}`,
    () => socket.destroy(),
  );
}

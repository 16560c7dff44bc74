// All transports: listening sockets, connections in both directions, and our own address on each.
import { isIPv6 } from 'node:net';
import type { MessageCapture } from '../capture/hep.ts';
import type { Timers } from '../timers.ts';
import { Connections } from './connections.ts';
import { Inbound, type InboundCounts, type MessageTap, type TransportGuard } from './inbound.ts';
import { type Listen, ListenError, listenHost } from './listen.ts';
import { LocalAddresses } from './local-address.ts';
import type { StreamLimits } from './stream.ts';
import type { TlsOptions } from './tls.ts';
import {
  type Address,
  type FlowUser,
  type Protocol,
  SendError,
  type TransportFlow,
  type Transports,
  type TransportUser,
} from './transport.ts';
import { UdpSocket } from './udp.ts';
import { type WebSocketSide, WebSockets } from './websocket.ts';

export interface TransportsOptions {
  readonly listen: readonly Listen[];
  readonly timers: Timers;
  /** What we write into Via and Contact instead of a local address (ADVERTISED_ADDRESS). IPv6 without brackets. */
  readonly advertised?: string;
  readonly tls?: TlsOptions;
  readonly guard?: TransportGuard;
  readonly failed: (error: unknown) => void;
  readonly limits?: Partial<StreamLimits>;
  /** Gets a copy of every message; closed with the transports. */
  readonly capture?: MessageCapture;
  /** The account whose trunk has this address: connections from there need no authentication, within its share. */
  readonly trunkOwner?: (address: string) => string | null;
  /** Whether a proxy of SIP_EDGES has this address; absent: there is none. */
  readonly isEdge?: (address: string) => boolean;
  /** What has the WebSockets of browsers; absent: there are none. */
  readonly webSockets?: WebSocketSide;
}

/** Opens everything or, when one address cannot be had, nothing. Rejects with a ListenError. */
export async function openTransports(options: TransportsOptions): Promise<SipTransports> {
  const transports = new SipTransports(options);
  try {
    for (const listen of options.listen) await transports.listen(listen);
  } catch (error) {
    await transports.close();
    throw error;
  }
  return transports;
}

const WILDCARDS = new Set(['0.0.0.0', '::']);

export class SipTransports implements Transports {
  readonly #options: TransportsOptions;
  readonly #inbound: Inbound;
  readonly #tap: MessageTap | null = null;
  readonly #udp: UdpSocket[] = [];
  readonly #connections: Connections;
  readonly #webSockets: WebSockets | null;
  readonly #local = new LocalAddresses();
  readonly #listening: { readonly protocol: Protocol; readonly local: Address }[] = [];

  constructor(options: TransportsOptions) {
    this.#options = options;
    const { capture } = options;
    if (capture)
      this.#tap = {
        received: (bytes, flow) => capture.received(bytes, flow, this.#hostFor(flow)),
        sent: (bytes, flow) => capture.sent(bytes, flow, this.#hostFor(flow)),
      };
    this.#inbound = new Inbound(options.guard ?? null, options.failed, options.isEdge, this.#tap);
    this.#connections = new Connections(options, this.#inbound);
    const { webSockets: side, timers } = options;
    this.#webSockets = side ? new WebSockets({ side, timers, inbound: this.#inbound }) : null;
  }

  /** The user of messages, and that of connections where it is another one; before it is set messages are dropped. */
  deliverTo(user: TransportUser, flows: FlowUser = user): void {
    this.#inbound.user = user;
    this.#inbound.flows = flows;
  }

  get listening(): readonly { readonly protocol: Protocol; readonly local: Address }[] {
    return this.#listening;
  }

  get counts(): InboundCounts & {
    readonly connections: number;
    readonly refusedConnections: number;
    readonly webSockets: number;
  } {
    const { count, refused } = this.#connections;
    const webSockets = this.#webSockets?.count ?? 0;
    return { ...this.#inbound.counts, connections: count, refusedConnections: refused, webSockets };
  }

  async listen(listen: Listen): Promise<void> {
    const host = await listenHost(listen);
    try {
      if (listen.protocol === 'udp') {
        const socket = await UdpSocket.open(host, listen.port, this.#inbound);
        this.#udp.push(socket);
        this.#listening.push({ protocol: 'udp', local: socket.local });
      } else if (listen.protocol !== 'ws') {
        const local = await this.#connections.listen(listen.protocol, host, listen.port);
        this.#listening.push({ protocol: listen.protocol, local });
      }
    } catch (error) {
      throw new ListenError(listen, error);
    }
  }

  /** A request on this flow came from an authorized peer; `owner` names the agent or the dialog. */
  authenticated(flow: TransportFlow, owner: string | null): void {
    if (flow.protocol === 'ws') this.#webSockets?.authenticated(flow.connection);
    else if (flow.connection !== 0) this.#connections.authenticated(flow.connection, owner);
  }

  async flowTo(protocol: Protocol, remote: Address, serverName?: string): Promise<TransportFlow> {
    if (protocol === 'ws') throw new SendError('only browsers open WebSockets');
    if (protocol !== 'udp') return this.#connections.to(protocol, remote, serverName);
    const flow = this.udpFlow(remote);
    if (flow === null) throw new SendError(`no UDP socket for ${remote.address}`);
    return flow;
  }

  /** From `local`, where a socket has that address; otherwise from any that reaches the peer. */
  udpFlow(remote: Address, local?: Address): TransportFlow | null {
    const usable = this.#udp.filter((each) => each.reaches(remote.address));
    const same = usable.find(
      (each) => each.local.address === local?.address && each.local.port === local.port,
    );
    const socket = same ?? usable[0];
    return socket === undefined ? null : { protocol: 'udp', local: socket.local, remote, connection: 0 };
  }

  send(flow: TransportFlow, bytes: Buffer, failed?: () => void): boolean {
    if (this.#tap !== null) this.#tap.sent(bytes, flow);
    if (flow.protocol === 'ws') return this.#webSockets?.send(flow.connection, bytes) ?? false;
    if (flow.protocol !== 'udp') return this.#connections.send(flow.connection, bytes);
    const socket = this.#socketOf(flow);
    socket?.send(flow.remote, bytes, failed);
    return socket !== undefined;
  }

  /** A flow outlives a restart as a value, so its socket is found by address, not by identity. */
  #socketOf(flow: TransportFlow): UdpSocket | undefined {
    for (const socket of this.#udp) {
      const { local } = socket;
      if (local === flow.local) return socket;
      if (local.port === flow.local.port && local.address === flow.local.address) return socket;
    }
    return undefined;
  }

  sentBy(flow: TransportFlow): { readonly host: string; readonly port: number } {
    return { host: bracketed(this.#hostFor(flow)), port: this.#portFor(flow) };
  }

  #hostFor(flow: TransportFlow): string {
    const { advertised, isEdge } = this.#options;
    const peer = flow.remote.address;
    // A peer on this machine cannot be reached through the public address; an edge reaches us where we are.
    if (advertised !== undefined && !isLoopback(peer) && !isEdge?.(peer)) return advertised;
    // A WebSocket is one of the HTTP server, which may have another address: media is where SIP listens.
    const bound = flow.protocol === 'ws' ? this.#listening[0]?.local : undefined;
    const { address } = bound ?? flow.local;
    if (!WILDCARDS.has(address)) return address;
    return this.#local.towards(flow.remote.address) ?? (isIPv6(flow.remote.address) ? '::1' : '127.0.0.1');
  }

  /** Where new connections are taken, not the port this one happens to have (RFC 3261 §18.1.1). */
  #portFor(flow: TransportFlow): number {
    if (flow.protocol === 'udp') return flow.local.port;
    const own = this.#listening.find(({ protocol }) => protocol === flow.protocol);
    return own?.local.port ?? flow.local.port;
  }

  /** The page is to come back elsewhere, or later. */
  closeWebSocket(connection: number): void {
    this.#webSockets?.leave(connection);
  }

  async close(): Promise<void> {
    this.#webSockets?.close();
    await Promise.all([this.#connections.close(), ...this.#udp.map((socket) => socket.close())]);
    this.#options.capture?.close();
    this.#udp.length = 0;
    this.#listening.length = 0;
  }
}

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

/** The text is known to be an address or a name: a colon means IPv6, and costs far less than asking node:net again. */
export function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

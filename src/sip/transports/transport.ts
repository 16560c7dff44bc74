// Where messages come from and go to. The layers above know flows, never sockets.
import type { SipMessage } from '../message.ts';

export type Protocol = 'udp' | 'tcp' | 'tls' | 'ws';
/** What we can open a way by ourselves: only browsers open WebSockets. */
export type DialProtocol = Exclude<Protocol, 'ws'>;

/** RFC 3261 §19.1.2. */
export const defaultPort = (protocol: Protocol): number =>
  protocol === 'tls' ? 5061 : protocol === 'ws' ? 80 : 5060;

export interface Address {
  /** Numeric, IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
}

/**
 * One way to one peer, as a value (RFC 5626): an address pair for UDP, a connection for TCP, TLS and WebSocket. A response goes back on
 * the flow of its request; a registration is reached on the flow it came by.
 */
export interface TransportFlow {
  readonly protocol: Protocol;
  readonly local: Address;
  readonly remote: Address;
  /** Which connection; 0 for UDP. */
  readonly connection: number;
  /** Whom a proxy of SIP_EDGES had the request from; `remote` itself for a request of its own. */
  readonly peer?: Address;
}

/** The true peer: for access, bans and media. Messages go to `remote`. */
export const peerOf = (flow: TransportFlow): Address => flow.peer ?? flow.remote;

/** Whom connections concern. */
export interface FlowUser {
  /** A WebSocket was opened, with what its peer may do. */
  flowOpened?(flow: TransportFlow, grant: unknown): void;
  /** Whether a WebSocket is still of use; asked once a minute. */
  flowNeeded?(flow: TransportFlow): boolean;
  /** A connection closed; its users are notified. `isOver`: of a WebSocket whose peer may not come back. */
  flowClosed(flow: TransportFlow, isOver: boolean): void;
}

export interface TransportUser extends FlowUser {
  received(message: SipMessage, flow: TransportFlow): void;
}

export interface Transports {
  /** UDP at once; TCP and TLS by a present connection to that address or a new one. Rejects with a SendError, for WebSockets always. */
  flowTo(protocol: Protocol, remote: Address, serverName?: string): Promise<TransportFlow>;
  /**
   * Whether the bytes could be handed over; false when the connection is gone or its buffer is full. `failed` is called when
   * the system refuses them later, as it does for UDP without a route.
   */
  send(flow: TransportFlow, bytes: Buffer, failed?: () => void): boolean;
  /** What we write into Via and Contact for that flow: ADVERTISED_ADDRESS, or the local address the peer can reach. */
  sentBy(flow: TransportFlow): { readonly host: string; readonly port: number };
  /** The addresses listened on, for the log and `doctor`. */
  readonly listening: readonly { readonly protocol: Protocol; readonly local: Address }[];
  close(): Promise<void>;
}

export class SendError extends Error {}

// The port to the network: what a media worker needs of UDP sockets. Packets pass through one fixed buffer: system calls need memory
// that does not move, and a packet is handled before the next one is read.
import type { Endpoint } from './endpoint.ts';

/** A packet to be sent is written here, at offset 0. */
export const OUTGOING = 0;
/** A received packet is here until the handler returns; it may be changed in place and relayed. */
export const INCOMING = 2048;
export const MEMORY_BYTES = 4096;
/** Larger datagrams are truncated: no G.711 packet or RTCP report is nearly as long. */
export const MAX_PACKET_BYTES = 2048;

/**
 * `from` is reused: copy it to keep it. Packets of one batch have the same `nowMs`.
 * Returns whether the packet was wanted: after an unwanted one the next is read at once, so that a flood does not delay the peer.
 */
export type PacketHandler = (
  socket: number,
  offset: number,
  length: number,
  from: Endpoint,
  nowMs: number,
) => boolean;

/** Nothing is due and no packet is expected until `wake` or a command. */
export const IDLE = Number.POSITIVE_INFINITY;

export interface Sockets {
  readonly adapter: 'syscalls' | 'dgram';
  readonly memory: Uint8Array;
  /** Calls back with the number of the socket, or null when the port is not available. */
  bind(port: number, done: (socket: number | null) => void): void;
  /** Discards queued packets, before the socket serves another call. */
  drain(socket: number): void;
  /** Best effort: a packet that cannot be sent now is lost. */
  send(socket: number, offset: number, length: number, to: Endpoint): void;
  /**
   * Connects the socket to this peer, which costs less per packet; null: disconnects. Packets of other sources that are queued may
   * still be delivered, with their source.
   */
  connect(socket: number, peer: Endpoint | null): void;
  /** Under load a socket is better read at the ticks of its stream: by `listen(socket, false)` and `read`. */
  readonly isBusy: boolean;
  /** Whether packets are delivered when they arrive. */
  listen(socket: number, on: boolean): void;
  /** Delivers the next wanted packet of a socket that is not listened to, or all queued ones. */
  read(socket: number, nowMs: number, isAll: boolean): void;
  close(socket: number): void;
  /**
   * Calls `turn` repeatedly; it returns the milliseconds until the next call, or IDLE. Packets are handled in between; a negative
   * number is a time without expected packets, in which the thread sleeps. A command ends that sleep and IDLE only.
   */
  run(turn: () => number): void;
  /** Ends the current wait of `run`; called from this thread. */
  wake(): void;
  /** Ends `run`; it may be called again. */
  pause(): void;
  /** Ends `run` and closes every socket. */
  stop(): void;
}

export interface SocketOptions {
  readonly host: string;
  readonly handle: PacketHandler;
  /** Other threads end a sleep through it: see commands/wake.ts. */
  readonly commands: Int32Array;
  /** Open descriptors, so that the next worker can close them if this thread dies. Zero: a free entry. */
  readonly held: Int32Array;
}

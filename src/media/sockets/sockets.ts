// The port to the network: what a media worker needs of UDP sockets, and no more. Packets move through one piece of memory,
// because the memory of system calls must not move and a packet is handled before the next one is read.
import type { Endpoint } from './endpoint.ts';

/** A packet to be sent is written here, at offset 0. */
export const OUTGOING = 0;
/** A received packet stands here until the handler returns; it may be changed in place and sent on. */
export const INCOMING = 2048;
export const MEMORY_BYTES = 4096;
/** Larger datagrams are cut: no G.711 packet or report of ours comes near it. */
export const MAX_PACKET_BYTES = 2048;

/**
 * `from` is reused: copy what is to be kept. Packets that were read in one go came at the same `nowMs`.
 * Answers whether the packet was wanted: a stranger's must not cost the peer its place in the queue, so the next one is read at once.
 */
export type PacketHandler = (
  socket: number,
  offset: number,
  length: number,
  from: Endpoint,
  nowMs: number,
) => boolean;

/** Nothing is due and nothing is listened for, until somebody calls `wake`. */
export const IDLE = Number.POSITIVE_INFINITY;

export interface Sockets {
  readonly adapter: 'syscalls' | 'dgram';
  readonly memory: Uint8Array;
  /** A small number that names the socket, or null when the port cannot be had. */
  bind(port: number, done: (socket: number | null) => void): void;
  /** Drops what is queued for a socket, before it serves another call. */
  drain(socket: number): void;
  /** At most once, at once, without a report: a packet that cannot leave now is lost, as on any network. */
  send(socket: number, offset: number, length: number, to: Endpoint): void;
  /**
   * Only this peer is heard and spoken to from now on, which costs less per packet; null: everybody again. What others sent
   * before may still be handed over, as theirs.
   */
  connect(socket: number, peer: Endpoint | null): void;
  /** So many packets come that a socket is better read when its stream is visited: by `listen(socket, false)` and `read`. */
  readonly isBusy: boolean;
  /** Whether packets are handed over when they come. */
  listen(socket: number, on: boolean): void;
  /** Hands over the next wanted packet of a socket that is not listened to, or all that have come. */
  read(socket: number, nowMs: number, isAll: boolean): void;
  close(socket: number): void;
  /**
   * Calls `turn` again and again; it answers how many milliseconds may pass till the next, or IDLE. Packets are handled in between;
   * a negative answer is such a time in which none is expected, so that the thread sleeps. An order ends such a sleep and IDLE only.
   */
  run(turn: () => number): void;
  /** Ends a wait that `run` is in; from a handler of this thread. */
  wake(): void;
  /** Ends `run`; it may be called again. */
  pause(): void;
  /** Ends `run` and closes every socket. */
  stop(): void;
}

export interface SocketOptions {
  readonly host: string;
  readonly handle: PacketHandler;
  /** By which other threads end a long sleep: see doorbell.ts. */
  readonly orders: Int32Array;
  /** Where descriptors are noted for a successor, should this thread die without closing them. Zero: free. */
  readonly held: Int32Array;
}

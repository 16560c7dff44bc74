// The context of a transaction state machine: timers, transport, transaction user. The layer gives one to each machine.
import type { SipResponse } from '../message.ts';
import type { Timers } from '../timers.ts';
import type { TransportFlow } from '../transports/transport.ts';

// RFC 3261 §17.1.1.1, table 4.
export const T1_MS = 500;
export const T2_MS = 4_000;
export const T4_MS = 5_000;
/** Timers B, F, H, J, L and M. */
export const GIVE_UP_MS = 64 * T1_MS;

interface TransactionContext {
  readonly timers: Timers;
  /** TCP and TLS: nothing needs repeating, and nothing late needs absorbing. */
  readonly reliable: boolean;
  send(bytes: Buffer): void;
  /** The machine terminated: remove it. Called once. */
  ended(): void;
}

export interface ServerContext extends TransactionContext {
  /** Nothing is left to do but to absorb repetitions: `expired` is due in 64*T1 (timers J and L), or a moment later. */
  retire(machine: { expired(): void }): void;
  /** The user has been silent: time for 100 (Trying), by the machine's `respond`. */
  trying(): void;
}

export interface ClientContext extends TransactionContext {
  responded(response: SipResponse, flow: TransportFlow): void;
  failed(why: 'timeout' | 'transport'): void;
}

export interface InviteClientContext extends ClientContext {
  /** The ACK for a final response other than 2xx. */
  ack(response: SipResponse): Buffer;
  sendCancel(): void;
}

/** What the layer asks of either server machine. */
export interface ServerMachine {
  /** To be called once the user had its chance to answer at once; nothing happens after `stop`. */
  start(): void;
  repeated(): void;
  /** False: too late, or not allowed here; nothing was sent. */
  respond(status: number, bytes: Buffer): boolean;
  /** No final response was given yet. */
  readonly open: boolean;
  /** The time after `retire` is over. */
  expired(): void;
  stop(): void;
}

/** What the layer asks of either client machine. */
export interface ClientMachine {
  start(bytes: Buffer): void;
  received(response: SipResponse, flow: TransportFlow): void;
  transportFailed(): void;
  stop(): void;
}

/**
 * Bytes kept for half a minute in case they must be sent again, one character each. A small Buffer is a slice of a pool of
 * 8 KiB and would keep all of it: 20,000 answered requests held 100 MB so.
 */
export function keep(bytes: Buffer): string {
  return bytes.toString('latin1');
}

export function unkeep(kept: string): Buffer {
  return Buffer.from(kept, 'latin1');
}

// One connection of TCP or TLS: messages cut from the stream, keep-alives answered, slow and oversized ones closed.
import type { Socket } from 'node:net';
import { Framer } from '../frame.ts';
import { parseMessage } from '../parse.ts';
import type { Timer, Timers } from '../timers.ts';
import type { Inbound, Replier } from './inbound.ts';
import { unmapped } from './peer-address.ts';
import type { Protocol, TransportFlow } from './transport.ts';

export interface StreamLimits {
  readonly connections: number;
  readonly perAddress: number;
  /** Connections of one network (IPv4 /24, IPv6 /64) that are not authenticated. */
  readonly strangersPerNetwork: number;
  /** Authenticated by one agent, or by requests of one dialog. */
  readonly perOwner: number;
  /** From the addresses of all trunks of one account. */
  readonly perTrunkOwner: number;
  /** How long a message may take from its first byte to its last. */
  readonly messageMs: number;
  /** How long a connection may be open before it is authenticated and its first whole message has come. */
  readonly unauthenticatedMs: number;
  /** How long an authenticated one may be without a message or a keep-alive. Longer than the usual time between registrations. */
  readonly idleMs: number;
  readonly connectMs: number;
  /** What may wait for a peer that does not read. */
  readonly unsentBytes: number;
}

export const STREAM_LIMITS: StreamLimits = {
  connections: 4_096,
  perAddress: 256,
  strangersPerNetwork: 512,
  perOwner: 32,
  perTrunkOwner: 256,
  messageMs: 10_000,
  unauthenticatedMs: 30_000,
  idleMs: 3_600_000,
  connectMs: 5_000,
  unsentBytes: 256 * 1024,
};

/** The kernel asks after half a minute of silence; a peer that is gone is noticed within two minutes (fault R14). */
const KEEP_ALIVE_MS = 30_000;
const PONG = Buffer.from('\r\n');

export interface StreamOwner {
  readonly timers: Timers;
  readonly limits: StreamLimits;
  readonly inbound: Inbound;
  closed(stream: Stream): void;
}

export class Stream implements Replier {
  readonly flow: TransportFlow;
  readonly #socket: Socket;
  readonly #owner: StreamOwner;
  readonly #framer = new Framer();
  #incomplete: Timer | null = null;
  #idle: Timer | null = null;
  /** Digest, a trunk's address, a dialog of ours; or we opened it. */
  authenticated: boolean;
  #heard = false;
  #lastHeard: number;
  #closed = false;

  constructor(
    socket: Socket,
    protocol: Protocol,
    connection: number,
    owner: StreamOwner,
    authenticated: boolean,
  ) {
    this.#socket = socket;
    this.authenticated = authenticated;
    this.#owner = owner;
    this.flow = {
      protocol,
      local: { address: unmapped(socket.localAddress), port: socket.localPort ?? 0 },
      remote: { address: unmapped(socket.remoteAddress), port: socket.remotePort ?? 0 },
      connection,
    };
    this.#lastHeard = owner.timers.now();
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('data', (chunk) => {
      try {
        this.#received(chunk);
      } catch (error) {
        owner.inbound.failed(error);
        this.close();
      }
    });
    socket.on('error', () => this.close());
    socket.on('end', () => this.close());
    socket.on('close', () => this.close());
    this.#watch(owner.limits.unauthenticatedMs);
  }

  reply(_flow: TransportFlow, bytes: Buffer): void {
    this.send(bytes);
  }

  send(bytes: Buffer): boolean {
    if (this.#closed || !this.#socket.writable) return false;
    if (this.#socket.writableLength + bytes.length > this.#owner.limits.unsentBytes) {
      // The peer does not read: queued data would only grow stale.
      this.close();
      return false;
    }
    this.#socket.write(bytes);
    return true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#incomplete?.stop();
    this.#idle?.stop();
    this.#socket.destroy();
    this.#owner.closed(this);
  }

  /** Lets an answer out before the end. */
  #closeSoon(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#incomplete?.stop();
    this.#idle?.stop();
    this.#socket.destroySoon();
    // A peer that does not read the answer does not keep the connection either.
    this.#owner.timers.start(1_000, () => this.#socket.destroy());
    this.#owner.closed(this);
  }

  #received(chunk: Buffer): void {
    if (this.#closed) return;
    this.#lastHeard = this.#owner.timers.now();
    const framed = this.#framer.feed(chunk);
    for (const each of framed) {
      if (this.#closed) return;
      if (each.kind === 'ping') this.send(PONG);
      else if (each.kind === 'message') this.#message(each.bytes);
      else this.#fault(each.status, each.reason, each.header);
    }
    this.#watchMessage(framed.length > 0);
  }

  /** The time counts from a message's first byte; a whole one in between begins it anew. */
  #watchMessage(anew: boolean): void {
    const begun = this.#framer.pending > 0;
    if (this.#closed || (begun && !anew && this.#incomplete !== null)) return;
    this.#incomplete?.stop();
    this.#incomplete = begun
      ? this.#owner.timers.start(this.#owner.limits.messageMs, () => this.close())
      : null;
  }

  #message(bytes: Buffer): void {
    this.#heard = true;
    const verdict = this.#owner.inbound.receive(bytes, this.flow, this);
    if (verdict === 'dropped') this.close();
  }

  #fault(status: number, reason: string, header: Buffer): void {
    const parsed = parseMessage(header, this.flow.remote);
    const request = parsed.kind === 'malformed' ? parsed.request : parsed.kind === 'request' ? parsed : null;
    this.#owner.inbound.refuse({ kind: 'malformed', status, reason, request }, this.flow, this);
    this.#closeSoon();
  }

  /** One timer, looked at when it fires: nothing is restarted for each message. */
  #watch(ms: number): void {
    this.#idle = this.#owner.timers.start(ms, () => {
      const { limits, timers } = this.#owner;
      const left = limits.idleMs - (timers.now() - this.#lastHeard);
      if (!this.#heard || !this.authenticated || left <= 0) this.close();
      else this.#watch(left);
    });
  }
}

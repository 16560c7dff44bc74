// Sends a copy of every SIP message to a capture server (Homer) as HEPv3 over UDP. SIP never waits for it: what cannot be sent is
// dropped and counted.
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { type CaptureAgent, type PacketWriter, packetWriter } from './hep-packet.ts';
import { withoutSecrets } from './without-secrets.ts';

/** One message on its way: the transports' flow, of which the capture needs this much. */
export interface CapturedFlow {
  readonly protocol: 'udp' | 'tcp' | 'tls' | 'ws';
  readonly local: { readonly address: string; readonly port: number };
  readonly remote: { readonly address: string; readonly port: number };
}

export interface MessageCapture {
  /** `local` is our own address on that flow, also where the socket listens on all of them. */
  received(bytes: Buffer, flow: CapturedFlow, local: string): void;
  sent(bytes: Buffer, flow: CapturedFlow, local: string): void;
  readonly counts: { readonly sent: number; readonly dropped: number };
  close(): void;
}

export interface HepOptions extends CaptureAgent {
  readonly host: string;
  readonly port: number;
  /** The server's name cannot be resolved; tried again every 30 s. */
  readonly onFailure: (reason: string) => void;
}

/** What may wait in the socket. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const RESOLVE_AGAIN_MS = 30_000;

export class HepCapture implements MessageCapture {
  readonly counts = { sent: 0, dropped: 0 };
  readonly #options: HepOptions;
  readonly #write: PacketWriter;
  #socket: Socket | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  /** Wall clock minus performance.now(), in ms: messages within a millisecond stay in order. */
  #offsetMs = Date.now() - performance.now();

  constructor(options: HepOptions) {
    this.#options = options;
    this.#write = packetWriter(options);
    void this.#open();
  }

  received(bytes: Buffer, flow: CapturedFlow, local: string): void {
    this.#capture(bytes, flow.protocol, flow.remote, { address: local, port: flow.local.port });
  }

  sent(bytes: Buffer, flow: CapturedFlow, local: string): void {
    this.#capture(bytes, flow.protocol, { address: local, port: flow.local.port }, flow.remote);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
    this.#socket = null;
  }

  #capture(
    bytes: Buffer,
    protocol: CapturedFlow['protocol'],
    source: CapturedFlow['local'],
    destination: CapturedFlow['local'],
  ): void {
    const socket = this.#socket;
    if (socket === null || socket.getSendQueueSize() > MAX_QUEUED_BYTES) {
      this.counts.dropped++;
      return;
    }
    const { payload, callId } = withoutSecrets(bytes);
    const packet = this.#write({ protocol, source, destination, atUs: this.#nowUs(), callId, payload });
    if (packet === null) {
      this.counts.dropped++;
      return;
    }
    try {
      socket.send(packet);
      this.counts.sent++;
    } catch {
      // Not connected any more.
      this.counts.dropped++;
    }
  }

  #nowUs(): number {
    const wallMs = Date.now();
    const ms = this.#offsetMs + performance.now();
    if (Math.abs(ms - wallMs) < 2) return ms * 1000;
    this.#offsetMs = wallMs - performance.now();
    return wallMs * 1000;
  }

  async #open(): Promise<void> {
    const { host, port, onFailure } = this.#options;
    try {
      const { address } = await lookup(host);
      if (this.#closed) return;
      const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
      // A server that is away refuses datagrams: they are lost, and the next ones may arrive.
      socket.on('error', () => this.counts.dropped++);
      socket.unref();
      socket.connect(port, address, () => {
        if (this.#closed) socket.close();
        else this.#socket = socket;
      });
    } catch (error) {
      if (this.#closed) return;
      onFailure((error as Error).message);
      this.#retry = setTimeout(() => void this.#open(), RESOLVE_AGAIN_MS).unref();
    }
  }
}

// For browsers on this machine where the service listens on loopback alone: Firefox gathers no candidate of loopback and pairs no other with
// one. So an address of the machine is a candidate, too (local-addresses.ts). What comes there from that very address, which no other machine
// can send from, is passed on to the port on loopback; anything else is dropped.
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

interface Place {
  readonly address: string;
  readonly port: number;
}

/**
 * The browser's end of one ICE candidate: a socket of its own, by which the answers come. It has the machine's address as well: Firefox drops a
 * pair whose reflexive address, which the answers name (RFC 8489 §14.2), is of loopback.
 */
interface Source {
  readonly inner: Socket;
  usedMs: number;
}

const MAX_SOURCES = 256;
/** A connection that is in use is checked every five seconds (RFC 7675). */
const IDLE_MS = 60_000;

export class OwnAddressRelay {
  readonly #outer: Socket;
  readonly #from: string;
  readonly #to: Place;
  readonly #sources = new Map<number, Source>();
  readonly #sweep: NodeJS.Timeout;

  /** Rejects where the port is taken at that address. */
  static async open(from: Place, to: Place): Promise<OwnAddressRelay> {
    return new OwnAddressRelay(await bound(from), from.address, to);
  }

  private constructor(outer: Socket, from: string, to: Place) {
    this.#outer = outer;
    this.#from = from;
    this.#to = to;
    outer.on('error', () => undefined);
    outer.on('message', (packet, sender) => {
      if (sender.address === from) this.#passOn(packet, sender.port);
    });
    this.#sweep = setInterval(() => this.#forgetIdle(performance.now()), IDLE_MS);
    this.#sweep.unref();
  }

  get openSources(): number {
    return this.#sources.size;
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#forgetIdle(Number.POSITIVE_INFINITY);
    this.#outer.close();
  }

  #passOn(packet: Buffer, port: number): void {
    const source = this.#sources.get(port) ?? this.#newSource(port);
    if (!source) return;
    source.usedMs = performance.now();
    source.inner.send(packet, this.#to.port, this.#to.address, ignored);
  }

  #newSource(port: number): Source | null {
    if (this.#sources.size >= MAX_SOURCES) return null;
    const { address, port: toPort } = this.#to;
    const inner = createSocket(isIPv6(this.#from) ? 'udp6' : 'udp4');
    inner.on('error', () => undefined);
    inner.on('message', (packet, sender) => {
      if (sender.address === address && sender.port === toPort)
        this.#outer.send(packet, port, this.#from, ignored);
    });
    inner.bind({ address: this.#from, port: 0 });
    const source = { inner, usedMs: 0 };
    this.#sources.set(port, source);
    return source;
  }

  #forgetIdle(nowMs: number): void {
    for (const [port, { inner, usedMs }] of this.#sources) {
      if (nowMs - usedMs < IDLE_MS) continue;
      this.#sources.delete(port);
      inner.close();
    }
  }
}

async function bound({ address, port }: Place): Promise<Socket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address, port }, resolve);
  });
  return socket;
}

const ignored = (): void => undefined;

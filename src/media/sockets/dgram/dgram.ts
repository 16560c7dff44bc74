// Sockets by Node's dgram: portable, at about four times the cost. The thread runs in Node's event loop.
import { createSocket, type Socket } from 'node:dgram';
import { performance } from 'node:perf_hooks';
import { type Endpoint, formatAddress, isUnspecified, parseEndpoint } from '../endpoint.ts';
import {
  IDLE,
  INCOMING,
  MAX_PACKET_BYTES,
  MEMORY_BYTES,
  type SocketOptions,
  type Sockets,
} from '../sockets.ts';
import { sleep, Traffic } from '../traffic.ts';

const MAX_KNOWN_ADDRESSES = 4_096;
const NO_PACKET = Buffer.alloc(0);
/** Windows rounds a short sleep up to a tick of its clock, 15.6 ms. */
const CAN_SLEEP = process.platform !== 'win32';

interface BoundSocket {
  readonly socket: Socket;
  /** The peer of a connected socket. */
  peer: Endpoint | null;
  peerAddress: string;
  /**
   * The last packet. The next one of its length overwrites it: dgram sends at once if it can, and otherwise sends a later packet of the
   * same stream. Another call gets its own buffer.
   */
  packet: Buffer;
}

export async function openDgram(options: SocketOptions): Promise<Sockets> {
  return new DgramSockets(options);
}

class DgramSockets implements Sockets {
  readonly adapter = 'dgram';
  readonly memory = Buffer.alloc(MEMORY_BYTES);
  readonly #options: SocketOptions;
  readonly #family: 4 | 6;
  readonly #isAnywhere: boolean;
  /** By their number. */
  readonly #sockets: (BoundSocket | undefined)[] = [];
  readonly #traffic = new Traffic();
  readonly #free: number[] = [];
  readonly #known = new Map<string, Endpoint>();
  readonly #names = new Map<number, string>();
  #turn: (() => number) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sleeping: NodeJS.Immediate | undefined;

  constructor(options: SocketOptions) {
    const local = parseEndpoint(options.host, 0);
    if (!local) throw new Error(`${options.host} is not an address to listen on`);
    this.#isAnywhere = isUnspecified(local);
    this.#options = options;
    this.#family = options.host.includes(':') ? 6 : 4;
  }

  bind(port: number, done: (socket: number | null) => void): void {
    const family = this.#family;
    // Numeric addresses only, so that no packet waits for the resolver's thread pool.
    const lookup = (
      host: string,
      _options: unknown,
      found: (error: null, address: string, family: number) => void,
    ): void => found(null, host, family);
    const socket = createSocket({ type: family === 4 ? 'udp4' : 'udp6', lookup });
    const refuse = (): void => {
      socket.close();
      done(null);
    };
    socket.once('error', refuse);
    socket.bind({ port, address: this.#options.host, exclusive: true }, () => {
      socket.off('error', refuse);
      // ICMP errors and the like: a lost packet, nothing else.
      socket.on('error', () => {});
      const index = this.#free.pop() ?? this.#sockets.length;
      const open: BoundSocket = { socket, peer: null, peerAddress: '', packet: NO_PACKET };
      this.#sockets[index] = open;
      socket.on('message', (message, { address, port: from }) => {
        const { peer, peerAddress } = open;
        const isPeer = peer !== null && peer.port === from && peerAddress === address;
        const source = isPeer ? peer : this.#endpoint(address, from);
        if (source) this.#receive(index, message, source);
      });
      done(index);
    });
  }

  drain(socket: number): void {
    // Node reads continuously: queued packets have been dropped already.
    const open = this.#sockets[socket];
    if (open) open.packet = NO_PACKET;
  }

  send(socket: number, offset: number, length: number, to: Endpoint): void {
    this.#traffic.moved++;
    const open = this.#sockets[socket];
    if (!open) return;
    if (open.packet.length !== length) open.packet = Buffer.allocUnsafeSlow(length);
    const { packet } = open;
    this.memory.copy(packet, 0, offset, offset + length);
    // Without a callback, for speed; errors are 'error' events of the socket.
    if (open.peer) {
      open.socket.send(packet);
      return;
    }
    const address = this.#addressOf(to);
    if (address !== null) open.socket.send(packet, to.port, address);
  }

  connect(socket: number, peer: Endpoint | null): void {
    const open = this.#sockets[socket];
    // A connected wildcard socket would only receive packets to the local address that routing chooses.
    if (!open || this.#isAnywhere) return;
    if (open.peer) open.socket.disconnect();
    open.peer = null;
    const address = peer && this.#addressOf(peer);
    if (!peer || !address) return;
    open.socket.connect(peer.port, address);
    if (!isConnected(open.socket)) return;
    open.peer = { ...peer };
    open.peerAddress = address;
  }

  get isBusy(): boolean {
    return this.#traffic.isBusy;
  }

  listen(): void {
    // Node reads continuously.
  }

  read(): void {}

  close(socket: number): void {
    const open = this.#sockets[socket];
    if (!open) return;
    this.#sockets[socket] = undefined;
    this.#free.push(socket);
    open.socket.removeAllListeners('message');
    open.socket.close();
  }

  run(turn: () => number): void {
    this.#turn = turn;
    this.#take();
  }

  wake(): void {
    this.#forgetNext();
    this.#take();
  }

  pause(): void {
    this.#turn = undefined;
    this.#forgetNext();
  }

  stop(): void {
    this.pause();
    for (const index of this.#sockets.keys()) this.close(index);
  }

  #take(): void {
    this.#traffic.measure(performance.now());
    const waitMs = this.#turn?.() ?? IDLE;
    if (waitMs === IDLE || !this.#turn) return;
    if (this.#traffic.isBusy && waitMs > 0 && CAN_SLEEP) this.#sleepUntil(performance.now() + waitMs);
    else this.#timer = setTimeout(() => this.#take(), Math.abs(waitMs));
  }

  /** The event loop would wake for each packet: it reads the queued ones, and the thread sleeps until the next turn. */
  #sleepUntil(dueMs: number): void {
    this.#sleeping = setImmediate(() => {
      const leftMs = dueMs - performance.now();
      if (leftMs > 0) sleep(leftMs);
      this.#take();
    });
  }

  #forgetNext(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#sleeping);
  }

  #receive(index: number, message: Buffer, source: Endpoint): void {
    this.#traffic.moved++;
    const length = Math.min(message.length, MAX_PACKET_BYTES);
    this.memory.set(length === message.length ? message : message.subarray(0, length), INCOMING);
    this.#options.handle(index, INCOMING, length, source, performance.now());
  }

  /** Cached per address, because the same few peers send fifty times a second. */
  #endpoint(address: string, port: number): Endpoint | null {
    let known = this.#known.get(address);
    if (!known) {
      const parsed = parseEndpoint(address, port);
      if (!parsed) return null;
      if (this.#known.size >= MAX_KNOWN_ADDRESSES) this.#known.clear();
      known = parsed;
      this.#known.set(address, known);
    }
    known.port = port;
    return known;
  }

  #addressOf(to: Endpoint): string | null {
    const isV4 = to.a === 0 && to.b === 0 && to.c === 0xffff;
    if (!isV4) return this.#family === 6 ? formatAddress(to) : null;
    let name = this.#names.get(to.d);
    if (name === undefined) {
      if (this.#names.size >= MAX_KNOWN_ADDRESSES) this.#names.clear();
      name = this.#family === 4 ? formatAddress(to) : `::ffff:${formatAddress(to)}`;
      this.#names.set(to.d, name);
    }
    return name;
  }
}

/** Synchronous, since no name is resolved. */
function isConnected(socket: Socket): boolean {
  try {
    socket.remoteAddress();
    return true;
  } catch {
    return false;
  }
}

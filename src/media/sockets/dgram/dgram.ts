// Sockets by Node's dgram: everywhere, at some four times the price. The thread lives in Node's event loop here.

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
import { rest, Traffic } from '../traffic.ts';

const MAX_KNOWN_ADDRESSES = 4_096;
const NO_PACKET = Buffer.alloc(0);
/** Windows rounds so short a sleep up to a tick of its clock, 15.6 ms. */
const CAN_REST = process.platform !== 'win32';

/** A socket that is bound. */
interface Open {
  readonly socket: Socket;
  /** Of a connected one. */
  peer: Endpoint | null;
  peerAddress: string;
  /**
   * The last packet. The next one of its length is written over it: dgram sends at once if it can, and if it cannot, what goes out
   * later is a packet of the same stream. Another call gets memory of its own.
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
  readonly #sockets: (Open | undefined)[] = [];
  readonly #traffic = new Traffic();
  readonly #free: number[] = [];
  readonly #known = new Map<string, Endpoint>();
  readonly #names = new Map<number, string>();
  #turn: (() => number) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #resting: NodeJS.Immediate | undefined;

  constructor(options: SocketOptions) {
    const local = parseEndpoint(options.host, 0);
    if (!local) throw new Error(`${options.host} is no address to listen on`);
    this.#isAnywhere = isUnspecified(local);
    this.#options = options;
    this.#family = options.host.includes(':') ? 6 : 4;
  }

  bind(port: number, done: (socket: number | null) => void): void {
    const family = this.#family;
    // Addresses only, so that no packet waits for the resolver's thread pool.
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
      // Refusals told by ICMP and the like: a lost packet, nothing else.
      socket.on('error', () => {});
      const index = this.#free.pop() ?? this.#sockets.length;
      const open: Open = { socket, peer: null, peerAddress: '', packet: NO_PACKET };
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
    // Node reads without being asked: what was queued has been handed to nobody already.
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
    // Without a callback, which costs; what goes wrong is an 'error' of the socket.
    if (open.peer) {
      open.socket.send(packet);
      return;
    }
    const address = this.#addressOf(to);
    if (address !== null) open.socket.send(packet, to.port, address);
  }

  connect(socket: number, peer: Endpoint | null): void {
    const open = this.#sockets[socket];
    // Bound to all addresses of a machine, it would hear from then on only what is sent to the one that routing chooses.
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
    // Node reads without being asked.
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
    this.#traffic.look(performance.now());
    const waitMs = this.#turn?.() ?? IDLE;
    if (waitMs === IDLE || !this.#turn) return;
    if (this.#traffic.isBusy && waitMs > 0 && CAN_REST) this.#restUntil(performance.now() + waitMs);
    else this.#timer = setTimeout(() => this.#take(), Math.abs(waitMs));
  }

  /** The event loop would wake for each packet: it reads what has come, and the thread rests till the next turn. */
  #restUntil(dueMs: number): void {
    this.#resting = setImmediate(() => {
      const leftMs = dueMs - performance.now();
      if (leftMs > 0) rest(leftMs);
      this.#take();
    });
  }

  #forgetNext(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#resting);
  }

  #receive(index: number, message: Buffer, source: Endpoint): void {
    this.#traffic.moved++;
    const length = Math.min(message.length, MAX_PACKET_BYTES);
    this.memory.set(length === message.length ? message : message.subarray(0, length), INCOMING);
    this.#options.handle(index, INCOMING, length, source, performance.now());
  }

  /** Remembered per text, because the same few peers speak fifty times a second. */
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

/** Known at once, since no name is looked up. */
function isConnected(socket: Socket): boolean {
  try {
    socket.remoteAddress();
    return true;
  } catch {
    return false;
  }
}

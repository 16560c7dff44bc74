// Sockets by Linux system calls. The thread never returns to Node's event loop: it sends what is due, reads what has arrived and
// waits. With few packets it waits in epoll, so that a key is seen at once; under load it sleeps until the next packets are due and
// reads in batches, which halves the number of system calls.
import { performance } from 'node:perf_hooks';
import { COMMANDS } from '../../commands/wake.ts';
import { type Endpoint, isUnspecified, parseEndpoint } from '../endpoint.ts';
import {
  IDLE,
  INCOMING,
  MAX_PACKET_BYTES,
  MEMORY_BYTES,
  type SocketOptions,
  type Sockets,
} from '../sockets.ts';
import { sleep, Traffic } from '../traffic.ts';
import { bytesOf, Epoll } from './epoll.ts';
import { HeldDescriptors } from './held-descriptors.ts';
import { type Libc, loadLibc } from './libc.ts';
import {
  AF_INET,
  AF_INET6,
  readSockaddr,
  SOCKADDR_IN_BYTES,
  SOCKADDR_IN6_BYTES,
  SOCKADDR_ROOM,
  writeFamily,
  writeSockaddr,
} from './sockaddr.ts';

const SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 0o4000 | 0o2000000;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const IPPROTO_IP = 0;
const IP_MTU_DISCOVER = 10;
const IP_PMTUDISC_DO = 2;
const EAGAIN = 11;
const MAX_UNWANTED = 8;
/** The packets that one stream reads at its tick. */
const MAX_READ = 8;
/** The kernel doubles it: about 170 packets, three seconds of one call. Later ones would be useless. */
const RECEIVE_BUFFER_BYTES = 64 * 1024;
/** A sleeping thread wakes after this time, in case a wake-up is lost. */
const IDLE_MS = 5_000;
const MAX_DRAINED = 4_096;
/** Results of reading one packet. */
const NOTHING = 0;
const WANTED = 1;
const UNWANTED = 2;

export async function openSyscalls(options: SocketOptions): Promise<Sockets> {
  return new SyscallSockets(await loadLibc(), options);
}

class SyscallSockets implements Sockets {
  readonly adapter = 'syscalls';
  readonly memory = Buffer.allocUnsafeSlow(MEMORY_BYTES);
  readonly #libc: Libc;
  readonly #options: SocketOptions;
  readonly #family: number;
  readonly #addressBytes: number;
  readonly #local: Endpoint;
  readonly #base: number;
  readonly #to = Buffer.allocUnsafeSlow(SOCKADDR_ROOM);
  readonly #toAt: number;
  readonly #from = Buffer.allocUnsafeSlow(SOCKADDR_ROOM);
  readonly #fromAt: number;
  /** socklen_t for recvfrom, and the option value for setsockopt. */
  readonly #word = new Int32Array(new ArrayBuffer(64));
  readonly #wordAt: number;
  /** AF_UNSPEC: connecting to it disconnects (connect(2)). */
  readonly #unspecified = Buffer.alloc(SOCKADDR_ROOM);
  readonly #unspecifiedAt: number;
  readonly #source: Endpoint = { a: 0, b: 0, c: 0, d: 0, port: 0 };
  readonly #descriptors: HeldDescriptors;
  readonly #epoll: Epoll;
  readonly #traffic = new Traffic();
  readonly #open = new Set<number>();
  /** The peers of connected sockets, by socket number. */
  readonly #peers: (Endpoint | undefined)[] = [];
  #running = false;

  constructor(libc: Libc, options: SocketOptions) {
    const local = parseEndpoint(options.host, 0);
    if (!local) throw new Error(`${options.host} is not an address to listen on`);
    this.#libc = libc;
    this.#options = options;
    this.#local = local;
    this.#family = options.host.includes(':') ? AF_INET6 : AF_INET;
    this.#addressBytes = this.#family === AF_INET ? SOCKADDR_IN_BYTES : SOCKADDR_IN6_BYTES;
    writeFamily(this.#to, this.#family);
    this.#base = libc.addressOf(this.memory);
    this.#toAt = libc.addressOf(this.#to);
    this.#fromAt = libc.addressOf(this.#from);
    this.#wordAt = libc.addressOf(bytesOf(this.#word));
    this.#unspecifiedAt = libc.addressOf(this.#unspecified);
    this.#descriptors = new HeldDescriptors(libc, options.held);
    this.#epoll = new Epoll(libc);
    this.#descriptors.add(this.#epoll.fd);
  }

  bind(port: number, done: (socket: number | null) => void): void {
    const { socket, bind, setsockopt } = this.#libc;
    const fd = socket(this.#family, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0);
    if (fd < 0) {
      done(null);
      return;
    }
    writeSockaddr(this.#to, this.#family, { ...this.#local, port });
    this.#word[0] = RECEIVE_BUFFER_BYTES;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, this.#wordAt, 4);
    // Packets of 200 bytes are never fragmented; with this option the kernel need not assign an IP identification to each.
    this.#word[0] = IP_PMTUDISC_DO;
    if (this.#family === AF_INET) setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, this.#wordAt, 4);
    const fails =
      bind(fd, this.#toAt, this.#addressBytes) < 0 || !this.#epoll.add(fd) || !this.#descriptors.add(fd);
    if (fails) {
      this.#libc.close(fd);
      done(null);
      return;
    }
    this.#open.add(fd);
    done(fd);
  }

  drain(socket: number): void {
    const { recv, errno } = this.#libc;
    for (let count = 0; count < MAX_DRAINED; count++) {
      const length = recv(socket, this.#base + INCOMING, MAX_PACKET_BYTES, 0);
      // A pending ICMP error is returned before the packets.
      if (length < 0 && errno() === EAGAIN) return;
    }
  }

  send(socket: number, offset: number, length: number, to: Endpoint): void {
    this.#traffic.moved++;
    if (this.#peers[socket]) {
      this.#libc.send(socket, this.#base + offset, length, 0);
      return;
    }
    if (!writeSockaddr(this.#to, this.#family, to)) return;
    // The result is ignored: a full buffer or an ICMP error is a lost packet.
    this.#libc.sendto(socket, this.#base + offset, length, 0, this.#toAt, this.#addressBytes);
  }

  connect(socket: number, peer: Endpoint | null): void {
    // A connected wildcard socket would only receive packets to the local address that routing chooses.
    if (isUnspecified(this.#local)) return;
    if (peer === null) {
      if (!this.#peers[socket]) return;
      this.#peers[socket] = undefined;
      this.#libc.connect(socket, this.#unspecifiedAt, this.#addressBytes);
      return;
    }
    if (!writeSockaddr(this.#to, this.#family, peer)) return;
    if (this.#libc.connect(socket, this.#toAt, this.#addressBytes) < 0) return;
    // Queued packets may be from other sources: they are read with their source address before the peer is assumed.
    const nowMs = performance.now();
    for (let count = 0; count < MAX_DRAINED; count++)
      if (this.#read(socket, nowMs) === NOTHING && this.#libc.errno() === EAGAIN) break;
    this.#peers[socket] = { ...peer };
  }

  get isBusy(): boolean {
    return this.#traffic.isBusy;
  }

  listen(socket: number, on: boolean): void {
    this.#epoll.listen(socket, on);
  }

  read(socket: number, nowMs: number, isAll: boolean): void {
    for (let count = 0; count < MAX_READ; count++) {
      const found = this.#read(socket, nowMs);
      if (found === NOTHING || (found === WANTED && !isAll)) return;
    }
  }

  close(socket: number): void {
    if (!this.#open.delete(socket)) return;
    this.#peers[socket] = undefined;
    this.#descriptors.close(socket);
  }

  run(turn: () => number): void {
    this.#running = true;
    const { commands } = this.#options;
    while (this.#running) {
      this.#traffic.measure(performance.now());
      const seen = Atomics.load(commands, COMMANDS);
      const waitMs = turn();
      if (!this.#running) break;
      if (waitMs === IDLE) Atomics.wait(commands, COMMANDS, seen, IDLE_MS);
      else if (waitMs < 0) Atomics.wait(commands, COMMANDS, seen, -waitMs);
      else if (this.isBusy) {
        sleep(waitMs);
        this.#receive(0);
      } else this.#receive(waitMs);
    }
  }

  wake(): void {
    // Commands are in the ring, and the wake-up ends long waits.
  }

  pause(): void {
    this.#running = false;
  }

  stop(): void {
    this.pause();
    for (const socket of [...this.#open]) this.close(socket);
    this.#descriptors.close(this.#epoll.fd);
  }

  /** One wanted packet per socket and turn: the others wait in the kernel's small buffer or are dropped there. */
  #receive(waitMs: number): void {
    const ready = this.#epoll.wait(waitMs);
    if (ready <= 0) return;
    const nowMs = performance.now();
    for (let index = 0; index < ready; index++) {
      const socket = this.#epoll.socketAt(index);
      for (let unwanted = 0; unwanted < MAX_UNWANTED; unwanted++)
        if (this.#read(socket, nowMs) !== UNWANTED) break;
    }
  }

  #read(socket: number, nowMs: number): typeof NOTHING | typeof WANTED | typeof UNWANTED {
    const peer = this.#peers[socket];
    const { recv, recvfrom } = this.#libc;
    if (peer) {
      const length = recv(socket, this.#base + INCOMING, MAX_PACKET_BYTES, 0);
      if (length < 0) return NOTHING;
      this.#traffic.moved++;
      return this.#options.handle(socket, INCOMING, length, peer, nowMs) ? WANTED : UNWANTED;
    }
    this.#word[0] = SOCKADDR_ROOM;
    const length = recvfrom(socket, this.#base + INCOMING, MAX_PACKET_BYTES, 0, this.#fromAt, this.#wordAt);
    if (length < 0) return NOTHING;
    this.#traffic.moved++;
    readSockaddr(this.#from, this.#family, this.#source);
    return this.#options.handle(socket, INCOMING, length, this.#source, nowMs) ? WANTED : UNWANTED;
  }
}

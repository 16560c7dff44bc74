// Sockets by the system calls of Linux. The thread never returns to Node's event loop: it sends what is due, reads what has
// come and waits. With few packets it waits in epoll, so that a key is seen at once; with many it sleeps till the next
// packets are to be sent and takes those that came in one go, which halves the number of calls.
import { performance } from 'node:perf_hooks';
import { ORDERS } from '../../orders/doorbell.ts';
import { type Endpoint, isUnspecified, parseEndpoint } from '../endpoint.ts';
import {
  IDLE,
  INCOMING,
  MAX_PACKET_BYTES,
  MEMORY_BYTES,
  type SocketOptions,
  type Sockets,
} from '../sockets.ts';
import { rest, Traffic } from '../traffic.ts';
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
const EPOLL_CLOEXEC = 0o2000000;
const EPOLL_CTL_ADD = 1;
const EPOLL_CTL_MOD = 3;
const EPOLLIN = 1;
/** The kernel packs the structure on x86 only. */
const EVENT_WORDS = process.arch === 'x64' || process.arch === 'ia32' ? 3 : 4;
const SOCKET_WORD = EVENT_WORDS - 2;
const MAX_UNWANTED = 8;
/** Of one stream, when it is visited. */
const MAX_READ = 8;
const MAX_EVENTS = 256;
/** The kernel doubles it: some 170 packets, three seconds of one call. More would only be late. */
const RECEIVE_BUFFER_BYTES = 64 * 1024;
/** A sleeping thread looks up now and then, should a wake-up be lost. */
const IDLE_MS = 5_000;
const MAX_DRAINED = 4_096;

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
  /** socklen_t for recvfrom, the option value for setsockopt, a timespec for epoll_pwait2. */
  readonly #words = new Int32Array(new ArrayBuffer(128));
  readonly #wordsAt: number;
  readonly #events = new Int32Array(new ArrayBuffer(MAX_EVENTS * EVENT_WORDS * 4));
  readonly #eventsAt: number;
  readonly #event = new Int32Array(new ArrayBuffer(64));
  readonly #eventAt: number;
  /** Of no family: whoever is connected to it is connected no more. */
  readonly #nobody = Buffer.alloc(SOCKADDR_ROOM);
  readonly #nobodyAt: number;
  readonly #source: Endpoint = { a: 0, b: 0, c: 0, d: 0, port: 0 };
  readonly #epoll: number;
  readonly #traffic = new Traffic();
  readonly #open = new Set<number>();
  /** Of connected sockets, by their number. */
  readonly #peers: (Endpoint | undefined)[] = [];
  #exactWait: boolean;
  #running = false;

  constructor(libc: Libc, options: SocketOptions) {
    const local = parseEndpoint(options.host, 0);
    if (!local) throw new Error(`${options.host} is no address to listen on`);
    this.#libc = libc;
    this.#options = options;
    this.#local = local;
    this.#family = options.host.includes(':') ? AF_INET6 : AF_INET;
    this.#addressBytes = this.#family === AF_INET ? SOCKADDR_IN_BYTES : SOCKADDR_IN6_BYTES;
    writeFamily(this.#to, this.#family);
    this.#base = libc.addressOf(this.memory);
    this.#toAt = libc.addressOf(this.#to);
    this.#fromAt = libc.addressOf(this.#from);
    this.#wordsAt = libc.addressOf(bytesOf(this.#words));
    this.#eventsAt = libc.addressOf(bytesOf(this.#events));
    this.#eventAt = libc.addressOf(bytesOf(this.#event));
    this.#nobodyAt = libc.addressOf(this.#nobody);
    this.#exactWait = libc.epollWait2 !== null;
    this.#closeInherited();
    this.#epoll = libc.epollCreate(EPOLL_CLOEXEC);
    if (this.#epoll < 0) throw new Error(`epoll_create1 failed, errno ${libc.errno()}`);
    this.#hold(this.#epoll);
  }

  bind(port: number, done: (socket: number | null) => void): void {
    const { socket, bind, setsockopt } = this.#libc;
    const fd = socket(this.#family, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0);
    if (fd < 0) {
      done(null);
      return;
    }
    writeSockaddr(this.#to, this.#family, { ...this.#local, port });
    this.#words[0] = RECEIVE_BUFFER_BYTES;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, this.#wordsAt, 4);
    // Packets of 200 bytes are never cut in pieces; told so, the kernel spares itself an identification for each.
    this.#words[0] = IP_PMTUDISC_DO;
    if (this.#family === AF_INET) setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, this.#wordsAt, 4);
    const fails =
      bind(fd, this.#toAt, this.#addressBytes) < 0 ||
      !this.#watch(EPOLL_CTL_ADD, fd, EPOLLIN) ||
      !this.#hold(fd);
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
      // A refusal told by ICMP comes before the packets.
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
    // The result is not looked at: a full buffer or a refusal told by ICMP is a lost packet and nothing else.
    this.#libc.sendto(socket, this.#base + offset, length, 0, this.#toAt, this.#addressBytes);
  }

  connect(socket: number, peer: Endpoint | null): void {
    // Bound to all addresses of a machine, it would hear from then on only what is sent to the one that routing chooses.
    if (isUnspecified(this.#local)) return;
    if (peer === null) {
      if (!this.#peers[socket]) return;
      this.#peers[socket] = undefined;
      this.#libc.connect(socket, this.#nobodyAt, this.#addressBytes);
      return;
    }
    if (!writeSockaddr(this.#to, this.#family, peer)) return;
    if (this.#libc.connect(socket, this.#toAt, this.#addressBytes) < 0) return;
    // Others may have sent before: whatever is queued must still tell where it came from, what follows need not.
    const nowMs = performance.now();
    for (let count = 0; count < MAX_DRAINED; count++)
      if (this.#read(socket, nowMs) === NOTHING && this.#libc.errno() === EAGAIN) break;
    this.#peers[socket] = { ...peer };
  }

  get isBusy(): boolean {
    return this.#traffic.isBusy;
  }

  listen(socket: number, on: boolean): void {
    this.#watch(EPOLL_CTL_MOD, socket, on ? EPOLLIN : 0);
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
    this.#release(socket);
  }

  run(turn: () => number): void {
    this.#running = true;
    const { orders } = this.#options;
    while (this.#running) {
      this.#traffic.look(performance.now());
      const seen = Atomics.load(orders, ORDERS);
      const waitMs = turn();
      if (!this.#running) break;
      if (waitMs === IDLE) Atomics.wait(orders, ORDERS, seen, IDLE_MS);
      else if (waitMs < 0) Atomics.wait(orders, ORDERS, seen, -waitMs);
      else if (this.isBusy) {
        rest(waitMs);
        this.#receive(0);
      } else this.#receive(waitMs);
    }
  }

  wake(): void {
    // Orders wait in the ring, and end the long waits by themselves.
  }

  pause(): void {
    this.#running = false;
  }

  stop(): void {
    this.pause();
    for (const socket of [...this.#open]) this.close(socket);
    this.#release(this.#epoll);
  }

  /** One packet per socket and turn: the rest waits in the kernel's small buffer, or is dropped there. */
  #receive(waitMs: number): void {
    const ready = this.#wait(waitMs);
    if (ready <= 0) return;
    const nowMs = performance.now();
    for (let index = 0; index < ready; index++) {
      const socket = this.#events[index * EVENT_WORDS + SOCKET_WORD] ?? -1;
      for (let unwanted = 0; unwanted < MAX_UNWANTED; unwanted++)
        if (this.#read(socket, nowMs) !== UNWANTED) break;
    }
  }

  #watch(operation: number, fd: number, events: number): boolean {
    this.#event[0] = events;
    this.#event[SOCKET_WORD] = fd;
    return this.#libc.epollControl(this.#epoll, operation, fd, this.#eventAt) === 0;
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
    this.#words[0] = SOCKADDR_ROOM;
    const length = recvfrom(socket, this.#base + INCOMING, MAX_PACKET_BYTES, 0, this.#fromAt, this.#wordsAt);
    if (length < 0) return NOTHING;
    this.#traffic.moved++;
    readSockaddr(this.#from, this.#family, this.#source);
    return this.#options.handle(socket, INCOMING, length, this.#source, nowMs) ? WANTED : UNWANTED;
  }

  #wait(waitMs: number): number {
    const { epollWait, epollWait2, errno } = this.#libc;
    if (waitMs <= 0 || !this.#exactWait || !epollWait2)
      return epollWait(this.#epoll, this.#eventsAt, MAX_EVENTS, Math.ceil(Math.max(0, waitMs)));
    this.#writeTimespec(waitMs);
    const ready = epollWait2(this.#epoll, this.#eventsAt, MAX_EVENTS, this.#wordsAt + 64, 0);
    // An older kernel, or a container that forbids the call.
    if (ready < 0 && errno() !== EINTR) this.#exactWait = false;
    return ready;
  }

  #writeTimespec(waitMs: number): void {
    const nanoseconds = Math.floor(Math.min(waitMs, 999) * 1e6);
    this.#words[16] = 0;
    this.#words[17] = 0;
    this.#words[18] = nanoseconds;
    this.#words[19] = 0;
  }

  /** False when there is no room to note it: then it is not used, so that nothing can leak. */
  #hold(fd: number): boolean {
    const at = this.#options.held.indexOf(0);
    if (at < 0) return false;
    this.#options.held[at] = fd + 1;
    return true;
  }

  #release(fd: number): void {
    const at = this.#options.held.indexOf(fd + 1);
    if (at >= 0) this.#options.held[at] = 0;
    this.#libc.close(fd);
  }

  /** What a thread that died in this place has left open. */
  #closeInherited(): void {
    for (const [at, noted] of this.#options.held.entries()) {
      if (noted === 0) continue;
      this.#options.held[at] = 0;
      this.#libc.close(noted - 1);
    }
  }
}

const EINTR = 4;
const EAGAIN = 11;
const NOTHING = 0;
const WANTED = 1;
const UNWANTED = 2;

const bytesOf = (words: Int32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

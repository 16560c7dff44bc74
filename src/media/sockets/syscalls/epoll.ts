// One epoll instance (epoll(7)) and the memory of its system calls.
import type { Libc } from './libc.ts';

const EPOLL_CLOEXEC = 0o2000000;
const EPOLL_CTL_ADD = 1;
const EPOLL_CTL_MOD = 3;
const EPOLLIN = 1;
const EINTR = 4;
/** The kernel packs struct epoll_event on x86 only. */
const EVENT_WORDS = process.arch === 'x64' || process.arch === 'ia32' ? 3 : 4;
const SOCKET_WORD = EVENT_WORDS - 2;
const MAX_EVENTS = 256;

export class Epoll {
  readonly fd: number;
  readonly #libc: Libc;
  readonly #events = new Int32Array(new ArrayBuffer(MAX_EVENTS * EVENT_WORDS * 4));
  readonly #eventsAt: number;
  readonly #event = new Int32Array(new ArrayBuffer(64));
  readonly #eventAt: number;
  /** struct timespec for epoll_pwait2. */
  readonly #timespec = new Int32Array(new ArrayBuffer(64));
  readonly #timespecAt: number;
  #exactWait: boolean;

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#eventsAt = libc.addressOf(bytesOf(this.#events));
    this.#eventAt = libc.addressOf(bytesOf(this.#event));
    this.#timespecAt = libc.addressOf(bytesOf(this.#timespec));
    this.#exactWait = libc.epollWait2 !== null;
    this.fd = libc.epollCreate(EPOLL_CLOEXEC);
    if (this.fd < 0) throw new Error(`epoll_create1 failed, errno ${libc.errno()}`);
  }

  /** False when the kernel refuses. */
  add(socket: number): boolean {
    return this.#control(EPOLL_CTL_ADD, socket, EPOLLIN);
  }

  listen(socket: number, on: boolean): void {
    this.#control(EPOLL_CTL_MOD, socket, on ? EPOLLIN : 0);
  }

  wait(waitMs: number): number {
    const { epollWait, epollWait2, errno } = this.#libc;
    if (waitMs <= 0 || !this.#exactWait || !epollWait2)
      return epollWait(this.fd, this.#eventsAt, MAX_EVENTS, Math.ceil(Math.max(0, waitMs)));
    // Little-endian 64-bit seconds and nanoseconds; the remaining words are zero.
    this.#timespec[2] = Math.floor(Math.min(waitMs, 999) * 1e6);
    const ready = epollWait2(this.fd, this.#eventsAt, MAX_EVENTS, this.#timespecAt, 0);
    // An older kernel, or a container that forbids the call.
    if (ready < 0 && errno() !== EINTR) this.#exactWait = false;
    return ready;
  }

  /** The socket at that index of the last `wait`. */
  socketAt(index: number): number {
    return this.#events[index * EVENT_WORDS + SOCKET_WORD] ?? -1;
  }

  #control(operation: number, socket: number, events: number): boolean {
    this.#event[0] = events;
    this.#event[SOCKET_WORD] = socket;
    return this.#libc.epollControl(this.fd, operation, socket, this.#eventAt) === 0;
  }
}

export const bytesOf = (words: Int32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

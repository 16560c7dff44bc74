// The limit of bench/media.ts: a loop over the same system calls that does nothing else. One `sendto` per stream and 20 ms, one
// `recvfrom` per packet that came, and a sleep till the next millisecond.
import { loadLibc } from '../src/media/syscalls/libc.ts';

export interface BareOrder {
  readonly streams: number;
  readonly peerPort: number;
  readonly seconds: number;
}

/** Long enough for the compiler to have finished with the hot code. */
const WARM_UP_MS = 6_000;
const EVENT_WORDS = process.arch === 'x64' ? 3 : 4;
const libc = await loadLibc();
const memory = Buffer.allocUnsafeSlow(4_096).fill(0xff);
const base = libc.addressOf(memory);
const address = Buffer.allocUnsafeSlow(16).fill(0);
const addressAt = libc.addressOf(address);
const events = new Int32Array(new ArrayBuffer(256 * EVENT_WORDS * 4));
const eventsAt = libc.addressOf(new Uint8Array(events.buffer));
const event = new Int32Array(new ArrayBuffer(64));
const eventAt = libc.addressOf(new Uint8Array(event.buffer));
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const { default: koffi } = await import('koffi');
const getsockname = koffi.load(null).func('getsockname', 'int', ['int', 'uintptr_t', 'uintptr_t']) as (
  ...values: number[]
) => number;

process.once('message', ({ streams, peerPort, seconds }: BareOrder) => {
  address[0] = 2;
  const epoll = libc.epollCreate(0);
  const sockets: number[] = [];
  const ports: number[] = [];
  for (let index = 0; index < streams; index++) {
    const fd = libc.socket(2, 2 | 0o4000, 0);
    address.fill(0, 2).set([127, 0, 0, 1], 4);
    libc.bind(fd, addressAt, 16);
    event[0] = 16;
    getsockname(fd, addressAt, eventAt);
    ports.push(address.readUInt16BE(2));
    event.fill(0);
    event[0] = 1;
    event[EVENT_WORDS === 3 ? 1 : 2] = fd;
    libc.epollControl(epoll, 1, fd, eventAt);
    sockets.push(fd);
  }
  process.send?.({ ports });
  setTimeout(() => {
    address.fill(0, 2).set([127, 0, 0, 1], 4);
    address.writeUInt16BE(peerPort, 2);
    process.send?.({ cpuPercent: run(epoll, sockets, seconds) }, () => process.exit(0));
  }, 100);
});

function run(epoll: number, sockets: readonly number[], seconds: number): number {
  const startMs = performance.now();
  const fromMs = startMs + WARM_UP_MS;
  const endMs = fromMs + seconds * 1_000;
  let cpu = process.cpuUsage();
  let isMeasured = false;
  for (let tick = 0; ; ) {
    const nowMs = performance.now();
    if (!isMeasured && nowMs >= fromMs) {
      isMeasured = true;
      cpu = process.cpuUsage();
    }
    if (nowMs >= endMs) break;
    while (startMs + tick <= nowMs) {
      for (let index = tick % 20; index < sockets.length; index += 20) {
        const sequence = Math.floor(tick / 20);
        memory[0] = 0x80;
        memory[2] = sequence >> 8;
        memory[3] = sequence;
        memory.writeUInt32BE(index + 1, 8);
        libc.sendto(sockets[index] ?? 0, base, 172, 0, addressAt, 16);
      }
      tick++;
    }
    const ready = libc.epollWait(epoll, eventsAt, 256, 0);
    for (let index = 0; index < ready; index++)
      libc.recvfrom(
        events[index * EVENT_WORDS + (EVENT_WORDS === 3 ? 1 : 2)] ?? 0,
        base + 2_048,
        2_048,
        0,
        0,
        0,
      );
    const waitMs = startMs + tick - performance.now();
    if (waitMs > 0) Atomics.wait(sleeper, 0, 0, waitMs);
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 10_000 / seconds;
}

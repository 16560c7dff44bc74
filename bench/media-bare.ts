// The limit of bench/media.ts: a loop over the same system calls that does nothing else. Every 20 ms one `recv` and one `send` per
// stream, over connected sockets, and a sleep till the next two milliseconds.
import { loadLibc } from '../src/media/sockets/syscalls/libc.ts';

export interface BareOrder {
  readonly streams: number;
  readonly peerPort: number;
  readonly seconds: number;
}

/** Long enough for the compiler to have finished with the hot code. */
const WARM_UP_MS = 6_000;
const STEP_MS = 2;
const READ_ALL_EVERY = 8;
const libc = await loadLibc();
const memory = Buffer.allocUnsafeSlow(4_096).fill(0xff);
const base = libc.addressOf(memory);
const address = Buffer.allocUnsafeSlow(16).fill(0);
const addressAt = libc.addressOf(address);
const length = new Int32Array(new ArrayBuffer(64));
const lengthAt = libc.addressOf(new Uint8Array(length.buffer));
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const { default: koffi } = await import('koffi');
const getsockname = koffi.load(null).func('getsockname', 'int', ['int', 'uintptr_t', 'uintptr_t']) as (
  ...values: number[]
) => number;

process.once('message', ({ streams, peerPort, seconds }: BareOrder) => {
  address[0] = 2;
  const sockets: number[] = [];
  const ports: number[] = [];
  for (let index = 0; index < streams; index++) {
    const fd = libc.socket(2, 2 | 0o4000, 0);
    address.fill(0, 2).set([127, 0, 0, 1], 4);
    libc.bind(fd, addressAt, 16);
    length[0] = 16;
    getsockname(fd, addressAt, lengthAt);
    ports.push(address.readUInt16BE(2));
    address.writeUInt16BE(peerPort, 2);
    libc.connect(fd, addressAt, 16);
    sockets.push(fd);
  }
  process.send?.({ ports });
  setTimeout(() => process.send?.({ cpuPercent: run(sockets, seconds) }, () => process.exit(0)), 100);
});

function run(sockets: readonly number[], seconds: number): number {
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
      const round = Math.floor(tick / 20);
      for (let index = tick % 20; index < sockets.length; index += 20)
        serve(sockets[index] ?? 0, index + 1, round);
      tick++;
    }
    const waitMs = startMs + Math.ceil(tick / STEP_MS) * STEP_MS - performance.now();
    if (waitMs > 0) Atomics.wait(sleeper, 0, 0, waitMs);
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 10_000 / seconds;
}

function serve(fd: number, ssrc: number, sequence: number): void {
  const most = sequence % READ_ALL_EVERY === 0 ? READ_ALL_EVERY : 1;
  for (let count = 0; count < most; count++) if (libc.recv(fd, base + 2_048, 2_048, 0) < 0) break;
  memory[0] = 0x80;
  memory[2] = sequence >> 8;
  memory[3] = sequence;
  memory.writeUInt32BE(ssrc, 8);
  libc.send(fd, base, 172, 0);
}

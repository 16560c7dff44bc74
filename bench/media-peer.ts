// The other ends of all streams of bench/media.ts, in a process of its own: one socket that sends 50 packets a second to every port
// it is told and notes when each stream's packets arrive, by the kernel's clock, so that its own scheduling does not blur the gaps.
import { loadLibc } from '../src/media/sockets/syscalls/libc.ts';
import { type Delays, delaysOf, readStamp, writeStamp } from './stamps.ts';

/** Long enough for the compiler to have finished with the hot code. */
const WARM_UP_MS = 6_000;
const SIOCGSTAMPNS = 0x8907;
const SLOTS = 20;
const MAX_LATE_MS = 40;
/** µ-law. */
const LOUD = 0x90;
const SILENT = 0xff;

export interface PeerOrder {
  readonly ports: readonly number[];
  readonly seconds: number;
  /** Every so many streams one sends sound, the others silence; missing: none does. */
  readonly talkEvery?: number;
  /** Whether packets carry the time that they were sent, as stream-bot.ts reads and writes it. */
  readonly stamps?: true;
}

export interface PeerResult {
  readonly received: number;
  readonly sent: number;
  readonly gaps: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly lost: number;
  /** Milliseconds since a bot stamped what arrives. */
  readonly delays?: Delays;
}

const libc = await loadLibc();
const { default: koffi } = await import('koffi');
const ioctl = koffi.load(null).func('ioctl', 'int', ['int', 'uintptr_t', 'uintptr_t']) as (
  ...values: number[]
) => number;

const memory = Buffer.allocUnsafeSlow(4_096);
const base = libc.addressOf(memory);
const address = Buffer.allocUnsafeSlow(16).fill(0);
const addressAt = libc.addressOf(address);
const words = new Int32Array(new ArrayBuffer(128));
const wordsAt = libc.addressOf(new Uint8Array(words.buffer));
const stamp = new BigInt64Array(new ArrayBuffer(128));
const stampAt = libc.addressOf(new Uint8Array(stamp.buffer));

address[0] = 2;
address.set([127, 0, 0, 1], 4);
const fd = libc.socket(2, 2 | 0o4000, 0);
words[0] = 16 << 20;
libc.setsockopt(fd, 1, 33, wordsAt, 4);
libc.bind(fd, addressAt, 16);
const getsockname = koffi.load(null).func('getsockname', 'int', ['int', 'uintptr_t', 'uintptr_t']) as (
  ...values: number[]
) => number;
words[0] = 16;
getsockname(fd, addressAt, wordsAt);
process.send?.({ port: address.readUInt16BE(2) });
process.once('message', (order: PeerOrder) => {
  const result = run(order);
  process.send?.(result, () => process.exit(0));
});

function run({ ports, seconds, talkEvery = 0, stamps }: PeerOrder): PeerResult {
  const lastNs = new Map<number, bigint>();
  const lastSequence = new Map<number, number>();
  const gaps: number[] = [];
  const delays: number[] = [];
  let received = 0;
  let sent = 0;
  let lost = 0;
  const startMs = performance.now();
  const fromMs = startMs + WARM_UP_MS;
  const endMs = fromMs + seconds * 1_000;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  // Reading a stamp once makes the kernel note them from then on.
  ioctl(fd, SIOCGSTAMPNS, stampAt);
  memory.fill(0xff, 0, 172);

  const receive = (isMeasured: boolean): void => {
    for (let count = 0; count < 20_000; count++) {
      const length = libc.recvfrom(fd, base + 2_048, 2_048, 0, 0, 0);
      if (length < 0) return;
      if (ioctl(fd, SIOCGSTAMPNS, stampAt) < 0) continue;
      const ssrc = memory.readUInt32BE(2_048 + 8);
      const sequence = memory.readUInt16BE(2_048 + 2);
      const nowNs = (stamp[0] ?? 0n) * 1_000_000_000n + (stamp[1] ?? 0n);
      const previous = lastNs.get(ssrc);
      if (isMeasured && previous !== undefined) {
        const step = (sequence - (lastSequence.get(ssrc) ?? 0)) & 0xffff;
        if (step === 1) gaps.push(Number(nowNs - previous) / 1e6);
        else lost += step - 1;
      }
      lastNs.set(ssrc, nowNs);
      lastSequence.set(ssrc, sequence);
      if (isMeasured) received++;
      const delay = stamps && isMeasured ? readStamp(memory, 2_048 + 12) : null;
      if (delay !== null && delay !== undefined) delays.push(delay);
    }
  };

  let tick = 0;
  for (;;) {
    const nowMs = performance.now();
    if (nowMs >= endMs) break;
    const isMeasured = nowMs >= fromMs;
    // A peer that was kept from its core sends no burst afterwards: it would measure itself.
    if (nowMs - startMs - tick > MAX_LATE_MS) tick = Math.floor(nowMs - startMs);
    while (startMs + tick <= nowMs) {
      for (let index = tick % SLOTS; index < ports.length; index += SLOTS) {
        const sequence = Math.floor(tick / SLOTS);
        if (talkEvery > 0) memory.fill(index % talkEvery === 0 ? LOUD : SILENT, 12, 172);
        memory[0] = 0x80;
        memory[1] = 0;
        memory.writeUInt16BE(sequence & 0xffff, 2);
        memory.writeUInt32BE((sequence * 160) >>> 0, 4);
        memory.writeUInt32BE(index + 1, 8);
        if (stamps) writeStamp(memory, 12);
        address.writeUInt16BE(ports[index] ?? 0, 2);
        libc.sendto(fd, base, 172, 0, addressAt, 16);
        if (isMeasured) sent++;
      }
      tick++;
    }
    receive(isMeasured);
    const waitMs = startMs + tick - performance.now();
    if (waitMs > 0) Atomics.wait(sleeper, 0, 0, waitMs);
  }
  gaps.sort((a, b) => a - b);
  const at = (share: number): number =>
    gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))] ?? NaN;
  const measured = { received, sent, gaps: gaps.length, p50: at(0.5), p99: at(0.99), max: at(1), lost };
  return stamps ? { ...measured, delays: delaysOf(delays) } : measured;
}

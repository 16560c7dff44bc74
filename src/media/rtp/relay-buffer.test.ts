import { describe, expect, it } from 'vitest';
import { PCMU } from '../codec.ts';
import { diceOf } from '../testing/uneven.ts';
import { MAX_BYTES, MAX_PACKETS, RelayBuffer } from './relay-buffer.ts';
import { emptyHeader } from './rtp.ts';

const MEMORY = new Uint8Array(2_048);

interface Pushed {
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc?: number;
  readonly marker?: boolean;
  readonly isEvent?: boolean;
  readonly bytes?: number;
}

function push(buffer: RelayBuffer, packet: Pushed, nowMs: number): void {
  const { sequence, timestamp, ssrc = 1, marker = false, isEvent = false, bytes = 160 } = packet;
  const header = { ...emptyHeader(), sequence, timestamp, ssrc, marker, payloadLength: bytes };
  buffer.push(MEMORY, header, PCMU, !isEvent, isEvent, null, nowMs);
}

function take(buffer: RelayBuffer, nowMs: number): number[] {
  const taken: number[] = [];
  for (let packet = buffer.take(nowMs, nowMs); packet; packet = buffer.take(nowMs, nowMs))
    taken.push(packet.sequence);
  return taken;
}

/** Sends packets on time from `from` on, and takes what is due. */
function calm(buffer: RelayBuffer, from: number, count: number, startMs: number): number[] {
  const taken: number[] = [];
  for (let index = 0; index < count; index++) {
    const sequence = (from + index) & 0xffff;
    push(buffer, { sequence, timestamp: ((from + index) * 160) >>> 0 }, startMs + index * 20);
    taken.push(...take(buffer, startMs + index * 20));
  }
  return taken;
}

describe('a relay buffer', () => {
  it('shrinks slowly, to 20 ms, while packets come evenly', () => {
    const buffer = new RelayBuffer(100);
    const delays: number[] = [];
    for (let second = 0; second < 8; second++) {
      calm(buffer, second * 50, 50, second * 1_000);
      delays.push(buffer.delayMs);
    }
    expect(delays[0]).toBeGreaterThan(70);
    expect(delays).toEqual([...delays].sort((one, other) => other - one));
    expect(delays.at(-1)).toBe(20);
  });

  it('grows at once when several packets are late, up to 200 ms', () => {
    const buffer = new RelayBuffer(20);
    calm(buffer, 0, 400, 0);
    for (let index = 400; index < 410; index++)
      push(buffer, { sequence: index, timestamp: index * 160 }, index * 20 + 120);
    expect(buffer.delayMs).toBe(120);
    for (let index = 410; index < 430; index++)
      push(buffer, { sequence: index, timestamp: index * 160 }, index * 20 + 700);
    expect(buffer.delayMs).toBe(200);
  });

  it('commands packets over the wrap of sequence and timestamp, and passes on loss as loss', () => {
    const buffer = new RelayBuffer(60);
    const at = (index: number) => ({
      sequence: (65_534 + index) & 0xffff,
      timestamp: (0xffff_ff00 + index * 160) >>> 0,
    });
    for (const index of [0, 2, 1, 4, 3, 6]) push(buffer, at(index), 100 + index * 5);
    expect(take(buffer, 1_000)).toEqual([65_534, 65_535, 0, 1, 2, 4]);
    expect([buffer.packets, buffer.late]).toEqual([6, 0]);
  });

  it('drops what comes after its successors have left, and counts it; copies do not count, and keys are not dropped', () => {
    const buffer = new RelayBuffer(20);
    for (const sequence of [1, 2, 4, 5]) push(buffer, { sequence, timestamp: sequence * 160 }, sequence * 20);
    expect(take(buffer, 1_000)).toEqual([1, 2, 4, 5]);
    push(buffer, { sequence: 3, timestamp: 480 }, 150);
    expect([buffer.late, buffer.length]).toEqual([1, 0]);
    push(buffer, { sequence: 4, timestamp: 640 }, 150);
    expect([buffer.late, buffer.length]).toEqual([1, 0]);
    push(buffer, { sequence: 3, timestamp: 480, isEvent: true, bytes: 4 }, 150);
    expect(take(buffer, 1_000)).toEqual([3]);
  });

  it.each<[string, Pushed]>([
    ['another source', { ssrc: 2, sequence: 9, timestamp: 77 }],
    ['a jump of the sequence', { sequence: 30_000, timestamp: 101 * 160 }],
    ['a jump of the timestamp', { sequence: 101, timestamp: 3_000_000_000 }],
    ['a timestamp that rested in a pause', { sequence: 101, timestamp: 100 * 160, marker: true }],
  ])('goes on after %s with the delay that it had', (_what, packet) => {
    const buffer = new RelayBuffer(60);
    const taken = calm(buffer, 0, 100, 0);
    const delayMs = buffer.delayMs;
    const nowMs = packet.marker ? 2_600 : 2_000;
    push(buffer, packet, nowMs);
    taken.push(...take(buffer, nowMs + delayMs - 1));
    expect(taken.at(-1)).toBe(99);
    expect(take(buffer, nowMs + delayMs)).toEqual([packet.sequence]);
    expect(buffer.late).toBe(0);
  });

  it('holds a bounded number of packets and bytes, of any source', () => {
    const buffer = new RelayBuffer(200);
    const roll = diceOf(3);
    const any = (below: number): number => Math.floor(roll() * below);
    let [mostPackets, mostMs] = [0, 0];
    for (let round = 0; round < 20_000; round++) {
      const isEvent = any(5) === 0;
      MEMORY[2] = any(256);
      const [sequence, timestamp, ssrc] = [any(0x10000), any(0x1_0000_0000), any(2)];
      push(
        buffer,
        { sequence, timestamp, ssrc, isEvent, bytes: any(1_601), marker: any(3) === 0 },
        round / 100,
      );
      take(buffer, round / 100);
      mostPackets = Math.max(mostPackets, buffer.length);
      mostMs = Math.max(mostMs, buffer.delayMs);
    }
    expect(mostPackets).toBeLessThanOrEqual(MAX_PACKETS);
    expect(mostMs).toBeLessThanOrEqual(200);
    let bytes = 0;
    for (let packet = buffer.take(1e9, 201); packet; packet = buffer.take(1e9, 201))
      bytes += packet.payload.length;
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(buffer.waitedMs / buffer.packets).toBeLessThanOrEqual(201);
  });
});

// Recordings of packets for SIPp to play (pcap): keys by RFC 4733, then a tone. SIPp puts its own addresses and ports in.
import { writeFileSync } from 'node:fs';
import { compress } from '../../support/phone/law.ts';

const EVENT_TYPE = 101;
const KEYS = '0123456789*#ABCD';
const FRAME_MS = 20;
const SSRC = 0x51990001;

interface Packet {
  readonly atMs: number;
  readonly rtp: Buffer;
}

/**
 * Each key lasts 100 ms and is followed by 100 ms of nothing; the tone comes after all of them. With `jitterMs` each packet leaves up to so
 * much later, in order.
 */
export function writePackets(
  path: string,
  { keys, toneHz, toneMs, jitterMs = 0 }: { keys: string; toneHz: number; toneMs: number; jitterMs?: number },
): void {
  const packets: Packet[] = [];
  let sequence = 1;
  let atMs = 0;
  const add = (type: number, marker: boolean, timestampMs: number, payload: Buffer): void => {
    const header = Buffer.alloc(12);
    header[0] = 0x80;
    header[1] = type | (marker ? 0x80 : 0);
    header.writeUInt16BE(sequence++, 2);
    header.writeUInt32BE(8 * timestampMs, 4);
    header.writeUInt32BE(SSRC, 8);
    packets.push({ atMs, rtp: Buffer.concat([header, payload]) });
    atMs += FRAME_MS;
  };
  for (const key of keys) {
    const startMs = atMs;
    for (let part = 1; part <= 5; part += 1)
      add(EVENT_TYPE, part === 1, startMs, eventOf(key, part * FRAME_MS, false));
    // RFC 4733 §2.5.1.4: the end is sent three times.
    for (let repeat = 0; repeat < 3; repeat += 1) add(EVENT_TYPE, false, startMs, eventOf(key, 100, true));
    atMs += 100;
  }
  const endMs = atMs + toneMs;
  for (let first = true; atMs < endMs; first = false) {
    const startMs = atMs;
    const samples = Array.from({ length: 8 * FRAME_MS }, (_, i) =>
      compress('pcmu', 8_000 * Math.sin((2 * Math.PI * toneHz * (8 * startMs + i)) / 8_000)),
    );
    add(0, first, startMs, Buffer.from(samples));
  }
  let lastMs = 0;
  const uneven = packets.map(({ atMs: evenMs, rtp }) => {
    lastMs = Math.max(lastMs, evenMs + Math.random() * jitterMs);
    return { atMs: lastMs, rtp };
  });
  writeFileSync(path, pcap(uneven));
}

function eventOf(key: string, durationMs: number, end: boolean): Buffer {
  const payload = Buffer.from([KEYS.indexOf(key), (end ? 0x80 : 0) | 10, 0, 0]);
  payload.writeUInt16BE(8 * durationMs, 2);
  return payload;
}

/** Ethernet, IPv4 and UDP around each packet; none of their addresses means anything. */
function pcap(packets: readonly Packet[]): Buffer {
  const file = Buffer.alloc(24);
  file.writeUInt32LE(0xa1b2c3d4, 0);
  file.writeUInt16LE(2, 4);
  file.writeUInt16LE(4, 6);
  file.writeUInt32LE(65_535, 16);
  file.writeUInt32LE(1, 20);
  return Buffer.concat([
    file,
    ...packets.flatMap(({ atMs, rtp }) => {
      const length = 42 + rtp.length;
      const head = Buffer.alloc(16 + 42);
      head.writeUInt32LE(Math.floor(atMs / 1000), 0);
      head.writeUInt32LE((atMs % 1000) * 1000, 4);
      head.writeUInt32LE(length, 8);
      head.writeUInt32LE(length, 12);
      head.writeUInt16BE(0x0800, 28);
      head[30] = 0x45;
      head.writeUInt16BE(length - 14, 32);
      head[38] = 64;
      head[39] = 17;
      head.writeUInt32BE(0x7f000001, 42);
      head.writeUInt32BE(0x7f000001, 46);
      head.writeUInt16BE(10_000, 50);
      head.writeUInt16BE(10_002, 52);
      head.writeUInt16BE(8 + rtp.length, 54);
      return [head, rtp];
    }),
  ]);
}

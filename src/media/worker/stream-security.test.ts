import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { REFUSED, SrtpReceiver, SrtpSender } from '../srtp/srtp.ts';
import { type SrtpKeys, suiteNamed } from '../srtp/suites.ts';
import { StreamSecurity } from './stream-security.ts';

const SUITE = 'AES_CM_128_HMAC_SHA1_80';
const keys = (local = randomBytes(30), remote = randomBytes(30)): SrtpKeys => ({
  suite: SUITE,
  local,
  remote,
});
const A = keys();
const B = keys();

/** Through each agreement in turn. */
function rekeyed(before: StreamSecurity | null, ...agreed: readonly (SrtpKeys | null)[]): StreamSecurity {
  let security = before;
  for (const each of agreed) security = StreamSecurity.next(security, each);
  if (!security) throw new Error('no keys');
  return security;
}

function packet(sequence: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes[0] = 0x80;
  bytes.writeUInt16BE(sequence, 2);
  bytes.writeUInt32BE(7, 8);
  return bytes;
}

function report(): Buffer {
  const bytes = Buffer.alloc(64);
  bytes[0] = 0x80;
  bytes[1] = 200;
  bytes.writeUInt32BE(7, 4);
  return bytes;
}

/** What the peer sent by these keys, as somebody on the way recorded it. */
function recorded({ suite, remote }: SrtpKeys, sequence: number): { bytes: Buffer; length: number } {
  const bytes = packet(sequence);
  const length = new SrtpSender(suiteNamed(suite), remote).protect(bytes, 0, 32);
  return { bytes, length };
}

/** SRTCP: E and index are before the tag of ten octets. */
const indexOf = (bytes: Buffer, length: number): number => bytes.readUInt32BE(length - 14) % 0x8000_0000;

describe.each([
  ['other keys', B],
  ['a time of plain RTP', null],
])('keys that are used again after %s', (_, between) => {
  it('go on counting, so that no key stream is used twice', () => {
    const before = rekeyed(null, A);
    const sent = packet(65_535);
    const length = before.protect(sent, 0, 32);
    const rolled = packet(0);
    expect(before.protect(rolled, 0, 32)).toBe(length);
    const first = report();
    expect(indexOf(first, before.protectReport(first, 0, 28))).toBe(0);
    const security = rekeyed(before, between, A);
    const bytes = report();
    expect(indexOf(bytes, security.protectReport(bytes, 0, 28))).toBe(1);
    // In the round after the roll-over: as a packet of the first one it would repeat the key stream.
    const next = packet(1);
    security.protect(next, 0, 32);
    const receiver = new SrtpReceiver(suiteNamed(SUITE), A.local);
    expect([sent, rolled, next].map((each) => receiver.unprotect(each, 0, length))).toEqual([32, 32, 32]);
    expect(security.protect(packet(0), 0, 32)).toBe(REFUSED);
  });

  it('do not take a packet that was taken before', () => {
    const before = rekeyed(null, A);
    const { bytes, length } = recorded(A, 100);
    expect(before.unprotect(Buffer.from(bytes), 0, length)).toBe(32);
    const security = rekeyed(before, between, A);
    expect(security.unprotect(Buffer.from(bytes), 0, length)).toBe(REFUSED);
    const later = recorded(A, 101);
    expect(security.unprotect(later.bytes, 0, later.length)).toBe(32);
  });
});

describe('a stream with keys', () => {
  it('finds the roll-over counter of a call that another node had, by its first keys alone', () => {
    const peer = new SrtpSender(suiteNamed(SUITE), A.remote);
    const sent = (sequence: number): { bytes: Buffer; length: number } => {
      const bytes = packet(sequence);
      return { bytes, length: peer.protect(bytes, 0, 32) };
    };
    for (const sequence of [0, 0x4000, 0x8000, 0xc000]) sent(sequence);
    const { bytes, length } = sent(5);
    expect(rekeyed(null, A).unprotect(Buffer.from(bytes), 0, length)).toBe(REFUSED);
    const takenOver = rekeyed(null, null, { ...A, rollovers: 2 });
    expect(takenOver.unprotect(Buffer.from(bytes), 0, length)).toBe(32);
    // After other keys it goes on where it was: it neither seeks again nor takes the packet twice.
    const again = rekeyed(takenOver, B, { ...A, rollovers: 2 });
    expect(again.unprotect(bytes, 0, length)).toBe(REFUSED);
    const next = sent(6);
    expect(again.unprotect(next.bytes, 0, next.length)).toBe(32);
  });

  it('sends and takes packets as they are while plain RTP is agreed on', () => {
    const security = rekeyed(null, A, null);
    const bytes = packet(1);
    expect(security.protect(bytes, 0, 32)).toBe(32);
    expect(bytes).toEqual(packet(1));
    expect(security.unprotect(bytes, 0, 32)).toBe(32);
  });

  it('takes packets by the former keys until the first by the new ones', () => {
    const security = rekeyed(null, A, B);
    const [old, late, now] = [recorded(A, 5), recorded(A, 6), recorded(B, 7)];
    expect(security.unprotect(old.bytes, 0, old.length)).toBe(32);
    expect(security.unprotect(now.bytes, 0, now.length)).toBe(32);
    expect(security.unprotect(late.bytes, 0, late.length)).toBe(REFUSED);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyHeader, looksLikeRtcp, readRtp, sequenceDistance, timestampDistance, writeRtp } from './rtp.ts';

const read = (bytes: Uint8Array) => {
  const header = emptyHeader();
  return readRtp(bytes, 0, bytes.length, header) ? header : null;
};

describe('an RTP header', () => {
  it('goes from values to bytes and back, RFC 3550 §5.1', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.nat(127),
        fc.nat(0xffff),
        fc.nat(0xffff_ffff),
        fc.nat(0xffff_ffff),
        fc.nat(300),
        (marker, payloadType, sequence, timestamp, ssrc, payloadLength) => {
          const bytes = new Uint8Array(12 + payloadLength);
          writeRtp(bytes, 0, marker, payloadType, sequence, timestamp, ssrc);
          expect(read(bytes)).toEqual({
            marker,
            payloadType,
            sequence,
            timestamp,
            ssrc,
            payloadAt: 12,
            payloadLength,
          });
        },
      ),
    );
  });

  it('is found behind contributing sources, an extension and before padding', () => {
    const bytes = new Uint8Array(12 + 8 + 8 + 160 + 4);
    writeRtp(bytes, 0, false, 8, 1, 2, 3);
    bytes[0] = 0x80 | 0x20 | 0x10 | 2;
    bytes[12 + 8 + 3] = 1;
    bytes[bytes.length - 1] = 4;
    expect(read(bytes)).toMatchObject({ payloadAt: 28, payloadLength: 160 });
  });

  it.each([
    ['too short', [0x80, 0, 0, 1]],
    ['of another version', [0x40, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['with more sources than bytes', [0x8f, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['with an extension beyond its end', [0x90, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]],
    ['with no room for its extension', [0x90, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['with more padding than bytes', [0xa0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 200]],
    ['with padding of no length', [0xa0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('is refused when %s', (_, bytes) => {
    expect(read(Uint8Array.from(bytes))).toBeNull();
  });

  it('never reads beyond what came', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const header = read(bytes);
        if (!header) return;
        expect(header.payloadAt + header.payloadLength).toBeLessThanOrEqual(bytes.length);
        expect(header.payloadLength).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('counts round the corner', () => {
    expect(sequenceDistance(2, 0xffff)).toBe(3);
    expect(sequenceDistance(0xffff, 2)).toBe(-3);
    expect(timestampDistance(100, 0xffff_ff9c)).toBe(200);
  });

  it('is distinguished from RTCP by its second octet, RFC 5761', () => {
    const rtcp = (type: number): boolean => looksLikeRtcp(Uint8Array.from([0x80, type]), 0, 2);
    expect([199, 200, 201, 203, 207, 208, 0, 8, 0x80, 0x88, 0x80 | 101].map(rtcp)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

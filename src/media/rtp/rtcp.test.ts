import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Quality } from './quality.ts';
import { Reception } from './reception.ts';
import { middleOf, ntpOf, type Report, readReport, writeReport } from './rtcp.ts';
import { Sender } from './sender.ts';

const block = {
  ssrc: 0xdead_beef,
  fractionLost: 25,
  lost: 1_234,
  highest: 0x0001_0005,
  jitter: 99,
  lastReport: 0xabcd_1234,
  delay: 65_536,
};
const sender = { ntpSeconds: 3_900_000_000, ntpFraction: 5, timestamp: 6, packets: 7, octets: 8 };
const report: Report = { ssrc: 1, sender, blocks: [block], cname: '', isGoodbye: false };

const thereAndBack = (value: Report): Report | null => {
  const bytes = new Uint8Array(512);
  return readReport(bytes, 0, writeReport(bytes, 0, value));
};

describe('RTCP', () => {
  it.each([
    ['a sender report', report],
    ['a receiver report', { ...report, sender: null }],
    ['an empty receiver report', { ...report, sender: null, blocks: [] }],
    ['a goodbye', { ...report, isGoodbye: true }],
    ['negative loss, after duplicates', { ...report, blocks: [{ ...block, lost: -3 }] }],
  ])('writes and reads %s', (_, value) => {
    expect(thereAndBack(value)).toEqual(value);
  });

  it('fills whole words, whatever the length of the name, RFC 3550 §6.5', () => {
    for (let length = 0; length < 9; length++) {
      const bytes = new Uint8Array(512);
      const size = writeReport(bytes, 0, { ...report, cname: 'x'.repeat(length) });
      expect(size % 4).toBe(0);
      expect(readReport(bytes, 0, size)?.ssrc).toBe(1);
    }
  });

  it.each([
    ['nothing', []],
    ['four octets', [0x80, 200, 0, 0]],
    ['a length beyond the end', [0x81, 201, 0xff, 0xff, 0, 0, 0, 1]],
    ['a compound that begins with SDES', [0x81, 202, 0, 1, 0, 0, 0, 1]],
    ['another version', [0x01, 201, 0, 1, 0, 0, 0, 1]],
  ])('makes nothing of %s', (_, bytes) => {
    expect(readReport(Uint8Array.from(bytes), 0, bytes.length)).toBeNull();
  });

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(200, 201, 202, 203), (bytes, type) => {
        if (bytes.length > 1) {
          bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f);
          bytes[1] = type;
        }
        const read = readReport(bytes, 0, bytes.length);
        expect(read === null || read.blocks.length <= 31).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('measures the round trip as RFC 3550 §6.4.1 does: arrival − LSR − DLSR', () => {
    const nowMs = 10_000;
    const quality = new Quality('name', 0);
    const ours = new Sender(() => 0.5);
    const sentAt = ntpOf(performance.timeOrigin + nowMs - 80);
    const bytes = new Uint8Array(512);
    const length = writeReport(bytes, 0, {
      ssrc: 9,
      sender: null,
      cname: 'peer',
      isGoodbye: false,
      blocks: [
        {
          ...block,
          ssrc: ours.ssrc,
          lastReport: middleOf(sentAt.seconds, sentAt.fraction),
          delay: Math.round(0.05 * 65_536),
        },
      ],
    });
    expect(quality.read(bytes, 0, length, ours, nowMs)).toBe(true);
    expect(quality.roundTripMs).toBeCloseTo(30, 0);
    expect(quality.remoteLost).toBe(1_234);
    expect(quality.remoteJitterMs).toBeCloseTo(99 / 8);
  });

  it('says what was received', () => {
    const reception = new Reception();
    for (const sequence of [10, 11, 13, 14])
      reception.note(77, sequence, sequence * 160, sequence * 20, true);
    const bytes = new Uint8Array(512);
    const quality = new Quality('name', 0);
    const length = quality.write(bytes, 0, new Sender(() => 0.5), reception, 500, false);
    expect(readReport(bytes, 0, length)?.blocks[0]).toMatchObject({
      ssrc: 77,
      lost: 1,
      fractionLost: 51,
      highest: 14,
      jitter: 0,
    });
  });
});

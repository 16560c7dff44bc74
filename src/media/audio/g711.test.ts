import { describe, expect, it } from 'vitest';
import { alawToLinear, alawToUlaw, encodeAlaw, encodeUlaw, ulawToAlaw, ulawToLinear } from './g711.ts';

const everySample = Array.from({ length: 65_536 }, (_, index) => index - 32_768);

/** ITU-T G.191 `ulaw_compress`, step by step: the yardstick for the table. */
function referenceUlaw(linear: number): number {
  let magnitude = (linear < 0 ? ~linear >> 2 : linear >> 2) + 33;
  if (magnitude > 0x1fff) magnitude = 0x1fff;
  let segment = 1;
  for (let rest = magnitude >> 6; rest !== 0; rest >>= 1) segment += 1;
  const byte = ((8 - segment) << 4) | (0xf - ((magnitude >> segment) & 0xf));
  return linear >= 0 ? byte | 0x80 : byte;
}

/** ITU-T G.191 `alaw_compress`. */
function referenceAlaw(linear: number): number {
  let steps = linear < 0 ? ~linear >> 4 : linear >> 4;
  if (steps > 15) {
    let exponent = 1;
    for (; steps > 31; steps >>= 1) exponent += 1;
    steps = steps - 16 + (exponent << 4);
  }
  return (linear >= 0 ? steps | 0x80 : steps) ^ 0x55;
}

describe('G.711', () => {
  it('encodes all 65,536 linear values as G.191 does', () => {
    const wrong = everySample.filter(
      (sample) =>
        encodeUlaw(sample) !== referenceUlaw(sample) || encodeAlaw(sample) !== referenceAlaw(sample),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['µ-law', encodeUlaw, ulawToLinear, 132],
    ['A-law', encodeAlaw, alawToLinear, 256],
  ] as const)(
    '%s errs by half a step at most, and falls nowhere as the input rises',
    (_, encode, toLinear, low) => {
      let before = Number.NEGATIVE_INFINITY;
      for (const sample of everySample) {
        const decoded = toLinear[encode(sample)] ?? 0;
        if (decoded < before) throw new Error(`falls at ${sample}`);
        before = decoded;
        const clipped = Math.min(Math.abs(sample), 32_635);
        const halfStep = Math.max(8, (clipped + low) / 32) + 4;
        if (Math.abs(decoded - Math.sign(sample) * clipped) > halfStep) {
          throw new Error(`${sample} became ${decoded}`);
        }
      }
    },
  );

  it.each([
    [0xff, 0],
    [0x7f, 0],
    [0x80, 32_124],
    [0x00, -32_124],
    [0xfe, 8],
    [0x7e, -8],
    [0xf0, 120],
    [0xef, 132],
    [0x8f, 16_764],
  ])('µ-law byte %i stands for %i', (byte, linear) => {
    expect(ulawToLinear[byte]).toBe(linear);
  });

  it.each([
    [0xd5, 8],
    [0x55, -8],
    [0xaa, 32_256],
    [0x2a, -32_256],
    [0xd4, 24],
    [0xc5, 264],
    [0xf5, 528],
  ])('A-law byte %i stands for %i', (byte, linear) => {
    expect(alawToLinear[byte]).toBe(linear);
  });

  it.each([
    ['µ-law', encodeUlaw, ulawToLinear],
    ['A-law', encodeAlaw, alawToLinear],
  ] as const)('every %s byte survives decoding and encoding', (_, encode, toLinear) => {
    const changed = Array.from({ length: 256 }, (__, byte) => byte).filter(
      (byte) => encode(toLinear[byte] ?? 0) !== byte,
    );
    // µ-law alone has two zeros, and linear 0 is the positive one.
    expect(changed).toEqual(toLinear[0x7f] === 0 ? [0x7f] : []);
  });

  it('converts between the laws as tables 3 and 4 of G.711 say', () => {
    // µ step → A step, both counted from 0, at every place where the rule changes.
    const toA = [
      [0, 0], [1, 0], [15, 7], [16, 8], [31, 23], [32, 24], [35, 30], [36, 32], [47, 43], [48, 45], [49, 47],
      [63, 61], [64, 63], [79, 78], [80, 80], [127, 127],
    ]; // biome-ignore format: pairs
    for (const [from = 0, to = 0] of toA) {
      expect([from, (ulawToAlaw[0xff ^ from] ?? 0) ^ 0xd5]).toEqual([from, to]);
      expect([from, (ulawToAlaw[0x7f ^ from] ?? 0) ^ 0x55]).toEqual([from, to]);
    }
    const toU = [
      [0, 1], [7, 15], [8, 16], [23, 31], [24, 32], [25, 32], [31, 35], [32, 36], [43, 47], [44, 48], [47, 49],
      [48, 50], [62, 64], [63, 64], [64, 65], [78, 79], [79, 79], [80, 80], [127, 127],
    ]; // biome-ignore format: pairs
    for (const [from = 0, to = 0] of toU) {
      expect([from, (alawToUlaw[0xd5 ^ from] ?? 0) ^ 0xff]).toEqual([from, to]);
      expect([from, (alawToUlaw[0x55 ^ from] ?? 0) ^ 0x7f]).toEqual([from, to]);
    }
  });

  it('keeps loudness within one step when converting', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const u = ulawToLinear[byte] ?? 0;
      const a = alawToLinear[ulawToAlaw[byte] ?? 0] ?? 0;
      expect(Math.abs(u - a)).toBeLessThanOrEqual(16 + Math.abs(u) / 16);
      const linear = alawToLinear[byte] ?? 0;
      const back = ulawToLinear[alawToUlaw[byte] ?? 0] ?? 0;
      expect(Math.abs(linear - back)).toBeLessThanOrEqual(16 + Math.abs(linear) / 16);
    }
  });
});

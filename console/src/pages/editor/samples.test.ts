import { describe, expect, it } from 'vitest';
import { meterOf, mixed, peaksOf, wavOf } from './samples.ts';

const text = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

describe('samples', () => {
  it('is written as WAV with one channel and 16 bit', () => {
    const bytes = wavOf(Float32Array.of(0, 1, -1, 2, -0.5), 16_000);
    const view = new DataView(bytes.buffer);
    expect([text(bytes, 0, 4), text(bytes, 8, 16), text(bytes, 36, 40)]).toEqual([
      'RIFF',
      'WAVEfmt ',
      'data',
    ]);
    expect(view.getUint32(4, true)).toBe(bytes.length - 8);
    expect(view.getUint32(24, true)).toBe(16_000);
    expect(view.getUint32(40, true)).toBe(10);
    const samples = [0, 1, 2, 3, 4].map((at) => view.getInt16(44 + at * 2, true));
    expect(samples).toEqual([0, 32_767, -32_767, 32_767, -16_383]);
  });

  it('is drawn by the loudest sample of each part', () => {
    const samples = Float32Array.of(0.125, -0.5, 0.25, 0, 1.5, 0);
    expect(peaksOf(samples, 3)).toEqual([0.5, 0.25, 1]);
    expect(peaksOf(samples, 100)).toHaveLength(6);
    expect(peaksOf(new Float32Array(0), 10)).toEqual([]);
  });

  it('of several channels becomes one', () => {
    expect([...mixed([Float32Array.of(1, 0), Float32Array.of(0, 0.5)])]).toEqual([0.5, 0.25]);
    expect(mixed([]).length).toBe(0);
  });

  it('moves the meter by its decibels', () => {
    expect(meterOf(Float32Array.of(0, 0))).toBe(0);
    expect(meterOf(Float32Array.of(1))).toBe(1);
    expect(meterOf(Float32Array.of(0.001))).toBeCloseTo(0, 5);
    expect(meterOf(Float32Array.of(-0.1))).toBeCloseTo(2 / 3, 3);
  });
});

import { describe, expect, it } from 'vitest';
import { bandsFor, FRAME_SAMPLES, RATES_HZ, SHORT_SAMPLES, WINDOWS } from './bands.ts';
import { EIGHT_SHORT, LONG_START, LONG_STOP, ONLY_LONG } from './channel-stream.ts';
import { Dct4 } from './dct4.ts';
import { FilterBank } from './filter-bank.ts';

const SINE = 0;
const KBD = 1;

describe('DCT-IV', () => {
  it.each([8, 128, 1024])('of %i is what its formula says', (size) => {
    const input = Float64Array.from({ length: size }, (_, at) => Math.sin(at * 12.9898) * 43.7);
    const out = new Float64Array(size);
    new Dct4(size).transform(input, 0, out);
    for (const n of [0, 1, size / 2 - 1, size / 2, size - 2, size - 1]) {
      const direct = input.reduce(
        (sum, value, k) => sum + value * Math.cos((Math.PI / size) * (n + 0.5) * (k + 0.5)),
        0,
      );
      expect(out[n]).toBeCloseTo(direct, 8);
    }
  });
});

/** The inverse of what is tested, by its formula: an MDCT of 2N samples without a window, to N coefficients. */
function mdct(samples: Float64Array): Float64Array {
  const size = samples.length / 2;
  return Float64Array.from({ length: size }, (_, k) => {
    let sum = 0;
    for (const [n, sample] of samples.entries())
      sum += sample * Math.cos((Math.PI / size) * (n + 0.5 + size / 2) * (k + 0.5));
    return 2 * sum;
  });
}

const slopeOf = (size: number, shape: number): Float64Array => {
  if (shape === SINE)
    return Float64Array.from({ length: size }, (_, at) => Math.sin((Math.PI * (at + 0.5)) / (2 * size)));
  // By the definition (§4.6.11.3.2), with the Bessel function as its integral.
  const alpha = size === FRAME_SAMPLES ? 4 : 6;
  const bessel = (x: number): number => {
    let sum = 0;
    for (let step = 0; step < 200; step++) sum += Math.exp(x * Math.cos((Math.PI * (step + 0.5)) / 200));
    return sum / 200;
  };
  const kaiser = Array.from({ length: size + 1 }, (_, at) =>
    bessel(Math.PI * alpha * Math.sqrt(1 - ((2 * at) / size - 1) ** 2)),
  );
  const total = kaiser.reduce((sum, value) => sum + value, 0);
  let sum = 0;
  return Float64Array.from({ length: size }, (_, at) => {
    sum += kaiser[at] ?? 0;
    return Math.sqrt(sum / total);
  });
};

const FLAT = (FRAME_SAMPLES - SHORT_SAMPLES) / 2;
const half = (isShortSlope: boolean, shape: number): number[] =>
  isShortSlope
    ? [...Array(FLAT).fill(0), ...slopeOf(SHORT_SAMPLES, shape), ...Array(FLAT).fill(1)]
    : [...slopeOf(FRAME_SAMPLES, shape)];

/** As an encoder does. */
function spectrumOf(
  samples: Float64Array,
  sequence: number,
  shape: number,
  shapeBefore: number,
): Float64Array {
  if (sequence !== EIGHT_SHORT) {
    const window = [
      ...half(sequence === LONG_STOP, shapeBefore),
      ...half(sequence === LONG_START, shape).reverse(),
    ];
    return mdct(samples.map((sample, at) => sample * (window[at] ?? 0)));
  }
  const spectrum = new Float64Array(FRAME_SAMPLES);
  for (let at = 0; at < WINDOWS; at++) {
    const from = FLAT + at * SHORT_SAMPLES;
    const window = [
      ...slopeOf(SHORT_SAMPLES, at === 0 ? shapeBefore : shape),
      ...slopeOf(SHORT_SAMPLES, shape).reverse(),
    ];
    const part = samples.slice(from, from + 2 * SHORT_SAMPLES).map((sample, n) => sample * (window[n] ?? 0));
    spectrum.set(mdct(part), at * SHORT_SAMPLES);
  }
  return spectrum;
}

describe('the filter bank', () => {
  it('gives back what was transformed, through all four window sequences and both shapes', () => {
    const frames = [
      [ONLY_LONG, SINE],
      [LONG_START, KBD],
      [EIGHT_SHORT, SINE],
      [LONG_STOP, KBD],
      [ONLY_LONG, SINE],
    ] as const;
    const signal = Float64Array.from(
      { length: (frames.length + 1) * FRAME_SAMPLES },
      (_, at) => Math.sin(at * 0.05) + 0.3 * Math.sin(at * at * 0.0004),
    );
    const bank = new FilterBank();
    let shapeBefore: number = SINE;
    for (const [at, [sequence, shape]] of frames.entries()) {
      const from = at * FRAME_SAMPLES;
      const frame = signal.slice(from, from + 2 * FRAME_SAMPLES);
      const samples = bank.next(spectrumOf(frame, sequence, shape, shapeBefore), sequence, shape);
      shapeBefore = shape;
      // The first half of the first frame has nothing to overlap with.
      if (at === 0) continue;
      const worst = samples.reduce(
        (most, sample, n) => Math.max(most, Math.abs(sample - (signal[from + n] ?? 0))),
        0,
      );
      expect(worst, `frame ${at}`).toBeLessThan(1e-5);
    }
  });
});

describe('scale factor bands', () => {
  it.each(RATES_HZ)('at %i Hz fill the spectrum in fours', (rateHz) => {
    const { long, short } = bandsFor(rateHz);
    for (const [bands, size] of [
      [long, FRAME_SAMPLES],
      [short, SHORT_SAMPLES],
    ] as const) {
      expect(bands.offsets.at(-1)).toBe(size);
      expect(bands.offsets.every((offset) => offset % 4 === 0)).toBe(true);
      expect(bands.tnsLimit).toBeLessThanOrEqual(bands.count);
    }
  });

  it('are as many as the standard has (tables 4.129 to 4.147)', () => {
    expect(RATES_HZ.map((rateHz) => bandsFor(rateHz).long.count)).toEqual([
      41, 41, 47, 49, 49, 51, 47, 47, 43, 43, 43, 40, 40,
    ]);
    expect(RATES_HZ.map((rateHz) => bandsFor(rateHz).short.count)).toEqual([
      12, 12, 12, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15,
    ]);
  });
});

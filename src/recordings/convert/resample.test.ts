import { describe, expect, it } from 'vitest';
import { SAMPLE_RATE_HZ } from '../../media/audio/frame.ts';
import { Resampler } from './resample.ts';

const SECONDS = 1;

function tone(hz: number, rateHz: number): Float32Array {
  return Float32Array.from(
    { length: rateHz * SECONDS },
    (_, at) => 0.5 * Math.sin((2 * Math.PI * hz * at) / rateHz),
  );
}

/** In bites of odd sizes, as decoders give them. */
function resampled(samples: Float32Array, rateHz: number): Float32Array {
  const resampler = new Resampler(rateHz);
  const out: number[] = [];
  for (let at = 0, size = 1; at < samples.length; at += size, size = (size * 7) % 4_099)
    out.push(...resampler.push(samples.subarray(at, at + size)));
  out.push(...resampler.end());
  return Float32Array.from(out);
}

/** The level of the middle, where the tone is steady. */
function levelDb(samples: Float32Array): number {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
  return (
    20 *
    Math.log10(
      Math.sqrt(middle.reduce((sum, one) => sum + one * one, 0) / middle.length) / (0.5 / Math.SQRT2),
    )
  );
}

describe('resampling to 8 kHz', () => {
  it.each([1_234, 8_001, 11_025, 16_000, 22_050, 32_000, 44_100, 47_999, 48_000, 96_000, 192_000])(
    'from %i Hz gives as many samples as the time asks for, and keeps a low tone',
    (rateHz) => {
      const out = resampled(tone(rateHz / 8 > 1_000 ? 1_000 : rateHz / 8, rateHz), rateHz);
      expect(out.length).toBe(SECONDS * SAMPLE_RATE_HZ);
      expect(Math.abs(levelDb(out))).toBeLessThan(0.1);
    },
  );

  it.each([44_100, 48_000])(
    'from %i Hz keeps the telephone band within 1 dB, from 100 to 3,400 Hz',
    (rateHz) => {
      for (const hz of [100, 300, 1_000, 2_000, 3_000, 3_400])
        expect(Math.abs(levelDb(resampled(tone(hz, rateHz), rateHz))), `${hz} Hz`).toBeLessThan(1);
    },
  );

  it.each([44_100, 48_000])('from %i Hz leaves less than −60 dB of tones above the band', (rateHz) => {
    for (const hz of [4_050, 4_500, 5_000, 7_000, 7_900, 10_000, 15_000, 20_000])
      expect(levelDb(resampled(tone(hz, rateHz), rateHz)), `${hz} Hz`).toBeLessThan(-60);
  });

  it('a rate without a common divisor makes no noise above −50 dB', () => {
    const rateHz = 44_099;
    const out = resampled(tone(1_000, rateHz), rateHz);
    const rest = out.map((one, at) => one - 0.5 * Math.sin((2 * Math.PI * 1_000 * at) / SAMPLE_RATE_HZ));
    expect(levelDb(rest)).toBeLessThan(-50);
  });
});

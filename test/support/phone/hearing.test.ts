import { describe, expect, it } from 'vitest';
import { describeSegments, Hearing, type Segment } from './hearing.ts';
import { compress, expand, type Law } from './law.ts';
import { PALETTE_HZ, toneCoded, toneRecording, toneWav } from './tone-recording.ts';

/** Packets of 20 ms made of the given pieces, one after the other. */
function hear(
  pieces: readonly (readonly [durationMs: number, ...frequencies: number[]])[],
  law: Law = 'pcmu',
  noise = 0,
): Segment[] {
  const samples = pieces.flatMap(([durationMs, ...frequencies]) =>
    Array.from({ length: durationMs * 8 }, (_, i) =>
      frequencies.reduce((sum, hz) => sum + 4_000 * Math.sin((2 * Math.PI * hz * i) / 8_000), 0),
    ),
  );
  const heard = samples.map((sample, i) => expand(law, compress(law, sample + noise * Math.sin(i * i))));
  const hearing = new Hearing();
  for (let at = 0; at < heard.length; at += 160) {
    hearing.add({ atMs: at / 8, durationMs: 20, samples: Float64Array.from(heard.slice(at, at + 160)) });
  }
  return hearing.segments();
}

describe('what the phone hears', () => {
  it.each(PALETTE_HZ)('measures %i Hz to within 5 Hz, in both laws', (hz) => {
    for (const law of ['pcmu', 'pcma'] as const) {
      const [segment, ...rest] = hear([[300, hz]], law);
      expect(Math.abs(Number(segment?.hz) - hz)).toBeLessThan(5);
      expect(rest).toEqual([]);
    }
  });

  it('distinguishes the palette from keys, from call progress tones and from itself', () => {
    const taken = [697, 770, 852, 941, 1_209, 1_336, 1_477, 1_633, 400, 440, 480, 620, 1_000];
    const near = PALETTE_HZ.filter((hz, at) =>
      [...taken, ...PALETTE_HZ.slice(0, at)].some((other) => Math.abs(other - hz) < 40),
    );
    expect(near).toEqual([]);
  });

  it.each([
    ['ringback', 440, 480],
    ['busy', 480, 620],
    ['a key', 697, 1_209],
    ['another key', 941, 1_633],
  ])('hears %s as two tones', (_, low, high) => {
    const segments = hear([[100], [500, low, high], [200]]);
    expect(segments.map(({ hz }) => hz)).toEqual(['silence', 'dual', 'silence']);
    expect(Math.abs((segments[1]?.pair?.[0] ?? 0) - low)).toBeLessThan(20);
    expect(Math.abs((segments[1]?.pair?.[1] ?? 0) - high)).toBeLessThan(20);
  });

  it('finds where one prompt ends and the next begins, to within a packet or two', () => {
    const segments = hear([[200], [510, 540], [100], [333, 1_270], [250, 1_400], [400]]);
    expect(segments.map(({ hz }) => (typeof hz === 'number' ? Math.round(hz / 10) * 10 : hz))).toEqual([
      'silence', 540, 'silence', 1_270, 1_400, 'silence',
    ]); // biome-ignore format: a list
    const ends = [200, 710, 810, 1_143, 1_393];
    for (const [at, end] of ends.entries())
      expect(Math.abs((segments[at]?.toMs ?? 0) - end)).toBeLessThan(45);
  });

  it('calls noise noise, and a gap nothing', () => {
    expect(hear([[300]], 'pcmu', 6_000).map(({ hz }) => hz)).toEqual(['noise']);
    const hearing = new Hearing();
    const tone = Float64Array.from(
      { length: 160 },
      (_, i) => 4_000 * Math.sin((2 * Math.PI * 540 * i) / 8_000),
    );
    for (const atMs of [0, 20, 40, 60, 500, 520, 540]) hearing.add({ atMs, durationMs: 20, samples: tone });
    expect(describeSegments(hearing.segments())).toMatch(
      /^54\d Hz \(0–80 ms\), nothing \(80–500 ms\), 54\d Hz \(500–560 ms\)$/,
    );
  });

  it('makes recordings of a tone', () => {
    expect(toneRecording(540, 250)).toHaveLength(2_000);
    const wav = toneWav(540, 250);
    expect(wav.length).toBe(44 + 4_000);
    expect(wav.readUInt32LE(40)).toBe(4_000);
    expect(toneCoded('welcome', 'menu')).toEqual({ welcome: 540, menu: 1_060 });
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeAlaw, encodeUlaw, ulawToLinear } from '../audio/g711.ts';
import { KEY_COLUMNS_HZ, KEY_ROWS_HZ, KEYS } from '../audio/tones.ts';
import { readWav } from '../audio/wav.ts';
import { type Codec, PCMA, PCMU } from '../codec.ts';
import { DtmfDetector } from './dtmf-detector.ts';

/** Peak of a sine at 0 dBm0. */
const FULL = 22_300;
const level = (dbm0: number): number => FULL * 10 ** (dbm0 / 20);

/** The same numbers at every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface KeyShape {
  readonly rowDbm0?: number;
  readonly columnDbm0?: number;
  readonly onMs?: number;
  readonly pauseMs?: number;
  /** Factor on both frequencies. */
  readonly detune?: number;
  /** Silence before it, so that keys meet the blocks at every offset. */
  readonly leadSamples?: number;
}

function keySamples(key: string, shape: KeyShape = {}): number[] {
  const at = KEYS.indexOf(key);
  const { rowDbm0 = -12, columnDbm0 = -10, onMs = 60, pauseMs = 60, detune = 1, leadSamples = 0 } = shape;
  const row = (KEY_ROWS_HZ[at >> 2] ?? 0) * detune;
  const column = (KEY_COLUMNS_HZ[at & 3] ?? 0) * detune;
  const samples: number[] = new Array(leadSamples).fill(0);
  for (let i = 0; i < onMs * 8; i += 1) {
    const turn = (2 * Math.PI * i) / 8_000;
    samples.push(level(rowDbm0) * Math.sin(turn * row) + level(columnDbm0) * Math.sin(turn * column + 1));
  }
  for (let i = 0; i < pauseMs * 8; i += 1) samples.push(0);
  return samples;
}

function detect(samples: readonly number[], codec: Codec = PCMU, packet = 160): string {
  let keys = '';
  const detector = new DtmfDetector((key) => {
    keys += key;
  });
  const encode = codec === PCMU ? encodeUlaw : encodeAlaw;
  const clip = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));
  const audio = Uint8Array.from(samples, (sample) => encode(clip(sample)));
  for (let at = 0; at < audio.length; at += packet) detector.push(audio.subarray(at, at + packet), codec);
  return keys;
}

const folder = new URL('../../../examples/recordings/', import.meta.url);
const speech = readdirSync(folder)
  .filter((name) => name.endsWith('.wav'))
  .map((name) => {
    const audio = readWav(readFileSync(new URL(name, folder)));
    if (!Buffer.isBuffer(audio)) throw new Error(`${name}: ${audio.fault}`);
    return { name, samples: Array.from(audio, (byte) => ulawToLinear[byte] ?? 0) };
  });

describe('the in-band key detector', () => {
  it.each([-3, -10, -20, -27])('detects all 16 keys at %i dBm0 per frequency, in both laws', (dbm0) => {
    const samples = [...KEYS].flatMap((key) => keySamples(key, { rowDbm0: dbm0, columnDbm0: dbm0 }));
    expect(detect(samples)).toBe(KEYS);
    expect(detect(samples, PCMA)).toBe(KEYS);
  });

  it('detects keys of 40 ms with pauses of 40 ms, wherever the blocks begin', () => {
    for (let leadSamples = 0; leadSamples < 102; leadSamples += 3) {
      const shape = { onMs: 40, pauseMs: 40 };
      const lead = new Array<number>(leadSamples).fill(0);
      const samples = [...KEYS].flatMap((key) => keySamples(key, shape));
      expect(detect([...lead, ...samples])).toBe(KEYS);
    }
  });

  it('detects the same key twice, and a long key once', () => {
    expect(detect([...keySamples('5', { onMs: 45, pauseMs: 45 }), ...keySamples('5')])).toBe('55');
    expect(detect(keySamples('5', { onMs: 5_000 }))).toBe('5');
  });

  it('does not hear what is 17 ms long or shorter', () => {
    for (let leadSamples = 0; leadSamples < 102; leadSamples += 5) {
      expect(detect(keySamples('8', { onMs: 17, leadSamples }))).toBe('');
    }
  });

  it('takes a key of which one packet is lost for one key', () => {
    const whole = keySamples('7', { onMs: 200 });
    for (let at = 320; at < 1_280; at += 160) {
      const leftOut = [...whole.slice(0, at), ...whole.slice(at + 160)];
      const silenced = whole.map((sample, i) => (i >= at && i < at + 160 ? 0 : sample));
      expect(detect(leftOut)).toBe('7');
      expect(detect(silenced)).toBe('7');
    }
  });

  it.each([
    [-8, -4],
    [-16, -12],
    [-8, -16],
  ])('bears twist: row %d, column %d dBm0', (rowDbm0, columnDbm0) => {
    expect(detect([...KEYS].flatMap((key) => keySamples(key, { rowDbm0, columnDbm0 })))).toBe(KEYS);
  });

  it.each([
    [-24, -8],
    [-8, -24],
  ])('refuses twist that no keypad makes: row %d, column %d dBm0', (rowDbm0, columnDbm0) => {
    expect(detect([...KEYS].flatMap((key) => keySamples(key, { rowDbm0, columnDbm0 })))).toBe('');
  });

  it('bears frequencies that are 1.5 % off, as Q.24 asks, and refuses 6 %', () => {
    for (const detune of [0.985, 1.015]) {
      expect(detect([...KEYS].flatMap((key) => keySamples(key, { detune })))).toBe(KEYS);
    }
    for (const detune of [0.94, 1.06]) {
      expect(detect([...'1D0'].flatMap((key) => keySamples(key, { detune })))).toBe('');
    }
  });

  it('detects keys 12 dB above white noise', () => {
    const next = random(7);
    for (let round = 0; round < 10; round += 1) {
      const samples = [...KEYS].flatMap((key) => keySamples(key, { onMs: 80 }));
      // Uniform noise between ±peak has the power peak² / 3; a key of two sines has its amplitude squared, about.
      const peak = Math.sqrt(3) * level(-11) * 10 ** (-12 / 20);
      expect(detect(samples.map((sample) => sample + (2 * next() - 1) * peak))).toBe(KEYS);
    }
  });

  it('detects no key in speech', () => {
    for (const { name, samples } of speech) {
      for (const gain of [0.5, 1, 2]) {
        for (const offset of [0, 51]) {
          const heard = detect(samples.slice(offset).map((sample) => sample * gain));
          expect({ name, gain, offset, heard }).toEqual({ name, gain, offset, heard: '' });
        }
      }
    }
  });

  it('detects no key in voices from deep to high', () => {
    for (const { name, samples } of speech) {
      for (let rate = 0.6; rate < 1.8; rate += 0.15) {
        // Read faster or slower, a voice is a higher or a deeper one.
        const voice = Array.from({ length: Math.floor(samples.length / rate) - 1 }, (_, i) => {
          const at = Math.floor(i * rate);
          const part = i * rate - at;
          return (samples[at] ?? 0) * (1 - part) + (samples[at + 1] ?? 0) * part;
        });
        expect({ name, rate, heard: detect(voice) }).toEqual({ name, rate, heard: '' });
      }
    }
  });

  it('detects no key in 60 s of noise, nor in single tones and chords', () => {
    const next = random(1);
    const noise = Array.from({ length: 60 * 8_000 }, () => (2 * next() - 1) * 12_000);
    expect(detect(noise)).toBe('');
    const scale = Array.from({ length: 60 }, (_, i) => 110 * 2 ** (i / 12));
    for (const root of scale) {
      const chord = [1, 5 / 4, 3 / 2, 2, 3, 4].map((ratio) => root * ratio).filter((hz) => hz < 3_800);
      const samples = Array.from({ length: 2_400 }, (_, i) =>
        chord.reduce((sum, hz, n) => sum + (5_000 / (n + 1)) * Math.sin((2 * Math.PI * hz * i) / 8_000), 0),
      );
      expect({ root, heard: detect(samples) }).toEqual({ root, heard: '' });
    }
    for (let hz = 300; hz < 3_400; hz += 10) {
      const samples = Array.from(
        { length: 1_600 },
        (_, i) => 9_000 * Math.sin((2 * Math.PI * hz * i) / 8_000),
      );
      expect({ hz, heard: detect(samples) }).toEqual({ hz, heard: '' });
    }
  });

  it('detects no key in ringback, busy and other tones of exchanges', () => {
    for (const [one, two] of [
      [440, 480],
      [480, 620],
      [350, 440],
      [425, 425],
      [950, 1_400],
      [1_100, 2_100],
      [1_400, 1_800],
    ]) {
      const samples = Array.from({ length: 8_000 }, (_, i) =>
        [one, two].reduce<number>(
          (sum, hz) => sum + 5_000 * Math.sin((2 * Math.PI * (hz ?? 0) * i) / 8_000),
          0,
        ),
      );
      expect({ one, two, heard: detect(samples) }).toEqual({ one, two, heard: '' });
    }
  });

  it('detects every key under speech that is 12 dB softer, and nothing else', () => {
    for (const { samples } of speech) {
      const mean = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
      const gain = (level(-11) * 10 ** (-12 / 20)) / mean;
      const keys = [...'159D#0'].flatMap((key) => keySamples(key, { onMs: 100, pauseMs: 200 }));
      expect(detect(samples.map((sample, i) => sample * gain + (keys[i] ?? 0)))).toBe('159D#0');
    }
  });

  it('does not care how the audio is cut into packets', () => {
    const samples = [...'1#*0'].flatMap((key) => keySamples(key));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), (packet) => detect(samples, PCMU, packet) === '1#*0'),
      { numRuns: 30 },
    );
  });

  it('starts anew after a reset', () => {
    let keys = '';
    const detector = new DtmfDetector((key) => {
      keys += key;
    });
    const audio = Uint8Array.from(keySamples('3', { pauseMs: 0 }), (sample) =>
      encodeUlaw(Math.round(sample)),
    );
    detector.push(audio, PCMU);
    detector.reset();
    detector.push(audio, PCMU);
    expect(keys).toBe('33');
  });
});

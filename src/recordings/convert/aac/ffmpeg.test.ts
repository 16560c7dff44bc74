// The same files through FFmpeg's decoder, which shares no code with ours: rates, channels, bit rates, and every tool of AAC-LC that
// its encoder uses.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeMp4 } from '../mp4.ts';
import { type Decoding, SoundFile } from '../sound-file.ts';
import { decodeAdts } from './adts.ts';

function ffmpegMissing(): boolean {
  if (spawnSync('ffmpeg', ['-version']).status === 0) return false;
  if (process.env['CI']) throw new Error('ffmpeg is not installed.');
  console.warn("\n!!! ffmpeg is not installed: our AAC decoder IS NOT COMPARED with FFmpeg's.\n");
  return true;
}

/** A tone that rises, noise, and clicks, which make the encoder use short windows and TNS. */
const SWEEP = '0.3*sin(2*PI*(200*t+1500*t*t))';
const CLICKS = '0.8*exp(-90*mod(t,0.13))*sin(2*PI*2300*t)';
const NOISE = '0.1*(2*random(0)-1)';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-ffmpeg-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ffmpeg = (...words: readonly string[]): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...words], { maxBuffer: 64 * 1024 * 1024 });

interface Encoding {
  readonly rateHz: number;
  readonly channels: readonly string[];
  readonly kbits: number;
  readonly file?: string;
  readonly options?: readonly string[];
}

function encode({ rateHz, channels, kbits, file = 'sound.aac', options = [] }: Encoding): string {
  const path = join(folder, file);
  const source = `aevalsrc=${channels.join('|').replaceAll(',', '\\,')}:d=1:s=${rateHz}`;
  ffmpeg('-f', 'lavfi', '-i', source, '-c:a', 'aac', '-b:a', `${kbits}k`, ...options, path);
  return path;
}

/** Both decodings of a file, mixed to one channel. */
async function both(path: string, channels: number): Promise<{ ours: Float64Array; theirs: Float64Array }> {
  const raw = ffmpeg('-i', path, '-f', 'f32le', '-');
  const theirs = Float64Array.from({ length: raw.length / 4 / channels }, (_, at) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += raw.readFloatLE((at * channels + channel) * 4);
    return sum / channels;
  });
  const file = new SoundFile(path);
  try {
    const decoding: Decoding = path.endsWith('.aac') ? decodeAdts(file, 0) : decodeMp4(file);
    const ours: number[] = [];
    for await (const { samples } of decoding.pieces()) ours.push(...samples);
    expect(decoding.damaged()).toBe(false);
    return { ours: Float64Array.from(ours), theirs };
  } finally {
    file.close();
  }
}

const power = (samples: Float64Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0);
const ratioDb = (signal: number, noise: number): number => 10 * Math.log10(signal / noise);

describe.skipIf(ffmpegMissing())("beside FFmpeg's decoder", () => {
  const WITHOUT_NOISE = ['-aac_pns', '0'];
  const FRAGMENTS = ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '200000'];

  it.each<[string, Encoding]>([
    ['8 kHz', { rateHz: 8_000, channels: [`${SWEEP}+${NOISE}`], kbits: 16 }],
    ['16 kHz, clicks', { rateHz: 16_000, channels: [CLICKS], kbits: 24 }],
    ['22.05 kHz, stereo', { rateHz: 22_050, channels: [SWEEP, CLICKS], kbits: 32 }],
    ['32 kHz, a tone in both channels', { rateHz: 32_000, channels: [SWEEP, SWEEP], kbits: 48 }],
    ['44.1 kHz, stereo of noise and clicks', { rateHz: 44_100, channels: [NOISE, CLICKS], kbits: 128 }],
    ['48 kHz, loud and many bits', { rateHz: 48_000, channels: [`3*${SWEEP}`, NOISE], kbits: 256 }],
    ['96 kHz', { rateHz: 96_000, channels: [SWEEP], kbits: 96 }],
    ['five channels', { rateHz: 48_000, channels: [SWEEP, CLICKS, NOISE, NOISE, SWEEP], kbits: 256 }],
    ['M4A', { rateHz: 44_100, channels: [SWEEP], kbits: 64, file: 'sound.m4a' }],
    ['fragments', { rateHz: 44_100, channels: [CLICKS], kbits: 64, file: 'live.mp4', options: FRAGMENTS }],
  ])('%s: the difference is rounding', async (_, encoding) => {
    const path = encode({ ...encoding, options: [...WITHOUT_NOISE, ...(encoding.options ?? [])] });
    const { ours, theirs } = await both(path, encoding.channels.length);
    expect(ours.length).toBeGreaterThan(0.95 * encoding.rateHz);
    const noise = power(ours.map((sample, at) => sample - (theirs[at] ?? 0)));
    expect(ratioDb(power(theirs.subarray(0, ours.length)), noise)).toBeGreaterThan(100);
  });

  it('noise that is made by the decoder (PNS) is as loud, though not the same', async () => {
    const path = encode({ rateHz: 44_100, channels: [`3*${NOISE}`], kbits: 32, options: ['-aac_pns', '1'] });
    const { ours, theirs } = await both(path, 1);
    expect(Math.abs(ratioDb(power(ours), power(theirs)))).toBeLessThan(0.5);
  });
});

// Sound for the tests of the conversion: WAV files of any format, and how loud a tone is in what came out.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_RATE_HZ } from '../../media/audio/frame.ts';
import { ulawToLinear } from '../../media/audio/g711.ts';
import { type Converted, convertFile, type Refused } from './convert.ts';

export interface WavForm {
  readonly rateHz: number;
  readonly channels?: number;
  readonly bits?: number;
  /** 1 PCM, 3 floating point, 6 A-law, 7 µ-law. */
  readonly code?: number;
  /** One sample, from −1 to 1, at a place in a file. */
  readonly write: (file: Buffer, sample: number, at: number) => void;
}

export const PCM16 = (rateHz: number): WavForm => ({
  rateHz,
  write: (file, sample, at) => void file.writeInt16LE(Math.round(sample * 32_767), at),
});

export function wavFile(
  form: WavForm,
  seconds: number,
  sound: (second: number, channel: number) => number,
): Buffer {
  const { rateHz, channels = 1, bits = 16, code = 1, write } = form;
  const sampleBytes = Math.ceil(bits / 8);
  const frames = Math.round(seconds * rateHz);
  const file = Buffer.alloc(44 + frames * channels * sampleBytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(code, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(rateHz, 24);
  file.writeUInt32LE(rateHz * channels * sampleBytes, 28);
  file.writeUInt16LE(channels * sampleBytes, 32);
  file.writeUInt16LE(bits, 34);
  file.write('data', 36);
  file.writeUInt32LE(file.length - 44, 40);
  for (let frame = 0; frame < frames; frame++)
    for (let channel = 0; channel < channels; channel++)
      write(file, sound(frame / rateHz, channel), 44 + (frame * channels + channel) * sampleBytes);
  return file;
}

export const tone =
  (hz: number, amplitude = 0.5) =>
  (second: number): number =>
    amplitude * Math.sin(2 * Math.PI * hz * second);

export async function convertBytes(bytes: Uint8Array): Promise<Converted | Refused> {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-convert-'));
  try {
    writeFileSync(join(folder, 'sound'), bytes);
    return await convertFile(join(folder, 'sound'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function converted(bytes: Uint8Array): Promise<Converted> {
  const outcome = await convertBytes(bytes);
  if ('refused' in outcome) throw new Error(outcome.message);
  return outcome;
}

/** The amplitude of one frequency in the middle of the sound, in dB below full scale. */
export function amplitudeDb(ulaw: Buffer, hz: number): number {
  const from = Math.floor(ulaw.length / 4);
  const count = Math.floor(ulaw.length / 2);
  let [real, imaginary, weights] = [0, 0, 0];
  for (let at = 0; at < count; at++) {
    // Hann's window, so that a tone next to it does not leak in.
    const weight = 1 - Math.cos((2 * Math.PI * at) / count);
    const sample = (weight * (ulawToLinear[ulaw[from + at] ?? 0xff] ?? 0)) / 32_768;
    real += sample * Math.cos((2 * Math.PI * hz * at) / SAMPLE_RATE_HZ);
    imaginary += sample * Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE_HZ);
    weights += weight;
  }
  return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / weights + 1e-9);
}

/** Everything that sounds, in dB below a sine at full scale. */
export function totalDb(ulaw: Buffer): number {
  const middle = ulaw.subarray(ulaw.length / 4, (ulaw.length * 3) / 4);
  const power =
    middle.reduce((sum, byte) => sum + ((ulawToLinear[byte] ?? 0) / 32_768) ** 2, 0) / middle.length;
  return 10 * Math.log10(2 * power + 1e-12);
}

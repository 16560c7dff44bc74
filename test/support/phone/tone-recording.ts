// Recordings that prove what was heard: each prompt is a tone of its own, and a phone recognises it by frequency.
import { compress } from './law.ts';

/**
 * Far enough from each other, from the eight frequencies of keys and from those of ringback (440, 480), busy (480, 620), the beep
 * (1000) and the tone for a missing recording (400).
 */
export const PALETTE_HZ: readonly number[] = [
  540, 1_060, 1_140, 1_270, 1_400, 1_555, 1_700, 1_780, 1_860, 1_940, 2_020, 2_100, 2_180, 2_260, 2_340,
  2_420, 2_500, 2_580, 2_660, 2_740, 2_820, 2_900, 3_000, 3_100,
];

/** A frequency for each name, in the order of the names. */
export function toneCoded<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, number>> {
  if (names.length > PALETTE_HZ.length)
    throw new Error(`there are ${PALETTE_HZ.length} tones, not ${names.length}`);
  return Object.fromEntries(names.map((name, index) => [name, PALETTE_HZ[index]])) as Record<Name, number>;
}

/** µ-law at 8 kHz, as `loadSound` of the media engine takes it. */
export function toneRecording(hz: number, durationMs: number, amplitude = 8_000): Buffer {
  return Buffer.from(
    Array.from({ length: Math.round(durationMs * 8) }, (_, i) =>
      compress('pcmu', amplitude * Math.sin((2 * Math.PI * hz * i) / 8_000)),
    ),
  );
}

/** The same as a WAV file of 16-bit linear samples, as a person would upload it. */
export function toneWav(hz: number, durationMs: number, amplitude = 8_000): Buffer {
  const samples = Math.round(durationMs * 8);
  const file = Buffer.alloc(44 + 2 * samples);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + 2 * samples, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(16_000, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(2 * samples, 40);
  for (let i = 0; i < samples; i += 1) {
    file.writeInt16LE(Math.round(amplitude * Math.sin((2 * Math.PI * hz * i) / 8_000)), 44 + 2 * i);
  }
  return file;
}

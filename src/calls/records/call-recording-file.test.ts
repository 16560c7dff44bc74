// The WAV file of a recording, and what is left of one after a crash.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { recordingFolder } from '../testing/recording-bed.ts';
import { HEADER_BYTES, rescue, wavHeader } from './call-recording-file.ts';

const folder = recordingFolder();
const paths = () => ({
  note: folder.path('a.json'),
  part: folder.path('a.part'),
  whole: folder.path('a.wav'),
});

it.each([1, 2])('a file of %s channels has the header of RIFF WAVE with µ-law', (channels) => {
  const header = wavHeader(channels, 16_000);
  const text = (at: number) => header.toString('latin1', at, at + 4);
  const [u16, u32] = [(at: number) => header.readUInt16LE(at), (at: number) => header.readUInt32LE(at)];
  expect([header.length, text(0), u32(4), text(8)]).toEqual([58, 'RIFF', 50 + 16_000, 'WAVE']);
  // Format 7 is µ-law: 8,000 samples a second, a byte for each channel.
  expect([text(12), u32(16), u16(20), u16(22)]).toEqual(['fmt ', 18, 7, channels]);
  expect([u32(24), u32(28), u16(32), u16(34), u16(36)]).toEqual([8_000, 8_000 * channels, channels, 8, 0]);
  expect([text(38), u32(42), u32(46)]).toEqual(['fact', 4, 16_000 / channels]);
  expect([text(50), u32(54)]).toEqual(['data', 16_000]);
});

it('a file that a crash cut inside a sample is completed without that sample', async () => {
  writeFileSync(paths().part, Buffer.concat([wavHeader(2, 0), Buffer.alloc(801, 0x55)]), { mode: 0o600 });
  expect(await rescue(paths(), 2)).toBe(HEADER_BYTES + 800);
  const file = readFileSync(paths().whole);
  expect([file.length, file.readUInt32LE(54), file.readUInt32LE(46)]).toEqual([HEADER_BYTES + 800, 800, 400]);
  expect(file.subarray(HEADER_BYTES).every((byte) => byte === 0x55)).toBe(true);
});

it('a file that is shorter than its header is completed as an empty one; without any there is nothing', async () => {
  expect(await rescue(paths(), 1)).toBeNull();
  writeFileSync(paths().part, 'RIFF');
  expect(await rescue(paths(), 1)).toBe(HEADER_BYTES);
  expect(statSync(paths().whole).size).toBe(HEADER_BYTES);
  // Again, after a crash between the rename and the row.
  expect(await rescue(paths(), 1)).toBe(HEADER_BYTES);
});

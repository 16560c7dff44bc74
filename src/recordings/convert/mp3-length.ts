// How long an MPEG audio stream will last, from the headers of its frames, without decoding any of them.
import type { SoundFile } from './sound-file.ts';

const WINDOW_BYTES = 64 * 1024;
/** By version (1 or 2), layer and index, in kbit/s. */
const BITRATES: Readonly<Record<string, readonly number[]>> = {
  '1-1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1-2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2-2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2-3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES_HZ = [44_100, 48_000, 32_000];

/** Stops counting once it is more than `enough`. Frames whose length cannot be known (free format) are not counted. */
export function mp3Seconds(file: SoundFile, enough: number): number {
  let seconds = 0;
  let at = 0;
  let windowAt = 0;
  let window = file.read(0, WINDOW_BYTES);
  while (at + 4 <= file.size && seconds <= enough) {
    if (at + 4 > windowAt + window.length) {
      windowAt = at;
      window = file.read(at, WINDOW_BYTES);
      if (window.length < 4) break;
    }
    const frame = frameOf(window, at - windowAt);
    seconds += frame?.seconds ?? 0;
    at += frame?.bytes ?? 1;
  }
  return seconds;
}

function frameOf(bytes: Buffer, at: number): { readonly bytes: number; readonly seconds: number } | null {
  if (bytes[at] !== 0xff) return null;
  const [, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if ((second & 0xe0) !== 0xe0) return null;
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const rate = RATES_HZ[(third >> 2) & 3];
  const bitrate = BITRATES[`${version === 3 ? 1 : 2}-${layer}`]?.[third >> 4];
  if (version === 1 || !rate || !bitrate) return null;
  const rateHz = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1_152;
  const padding = (third >> 1) & 1;
  const slot = layer === 1 ? 4 : 1;
  const length = (Math.floor(((samples / 8 / slot) * bitrate * 1000) / rateHz) + padding) * slot;
  return { bytes: Math.max(4, length), seconds: samples / rateHz };
}

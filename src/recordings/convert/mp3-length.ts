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

export interface Mp3Extent {
  readonly seconds: number;
  /** The file ends within a frame, or has fewer frames than its first one (Xing, Info) announces. */
  readonly cutShort: boolean;
}

/** Stops counting once it is more than `enough`. Frames whose length cannot be known (free format) are not counted. */
export function mp3Extent(file: SoundFile, enough: number): Mp3Extent {
  let seconds = 0;
  let at = afterTag(file);
  let windowAt = at;
  let window = file.read(at, WINDOW_BYTES);
  let announced = 0;
  let frames = 0;
  /** Where the frame before ended, and how it began: noise that looks like a head does not follow on one. */
  let before = { end: -1, kind: -1 };
  let isCut = false;
  while (at + 4 <= file.size && seconds <= enough) {
    if (at + 4 > windowAt + window.length) {
      windowAt = at;
      window = file.read(at, WINDOW_BYTES);
      if (window.length < 4) break;
    }
    const frame = frameOf(window, at - windowAt);
    if (frame) {
      isCut = at + frame.bytes > file.size && before.end === at && before.kind === frame.kind;
      if (frames === 0) announced = announcedFrames(file.read(at, ANNOUNCEMENT_BYTES));
      frames += 1;
      before = { end: at + frame.bytes, kind: frame.kind };
    }
    seconds += frame?.seconds ?? 0;
    at += frame?.bytes ?? 1;
  }
  // The frame that announces is not one of those announced.
  return { seconds, cutShort: isCut || (announced > 0 && frames - 1 < announced) };
}

/** ID3v2: its size in four times seven bits. Its pictures may hold what looks like frames. */
export function afterTag(file: SoundFile): number {
  const head = file.read(0, 10);
  if (head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = head.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return 10 + size < file.size ? 10 + size : 0;
}

/** Head, checksum, side information of at most 32 bytes, and the announcement with its flags and number. */
const ANNOUNCEMENT_BYTES = 6 + 32 + 12;

/** 0: the first frame announces nothing. */
function announcedFrames(frame: Buffer): number {
  const at = Math.max(frame.indexOf('Xing', 0, 'latin1'), frame.indexOf('Info', 0, 'latin1'));
  if (at < 0 || at + 12 > frame.length) return 0;
  return (frame.readUInt32BE(at + 4) & 1) === 1 ? frame.readUInt32BE(at + 8) : 0;
}

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
  /** Version, layer and rate, which do not change within a stream. */
  readonly kind: number;
}

function frameOf(bytes: Buffer, at: number): Frame | null {
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
  return {
    bytes: Math.max(4, length),
    seconds: samples / rateHz,
    kind: (second & 0x1e) | ((third & 0x0c) << 4),
  };
}

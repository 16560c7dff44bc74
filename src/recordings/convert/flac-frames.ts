// A FLAC file frame by frame (RFC 9639). A frame of 14 bytes may stand for 65,535 samples of eight channels, so the decoder gets one
// at a time, and how long the file lasts is known from the heads of its frames before any is decoded.
import type { SoundFile } from './sound-file.ts';
import { Unplayable } from './unplayable.ts';

export interface FlacInfo {
  /** "fLaC" and the block STREAMINFO, which tells the decoder what frames may leave out. */
  readonly head: Buffer;
  readonly rateHz: number;
  readonly channels: number;
  /** 0: not known. */
  readonly totalSamples: number;
  readonly framesAt: number;
}

export interface FlacFrame {
  readonly bytes: Buffer;
  readonly samples: number;
}

const MAX_METADATA_BLOCKS = 128;
const STREAMINFO_BYTES = 34;
const READ_BYTES = 256 * 1024;
/** 65,535 samples of eight channels with 32 bits, and heads. */
const MAX_FRAME_BYTES = 2_200_000;
const MAX_HEAD_BYTES = 16;

const broken = (why: string): Unplayable =>
  new Unplayable('audio_malformed', `The FLAC file is broken: ${why}.`);

export function readFlacInfo(file: SoundFile): FlacInfo {
  const head = file.read(0, 8 + STREAMINFO_BYTES);
  if (head.length < 8 + STREAMINFO_BYTES || ((head[4] ?? 0) & 0x7f) !== 0)
    throw broken('its description (STREAMINFO) is missing');
  const info = head.subarray(8);
  const word = info.readUInt32BE(10);
  // The decoder must not wait for further blocks.
  const alone = Buffer.from(head);
  alone[4] = 0x80;
  return {
    head: alone,
    rateHz: word >>> 12,
    channels: ((word >>> 9) & 7) + 1,
    totalSamples: ((info[13] ?? 0) & 0x0f) * 2 ** 32 + info.readUInt32BE(14),
    framesAt: afterMetadata(file),
  };
}

function afterMetadata(file: SoundFile): number {
  let at = 4;
  for (let block = 0; block < MAX_METADATA_BLOCKS; block++) {
    const head = file.read(at, 4);
    if (head.length < 4) throw broken('its metadata is cut short');
    at += 4 + head.readUIntBE(1, 3);
    if (((head[0] ?? 0) & 0x80) !== 0) return at;
  }
  throw broken(`it has more than ${MAX_METADATA_BLOCKS} blocks of metadata`);
}

/**
 * §9.1, §9.3: a frame ends where its checksum is zero and the next head begins, or the file ends. Each byte is summed once, whatever the
 * heads claim. Bytes between frames are skipped, and reported.
 */
export function* flacFrames(file: SoundFile, from: number, skipped: () => void): Iterable<FlacFrame> {
  let bytes = file.read(from, READ_BYTES);
  let readTo = from + bytes.length;
  let start = 0;
  let head = frameHead(bytes, 0);
  let at = head?.bytes ?? 1;
  let sum = head ? crc16(0, bytes, 0, at) : 0;
  for (;;) {
    if (at + MAX_HEAD_BYTES > bytes.length && readTo < file.size) {
      const more = file.read(readTo, READ_BYTES);
      readTo += more.length;
      bytes = Buffer.concat([bytes.subarray(start), more]);
      at -= start;
      start = 0;
    }
    // Inside a frame only a zero sum asks for the next head: a file of nothing but heads costs no more than any other.
    if (head !== null && sum !== 0) {
      const last = readTo < file.size ? bytes.length - MAX_HEAD_BYTES : bytes.length;
      const to = Math.min(last, start + MAX_FRAME_BYTES + 1);
      while (at < to && sum !== 0) sum = nextCrc16(sum, bytes[at++] ?? 0);
    }
    const isOver = at >= bytes.length;
    const next = isOver ? null : frameHead(bytes, at);
    const endsHere = head !== null && sum === 0 && (isOver || next !== null);
    if (endsHere) yield { bytes: bytes.subarray(start, at), samples: head?.samples ?? 0 };
    if (isOver) {
      if (!endsHere && at > start) skipped();
      return;
    }
    const isLost = head === null ? next !== null : at - start > MAX_FRAME_BYTES;
    if (isLost) skipped();
    if (endsHere || isLost) {
      start = at;
      head = next;
      sum = 0;
    }
    const step = endsHere || isLost ? (next?.bytes ?? 1) : 1;
    sum = crc16(sum, bytes, at, at + step);
    at += step;
    if (head === null) start = at;
  }
}

/** By the code of §9.1.1; 6 and 7 are written behind the number of the frame. */
function blockSamples(code: number): number {
  if (code === 1) return 192;
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8);
}

/** §9.1. Null: no head begins here. */
function frameHead(bytes: Buffer, at: number): { readonly bytes: number; readonly samples: number } | null {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return null;
  const sizes = bytes[at + 2] ?? 0;
  const shape = bytes[at + 3] ?? 0;
  const coded = bytes[at + 4] ?? 0;
  const sizeCode = sizes >> 4;
  const rateCode = sizes & 0x0f;
  if (sizeCode === 0 || rateCode === 15 || shape >> 4 > 10 || ((shape >> 1) & 7) === 3 || (shape & 1) === 1)
    return null;
  // As in UTF-8: as many leading ones as bytes.
  const numberBytes = coded < 0x80 ? 1 : Math.clz32(~(coded << 24));
  if (coded >= 0x80 && (numberBytes < 2 || numberBytes > 7)) return null;
  let next = at + 4 + numberBytes;
  let samples = blockSamples(sizeCode);
  if (sizeCode === 6) samples = (bytes[next++] ?? 0) + 1;
  else if (sizeCode === 7) {
    samples = ((bytes[next] ?? 0) << 8) + (bytes[next + 1] ?? 0) + 1;
    next += 2;
  }
  if (rateCode >= 12) next += rateCode === 12 ? 1 : 2;
  if (next >= bytes.length || crc8(bytes, at, next) !== bytes[next]) return null;
  return { bytes: next + 1 - at, samples };
}

function table(bits: 8 | 16, polynomial: number): Uint16Array {
  const top = 1 << (bits - 1);
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) sum = (sum & top ? (sum << 1) ^ polynomial : sum << 1) & (2 * top - 1);
    return sum;
  });
}

const CRC8 = table(8, 0x07);
const CRC16 = table(16, 0x8005);

function crc8(bytes: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum = CRC8[sum ^ (bytes[at] ?? 0)] ?? 0;
  return sum;
}

function crc16(start: number, bytes: Buffer, from: number, to: number): number {
  let sum = start;
  for (let at = from; at < to; at++) sum = nextCrc16(sum, bytes[at] ?? 0);
  return sum;
}

const nextCrc16 = (sum: number, byte: number): number =>
  ((sum << 8) & 0xffff) ^ (CRC16[(sum >> 8) ^ byte] ?? 0);

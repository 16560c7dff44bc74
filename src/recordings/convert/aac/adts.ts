// ADTS (ISO/IEC 14496-3 §1.A.2.2): frames of AAC one behind the other, each with a head. A head is only believed where another follows the
// frame, or the file ends there, since twelve bits of ones are frequent in any data.
import type { Decoding, SoundFile } from '../sound-file.ts';
import { MAX_SECONDS, tooLong, Unplayable } from '../unplayable.ts';
import { type AacFrame, decodeAac } from './aac.ts';
import { channelsOf, rateOf, refuseKind } from './audio-config.ts';
import { FRAME_SAMPLES } from './bands.ts';

const READ_BYTES = 256 * 1024;
const HEAD_BYTES = 7;
const MAX_FRAME_BYTES = 8_191;

interface Head {
  /** What does not change within a stream: kind, rate and channels. */
  readonly fixed: number;
  readonly bytes: number;
  readonly headBytes: number;
  readonly blocks: number;
  readonly isProtected: boolean;
}

interface AdtsFrame extends AacFrame {
  readonly fixed: number;
}

export const isAdts = (bytes: Buffer): boolean => readHead(bytes, 0) !== null;

export function decodeAdts(file: SoundFile, from: number): Decoding {
  const seen = { isDamaged: false };
  let fixed = -1;
  let rateHz = 0;
  let channels = 0;
  let blocks = 0;
  const skipped = (): void => {
    seen.isDamaged = true;
  };
  for (const frame of adtsFrames(file, from, skipped)) {
    if (fixed < 0) {
      fixed = frame.fixed;
      refuseKind((fixed >> 14) + 1);
      rateHz = rateOf((fixed >> 10) & 15);
      channels = channelsOf((fixed >> 6) & 7);
    }
    blocks += frame.blocks;
    if (blocks * FRAME_SAMPLES > MAX_SECONDS * rateHz) throw tooLong();
  }
  if (blocks === 0) throw new Unplayable('audio_malformed', 'The AAC file is broken: it has no whole frame.');
  return decodeAac({
    container: '',
    config: { rateHz, channels, isHighEfficiency: false },
    frames: () => adtsFrames(file, from, () => undefined),
    isCutShort: seen.isDamaged,
    skipSamples: 0,
    maxSamples: Number.POSITIVE_INFINITY,
  });
}

/** Bytes between frames are skipped, and reported. */
export function* adtsFrames(file: SoundFile, from: number, skipped: () => void): Iterable<AdtsFrame> {
  let bytes = file.read(from, READ_BYTES);
  let bytesAt = from;
  let at = from;
  let fixed = -1;
  while (at < file.size) {
    // A frame, and the head behind it.
    if (at + MAX_FRAME_BYTES + HEAD_BYTES > bytesAt + bytes.length && bytesAt + bytes.length < file.size) {
      bytes = file.read(at, READ_BYTES);
      bytesAt = at;
    }
    const start = at - bytesAt;
    const head = readHead(bytes, start);
    const isFrame =
      head !== null &&
      (fixed < 0 || head.fixed === fixed) &&
      (at + head.bytes === file.size || readHead(bytes, start + head.bytes)?.fixed === head.fixed);
    if (!isFrame) {
      skipped();
      const next = bytes.indexOf(0xff, start + 1);
      at = next < 0 ? bytesAt + bytes.length : bytesAt + next;
      continue;
    }
    fixed = head.fixed;
    at += head.bytes;
    yield {
      fixed,
      bytes: bytes.subarray(start + head.headBytes, start + head.bytes),
      blocks: head.blocks,
      isProtected: head.isProtected,
    };
  }
}

/**
 *  0        8        16       24       32       40       48
 *  11111111 1111vllp kkrrrrxc ccxxxxss ssssssss sssfffff ffffffbb
 *  l layer (0), p no checksum, k kind, r rate, c channels, s size with the head, b blocks less one
 */
function readHead(bytes: Buffer, at: number): Head | null {
  const second = bytes[at + 1] ?? 0;
  if (bytes[at] !== 0xff || (second & 0xf6) !== 0xf0 || at + HEAD_BYTES > bytes.length) return null;
  const third = bytes[at + 2] ?? 0;
  const fourth = bytes[at + 3] ?? 0;
  const last = bytes[at + 6] ?? 0;
  const size = ((fourth & 3) << 11) | ((bytes[at + 4] ?? 0) << 3) | ((bytes[at + 5] ?? 0) >> 5);
  const blocks = (last & 3) + 1;
  const isProtected = (second & 1) === 0;
  // With a checksum: where further blocks begin, and the sum itself. Each further block has one of its own.
  const headBytes = HEAD_BYTES + (isProtected ? 2 * blocks : 0);
  if (size <= headBytes) return null;
  return { fixed: ((third << 8) | (fourth & 0xc0)) & 0xfdc0, bytes: size, headBytes, blocks, isProtected };
}

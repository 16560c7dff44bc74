// AAC, of whatever container: frames through the decoder, and what is to be known of them. Decoded here and not by a package, since none
// that may be used decodes it (docs/decisions/0015-sound-formats.md).
import { Mixer } from '../mixer.ts';
import { channelsInWords } from '../ogg-decoding.ts';
import type { Decoding, Piece } from '../sound-file.ts';
import { Unplayable } from '../unplayable.ts';
import type { AudioConfig } from './audio-config.ts';
import { BitReader, BrokenFrame } from './bits.ts';
import { AacDecoder } from './decoder.ts';

export interface AacFrame {
  readonly bytes: Buffer;
  /** Of 1,024 samples each. */
  readonly blocks: number;
  /** A checksum stands between blocks. */
  readonly isProtected: boolean;
}

export interface AacStream {
  /** "M4A/", or nothing. */
  readonly container: string;
  readonly config: AudioConfig;
  readonly frames: () => Iterable<AacFrame>;
  readonly isCutShort: boolean;
  /** At the start, which an encoder adds. */
  readonly skipSamples: number;
  readonly maxSamples: number;
}

export function decodeAac(stream: AacStream): Decoding {
  const { container, config } = stream;
  const mixer = new Mixer();
  const decoder = new AacDecoder(config.rateHz);
  const seen = { faults: 0 };
  const kind = (): string => (config.isHighEfficiency || decoder.hasSbr ? 'HE-AAC' : 'AAC');
  return {
    format: () =>
      `${container}${kind()}, ${config.rateHz} Hz, ${channelsInWords(decoder.channels || config.channels)}`,
    pieces: () => piecesOf(stream, decoder, mixer, seen),
    damaged: () => stream.isCutShort || seen.faults > 0,
    clippedSamples: () => mixer.clippedSamples,
  };
}

function* piecesOf(
  { config, frames, skipSamples, maxSamples }: AacStream,
  decoder: AacDecoder,
  mixer: Mixer,
  seen: { faults: number },
): Iterable<Piece> {
  let toSkip = skipSamples;
  let left = maxSamples;
  let decoded = 0;
  for (const frame of frames()) {
    for (const channels of blocksOf(frame, decoder)) {
      if (channels) decoded += 1;
      else seen.faults += 1;
      const samples = mixer.mix(channels ?? decoder.conceal());
      const from = Math.min(toSkip, samples.length);
      const wanted = samples.subarray(from, from + Math.min(left, samples.length - from));
      toSkip -= from;
      left -= wanted.length;
      if (wanted.length > 0) yield { rateHz: config.rateHz, samples: wanted };
    }
    if (left === 0) break;
  }
  if (decoded === 0)
    throw new Unplayable('audio_malformed', 'The AAC sound is broken: none of its frames can be decoded.');
}

const CHECKSUM_BITS = 16;

/** Null for each block that is broken, and those behind it in the same frame. */
function* blocksOf(frame: AacFrame, decoder: AacDecoder): Iterable<Float32Array[] | null> {
  const bits = new BitReader(frame.bytes);
  let isBroken = false;
  for (let block = 0; block < frame.blocks; block++) {
    const channels: Float32Array[] | null = isBroken ? null : decodeBlock(bits, decoder);
    isBroken ||= channels === null || (frame.isProtected && !bits.has(CHECKSUM_BITS));
    if (frame.isProtected && !isBroken) bits.skip(CHECKSUM_BITS);
    yield channels;
  }
}

function decodeBlock(bits: BitReader, decoder: AacDecoder): Float32Array[] | null {
  try {
    return decoder.decode(bits);
  } catch (error) {
    if (error instanceof BrokenFrame) return null;
    throw error;
  }
}

// The head of anybody's WAV file: RIFF, RIFX (big-endian) or RF64, with any chunks before the sound. What is played is our own
// format alone (media/audio/wav.ts).
import type { SoundFile } from './sound-file.ts';
import { MAX_SECONDS, notDecoded, tooLong, Unplayable } from './unplayable.ts';

export type Coding = 'pcm' | 'float' | 'ulaw' | 'alaw';

export interface WavHead {
  readonly coding: Coding;
  readonly channels: number;
  readonly rateHz: number;
  readonly bits: number;
  /** The bytes of one sample of one channel; odd depths fill whole bytes. */
  readonly sampleBytes: number;
  readonly bigEndian: boolean;
  readonly dataAt: number;
  /** What is there, which may be less than was claimed. */
  readonly dataBytes: number;
  readonly cutShort: boolean;
}

/** Chunks that are looked at before the sound: a hostile file may hold millions of empty ones. */
const MAX_CHUNKS = 64;
const MAX_CHANNELS = 32;
export const MIN_RATE_HZ = 1_000;
export const MAX_RATE_HZ = 384_000;
const MAX_BITS = 64;
const CODINGS: Readonly<Record<number, Coding>> = { 1: 'pcm', 3: 'float', 6: 'alaw', 7: 'ulaw' };
const EXTENSIBLE = 0xfffe;
const UNKNOWN_SIZE = 0xffffffff;

const broken = (why: string): Unplayable =>
  new Unplayable('audio_malformed', `The WAV file is broken: ${why}.`);

export function readWavHead(file: SoundFile): WavHead {
  const start = file.read(0, 12);
  const bigEndian = start.toString('latin1', 0, 4) === 'RIFX';
  const word = (bytes: Buffer, at: number): number =>
    bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  let format: ReturnType<typeof readFormat> | null = null;
  let longSize: number | null = null;
  let at = 12;
  for (let chunk = 0; chunk < MAX_CHUNKS && at + 8 <= file.size; chunk++) {
    const head = file.read(at, 8);
    const name = head.toString('latin1', 0, 4);
    const size = word(head, 4);
    if (name === 'fmt ') format = readFormat(file.read(at + 8, Math.min(size, 40)), bigEndian);
    else if (name === 'ds64') longSize = readLongSize(file.read(at + 8, 16));
    else if (name === 'data') {
      if (!format) throw broken('its sound comes before its format');
      const claimed = size === UNKNOWN_SIZE ? longSize : isUnknown(size) ? null : size;
      return { ...format, bigEndian, ...extent(file, at + 8, claimed, format) };
    }
    at += 8 + size + (size & 1);
  }
  throw broken('there is no sound in it');
}

/** Programs that write into a pipe do not know the size yet: they claim nothing, or about 2 GB, or 4 GB less one byte. */
function isUnknown(size: number): boolean {
  return size === 0 || (size >= 0x7ff00000 && size <= 0x7fffffff);
}

function extent(
  file: SoundFile,
  dataAt: number,
  claimed: number | null,
  { channels, sampleBytes, rateHz }: { channels: number; sampleBytes: number; rateHz: number },
): Pick<WavHead, 'dataAt' | 'dataBytes' | 'cutShort'> {
  const frameBytes = channels * sampleBytes;
  const present = file.size - dataAt;
  const longest = MAX_SECONDS * rateHz * frameBytes;
  if ((claimed ?? 0) > longest || Math.min(present, claimed ?? present) > longest) throw tooLong();
  const bytes = Math.min(present, claimed ?? present);
  return {
    dataAt,
    dataBytes: bytes - (bytes % frameBytes),
    cutShort: claimed !== null && claimed > present,
  };
}

function readLongSize(body: Buffer): number | null {
  if (body.length < 16) return null;
  // Beyond 2^53 it is no size of any file: far too long either way.
  return Number(body.readBigUInt64LE(8));
}

function readFormat(
  body: Buffer,
  bigEndian: boolean,
): Pick<WavHead, 'coding' | 'channels' | 'rateHz' | 'bits' | 'sampleBytes'> {
  if (body.length < 16) throw broken('its format is cut short');
  const half = (at: number): number => (bigEndian ? body.readUInt16BE(at) : body.readUInt16LE(at));
  const word = (at: number): number => (bigEndian ? body.readUInt32BE(at) : body.readUInt32LE(at));
  const channels = half(2);
  const rateHz = word(4);
  const frameBytes = half(12);
  const bits = half(14);
  // The first word of the sub-format's GUID is the code that a plain file would have.
  const code = half(0) === EXTENSIBLE && body.length >= 28 ? word(24) & 0xffff : half(0);
  const coding = CODINGS[code];
  if (!coding) throw notDecoded(`The WAV file is in another coding than PCM (format ${code})`, 'wav');
  if (channels < 1 || channels > MAX_CHANNELS) throw broken(`it claims ${channels} channels`);
  if (rateHz < MIN_RATE_HZ || rateHz > MAX_RATE_HZ)
    throw broken(`it claims ${rateHz} samples per second; ${MIN_RATE_HZ} to ${MAX_RATE_HZ} are understood`);
  const sampleBytes = frameBytes / channels;
  if (
    bits < 1 ||
    bits > MAX_BITS ||
    !Number.isInteger(sampleBytes) ||
    sampleBytes > 8 ||
    sampleBytes * 8 < bits
  )
    throw broken(`${bits} bits and ${channels} channels do not make ${frameBytes} bytes`);
  const whole = coding === 'pcm' || (coding === 'float' ? [4, 8].includes(sampleBytes) : sampleBytes === 1);
  if (!whole || (coding === 'float' && bits !== sampleBytes * 8))
    throw broken(
      `${bits} bits are no ${coding === 'float' ? 'floating-point number' : 'sample of this coding'}`,
    );
  return { coding, channels, rateHz, bits, sampleBytes };
}

// AudioSpecificConfig of ISO/IEC 14496-3 §1.6.2.1: which of the many kinds of AAC this is.
import { Unplayable } from '../unplayable.ts';
import { RATES_HZ } from './bands.ts';
import { BitReader, BrokenFrame } from './bits.ts';
import { MAX_CHANNELS } from './decoder.ts';
import { skipProgramConfig } from './program-config.ts';

export interface AudioConfig {
  /** Of the core: HE-AAC sounds at twice of it where its upper half is decoded. */
  readonly rateHz: number;
  /** Without that of low frequencies. 0: the frames say. */
  readonly channels: number;
  readonly isHighEfficiency: boolean;
}

const LOW_COMPLEXITY = 2;
const SBR = 5;
const PARAMETRIC_STEREO = 29;
const ESCAPE = 31;
const RATE_ESCAPE = 15;
/** Audio object types other than AAC-LC that occur in files. */
const KINDS: Readonly<Record<number, string>> = {
  1: 'AAC Main',
  3: 'AAC SSR',
  4: 'AAC LTP',
  6: 'AAC Scalable',
  17: 'error-resilient AAC-LC',
  19: 'error-resilient AAC LTP',
  20: 'error-resilient scalable AAC',
  22: 'BSAC',
  23: 'AAC-LD',
  32: 'MPEG Layer I',
  33: 'MPEG Layer II',
  34: 'MP3',
  36: 'MPEG-4 ALS',
  39: 'AAC-ELD',
  42: 'xHE-AAC (USAC)',
};
/** By channel configuration: 5.1 has five, and its channel of low frequencies. */
const CHANNELS: Readonly<Record<number, number>> = {
  0: 0,
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 5,
  6: 5,
  7: 7,
  11: 6,
  12: 7,
  14: 7,
};

export const unsupportedKind = (kind: string): Unplayable =>
  new Unplayable(
    'audio_unsupported',
    `The sound is ${kind}; of AAC the kinds AAC-LC and HE-AAC are decoded. Convert it with "ffmpeg -i sound.m4a sound.flac", or export it as WAV or MP3.`,
  );

const broken = (why: string): Unplayable =>
  new Unplayable('audio_malformed', `The AAC sound is broken: ${why}.`);

export function channelsOf(configuration: number): number {
  const channels = CHANNELS[configuration];
  if (channels === undefined)
    throw new Unplayable(
      'audio_unsupported',
      `The AAC sound has the channel configuration ${configuration}; up to ${MAX_CHANNELS} channels are understood.`,
    );
  return channels;
}

export function rateOf(index: number): number {
  const rateHz = RATES_HZ[index];
  if (!rateHz) throw broken(`its sampling rate has the reserved number ${index}`);
  return rateHz;
}

/** Of an object type: nothing if it is decoded. */
export function refuseKind(type: number): void {
  if (type !== LOW_COMPLEXITY) throw unsupportedKind(KINDS[type] ?? `of the MPEG-4 kind ${type}`);
}

export function readAudioConfig(bytes: Uint8Array): AudioConfig {
  try {
    return readConfig(new BitReader(bytes));
  } catch (error) {
    if (error instanceof BrokenFrame) throw broken('its description is cut short');
    throw error;
  }
}

function readConfig(bits: BitReader): AudioConfig {
  let type = readType(bits);
  const rateHz = readRate(bits);
  const configuration = bits.read(4);
  const isHighEfficiency = type === SBR || type === PARAMETRIC_STEREO;
  if (isHighEfficiency) {
    readRate(bits);
    type = readType(bits);
  }
  refuseKind(type);
  // GASpecificConfig.
  if (bits.readFlag()) throw unsupportedKind('AAC with frames of 960 samples');
  if (bits.readFlag()) bits.skip(14);
  bits.skip(1);
  const channels = configuration === 0 ? skipProgramConfig(bits) : channelsOf(configuration);
  if (channels > MAX_CHANNELS) throw broken(`it claims ${channels} channels; ${MAX_CHANNELS} are understood`);
  return { rateHz, channels, isHighEfficiency };
}

function readType(bits: BitReader): number {
  const type = bits.read(5);
  return type === ESCAPE ? 32 + bits.read(6) : type;
}

const LEAST_HZ = 7_000;
const MOST_HZ = 96_000;

function readRate(bits: BitReader): number {
  const index = bits.read(4);
  if (index !== RATE_ESCAPE) return rateOf(index);
  const rateHz = bits.read(24);
  if (rateHz < LEAST_HZ || rateHz > MOST_HZ)
    throw broken(`it claims ${rateHz} samples per second; ${LEAST_HZ} to ${MOST_HZ} are understood`);
  return rateHz;
}

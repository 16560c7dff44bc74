// A file that somebody sent → 8 kHz µ-law, and what is to be known about it. Runs in a thread of its own (worker.ts).

import { SAMPLE_RATE_HZ } from '../../media/audio/frame.ts';
import { decodeFlac } from './flac.ts';
import { encode, type Level, measure } from './level.ts';
import { decodeMp3 } from './mp3.ts';
import { afterTag } from './mp3-length.ts';
import { decodeOgg } from './ogg.ts';
import { Resampler } from './resample.ts';
import { type Decoding, type Piece, SoundFile } from './sound-file.ts';
import { undecoded } from './undecoded.ts';
import { MAX_SECONDS, notDecoded, tooLong, Unplayable, type UnplayableCode } from './unplayable.ts';
import { decodeWav } from './wav.ts';
import { decodeWebm } from './webm.ts';

export interface Converted extends Level {
  readonly ulaw: Buffer;
  readonly durationMs: number;
  readonly format: string;
  readonly clippedSamples: number;
  readonly damaged: boolean;
}

export interface Refused {
  readonly refused: UnplayableCode;
  readonly message: string;
  /** A sound file, by its first bytes, that other programs decode. */
  readonly isUndecoded: boolean;
}

export async function convertFile(path: string): Promise<Converted | Refused> {
  const file = new SoundFile(path);
  try {
    return await convert(file);
  } catch (error) {
    if (error instanceof Unplayable)
      return { refused: error.code, message: error.message, isUndecoded: error.isUndecoded };
    // A decoder that trips over its input: the input is at fault, whatever the decoder calls it.
    return {
      refused: 'audio_malformed',
      message: 'The file is broken: it cannot be decoded.',
      isUndecoded: false,
    };
  } finally {
    file.close();
  }
}

async function convert(file: SoundFile): Promise<Converted> {
  const decoding = decoderFor(file);
  const samples = await atEightKilohertz(decoding.pieces());
  const count = samples.reduce((sum, { length }) => sum + length, 0);
  if (count === 0) throw new Unplayable('audio_malformed', 'There is no sound in the file.');
  const level = measure(samples);
  return {
    ...level,
    ulaw: encode(samples, level),
    durationMs: Math.max(1, Math.round((count * 1000) / SAMPLE_RATE_HZ)),
    format: decoding.format(),
    clippedSamples: decoding.clippedSamples(),
    damaged: decoding.damaged(),
  };
}

async function atEightKilohertz(pieces: AsyncIterable<Piece> | Iterable<Piece>): Promise<Float32Array[]> {
  const out: Float32Array[] = [];
  let count = 0;
  const add = (samples: Float32Array): void => {
    count += samples.length;
    if (count > MAX_SECONDS * SAMPLE_RATE_HZ) throw tooLong();
    if (samples.length > 0) out.push(samples);
  };
  let rateHz = SAMPLE_RATE_HZ;
  let resampler: Resampler | null = null;
  for await (const piece of pieces) {
    // An MP3 stream may change its rate on the way.
    if (piece.rateHz !== rateHz) {
      if (resampler) add(resampler.end());
      rateHz = piece.rateHz;
      resampler = rateHz === SAMPLE_RATE_HZ ? null : new Resampler(rateHz);
    }
    add(resampler ? resampler.push(piece.samples) : piece.samples);
  }
  if (resampler) add(resampler.end());
  return out;
}

/** By its first bytes: names and content types are what somebody says. */
function decoderFor(file: SoundFile): Decoding {
  const head = file.read(0, 16);
  const start = head.toString('latin1', 0, 4);
  if (['RIFF', 'RIFX', 'RF64'].includes(start) && head.toString('latin1', 8, 12) === 'WAVE')
    return decodeWav(file);
  if (start === 'OggS') return decodeOgg(file);
  if (start === 'fLaC') return decodeFlac(file);
  if (start === EBML) return decodeWebm(file);
  if (isAdts(file.read(afterTag(file), 2))) throw notDecoded('This is an AAC file (ADTS)', 'aac');
  if (start.startsWith('ID3') || isMpegAudio(head)) return decodeMp3(file);
  throw (
    undecoded(head) ??
    new Unplayable('audio_unsupported', `${looksLike(head)} Send WAV, FLAC, MP3, Ogg or WebM.`)
  );
}

/** The first element of WebM and Matroska. */
const EBML = '\x1a\x45\xdf\xa3';

/** ISO/IEC 14496-3 §1.A.2.2: twelve bits of sync, and no layer. */
const isAdts = ([first = 0, second = 0]: Buffer): boolean => first === 0xff && (second & 0xf6) === 0xf0;

/** Eleven bits of sync, and a layer. */
function isMpegAudio(head: Buffer): boolean {
  const second = head[1] ?? 0;
  return head[0] === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0;
}

function looksLike(head: Buffer): string {
  if (head.length === 0) return 'The file is empty.';
  if (head.toString('latin1', 0, 2) === 'PK') return 'This is a ZIP archive, not a recording.';
  return 'This is no sound file that is understood.';
}

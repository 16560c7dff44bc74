// WAV of any rate, depth and number of channels → samples from −1 to 1.
import { alawToLinear, ulawToLinear } from '../../media/audio/g711.ts';
import { Mixer } from './mixer.ts';
import type { Decoding, Piece, SoundFile } from './sound-file.ts';
import { Unplayable } from './unplayable.ts';
import { readWavHead, type WavHead } from './wav-header.ts';

const FRAMES = 8_192;

export function decodeWav(file: SoundFile): Decoding {
  const head = readWavHead(file);
  if (head.dataBytes === 0) throw new Unplayable('audio_malformed', 'The WAV file holds no sound.');
  const mixer = new Mixer();
  return {
    format: () => describe(head),
    pieces: () => piecesOf(file, head, mixer),
    damaged: () => head.cutShort,
    clippedSamples: () => mixer.clippedSamples,
  };
}

const WORDS = { pcm: '', float: ' floating point', ulaw: ' µ-law', alaw: ' A-law' } as const;

function describe({ rateHz, channels, bits, coding }: WavHead): string {
  return `WAV, ${rateHz} Hz, ${channels === 1 ? 'one channel' : `${channels} channels`}, ${bits} bit${WORDS[coding]}`;
}

function* piecesOf(file: SoundFile, head: WavHead, mixer: Mixer): Iterable<Piece> {
  const { channels, sampleBytes, dataAt, dataBytes, rateHz } = head;
  const frameBytes = channels * sampleBytes;
  const read = sampleReader(head);
  for (let at = 0; at < dataBytes; at += FRAMES * frameBytes) {
    const bytes = file.read(dataAt + at, Math.min(FRAMES * frameBytes, dataBytes - at));
    const frames = Math.floor(bytes.length / frameBytes);
    const planes = Array.from({ length: channels }, (_, channel) => {
      const plane = new Float32Array(frames);
      for (let frame = 0; frame < frames; frame++)
        plane[frame] = read(bytes, frame * frameBytes + channel * sampleBytes);
      return plane;
    });
    yield { rateHz, samples: mixer.mix(planes) };
  }
}

type ReadSample = (bytes: Buffer, at: number) => number;

function sampleReader({ coding, sampleBytes, bigEndian }: WavHead): ReadSample {
  switch (coding) {
    case 'ulaw':
      return (bytes, at) => (ulawToLinear[bytes[at] ?? 0] ?? 0) / 32_768;
    case 'alaw':
      return (bytes, at) => (alawToLinear[bytes[at] ?? 0] ?? 0) / 32_768;
    case 'float':
      if (sampleBytes === 4)
        return bigEndian ? (bytes, at) => bytes.readFloatBE(at) : (bytes, at) => bytes.readFloatLE(at);
      return bigEndian ? (bytes, at) => bytes.readDoubleBE(at) : (bytes, at) => bytes.readDoubleLE(at);
    case 'pcm':
      return integerReader(sampleBytes, bigEndian);
    default:
      return coding satisfies never;
  }
}

/** Samples fill their bytes from the top, so what is below the uppermost 24 bits is never heard. */
function integerReader(sampleBytes: number, bigEndian: boolean): ReadSample {
  if (sampleBytes === 1) return (bytes, at) => ((bytes[at] ?? 128) - 128) / 128;
  if (sampleBytes === 2)
    return bigEndian
      ? (bytes, at) => bytes.readInt16BE(at) / 32_768
      : (bytes, at) => bytes.readInt16LE(at) / 32_768;
  const top = sampleBytes - 3;
  return bigEndian
    ? (bytes, at) => bytes.readIntBE(at, 3) / 8_388_608
    : (bytes, at) => bytes.readIntLE(at + top, 3) / 8_388_608;
}

// FLAC by libFLAC in WebAssembly: whatever a stream does in there stays in there.
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { type FlacInfo, flacFrames, readFlacInfo } from './flac-frames.ts';
import { Mixer } from './mixer.ts';
import { channelsInWords } from './ogg-decoding.ts';
import type { Decoding, Piece, SoundFile } from './sound-file.ts';
import { MAX_SECONDS, tooLong, Unplayable } from './unplayable.ts';
import { MAX_RATE_HZ, MIN_RATE_HZ } from './wav-header.ts';

export function decodeFlac(file: SoundFile): Decoding {
  const info = readFlacInfo(file);
  const { rateHz, channels, totalSamples } = info;
  if (rateHz < MIN_RATE_HZ || rateHz > MAX_RATE_HZ)
    throw new Unplayable(
      'audio_malformed',
      `The FLAC file is broken: it claims ${rateHz} samples per second; ${MIN_RATE_HZ} to ${MAX_RATE_HZ} are understood.`,
    );
  const longest = MAX_SECONDS * rateHz;
  const seen = { faults: 0 };
  let samples = 0;
  const skipped = (): void => {
    seen.faults += 1;
  };
  for (const frame of flacFrames(file, info.framesAt, skipped)) {
    samples += frame.samples;
    if (samples > longest) throw tooLong();
  }
  if (totalSamples > longest) throw tooLong();
  if (samples === 0)
    throw new Unplayable('audio_malformed', 'The FLAC file is broken: it has no whole frame.');
  if (totalSamples > samples) seen.faults += 1;
  const mixer = new Mixer();
  return {
    format: () => `FLAC, ${rateHz} Hz, ${channelsInWords(channels)}`,
    pieces: () => piecesOf(file, info, mixer, seen),
    damaged: () => seen.faults > 0,
    clippedSamples: () => mixer.clippedSamples,
  };
}

async function* piecesOf(
  file: SoundFile,
  info: FlacInfo,
  mixer: Mixer,
  seen: { faults: number },
): AsyncIterable<Piece> {
  const { error } = console;
  // It writes to the console what it also returns.
  console.error = () => undefined;
  const decoder = new FLACDecoder();
  try {
    await decoder.ready;
    await decoder.decodeFrames([info.head]);
    for (const { bytes } of flacFrames(file, info.framesAt, () => undefined)) {
      const decoded = await decoder.decodeFrames([bytes]);
      seen.faults += decoded.errors.length;
      // A frame may claim a rate of its own; a file has one.
      if (decoded.samplesDecoded > 0) yield { rateHz: info.rateHz, samples: mixer.mix(decoded.channelData) };
    }
  } finally {
    console.error = error;
    decoder.free();
  }
}

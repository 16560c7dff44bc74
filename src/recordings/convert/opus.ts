// Ogg/Opus by libopus in WebAssembly. A packet of one byte may stand for 120 ms, so a small file can claim to last for days:
// it is fed in bites of which each can become a few megabytes at most, and cut off at the longest length.
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { Mixer } from './mixer.ts';
import type { Decoding, Piece, SoundFile } from './sound-file.ts';
import { Unplayable } from './unplayable.ts';

const BITE_BYTES = 1024;
const MAX_CHANNELS = 8;
const RATE_HZ = 48_000;

export function decodeOpus(file: SoundFile): Decoding {
  const channels = channelsOf(file);
  const mixer = new Mixer();
  const seen = { faults: 0 };
  return {
    format: () => `Ogg/Opus, ${channels === 1 ? 'one channel' : `${channels} channels`}`,
    pieces: () => piecesOf(file, mixer, seen),
    damaged: () => seen.faults > 0,
    clippedSamples: () => mixer.clippedSamples,
  };
}

/** RFC 7845 §5.1: the first packet of the first page is the identification header. */
function channelsOf(file: SoundFile): number {
  const page = file.read(0, 27 + 255 + 19);
  const head = page.indexOf('OpusHead', 0, 'latin1');
  if (head < 0)
    throw new Unplayable(
      'audio_unsupported',
      'The Ogg file holds something other than Opus; save it as Opus, MP3 or WAV.',
    );
  const channels = page[head + 9] ?? 0;
  if (channels < 1 || channels > MAX_CHANNELS)
    throw new Unplayable(
      'audio_malformed',
      `The Opus file claims ${channels} channels; 1 to ${MAX_CHANNELS} are understood.`,
    );
  return channels;
}

async function* piecesOf(file: SoundFile, mixer: Mixer, seen: { faults: number }): AsyncIterable<Piece> {
  const { error } = console;
  // It tells the console what it also returns.
  console.error = () => undefined;
  const decoder = new OggOpusDecoder({ forceStereo: true });
  try {
    await decoder.ready;
    for (let at = 0; at < file.size; at += BITE_BYTES) {
      const decoded = await decoder.decode(file.read(at, BITE_BYTES));
      seen.faults += decoded.errors.length;
      if (decoded.samplesDecoded > 0) yield { rateHz: RATE_HZ, samples: mixer.mix(decoded.channelData) };
    }
    const rest = await decoder.flush();
    seen.faults += rest.errors.length;
    if (rest.samplesDecoded > 0) yield { rateHz: RATE_HZ, samples: mixer.mix(rest.channelData) };
  } finally {
    console.error = error;
    decoder.free();
  }
}

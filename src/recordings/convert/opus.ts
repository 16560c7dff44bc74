// Ogg/Opus by libopus in WebAssembly. A packet of one byte may stand for 120 ms, so a small file can claim to last for days:
// it is measured before it is decoded, and fed page by page: none becomes more than a few megabytes.
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { Mixer } from './mixer.ts';
import { oggPages } from './ogg-pages.ts';
import { opusSeconds } from './opus-length.ts';
import type { Decoding, Piece, SoundFile } from './sound-file.ts';
import { MAX_SECONDS, tooLong, Unplayable } from './unplayable.ts';

const MAX_CHANNELS = 8;
/** Opus comes out at the rate one asks for; this one leaves the last step to our own filter. */
const RATE_HZ = 16_000;

export function decodeOpus(file: SoundFile): Decoding {
  const channels = channelsOf(file);
  if (opusSeconds(file, MAX_SECONDS) > MAX_SECONDS) throw tooLong();
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
  // It writes to the console what it also returns.
  console.error = () => undefined;
  // The package takes the rate, and its types do not know.
  const options = { forceStereo: true, sampleRate: RATE_HZ };
  const decoder = new OggOpusDecoder(options);
  try {
    await decoder.ready;
    let isWhole = false;
    for (const page of oggPages(file)) {
      const decoded = await decoder.decode(page.bytes);
      seen.faults += decoded.errors.length;
      isWhole = page.isLast;
      if (decoded.samplesDecoded > 0) yield { rateHz: RATE_HZ, samples: mixer.mix(decoded.channelData) };
    }
    if (!isWhole) seen.faults += 1;
    const rest = await decoder.flush();
    seen.faults += rest.errors.length;
    if (rest.samplesDecoded > 0) yield { rateHz: RATE_HZ, samples: mixer.mix(rest.channelData) };
  } finally {
    console.error = error;
    decoder.free();
  }
}

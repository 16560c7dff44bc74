// Opus by libopus in WebAssembly. A packet of one byte may stand for 120 ms, so a small file can claim to last for days:
// it is measured before it is decoded, and fed page by page: none becomes more than a few megabytes.
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { Mixer } from './mixer.ts';
import { channelsInWords, decodePages } from './ogg-decoding.ts';
import type { OggStream } from './ogg-pages.ts';
import { opusSeconds } from './opus-length.ts';
import type { Decoding } from './sound-file.ts';
import { MAX_SECONDS, tooLong, Unplayable } from './unplayable.ts';

const MAX_CHANNELS = 8;
/** Opus comes out at the rate one asks for; this one leaves the last step to our own filter. */
const RATE_HZ = 16_000;

/** RFC 7845 §5.1: the first packet is the identification header. */
export const isOpusHead = (packet: Buffer): boolean => packet.toString('latin1', 0, 8) === 'OpusHead';

export function decodeOpus(stream: OggStream): Decoding {
  const channels = stream.firstPacket[9] ?? 0;
  if (channels < 1 || channels > MAX_CHANNELS)
    throw new Unplayable(
      'audio_malformed',
      `The Opus file claims ${channels} channels; 1 to ${MAX_CHANNELS} are understood.`,
    );
  if (opusSeconds(stream.pages(), MAX_SECONDS) > MAX_SECONDS) throw tooLong();
  const mixer = new Mixer();
  const seen = { faults: 0 };
  return {
    format: () => `${stream.name}, ${channelsInWords(channels)}`,
    // The package takes the rate, and its types do not know.
    pieces: () =>
      decodePages(
        stream,
        () => new OggOpusDecoder({ forceStereo: true, sampleRate: RATE_HZ } as { forceStereo: true }),
        mixer,
        seen,
      ),
    damaged: () => seen.faults > 0,
    clippedSamples: () => mixer.clippedSamples,
  };
}

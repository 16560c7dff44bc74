// Vorbis by libvorbis in WebAssembly. A packet of one byte may stand for 4,096 samples, so the file is measured by what its pages claim
// before it is decoded, and by what comes out while it is; fed page by page, none becomes more than 33 MB.
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { Mixer } from './mixer.ts';
import { channelsInWords, decodePages } from './ogg-decoding.ts';
import type { OggStream } from './ogg-pages.ts';
import type { Decoding } from './sound-file.ts';
import { MAX_SECONDS, tooLong, Unplayable } from './unplayable.ts';
import { MAX_RATE_HZ, MIN_RATE_HZ } from './wav-header.ts';

const MAX_CHANNELS = 8;

/** Vorbis I §4.2.2: the identification header, 30 bytes. */
export const isVorbisHead = (packet: Buffer): boolean => packet.toString('latin1', 0, 7) === '\x01vorbis';

export function decodeVorbis(stream: OggStream): Decoding {
  const { channels, rateHz } = readHead(stream.firstPacket);
  if (claimedSeconds(stream, rateHz) > MAX_SECONDS) throw tooLong();
  const mixer = new Mixer();
  const seen = { faults: 0 };
  return {
    format: () => `${stream.name}, ${rateHz} Hz, ${channelsInWords(channels)}`,
    pieces: () => decodePages(stream, () => new OggVorbisDecoder(), mixer, seen),
    damaged: () => seen.faults > 0,
    clippedSamples: () => mixer.clippedSamples,
  };
}

function readHead(packet: Buffer): { readonly channels: number; readonly rateHz: number } {
  if (packet.length < 30)
    throw new Unplayable('audio_malformed', 'The Vorbis file is broken: its head is cut short.');
  const channels = packet[11] ?? 0;
  const rateHz = packet.readUInt32LE(12);
  if (channels < 1 || channels > MAX_CHANNELS || rateHz < MIN_RATE_HZ || rateHz > MAX_RATE_HZ)
    throw new Unplayable(
      'audio_malformed',
      `The Vorbis file claims ${channels} channels at ${rateHz} Hz; 1 to ${MAX_CHANNELS} channels at ${MIN_RATE_HZ} to ${MAX_RATE_HZ} Hz are understood.`,
    );
  return { channels, rateHz };
}

function claimedSeconds({ pages }: OggStream, rateHz: number): number {
  let samples = 0;
  for (const { granule } of pages()) samples = Math.max(samples, granule);
  return samples / rateHz;
}

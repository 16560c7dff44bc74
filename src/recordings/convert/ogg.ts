// An Ogg file (RFC 3533): Opus or Vorbis, by the first packet of its first page.
import { oggPages } from './ogg-pages.ts';
import { decodeOpus, isOpusHead } from './opus.ts';
import type { Decoding, SoundFile } from './sound-file.ts';
import { notDecoded, Unplayable } from './unplayable.ts';
import { decodeVorbis, isVorbisHead } from './vorbis.ts';

export function decodeOgg(file: SoundFile): Decoding {
  const [first] = oggPages(file);
  if (!first) throw new Unplayable('audio_malformed', 'The Ogg file is broken: it has no whole page.');
  const stream = { firstPacket: first.body, pages: () => oggPages(file) };
  if (isOpusHead(first.body)) return decodeOpus({ ...stream, name: 'Ogg/Opus' });
  if (isVorbisHead(first.body)) return decodeVorbis({ ...stream, name: 'Ogg/Vorbis' });
  throw notDecoded('The Ogg file holds something other than Opus or Vorbis', 'ogg');
}

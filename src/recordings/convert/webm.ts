// WebM and Matroska (RFC 9559): the packets of the first audio track, as pages for the decoders of Ogg.
import { elements, readVint } from './ebml.ts';
import { MAX_PACKET_BYTES, type OggStream, pagesOf } from './ogg-pages.ts';
import { decodeOpus, isOpusHead } from './opus.ts';
import type { Decoding, SoundFile } from './sound-file.ts';
import { notDecoded, Unplayable } from './unplayable.ts';
import { decodeVorbis, isVorbisHead } from './vorbis.ts';
import { readBlock, xiphSizes } from './webm-blocks.ts';

const TRACK_ENTRY = 0xae;
const NUMBER = 0xd7;
const TYPE = 0x83;
const CODEC = 0x86;
const CODEC_PRIVATE = 0x63a2;
const CONTENT_ENCODINGS = 0x6d80;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;
/** Segment, Tracks, Cluster, BlockGroup, and a track. */
const ENTERED: ReadonlySet<number> = new Set([0x18538067, 0x1654ae6b, 0x1f43b675, 0xa0, TRACK_ENTRY]);
const AUDIO = 2;
const MAX_TRACKS = 64;
const MAX_PRIVATE_BYTES = 256 * 1024;
/** A laced block of the largest packets; only blocks of our track are read. */
const MAX_BLOCK_BYTES = 1024 * 1024;
const TRACK_BYTES = 8;

interface Track {
  number: number;
  type: number;
  codec: string;
  private: Buffer;
  isEncoded: boolean;
}

const broken = (why: string): Unplayable =>
  new Unplayable('audio_malformed', `The WebM file is broken: ${why}.`);

export function decodeWebm(file: SoundFile): Decoding {
  const track = audioTrack(file);
  if (!track) throw broken('it has no track with sound');
  if (track.isEncoded)
    throw new Unplayable('audio_unsupported', 'The WebM file is encrypted or packed; save it without.');
  const cut = { isShort: false };
  const stream = (name: string, heads: readonly Buffer[]): OggStream => ({
    name,
    firstPacket: heads[0] ?? Buffer.alloc(0),
    pages: () => pagesOf(packets(file, track.number, heads, cut), () => cut.isShort),
  });
  if (track.codec === 'A_OPUS') return decodeOpus(stream('WebM/Opus', opusHeads(track.private)));
  if (track.codec === 'A_VORBIS') return decodeVorbis(stream('WebM/Vorbis', vorbisHeads(track.private)));
  throw notDecoded(`The WebM file holds ${codingOf(track.codec)} instead of Opus or Vorbis`, 'webm');
}

/** The file's own words: only what looks like a name is repeated. */
const codingOf = (codec: string): string =>
  /^A_[A-Z0-9_/]{1,38}$/.test(codec) ? codec.slice(2) : 'an unknown coding';

function audioTrack(file: SoundFile): Track | null {
  let track: Track | null = null;
  let count = 0;
  for (const { id, dataAt, size } of elements(file, ENTERED)) {
    if (id === SIMPLE_BLOCK || id === BLOCK) break;
    if (id === TRACK_ENTRY) {
      if (track?.type === AUDIO) break;
      if (++count > MAX_TRACKS) throw broken(`it has more than ${MAX_TRACKS} tracks`);
      track = { number: 0, type: 0, codec: '', private: Buffer.alloc(0), isEncoded: false };
    }
    if (track) readMember(track, id, () => file.read(dataAt, Math.min(size, MAX_PRIVATE_BYTES)));
  }
  return track?.type === AUDIO ? track : null;
}

function readMember(track: Track, id: number, read: () => Buffer): void {
  const number = (): number =>
    read()
      .subarray(0, 4)
      .reduce((sum, byte) => sum * 256 + byte, 0);
  if (id === NUMBER) track.number = number();
  else if (id === TYPE) track.type = number();
  else if (id === CODEC) track.codec = read().toString('latin1', 0, 40).split('\0', 1)[0] ?? '';
  else if (id === CODEC_PRIVATE) track.private = read();
  else if (id === CONTENT_ENCODINGS) track.isEncoded = true;
}

function opusHeads(head: Buffer): Buffer[] {
  if (!isOpusHead(head) || head.length > MAX_PACKET_BYTES) throw broken('its head of Opus is missing');
  // RFC 7845 §5.2: the comments, of which there are none.
  return [head, Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])];
}

/** RFC 9559, appendix: the number of packets less one, the sizes of all but the last, and the three heads of Vorbis. */
function vorbisHeads(bytes: Buffer): Buffer[] {
  const laced = bytes[0] === 2 ? xiphSizes(bytes, 1, 2) : null;
  const [first = 0, second = 0] = laced?.sizes ?? [];
  const at = laced?.at ?? 0;
  const head = bytes.subarray(at, at + first);
  const setup = bytes.subarray(at + first + second);
  if (!isVorbisHead(head) || head.length > MAX_PACKET_BYTES || setup.length > MAX_PACKET_BYTES)
    throw broken('its heads of Vorbis are missing');
  const comments = Buffer.concat([Buffer.from('\x03vorbis', 'latin1'), Buffer.alloc(8), Buffer.from([1])]);
  return [head, comments, setup];
}

function* packets(
  file: SoundFile,
  track: number,
  heads: readonly Buffer[],
  cut: { isShort: boolean },
): Iterable<Buffer> {
  yield* heads;
  const walk = elements(file, ENTERED);
  for (let next = walk.next(); ; next = walk.next()) {
    if (next.done) {
      cut.isShort ||= !next.value;
      return;
    }
    const { id, dataAt, size } = next.value;
    if (id !== SIMPLE_BLOCK && id !== BLOCK) continue;
    // The number of the track alone: a block of video is not read.
    if (readVint(file.read(dataAt, TRACK_BYTES), 0)?.value !== track) continue;
    const block = size <= MAX_BLOCK_BYTES ? readBlock(file.read(dataAt, size)) : null;
    const frames = block?.frames.filter(({ length }) => length > 0 && length <= MAX_PACKET_BYTES) ?? [];
    if (!block || frames.length < block.frames.length) cut.isShort = true;
    yield* frames;
  }
}

// The sound track of an MP4 file: what it is coded in, and which part of it is to be heard.
import { type Box, brokenMp4, type Mp4File } from './mp4-boxes.ts';
import { Unplayable } from './unplayable.ts';

export interface Mp4Track {
  readonly id: number;
  /** AudioSpecificConfig. */
  readonly config: Buffer;
  /** stbl: the table of samples. */
  readonly table: Box;
  /** In seconds: what is left out at the start, and how long the rest lasts. */
  readonly edit: { readonly skip: number; readonly duration: number };
}

const MAX_TRACKS = 64;
const MAX_DESCRIPTION_BYTES = 64 * 1024;
const MAX_EDITS = 1_024;
const CODECS: Readonly<Record<string, string>> = {
  alac: 'Apple Lossless (ALAC)',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  'ac-4': 'AC-4',
  Opus: 'Opus',
  fLaC: 'FLAC',
  samr: 'AMR',
  sawb: 'AMR-WB',
  '.mp3': 'MP3',
  lpcm: 'PCM',
  sowt: 'PCM',
  twos: 'PCM',
  ulaw: 'µ-law',
  alaw: 'A-law',
};
const PROTECTED: ReadonlySet<string> = new Set(['enca', 'drms']);
/** Object types of MPEG-4 systems, the only ones that are AAC: MPEG-4 audio, and MPEG-2's Main, LC and SSR. */
const AAC_TYPES: ReadonlySet<number> = new Set([0x40, 0x66, 0x67, 0x68]);
const MP3_TYPES: ReadonlySet<number> = new Set([0x69, 0x6b]);

const otherCodec = (name: string): Unplayable =>
  new Unplayable(
    'audio_unsupported',
    `The M4A file holds ${name}; AAC is decoded. Convert it with "ffmpeg -i sound.m4a sound.flac", or export it as WAV or MP3.`,
  );

/** The first one with sound. */
export function soundTrack(file: Mp4File, movie: Box): Mp4Track {
  let count = 0;
  for (const track of file.boxes(movie)) {
    if (track.type !== 'trak') continue;
    if (++count > MAX_TRACKS) throw brokenMp4(`it has more than ${MAX_TRACKS} tracks`);
    const media = file.find(track, 'mdia');
    if (!media || file.dataOf(file.find(media, 'hdlr'), 12).toString('latin1', 8, 12) !== 'soun') continue;
    const table = file.find(media, 'minf', 'stbl');
    if (!table) throw brokenMp4('its track has no table of samples (stbl)');
    const header = file.dataOf(file.find(track, 'tkhd'), 24);
    return {
      id: numberAt(header, header[0] === 1 ? 20 : 12),
      config: configOf(file, table),
      table,
      edit: editOf(file, movie, track, media),
    };
  }
  throw brokenMp4('it has no track with sound');
}

const numberAt = (bytes: Buffer, at: number): number => (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0);

/** The first sample description: of QuickTime in three versions, with further fields, and with its parts in a box "wave". */
function configOf(file: Mp4File, table: Box): Buffer {
  const descriptions = file.find(table, 'stsd');
  const [entry] = descriptions ? file.boxes({ dataAt: descriptions.dataAt + 8, end: descriptions.end }) : [];
  if (!entry) throw brokenMp4('its sound is not described (stsd)');
  if (PROTECTED.has(entry.type)) throw otherCodec('sound that is encrypted');
  if (entry.type !== 'mp4a') throw otherCodec(CODECS[entry.type] ?? 'sound in an unknown coding');
  const version = numberAt(file.dataOf(entry, 12), 8) >>> 16;
  const partsAt = entry.dataAt + 28 + (version === 1 ? 16 : version === 2 ? 36 : 0);
  const parts = { dataAt: partsAt, end: entry.end };
  const description = file.find(parts, 'esds') ?? file.find(parts, 'wave', 'esds');
  if (!description) throw brokenMp4('its description of AAC (esds) is missing');
  return readDescriptors(file.dataOf(description, MAX_DESCRIPTION_BYTES));
}

const ES = 3;
const DECODER_CONFIG = 4;
const DECODER_SPECIFIC = 5;

/** ISO/IEC 14496-1 §7.2.6: descriptors in each other, each with a tag and a size of up to four times seven bits. */
function readDescriptors(bytes: Buffer): Buffer {
  let at = 4;
  while (at < bytes.length) {
    const tag = bytes[at++];
    let size = 0;
    for (let part = 0; part < 4; part++) {
      const byte = bytes[at++] ?? 0;
      size = size * 128 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    if (tag === DECODER_SPECIFIC) return bytes.subarray(at, at + size);
    if (tag === ES) {
      const flags = bytes[at + 2] ?? 0;
      at +=
        3 + (flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 + (bytes[at + 3] ?? 0) : 0) + (flags & 0x20 ? 2 : 0);
    } else if (tag === DECODER_CONFIG) {
      const type = bytes[at] ?? 0;
      if (MP3_TYPES.has(type)) throw otherCodec('MP3');
      if (!AAC_TYPES.has(type)) throw otherCodec('sound in an unknown coding');
      at += 13;
    } else at += size;
  }
  throw brokenMp4('its description of AAC (esds) is cut short');
}

/** One edit leaves out what the encoder added. A file with several is heard as it was recorded. */
function editOf(file: Mp4File, movie: Box, track: Box, media: Box): Mp4Track['edit'] {
  const whole = { skip: 0, duration: Number.POSITIVE_INFINITY };
  const list = file.dataOf(file.find(track, 'edts', 'elst'), 8 + MAX_EDITS * 20);
  const movieScale = timescaleOf(file.dataOf(file.find(movie, 'mvhd'), 32));
  const mediaScale = timescaleOf(file.dataOf(file.find(media, 'mdhd'), 32));
  if (list.length < 8 || movieScale === 0 || mediaScale === 0) return whole;
  const isLarge = list[0] === 1;
  const entryBytes = isLarge ? 20 : 12;
  const edits: { readonly duration: number; readonly from: number }[] = [];
  for (let at = 8; at + entryBytes <= list.length && edits.length < 2; at += entryBytes) {
    const duration = isLarge ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
    const from = isLarge ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
    // Below zero: nothing is heard for this long.
    if (from >= 0) edits.push({ duration, from });
  }
  const [edit, further] = edits;
  if (!edit || further) return whole;
  return {
    skip: edit.from / mediaScale,
    duration: edit.duration > 0 ? edit.duration / movieScale : Number.POSITIVE_INFINITY,
  };
}

/** Of mvhd and mdhd alike: behind two times of four or eight bytes. */
const timescaleOf = (header: Buffer): number => numberAt(header, header[0] === 1 ? 20 : 12);

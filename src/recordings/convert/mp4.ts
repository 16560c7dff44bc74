// M4A and MP4 (ISO/IEC 14496-12): the frames of AAC of the first track with sound.
import { type AacFrame, decodeAac } from './aac/aac.ts';
import { readAudioConfig } from './aac/audio-config.ts';
import { FRAME_SAMPLES } from './aac/bands.ts';
import { type Box, brokenMp4, Mp4File } from './mp4-boxes.ts';
import { addFragmentSamples, addTableSamples, SampleList } from './mp4-samples.ts';
import { soundTrack } from './mp4-track.ts';
import type { Decoding, SoundFile } from './sound-file.ts';
import { MAX_SECONDS } from './unplayable.ts';

/** What such a file begins with; those of old QuickTime without "ftyp". */
const FIRST: ReadonlySet<string> = new Set(['ftyp', 'styp', 'moov', 'mdat', 'wide', 'free', 'skip']);
/** Eight channels of 6,144 bits, and as much of data beside them. */
const MAX_FRAME_BYTES = 16 * 1024;

export const isMp4 = (head: Buffer): boolean => FIRST.has(head.toString('latin1', 4, 8));

export function decodeMp4(source: SoundFile): Decoding {
  const file = new Mp4File(source);
  const { movie, fragments, isCut } = readTop(file);
  if (!movie) throw brokenMp4('its index (moov) is missing; perhaps the file was cut short');
  const track = soundTrack(file, movie);
  const config = readAudioConfig(track.config);
  const samples = new SampleList(Math.ceil((MAX_SECONDS * config.rateHz) / FRAME_SAMPLES), file.size);
  addTableSamples(file, track.table, samples);
  const defaultSize = defaultSizeOf(file, movie, track.id);
  for (const fragment of fragments)
    addFragmentSamples(file, fragment, { id: track.id, defaultSize }, samples);
  if (samples.offsets.length === 0) throw brokenMp4('it has no whole sample');
  return decodeAac({
    container: 'M4A/',
    config,
    frames: () => framesOf(file, samples),
    isCutShort: isCut || samples.isCutShort,
    skipSamples: Math.round(track.edit.skip * config.rateHz),
    maxSamples: Math.round(track.edit.duration * config.rateHz),
  });
}

interface Top {
  readonly movie: Box | null;
  readonly fragments: readonly Box[];
  readonly isCut: boolean;
}

function readTop(file: Mp4File): Top {
  let movie: Box | null = null;
  let isCut = false;
  const fragments: Box[] = [];
  for (const box of file.boxes({ dataAt: 0, end: file.size })) {
    if (box.type === 'moov') movie ??= box;
    if (box.type === 'moof') fragments.push(box);
    isCut ||= box.isCut;
  }
  return { movie, fragments, isCut };
}

/** trex: what the fragments of a track leave out. */
function defaultSizeOf(file: Mp4File, movie: Box, trackId: number): number {
  const extension = file.find(movie, 'mvex');
  if (!extension) return 0;
  for (const box of file.boxes(extension)) {
    const defaults = box.type === 'trex' ? file.dataOf(box, 24) : Buffer.alloc(0);
    if (defaults.length === 24 && defaults.readUInt32BE(4) === trackId) return defaults.readUInt32BE(16);
  }
  return 0;
}

function* framesOf(file: Mp4File, { offsets, sizes }: SampleList): Iterable<AacFrame> {
  for (const [index, offset] of offsets.entries()) {
    const size = Math.min(sizes[index] ?? 0, MAX_FRAME_BYTES);
    yield { bytes: file.read(offset, size), blocks: 1, isProtected: false };
  }
}

// Where the samples of a track are, each of which is a frame of AAC: by the tables of its movie, and by its fragments.
import { type Box, brokenMp4, type Mp4File } from './mp4-boxes.ts';
import { tooLong } from './unplayable.ts';

export class SampleList {
  readonly offsets: number[] = [];
  readonly sizes: number[] = [];
  readonly #most: number;
  readonly #fileBytes: number;
  #bytes = 0;
  /** Those that are not in the file, too: they cost time as well. */
  #asked = 0;
  isCutShort = false;

  /** No more than `most` samples, and together no larger than the file, which they would be if they overlapped. */
  constructor(most: number, fileBytes: number) {
    this.#most = most;
    this.#fileBytes = fileBytes;
  }

  /** Throws if there are too many to begin with. */
  expect(count: number): void {
    if (this.#asked + count > this.#most) throw tooLong();
  }

  add(offset: number, size: number): void {
    this.expect(1);
    this.#asked += 1;
    if (size === 0 || offset < 0 || offset + size > this.#fileBytes) {
      this.isCutShort = true;
      return;
    }
    this.#bytes += size;
    if (this.#bytes > this.#fileBytes) throw brokenMp4('its samples overlap');
    this.offsets.push(offset);
    this.sizes.push(size);
  }
}

/** stbl: how large the samples are, how many are in each chunk, and where the chunks are. */
export function addTableSamples(file: Mp4File, table: Box, samples: SampleList): void {
  const sizes = readSizes(file, table, samples);
  const runs = readTable(file, file.find(table, 'stsc'), 12, sizes.length);
  const small = file.find(table, 'stco');
  const width = small ? 4 : 8;
  const chunks = readTable(file, small ?? file.find(table, 'co64'), width, sizes.length);
  let sample = 0;
  let run = 0;
  for (let chunk = 0; chunk * width < chunks.length && sample < sizes.length; chunk++) {
    while (run + 24 <= runs.length && runs.readUInt32BE(run + 12) <= chunk + 1) run += 12;
    const perChunk = run + 12 <= runs.length ? runs.readUInt32BE(run + 4) : 0;
    if (perChunk === 0) throw brokenMp4('a chunk has no samples');
    let offset = small ? chunks.readUInt32BE(chunk * 4) : Number(chunks.readBigUInt64BE(chunk * 8));
    for (const last = Math.min(sample + perChunk, sizes.length); sample < last; sample++) {
      samples.add(offset, sizes[sample] ?? 0);
      offset += sizes[sample] ?? 0;
    }
  }
  if (sample < sizes.length) samples.isCutShort = true;
}

/** stsz, or stz2 with sizes of 4, 8 or 16 bits. */
function readSizes(file: Mp4File, table: Box, samples: SampleList): Uint32Array {
  const box = file.find(table, 'stsz') ?? file.find(table, 'stz2');
  const head = file.dataOf(box, 12);
  if (!box || head.length < 12) throw brokenMp4('the sizes of its samples (stsz) are missing');
  const count = head.readUInt32BE(8);
  samples.expect(count);
  const isCompact = box.type === 'stz2';
  const common = isCompact ? 0 : head.readUInt32BE(4);
  if (common > 0) return new Uint32Array(count).fill(common);
  const bits = isCompact ? (head[7] ?? 0) : 32;
  if (![4, 8, 16, 32].includes(bits)) throw brokenMp4('the sizes of its samples (stz2) are not understood');
  const bytes = file.read(
    box.dataAt + 12,
    Math.min(box.end - box.dataAt - 12, Math.ceil((count * bits) / 8)),
  );
  const there = Math.min(count, Math.floor((bytes.length * 8) / bits));
  if (there < count) samples.isCutShort = true;
  return Uint32Array.from({ length: there }, (_, at) => {
    if (bits === 32) return bytes.readUInt32BE(at * 4);
    if (bits === 16) return bytes.readUInt16BE(at * 2);
    return bits === 8 ? (bytes[at] ?? 0) : ((bytes[at >> 1] ?? 0) >> (at % 2 === 0 ? 4 : 0)) & 15;
  });
}

/** The entries of a table, no more than there are samples. */
function readTable(file: Mp4File, box: Box | null, entryBytes: number, most: number): Buffer {
  const bytes = file.dataOf(box, 8 + most * entryBytes);
  const count =
    bytes.length < 8 ? 0 : Math.min(bytes.readUInt32BE(4), Math.floor((bytes.length - 8) / entryBytes));
  return bytes.subarray(8, 8 + count * entryBytes);
}

const MAX_RUN_BYTES = 1024 * 1024;
/** Of tfhd. */
const HAS_BASE = 0x1;
const HAS_DESCRIPTION = 0x2;
const HAS_DEFAULT_DURATION = 0x8;
const HAS_DEFAULT_SIZE = 0x10;
/** Of trun; each of the last four is a member of every sample. */
const HAS_OFFSET = 0x1;
const HAS_FIRST_FLAGS = 0x4;
const HAS_DURATION = 0x100;
const HAS_SIZE = 0x200;
const HAS_FLAGS = 0x400;
const HAS_COMPOSITION = 0x800;

/** moof, as live recordings have: each with the sizes of its own samples. */
export function addFragmentSamples(
  file: Mp4File,
  fragment: Box,
  track: { readonly id: number; readonly defaultSize: number },
  samples: SampleList,
): void {
  for (const part of file.boxes(fragment)) {
    if (part.type !== 'traf') continue;
    const head = new Fields(file.dataOf(file.find(part, 'tfhd'), 64));
    if (head.next() !== track.id) continue;
    const base = head.has(HAS_BASE) ? head.nextLarge() : fragment.at;
    if (head.has(HAS_DESCRIPTION)) head.next();
    if (head.has(HAS_DEFAULT_DURATION)) head.next();
    const defaultSize = head.has(HAS_DEFAULT_SIZE) ? head.next() : track.defaultSize;
    let offset = base;
    for (const run of file.boxes(part))
      if (run.type === 'trun')
        offset = addRun(new Fields(file.dataOf(run, MAX_RUN_BYTES)), base, offset, defaultSize, samples);
  }
}

/** Returns where the run ends, as the next one may begin there. */
function addRun(run: Fields, base: number, behind: number, defaultSize: number, samples: SampleList): number {
  const count = run.next();
  samples.expect(count);
  let offset = run.has(HAS_OFFSET) ? base + (run.next() | 0) : behind;
  if (run.has(HAS_FIRST_FLAGS)) run.next();
  for (let sample = 0; sample < count; sample++) {
    if (run.has(HAS_DURATION)) run.next();
    const size = run.has(HAS_SIZE) ? run.next() : defaultSize;
    if (run.has(HAS_FLAGS)) run.next();
    if (run.has(HAS_COMPOSITION)) run.next();
    samples.add(offset, size);
    offset += size;
  }
  return offset;
}

/** A box with flags: which of its fields are there. Behind its end they are zero. */
class Fields {
  readonly #bytes: Buffer;
  #at = 4;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  has(flag: number): boolean {
    return this.#bytes.length >= 4 && (this.#bytes.readUInt32BE(0) & flag) !== 0;
  }

  next(): number {
    const at = this.#at;
    this.#at += 4;
    return at + 4 <= this.#bytes.length ? this.#bytes.readUInt32BE(at) : 0;
  }

  nextLarge(): number {
    return this.next() * 2 ** 32 + this.next();
  }
}

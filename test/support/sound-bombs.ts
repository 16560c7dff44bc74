// Sound files that mean harm: each is small, and asks for far more than it is.
import { toneWav } from './phone/tone-recording.ts';

/** A WAV file with these words in its format, and whatever comes behind it. */
function wavWith(change: (wav: Buffer) => void): Buffer {
  const wav = toneWav(1_000, 100);
  change(wav);
  return wav;
}

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** RFC 3533 §6: a page, with the checksum that it wants. */
function oggPage(type: number, sequence: number, granule: number, packets: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head[5] = type;
  head.writeBigUInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(1, 14);
  head.writeUInt32LE(sequence, 18);
  head[26] = packets.length;
  const page = Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets]);
  page.writeUInt32LE(oggChecksum(page), 22);
  return page;
}

function oggChecksum(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

function opusHead(channels: number): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = channels;
  head.writeUInt32LE(48_000, 12);
  return head;
}

/** Packets of one byte, each of which stands for 60 ms: four hours in 512 KiB. */
function opusBomb(pages: number): Buffer {
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)]);
  const packets = Array.from({ length: 255 }, () => Buffer.from([3 << 3]));
  const body = Array.from({ length: pages }, (_, at) => oggPage(0, at + 2, (at + 1) * 255 * 2_880, packets));
  return Buffer.concat([oggPage(2, 0, 0, [opusHead(1)]), oggPage(0, 1, 0, [tags]), ...body]);
}

function vorbisHead(channels: number, rateHz: number): Buffer {
  const head = Buffer.alloc(30);
  head.write('\x01vorbis', 0, 'latin1');
  head[11] = channels;
  head.writeUInt32LE(rateHz, 12);
  head[28] = 0xb8;
  head[29] = 1;
  return head;
}

function flacHead(rateHz: number, totalSamples = 0): Buffer {
  const head = Buffer.alloc(42);
  head.write('fLaC', 0, 'latin1');
  head[4] = 0x80;
  head[7] = 34;
  head.writeUInt16BE(65_535, 8);
  head.writeUInt16BE(65_535, 10);
  // Rate, two channels, 16 bit.
  head.writeUInt32BE(((rateHz << 12) | (1 << 9) | (15 << 4)) >>> 0, 18);
  head.writeUInt32BE(totalSamples, 22);
  return head;
}

function crc(bytes: Buffer, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) sum = (sum & top ? (sum << 1) ^ polynomial : sum << 1) & (2 * top - 1);
  }
  return sum;
}

/** RFC 9639 §9: a frame of 16 bytes with 65,535 equal samples of two channels, the checksums right. */
function flacFrame(): Buffer {
  const head = Buffer.from([0xff, 0xf8, 0x70, 0x18, 0, 0xff, 0xfe]);
  const body = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07), 0, 0, 0, 0, 0, 0])]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16BE(crc(body, 16, 0x8005));
  return Buffer.concat([body, sum]);
}

/** RFC 8794: an element with its size in eight bytes. */
function ebml(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

const EBML_HEAD = ebml('1a45dfa3');
const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex');

function webmTracks(codec: string, head: Buffer): Buffer {
  const members = [
    ebml('d7', Buffer.from([1])),
    ebml('83', Buffer.from([2])),
    ebml('86', Buffer.from(codec)),
    ebml('63a2', head),
  ];
  return ebml('1654ae6b', ebml('ae', ...members));
}

/** A WebM file with so many blocks of these bytes. */
export function webmFile(codec: string, head: Buffer, block: Buffer, count: number): Buffer {
  const blocks = ebml('a3', Buffer.from([0x81, 0, 0, 0x80]), block);
  const cluster = ebml('1f43b675', Buffer.alloc(blocks.length * count, blocks));
  return Buffer.concat([EBML_HEAD, ebml('18538067', webmTracks(codec, head), cluster)]);
}

/** Frames of 72 bytes, each of which stands for 72 ms (MPEG 2.5, layer III, 8 kbit/s, 8 kHz). */
export function mp3Silence(seconds: number): Buffer {
  const frame = Buffer.alloc(72);
  frame.set([0xff, 0xe3, 0x18, 0xc4]);
  return Buffer.alloc(Math.ceil(seconds / 0.072) * frame.length, frame);
}

/** ISO/IEC 14496-12 §4.2. */
function mp4Box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** A frame of AAC (ADTS, AAC-LC, one channel, 8 kHz) that is all silence. */
const ADTS_FRAME = Buffer.from('fff16c4001bffc0000000000e0', 'hex');

export const BOMBS: Readonly<Record<string, () => Buffer>> = {
  'a WAV header that claims 4 GB': () => wavWith((wav) => wav.writeUInt32LE(0xffffff00, 40)),
  'a WAV header that claims 18 exabytes (RF64)': () => {
    const sizes = Buffer.alloc(28, 0xff);
    const wav = toneWav(1_000, 100);
    wav.writeUInt32LE(0xffffffff, 40);
    return Buffer.concat([
      Buffer.from('RF64\xff\xff\xff\xffWAVE', 'latin1'),
      chunk('ds64', sizes),
      wav.subarray(12),
    ]);
  },
  'a rate of 0 Hz': () => wavWith((wav) => wav.writeUInt32LE(0, 24)),
  'a rate of 4 GHz': () => wavWith((wav) => wav.writeUInt32LE(0xffffffff, 24)),
  'no channels': () => wavWith((wav) => wav.writeUInt16LE(0, 22)),
  '65,535 channels': () => wavWith((wav) => wav.writeUInt16LE(65_535, 22)),
  'chunks without end': () =>
    Buffer.concat([
      Buffer.from('RIFF\xff\xff\xff\x7fWAVE', 'latin1'),
      Buffer.alloc(4_000_000, 'junk\0\0\0\0', 'latin1'),
    ]),
  'a chunk that ends before it begins': () => wavWith((wav) => wav.writeUInt32LE(0xfffffff8, 16)),
  'an MP3 stream of three hours': () => mp3Silence(3 * 3600),
  'an MP3 tag of 256 MB': () => Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'),
  'an Opus stream of four hours': () => opusBomb(1_000),
  'an Opus stream of 255 channels': () => oggPage(2, 0, 0, [opusHead(255)]),
  'a Vorbis stream of 255 channels': () => oggPage(2, 0, 0, [vorbisHead(255, 48_000)]),
  'a Vorbis stream at 4 GHz': () => oggPage(2, 0, 0, [vorbisHead(2, 0xffffffff)]),
  'a Vorbis stream that claims a year': () =>
    Buffer.concat([oggPage(2, 0, 0, [vorbisHead(2, 48_000)]), oggPage(4, 1, 48_000 * 31_536_000, [])]),
  'a FLAC stream of eleven hours in 500 kB': () => {
    const frame = flacFrame();
    return Buffer.concat([flacHead(48_000), Buffer.alloc(30_000 * frame.length, frame)]);
  },
  'a FLAC header that claims a day': () => Buffer.concat([flacHead(48_000, 0xffffffff), flacFrame()]),
  'a FLAC stream at 0 Hz': () => Buffer.concat([flacHead(0), flacFrame()]),
  'FLAC metadata without end': () =>
    Buffer.concat([flacHead(48_000).subarray(0, 4), Buffer.alloc(4_000_000)]),
  'FLAC with heads of frames and no frames': () =>
    Buffer.concat([flacHead(48_000), Buffer.alloc(8_000_000, flacFrame().subarray(0, 8))]),
  'a WebM file whose first element claims 2^56 bytes': () =>
    Buffer.concat([Buffer.from('1a45dfa3', 'hex'), UNKNOWN_SIZE, Buffer.alloc(100_000)]),
  'WebM elements without end': () => Buffer.concat([EBML_HEAD, Buffer.alloc(8_000_000, 'ec80', 'hex')]),
  'WebM segments inside each other': () =>
    Buffer.concat([EBML_HEAD, Buffer.alloc(8_000_000, '1853806701ffffffffffffff', 'hex')]),
  'a WebM file of four hours of Opus': () => webmFile('A_OPUS', opusHead(1), Buffer.from([3 << 3]), 240_000),
  'a WebM file whose head of Vorbis is all zeros': () =>
    webmFile('A_VORBIS', Buffer.alloc(1_000), Buffer.alloc(100), 10),
  'a WebM file of H.264': () => webmFile('A_SOMETHING', Buffer.alloc(10), Buffer.alloc(100), 10),
  'AAC of an hour in 500 kB': () => Buffer.alloc(42_000 * ADTS_FRAME.length, ADTS_FRAME),
  'AAC heads without end': () => Buffer.alloc(8_000_000, 'fff1508001bffc', 'hex'),
  'AAC heads within each other': () => Buffer.alloc(8_000_000, 'fff1', 'hex'),
  'MP4 boxes without end': () => Buffer.concat([mp4Box('ftyp'), Buffer.alloc(8_000_000, mp4Box('free'))]),
  'an MP4 box that claims 2^63 bytes': () =>
    Buffer.concat([
      mp4Box('ftyp'),
      Buffer.from('000000016d6f6f767fffffffffffffff', 'hex'),
      Buffer.alloc(100_000),
    ]),
  'a ZIP archive': () => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(100_000)]),
  'nothing but zeros': () => Buffer.alloc(1_000_000),
};

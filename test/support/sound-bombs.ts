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

/** Frames of 72 bytes, each of which stands for 72 ms (MPEG 2.5, layer III, 8 kbit/s, 8 kHz). */
export function mp3Silence(seconds: number): Buffer {
  const frame = Buffer.alloc(72);
  frame.set([0xff, 0xe3, 0x18, 0xc4]);
  return Buffer.alloc(Math.ceil(seconds / 0.072) * frame.length, frame);
}

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
  'a ZIP archive': () => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(100_000)]),
  'nothing but zeros': () => Buffer.alloc(1_000_000),
};

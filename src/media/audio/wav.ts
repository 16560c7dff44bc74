// Our own WAV files: 8 kHz, one channel, µ-law or 16-bit linear. Uploads of other formats are converted first (recordings/convert).
import { SAMPLE_RATE_HZ } from './frame.ts';
import { encodeUlaw } from './g711.ts';

/** More than an hour of 16-bit linear; the limits of recordings are far lower. */
export const MAX_WAV_BYTES = 64 * 1024 * 1024;
/** Chunks before the audio: a hostile file may hold millions of empty ones. */
const MAX_CHUNKS = 64;
const FORMAT_PCM = 1;
const FORMAT_ULAW = 7;

export interface WavFault {
  readonly fault: string;
}

/** The audio as µ-law, in memory of its own, or why the file cannot be played. */
export function readWav(file: Buffer): Buffer | WavFault {
  if (file.length > MAX_WAV_BYTES) return { fault: `larger than ${MAX_WAV_BYTES} bytes` };
  if (
    file.length < 12 ||
    file.toString('latin1', 0, 4) !== 'RIFF' ||
    file.toString('latin1', 8, 12) !== 'WAVE'
  ) {
    return { fault: 'no RIFF WAVE file' };
  }
  let format: number | null = null;
  let at = 12;
  for (let chunk = 0; chunk < MAX_CHUNKS && at + 8 <= file.length; chunk += 1) {
    const name = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    // Writers that stream leave the size at 0xffffffff or 0: the length of the file counts.
    const end = Math.min(at + 8 + size, file.length);
    const body = file.subarray(at + 8, end);
    if (name === 'fmt ') {
      const read = readFormat(body);
      if (typeof read !== 'number') return read;
      format = read;
    } else if (name === 'data') {
      if (format === null) return { fault: 'audio before its format' };
      return format === FORMAT_ULAW ? Buffer.from(body) : fromPcm(body);
    }
    at = at + 8 + size + (size & 1);
  }
  return { fault: 'no audio in it' };
}

export function writeWav(ulaw: Buffer): Buffer {
  const header = Buffer.alloc(58);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(50 + ulaw.length + (ulaw.length & 1), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  header.writeUInt16LE(FORMAT_ULAW, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  // Formats other than PCM have a fact chunk with the number of samples.
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(ulaw.length, 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(ulaw.length, 54);
  return Buffer.concat([header, ulaw, Buffer.alloc(ulaw.length & 1)]);
}

function readFormat(body: Buffer): number | WavFault {
  if (body.length < 16) return { fault: 'its format chunk is cut short' };
  const format = body.readUInt16LE(0);
  const channels = body.readUInt16LE(2);
  const rate = body.readUInt32LE(4);
  const bits = body.readUInt16LE(14);
  if (channels !== 1) return { fault: `${channels} channels instead of one` };
  if (rate !== SAMPLE_RATE_HZ) return { fault: `${rate} Hz instead of ${SAMPLE_RATE_HZ}` };
  if (format === FORMAT_ULAW && bits === 8) return format;
  if (format === FORMAT_PCM && bits === 16) return format;
  return { fault: `format ${format} with ${bits} bits is neither µ-law nor 16-bit linear` };
}

function fromPcm(body: Buffer): Buffer {
  const ulaw = Buffer.alloc(body.length >> 1);
  for (let i = 0; i < ulaw.length; i += 1) ulaw[i] = encodeUlaw(body.readInt16LE(2 * i));
  return ulaw;
}

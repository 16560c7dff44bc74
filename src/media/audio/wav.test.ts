import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUlaw } from './g711.ts';
import { readWav, writeWav } from './wav.ts';

interface Shape {
  readonly format?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits?: number;
  /** Instead of the true size of the audio. */
  readonly claimed?: number;
  readonly before?: Buffer;
}

function wav(audio: Buffer, shape: Shape = {}): Buffer {
  const { format = 7, channels = 1, rate = 8_000, bits = 8, claimed = audio.length, before } = shape;
  const head = Buffer.alloc(36);
  head.write('RIFF', 0);
  head.writeUInt32LE(0xffffffff, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(format, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt16LE(bits, 34);
  const data = Buffer.alloc(8);
  data.write('data', 0);
  data.writeUInt32LE(claimed, 4);
  return Buffer.concat([head, before ?? Buffer.alloc(0), data, audio]);
}

describe('WAV files', () => {
  it.each([0, 1, 160, 161])('%i samples are read back as they were written', (length) => {
    const audio = Buffer.from(Array.from({ length }, (_, i) => i & 0xff));
    expect(readWav(writeWav(audio))).toEqual(audio);
  });

  it('reads the example recordings', () => {
    const audio = readWav(readFileSync(new URL('../../../examples/recordings/welcome.wav', import.meta.url)));
    expect(Buffer.isBuffer(audio) && audio.length).toBe(77_135);
  });

  it('encodes 16-bit linear audio, and forgives half a sample at the end', () => {
    const pcm = Buffer.alloc(7);
    for (const [i, sample] of [0, 1_000, -1_000].entries()) pcm.writeInt16LE(sample, 2 * i);
    expect(readWav(wav(pcm, { format: 1, bits: 16 }))).toEqual(
      Buffer.from([0, 1_000, -1_000].map(encodeUlaw)),
    );
  });

  it('skips chunks that it does not know, padded to even sizes', () => {
    const list = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1');
    expect(readWav(wav(Buffer.from([1, 2]), { before: list }))).toEqual(Buffer.from([1, 2]));
  });

  it('believes the file rather than a size of 4 GB that it claims', () => {
    expect(readWav(wav(Buffer.from([1, 2, 3]), { claimed: 0xffffffff }))).toEqual(Buffer.from([1, 2, 3]));
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'no RIFF WAVE file'],
    ['an MP3', Buffer.from('ID3\x04............'), 'no RIFF WAVE file'],
    ['stereo', wav(Buffer.alloc(4), { channels: 2 }), '2 channels instead of one'],
    ['44.1 kHz', wav(Buffer.alloc(4), { rate: 44_100 }), '44100 Hz instead of 8000'],
    ['A-law', wav(Buffer.alloc(4), { format: 6 }), 'format 6 with 8 bits is neither µ-law nor 16-bit linear'],
    [
      '24 bits',
      wav(Buffer.alloc(4), { format: 1, bits: 24 }),
      'format 1 with 24 bits is neither µ-law nor 16-bit linear',
    ],
    ['a header alone', wav(Buffer.alloc(0)).subarray(0, 36), 'no audio in it'],
    [
      'a cut format',
      Buffer.from('RIFF\0\0\0\0WAVEfmt \x04\0\0\0\x07\0\x01\0', 'latin1'),
      'its format chunk is cut short',
    ],
    ['audio first', Buffer.from('RIFF\0\0\0\0WAVEdata\x01\0\0\0x', 'latin1'), 'audio before its format'],
    ['a million empty chunks', wav(Buffer.alloc(1), { before: Buffer.alloc(8_000_000) }), 'no audio in it'],
    ['more than 64 MiB', Buffer.alloc(64 * 1024 * 1024 + 1), 'larger than 67108864 bytes'],
  ])('refuses %s and says why', (_, file, fault) => {
    expect(readWav(file)).toEqual({ fault });
  });

  it('never throws on garbage', () => {
    const good = writeWav(Buffer.alloc(40, 1));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(97), fc.nat(255)), { maxLength: 8 }),
        fc.nat(98),
        (changes, length) => {
          const bad = Buffer.from(good);
          for (const [at, byte] of changes) bad[at] = byte;
          readWav(bad.subarray(0, length));
        },
      ),
    );
  });
});

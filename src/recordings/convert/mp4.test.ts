import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertBytes, converted } from './testing.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../test/support/sounds/${name}`, import.meta.url));

function box(type: string, ...parts: readonly (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4);
  return bytes;
};

/** The data of the first box of this type, and where it is. */
function find(bytes: Buffer, type: string): { readonly at: number; readonly data: Buffer } {
  const at = bytes.indexOf(type, 0, 'latin1') - 4;
  return { at, data: bytes.subarray(at + 8, at + bytes.readUInt32BE(at)) };
}

const WHOLE = fixture('tone-1000.m4a');
const MEDIA = find(WHOLE, 'mdat');
const SIZES = Array.from({ length: find(WHOLE, 'stsz').data.readUInt32BE(8) }, (_, at) =>
  find(WHOLE, 'stsz').data.readUInt32BE(12 + at * 4),
);

interface Made {
  readonly description?: Buffer;
  readonly sizes?: Buffer;
  readonly chunks?: (mediaAt: number) => Buffer;
  readonly perChunk?: Buffer;
  readonly edit?: Buffer;
  readonly handler?: string;
}

/** The same sound with its index before it, and parts of it changed. */
function made({ description, sizes, chunks, perChunk, edit, handler = 'soun' }: Made): Buffer {
  const build = (mediaAt: number): Buffer => {
    const table = box(
      'stbl',
      box('stsd', words(0, 1), description ?? box('mp4a', find(WHOLE, 'mp4a').data)),
      perChunk ?? box('stsc', words(0, 1, 1, SIZES.length, 1)),
      sizes ?? box('stsz', words(0, 0, SIZES.length, ...SIZES)),
      chunks?.(mediaAt) ?? box('stco', words(0, 1, mediaAt)),
    );
    const media = box(
      'mdia',
      box('mdhd', words(0, 0, 0, 44_100, 0, 0)),
      box('hdlr', words(0, 0), Buffer.from(handler), words(0, 0, 0)),
      box('minf', table),
    );
    const header = box('mvhd', words(0, 0, 0, 1_000, 1_000));
    const track = box('trak', box('tkhd', words(0, 0, 0, 1)), edit ? box('edts', edit) : [], media);
    return Buffer.concat([box('ftyp', Buffer.from('M4A \0\0\0\0')), box('moov', header, track)]);
  };
  const head = build(build(0).length + 8);
  return Buffer.concat([head, box('mdat', MEDIA.data)]);
}

const description = (type: string, change: (data: Buffer) => void = () => undefined): Buffer => {
  const data = Buffer.from(find(WHOLE, 'mp4a').data);
  change(data);
  return box(type, data);
};
/** Two bytes behind the descriptor's tag 5 and its size: object type, rate, channels. */
const withConfig = (...config: readonly number[]): Buffer =>
  description('mp4a', (data) => {
    const at = data.indexOf(Buffer.from([5, 0x80, 0x80, 0x80])) + 5;
    data.set(config, at);
  });

describe('the tables of an MP4 file', () => {
  const wanted = converted(WHOLE);

  it.each<[string, Made]>([
    ['one chunk', {}],
    [
      'a chunk for each sample, with 64-bit places',
      {
        perChunk: box('stsc', words(0, 1, 1, 1, 1)),
        chunks: (mediaAt) => {
          let at = mediaAt;
          const places = SIZES.flatMap((size) => {
            at += size;
            return [0, at - size];
          });
          return box('co64', words(0, SIZES.length, ...places));
        },
      },
    ],
    [
      'compact sizes of 16 bits',
      {
        sizes: box(
          'stz2',
          words(0, 16, SIZES.length),
          Buffer.from(SIZES.flatMap((size) => [size >> 8, size & 255])),
        ),
      },
    ],
    ["QuickTime's description, with its parts in a box of their own", { description: quickTime() }],
  ])('with %s lead to the same sound', async (_, parts) => {
    const edit = box('elst', words(0, 1, 1_000, 1_024, 0x10000));
    const outcome = await converted(made({ edit, ...parts }));
    expect(outcome).toMatchObject({
      format: 'M4A/AAC, 44100 Hz, one channel',
      damaged: false,
      durationMs: 1_000,
    });
    expect(outcome.ulaw.equals((await wanted).ulaw)).toBe(true);
  });

  it('without an edit list leave in what the encoder added', async () => {
    expect((await converted(made({}))).durationMs).toBe(Math.round((SIZES.length * 1_024_000) / 44_100));
  });

  it('an edit list with an empty edit before, and one that goes on to the end', async () => {
    const edit = box('elst', words(0, 2, 500, 0xffffffff, 0x10000, 0, 1_024, 0x10000));
    expect((await converted(made({ edit }))).durationMs).toBe(
      Math.round(((SIZES.length - 1) * 1_024_000) / 44_100),
    );
  });
});

function quickTime(): Buffer {
  const data = find(WHOLE, 'mp4a').data;
  const fields = Buffer.from(data.subarray(0, 28));
  fields.writeUInt16BE(1, 8);
  return box(
    'mp4a',
    fields,
    words(1_024, 2, 2, 2),
    box('wave', box('frma', Buffer.from('mp4a')), data.subarray(28)),
  );
}

describe('what is not decoded is refused by name', () => {
  it.each<[string, Buffer]>([
    ['Apple Lossless (ALAC)', description('alac')],
    ['AMR', description('samr')],
    ['Opus', description('Opus')],
    ['sound that is encrypted', description('enca')],
    ['sound in an unknown coding', description('????')],
    [
      'MP3',
      description('mp4a', (data) => data.set([0x6b], data.indexOf(Buffer.from([4, 0x80, 0x80, 0x80])) + 5)),
    ],
    ['AAC Main', withConfig(0x0a, 0x08)],
    ['AAC SSR', withConfig(0x1a, 0x08)],
    ['AAC LTP', withConfig(0x22, 0x08)],
    ['AAC-LD', withConfig(0xba, 0x08)],
    ['AAC-ELD', withConfig(0xf8, 0xe8)],
    ['xHE-AAC (USAC)', withConfig(0xf9, 0x48)],
    ['AAC with frames of 960 samples', withConfig(0x12, 0x0c)],
  ])('%s', async (name, entry) => {
    const outcome = await convertBytes(made({ description: entry }));
    expect(outcome).toMatchObject({
      refused: 'audio_unsupported',
      message: expect.stringContaining('ffmpeg -i'),
    });
    expect('message' in outcome && outcome.message).toContain(` ${name};`);
  });
});

describe('a broken MP4 file', () => {
  it.each<[string, Buffer, string]>([
    ['cut before its index', WHOLE.subarray(0, MEDIA.at + 3_000), 'its index (moov) is missing'],
    ['without a track of sound', made({ handler: 'vide' }), 'no track with sound'],
    ['without sizes', made({ sizes: Buffer.alloc(0) }), 'the sizes of its samples (stsz) are missing'],
    [
      'with chunks of no samples',
      made({ perChunk: box('stsc', words(0, 1, 1, 0, 1)) }),
      'a chunk has no samples',
    ],
    [
      'whose samples are beyond it',
      made({ chunks: () => box('stco', words(0, 1, 0x7fffffff)) }),
      'no whole sample',
    ],
    [
      'whose samples overlap',
      made({
        sizes: box('stsz', words(0, 5_000, 20_000)),
        perChunk: box('stsc', words(0, 1, 1, 1, 1)),
        chunks: (mediaAt) => box('stco', words(0, 20_000), Buffer.alloc(80_000, words(mediaAt))),
      }),
      'its samples overlap',
    ],
  ])('%s is refused', async (_, bytes, why) => {
    expect(await convertBytes(bytes)).toMatchObject({
      refused: 'audio_malformed',
      message: expect.stringContaining(why),
    });
  });

  it('that claims more samples than ten minutes have is too long', async () => {
    const sizes = box('stsz', words(0, 4, 0xffffffff));
    expect(await convertBytes(made({ sizes }))).toMatchObject({ refused: 'audio_too_long' });
  });

  it('whose fragments claim samples of no bytes is too long, and costs no more than samples that are there', async () => {
    // Some 16 bytes for 20,000 samples each.
    const runs = Array.from({ length: 50 }, () => box('trun', words(0, 20_000)));
    const fragment = box('moof', box('traf', box('tfhd', words(0, 1)), ...runs));
    expect(await convertBytes(Buffer.concat([made({}), fragment]))).toMatchObject({
      refused: 'audio_too_long',
    });
  });

  it('whose table of sizes is cut is heard as far as it goes, and is damaged', async () => {
    const sizes = box('stsz', words(0, 0, SIZES.length, ...SIZES.slice(0, 20)));
    expect(await converted(made({ sizes }))).toMatchObject({ damaged: true, durationMs: 465 });
  });
});

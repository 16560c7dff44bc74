// The parsers of our own between hostile bytes and the decoders: EBML and WebM, the frames of FLAC, the pages of Ogg.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workOf } from '../../../test/support/work.ts';
import { elements, readVint } from './ebml.ts';
import { flacFrames, readFlacInfo } from './flac-frames.ts';
import { MAX_PACKET_BYTES, oggPages } from './ogg-pages.ts';
import { SoundFile } from './sound-file.ts';
import { converted } from './testing.ts';
import { Unplayable } from './unplayable.ts';
import { decodeWebm } from './webm.ts';
import { readBlock } from './webm-blocks.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../test/support/sounds/${name}`, import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-demuxers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function withFile<T>(bytes: Uint8Array, work: (file: SoundFile) => T): T {
  const path = join(folder, 'sound');
  writeFileSync(path, bytes);
  const file = new SoundFile(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

/** Numbers from 0 to 1, the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function mutated(original: Buffer, next: () => number): Buffer {
  const bytes = Buffer.from(original);
  const changes = 1 + Math.floor(next() * 12);
  for (let change = 0; change < changes; change++) {
    // Half of them in the head, where the structure is.
    const at = Math.floor(next() * (next() < 0.5 ? 400 : bytes.length));
    bytes[at] = next() < 0.3 ? 0xff : Math.floor(next() * 256);
  }
  return next() < 0.2 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes;
}

/** Unplayable is an answer; anything else thrown fails the test. */
function unlessUnplayable(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error;
  }
}

describe('numbers of EBML', () => {
  it.each([
    ['81', 1, 1],
    ['4001', 1, 2],
    ['10000102', 258, 4],
    ['ff', null, 1],
    ['01ffffffffffffff', null, 8],
  ])('%s', (hex, value, bytes) => {
    expect(readVint(Buffer.from(hex, 'hex'), 0)).toEqual({ value, bytes });
  });

  it.each(['', '00', '40', '01ffff'])('%s is none', (hex) => {
    expect(readVint(Buffer.from(hex, 'hex'), 0)).toBeNull();
  });
});

describe('blocks of WebM', () => {
  const frames = (hex: string): string[] | undefined =>
    readBlock(Buffer.from(hex, 'hex'))?.frames.map((frame) => frame.toString('hex'));

  it('hold one frame, or several behind their sizes (RFC 9559 §10.3)', () => {
    expect(frames('81000080aabb')).toEqual(['aabb']);
    // Xiph: three frames, the first two of 1 and 2 bytes.
    expect(frames('8100008202 0102 aabbbbcc'.replaceAll(' ', ''))).toEqual(['aa', 'bbbb', 'cc']);
    // Fixed: two frames of the same size.
    expect(frames('8100008401 aabb ccdd'.replaceAll(' ', ''))).toEqual(['aabb', 'ccdd']);
    // EBML: 2 bytes, one more than that, and the rest.
    expect(frames('8100008602 82c0 aaaabbbbbbcc'.replaceAll(' ', ''))).toEqual(['aaaa', 'bbbbbb', 'cc']);
  });

  it.each(['', '81', '810000', '8100008205ff', '8100008402aabb', '8100008601ff', '810000820109aa'])(
    '%s is broken',
    (hex) => {
      expect(readBlock(Buffer.from(hex, 'hex'))).toBeNull();
    },
  );
});

describe('WebM', () => {
  it('of a live recording, whose parts do not say how long they are, sounds the same', async () => {
    const bytes = fixture('tone-1000.webm');
    for (const id of ['18538067', '1f43b675']) {
      const at = bytes.indexOf(id, 0, 'hex') + 4;
      const length = readVint(bytes, at)?.bytes ?? 0;
      bytes.fill(0xff, at, at + length);
      bytes[at] = (1 << (9 - length)) - 1;
    }
    const live = await converted(bytes);
    expect(live.damaged).toBe(false);
    expect(live.ulaw.equals((await converted(fixture('tone-1000.webm'))).ulaw)).toBe(true);
  });
});

describe('changed at random', () => {
  it('WebM yields packets that fit in a page, or is refused', () => {
    const next = random(1);
    const originals = ['tone-1000.webm', 'tone-1000-vorbis.webm'].map(fixture);
    for (let round = 0; round < 150; round++)
      withFile(mutated(originals[round % 2] ?? Buffer.alloc(0), next), (file) =>
        unlessUnplayable(() => {
          let read = 0;
          for (const { dataAt, size } of elements(file, new Set())) {
            expect(dataAt + size).toBeLessThanOrEqual(file.size);
            read += size;
          }
          expect(read).toBeLessThanOrEqual(file.size);
          decodeWebm(file);
        }),
      );
  });

  it('FLAC yields frames that do not overlap, or is refused', () => {
    const next = random(2);
    const original = fixture('tone-1000.flac');
    for (let round = 0; round < 150; round++)
      withFile(mutated(original, next), (file) =>
        unlessUnplayable(() => {
          let read = 0;
          for (const { bytes, samples } of flacFrames(file, readFlacInfo(file).framesAt, () => undefined)) {
            expect(samples).toBeLessThanOrEqual(65_536);
            read += bytes.length;
          }
          expect(read).toBeLessThanOrEqual(file.size);
        }),
      );
  });

  it('Ogg yields whole pages', () => {
    const next = random(3);
    const original = fixture('tone-1000.ogg');
    for (let round = 0; round < 150; round++)
      withFile(mutated(original, next), (file) => {
        for (const { body } of oggPages(file))
          expect(body.length).toBeLessThanOrEqual(MAX_PACKET_BYTES + 255);
      });
  });

  it.each(['tone-1000.flac', 'tone-1000.ogg', 'tone-1000.webm', 'tone-1000-vorbis.webm'])(
    '%s with noise behind its head is converted or refused',
    async (name) => {
      const next = random(4);
      const noise = Buffer.from(Array.from({ length: 1_000_000 }, () => Math.floor(next() * 256)));
      const head = fixture(name).subarray(0, 3_500);
      const [some = 0, more = 0] = await workOf<typeof import('./testing.ts')>(
        new URL('./testing.ts', import.meta.url),
        [100_000, 1_000_000].map((length) => async (module) => {
          const outcome = await module.convertBytes(Buffer.concat([head, noise.subarray(0, length)]));
          if (!('refused' in outcome)) expect(outcome.durationMs).toBeLessThan(10_000);
        }),
      );
      expect(some).toBeGreaterThan(100);
      expect(more / some).toBeLessThan(15);
    },
  );
});

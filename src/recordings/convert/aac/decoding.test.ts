// Whole files of AAC: what they sound like beside another decoder's output, and what hostile ones do.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeFlac } from '../flac.ts';
import { decodeMp4 } from '../mp4.ts';
import { type Decoding, SoundFile } from '../sound-file.ts';
import { convertBytes, converted } from '../testing.ts';
import { Unplayable } from '../unplayable.ts';
import { adtsFrames, decodeAdts } from './adts.ts';
import { FRAME_SAMPLES } from './bands.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../../test/support/sounds/${name}`, import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-aac-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withFile<T>(bytes: Uint8Array, work: (file: SoundFile) => T | Promise<T>): Promise<T> {
  const path = join(folder, 'sound');
  writeFileSync(path, bytes);
  const file = new SoundFile(path);
  try {
    return await work(file);
  } finally {
    file.close();
  }
}

async function samplesOf(decoding: Decoding): Promise<number[]> {
  const all: number[] = [];
  for await (const { samples } of decoding.pieces()) all.push(...samples);
  return all;
}

function snrDb(samples: readonly number[], reference: readonly number[]): number {
  let [signal, noise] = [0, 0];
  for (const [at, expected] of reference.entries()) {
    signal += expected ** 2;
    noise += (expected - (samples[at] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

const framesOf = (bytes: Buffer): Promise<Buffer[]> =>
  withFile(bytes, (file) =>
    Array.from(
      adtsFrames(file, 0, () => undefined),
      (frame) => Buffer.from(frame.bytes),
    ),
  );

describe('AAC-LC', () => {
  it('with short windows, TNS, intensity and sum-and-difference stereo sounds as FFmpeg decodes it', async () => {
    const ours = await withFile(fixture('transients.aac'), (file) => samplesOf(decodeAdts(file, 0)));
    const theirs = await withFile(fixture('transients.flac'), (file) => samplesOf(decodeFlac(file)));
    expect(ours).toHaveLength(theirs.length);
    // Their file has 16 bits, which leaves about 75 dB at its level.
    expect(snrDb(ours, theirs)).toBeGreaterThan(70);
  });

  it('sounds the same each time, noise included', async () => {
    const [first, second] = [
      await converted(fixture('tone-1000.aac')),
      await converted(fixture('tone-1000.aac')),
    ];
    expect(first.ulaw.equals(second.ulaw)).toBe(true);
  });
});

describe('ADTS', () => {
  const HEAD_BYTES = 7;

  it('is found again behind bytes that are none of it, and said to be damaged', async () => {
    const whole = fixture('tone-1000.aac');
    const frames = await framesOf(whole);
    const cutAt = frames.slice(0, 20).reduce((sum, { length }) => sum + length + HEAD_BYTES, 0);
    const noise = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x01, 0xff, 0xff, 0xf1, 0, 0xff, 0xff]);
    const spoilt = Buffer.concat([whole.subarray(0, cutAt), noise, whole.subarray(cutAt)]);
    expect(await framesOf(spoilt)).toEqual(frames);
    expect(await converted(spoilt)).toMatchObject({ damaged: true });
  });

  it('with checksums, and with several blocks in a frame, sounds as without', async () => {
    const whole = fixture('tone-1000.aac');
    const frames = (await framesOf(whole)).slice(0, 40);
    const head = (bytes: number, blocks: number, isProtected: boolean): Buffer => {
      const copy = Buffer.from(whole.subarray(0, HEAD_BYTES));
      copy[1] = ((copy[1] ?? 0) & 0xfe) | (isProtected ? 0 : 1);
      copy[3] = ((copy[3] ?? 0) & 0xfc) | (bytes >> 11);
      copy[4] = (bytes >> 3) & 0xff;
      copy[5] = ((bytes & 7) << 5) | ((copy[5] ?? 0) & 0x1f);
      copy[6] = ((copy[6] ?? 0) & 0xfc) | (blocks - 1);
      return copy;
    };
    const sum = Buffer.alloc(2);
    const protectedFrames = frames.flatMap((frame) => [head(frame.length + 9, 1, true), sum, frame]);
    const pairs = (isProtected: boolean): Buffer[] => {
      const out: Buffer[] = [];
      for (let at = 0; at < frames.length; at += 2) {
        const [first = sum, second = sum] = frames.slice(at, at + 2);
        const body = isProtected ? [sum, sum, first, sum, second, sum] : [first, second];
        const bytes = body.reduce((total, { length }) => total + length, HEAD_BYTES);
        out.push(head(bytes, 2, isProtected), ...body);
      }
      return out;
    };
    const unchanged = frames.flatMap((frame) => [head(frame.length + HEAD_BYTES, 1, false), frame]);
    const { ulaw } = await converted(Buffer.concat(unchanged));
    for (const made of [protectedFrames, pairs(false), pairs(true)]) {
      const outcome = await converted(Buffer.concat(made));
      expect(outcome.damaged).toBe(false);
      expect(outcome.ulaw.equals(ulaw)).toBe(true);
    }
  });

  it('behind an ID3 tag is AAC, not MP3', async () => {
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x14', 'latin1'), Buffer.alloc(20)]);
    expect(await converted(Buffer.concat([tag, fixture('tone-1000.aac')]))).toMatchObject({
      format: 'AAC, 44100 Hz, 2 channels',
      damaged: false,
    });
  });

  it.each([
    [0, 'AAC Main'],
    [2, 'AAC SSR'],
    [3, 'AAC LTP'],
  ])('of the profile %i is refused as %s', async (profile, name) => {
    const whole = fixture('tone-1000.aac');
    const frames = await framesOf(whole);
    let at = 0;
    for (const { length } of frames) {
      whole[at + 2] = ((whole[at + 2] ?? 0) & 0x3f) | (profile << 6);
      at += length + HEAD_BYTES;
    }
    expect(await convertBytes(whole)).toMatchObject({
      refused: 'audio_unsupported',
      message: expect.stringContaining(`is ${name};`),
    });
  });

  it('of which no frame can be decoded is refused', async () => {
    const whole = fixture('tone-1000.aac');
    const frames = await framesOf(whole);
    let at = 0;
    for (const { length } of frames) {
      whole.fill(0, at + HEAD_BYTES, at + HEAD_BYTES + length);
      at += length + HEAD_BYTES;
    }
    expect(await convertBytes(whole)).toMatchObject({
      refused: 'audio_malformed',
      message: 'The AAC sound is broken: none of its frames can be decoded.',
    });
  });
});

/** Numbers from 0 to 1, the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('changed at random', () => {
  const NAMES = ['transients.aac', 'tone-1000.m4a', 'tone-1000-live.mp4', 'tone-1000-he.m4a'];

  it.each(NAMES)(
    '%s is decoded to finite samples, no more than its bytes can hold, or refused',
    async (name) => {
      const next = random(NAMES.indexOf(name) + 1);
      const original = fixture(name);
      for (let round = 0; round < 60; round++) {
        const bytes = Buffer.from(original);
        for (let changes = 1 + Math.floor(next() * 12); changes > 0; changes--)
          bytes[Math.floor(next() * bytes.length)] = next() < 0.3 ? 0xff : Math.floor(next() * 256);
        const cut = next() < 0.2 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes;
        await withFile(cut, async (file) => {
          try {
            const samples = await samplesOf(name.endsWith('.aac') ? decodeAdts(file, 0) : decodeMp4(file));
            expect(samples.every(Number.isFinite)).toBe(true);
            expect(samples.length).toBeLessThanOrEqual(file.size * FRAME_SAMPLES);
          } catch (error) {
            if (!(error instanceof Unplayable)) throw error;
          }
        });
      }
    },
  );
});

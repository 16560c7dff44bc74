import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { BOMBS, webmFile } from '../../../test/support/sound-bombs.ts';
import { workOf } from '../../../test/support/work.ts';
import { encodeAlaw, encodeUlaw } from '../../media/audio/g711.ts';
import {
  amplitudeDb,
  convertBytes,
  converted,
  PCM16,
  tone,
  totalDb,
  type WavForm,
  wavFile,
} from './testing.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../test/support/sounds/${name}`, import.meta.url));

const int16 = (sample: number): number => Math.round(sample * 32_767);

describe('WAV of any kind', () => {
  const FORMS: readonly [string, Partial<WavForm> & Pick<WavForm, 'write'>][] = [
    ['8 bit', { bits: 8, write: (file, s, at) => void file.writeUInt8(Math.round(128 + s * 127), at) }],
    ['16 bit', { write: (file, s, at) => void file.writeInt16LE(int16(s), at) }],
    ['24 bit', { bits: 24, write: (file, s, at) => void file.writeIntLE(Math.round(s * 8_388_607), at, 3) }],
    [
      '32 bit',
      { bits: 32, write: (file, s, at) => void file.writeInt32LE(Math.round(s * 2_147_483_647), at) },
    ],
    ['floating point, 32 bit', { bits: 32, code: 3, write: (file, s, at) => void file.writeFloatLE(s, at) }],
    ['floating point, 64 bit', { bits: 64, code: 3, write: (file, s, at) => void file.writeDoubleLE(s, at) }],
    ['µ-law', { bits: 8, code: 7, write: (file, s, at) => void file.writeUInt8(encodeUlaw(int16(s)), at) }],
    ['A-law', { bits: 8, code: 6, write: (file, s, at) => void file.writeUInt8(encodeAlaw(int16(s)), at) }],
  ];
  const cases = FORMS.flatMap(([name, form]) =>
    [8_000, 22_050, 48_000].flatMap((rateHz) =>
      [1, 2].map((channels) => [name, rateHz, channels, form] as const),
    ),
  );

  it.each(cases)(
    '%s at %i Hz with %i channels keeps its tone and its length',
    async (_, rateHz, channels, form) => {
      const { ulaw, durationMs } = await converted(wavFile({ rateHz, channels, ...form }, 0.2, tone(1_000)));
      expect(durationMs).toBe(200);
      expect(ulaw.length).toBe(1_600);
      expect(Math.abs(amplitudeDb(ulaw, 1_000) - -6)).toBeLessThan(1);
    },
  );

  it('channels are mixed: a tone on one of two is half as loud', async () => {
    const form = { ...PCM16(44_100), channels: 2 };
    const { ulaw } = await converted(
      wavFile(form, 0.5, (at, channel) => (channel === 0 ? tone(1_000, 0.8)(at) : 0)),
    );
    expect(Math.abs(amplitudeDb(ulaw, 1_000) - 20 * Math.log10(0.4))).toBeLessThan(0.5);
  });

  it('NaN and infinity in a floating-point file are silence and loudness, never a crash', async () => {
    const form: WavForm = {
      rateHz: 8_000,
      bits: 32,
      code: 3,
      write: (file, s, at) => void file.writeFloatLE(s, at),
    };
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e38, 0.1];
    const outcome = await converted(
      wavFile(form, 0.1, (at) => odd[Math.round(at * 8_000) % odd.length] ?? 0),
    );
    expect(outcome.ulaw.length).toBe(800);
    expect(Number.isFinite(outcome.peakDb)).toBe(true);
  });
});

describe('quality', () => {
  it.each([44_100, 48_000])('a 1 kHz tone at %i Hz keeps its level within 1 dB', async (rateHz) => {
    for (const amplitude of [0.4, 0.7, 1]) {
      const { ulaw, gainDb } = await converted(wavFile(PCM16(rateHz), 0.5, tone(1_000, amplitude)));
      expect(gainDb).toBe(0);
      expect(Math.abs(amplitudeDb(ulaw, 1_000) - 20 * Math.log10(amplitude))).toBeLessThan(1);
    }
  });

  it.each([44_100, 48_000])(
    'tones above 4 kHz at %i Hz leave less than −50 dB of what they were',
    async (rateHz) => {
      for (const hz of [5_000, 7_000, 10_000, 15_000]) {
        // Beside a tone that stays, so that nothing is raised; it is taken out of what is measured.
        const both = (at: number): number => tone(733, 0.45)(at) + tone(hz, 0.45)(at);
        const { ulaw } = await converted(wavFile(PCM16(rateHz), 0.5, both));
        const alias = Math.abs(hz - 8_000 * Math.round(hz / 8_000));
        expect(amplitudeDb(ulaw, alias) - 20 * Math.log10(0.45), `${hz} Hz`).toBeLessThan(-50);
      }
    },
  );

  it('a file that has only such tones is silent', async () => {
    const { ulaw } = await converted(wavFile(PCM16(48_000), 0.3, tone(10_000, 0.9)));
    expect(totalDb(ulaw)).toBeLessThan(-50);
  });
});

describe('level', () => {
  it.each([
    ['quiet', 0.05, 20 * Math.log10(0.708), 23],
    ['very quiet', 0.01, -40 + 24, 24],
    ['as it should be', 0.5, -6, 0],
  ])('a %s tone is raised as far as it may be', async (_, amplitude, expectedDb, gainDb) => {
    const outcome = await converted(wavFile(PCM16(8_000), 0.5, tone(1_000, amplitude)));
    expect(Math.abs(amplitudeDb(outcome.ulaw, 1_000) - expectedDb)).toBeLessThan(0.5);
    expect(Math.round(outcome.gainDb)).toBe(gainDb);
    expect(Math.abs(outcome.peakDb - 20 * Math.log10(amplitude))).toBeLessThan(0.5);
  });

  it('a constant is taken away before anything is measured', async () => {
    const { peakDb, ulaw } = await converted(wavFile(PCM16(8_000), 0.5, (at) => 0.4 + tone(1_000, 0.4)(at)));
    expect(peakDb).toBeCloseTo(-8, 0);
    expect(Math.abs(amplitudeDb(ulaw, 1_000) - -8)).toBeLessThan(0.5);
  });

  it('samples that are cut off are counted, and those that only touch full scale are not', async () => {
    const loud = await converted(
      wavFile(PCM16(8_000), 0.5, (at) => Math.max(-1, Math.min(1, tone(100, 2)(at)))),
    );
    expect(loud.clippedSamples).toBeGreaterThan(1_000);
    expect((await converted(wavFile(PCM16(44_100), 0.5, tone(1_000, 1)))).clippedSamples).toBe(0);
  });

  it('silence at either end is told to within 20 ms', async () => {
    const sound = (at: number): number => (at >= 0.3 && at < 0.6 ? tone(1_000)(at) : 0);
    const { leadingSilenceMs, trailingSilenceMs } = await converted(wavFile(PCM16(16_000), 1.1, sound));
    expect(Math.abs(leadingSilenceMs - 300)).toBeLessThanOrEqual(20);
    expect(Math.abs(trailingSilenceMs - 500)).toBeLessThanOrEqual(20);
  });

  it('a silent file is silent from end to end, and is not raised', async () => {
    const outcome = await converted(wavFile(PCM16(8_000), 1, () => 0));
    expect(outcome).toMatchObject({
      peakDb: -96,
      gainDb: 0,
      leadingSilenceMs: 1_000,
      trailingSilenceMs: 1_000,
    });
  });
});

describe('compressed sound', () => {
  const FILES = [
    ['tone-1000.mp3', 'MP3, 44100 Hz'],
    ['tone-1000.opus', 'Ogg/Opus, 2 channels'],
    ['tone-1000.ogg', 'Ogg/Vorbis, 44100 Hz, 2 channels'],
    ['tone-1000.flac', 'FLAC, 16000 Hz, one channel'],
    ['tone-1000.webm', 'WebM/Opus, one channel'],
    ['tone-1000-vorbis.webm', 'WebM/Vorbis, 44100 Hz, 2 channels'],
  ] as const;
  const NAMES = FILES.map(([name]) => name);

  it.each(FILES)('%s is heard as the tone it is', async (name, format) => {
    const outcome = await converted(fixture(name));
    expect(outcome).toMatchObject({ format, damaged: false });
    expect(Math.abs(outcome.durationMs - 1_000)).toBeLessThan(62);
    expect(Math.abs(amplitudeDb(outcome.ulaw, 1_000) - -6)).toBeLessThan(1);
    // Nothing beside the tone: clicks at the edges of packets would be heard here.
    expect(totalDb(outcome.ulaw) - amplitudeDb(outcome.ulaw, 1_000)).toBeLessThan(0.2);
  });

  // One page holds nearly all of the Opus file.
  it.each(NAMES.filter((name) => name !== 'tone-1000.opus'))(
    '%s that ends too early is played as far as it goes, and said to be damaged',
    async (name) => {
      const whole = fixture(name);
      const outcome = await converted(whole.subarray(0, Math.floor(whole.length * 0.68)));
      expect(outcome.damaged).toBe(true);
      expect(outcome.durationMs).toBeGreaterThan(200);
      expect(outcome.durationMs).toBeLessThan(900);
      expect(Math.abs(amplitudeDb(outcome.ulaw, 1_000) - -6)).toBeLessThan(1);
    },
  );

  it.each(NAMES)('%s cut anywhere is converted or refused, never a throw', async (name) => {
    const whole = fixture(name);
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 9)) {
      const outcome = await convertBytes(whole.subarray(0, length));
      if (!('refused' in outcome)) expect(outcome.durationMs).toBeLessThan(1_200);
    }
  });

  it.each(NAMES)('%s with spoilt bytes is converted or refused, never a throw', async (name) => {
    for (let round = 1; round <= 6; round++) {
      const bytes = Buffer.from(fixture(name));
      for (let at = round * 7; at < bytes.length; at += 97 * round) bytes[at] = (at * 31 + round) & 0xff;
      const outcome = await convertBytes(bytes);
      expect('refused' in outcome || outcome.durationMs > 0).toBe(true);
    }
  });

  it('an MP3 file that announces more frames than it has is damaged, also if it ends between two', async () => {
    const stream = fixture('tone-1000.mp3');
    // 64 kbit/s at 44,100 Hz: frames of 208 bytes, and 209 where they are padded.
    const frames: Buffer[] = [];
    for (let at = 0; at < stream.length; at += frames.at(-1)?.length ?? 1)
      frames.push(stream.subarray(at, at + 208 + (((stream[at + 2] ?? 0) >> 1) & 1)));
    const info = Buffer.alloc(208);
    stream.copy(info, 0, 0, 4);
    info.write('Info', 21, 'latin1');
    info.writeUInt32BE(1, 25);
    info.writeUInt32BE(frames.length, 29);
    expect(await converted(Buffer.concat([info, ...frames]))).toMatchObject({ damaged: false });
    expect(await converted(Buffer.concat([info, ...frames.slice(0, 20)]))).toMatchObject({ damaged: true });
  });
});

describe('sound that is not decoded', () => {
  const bytes = (head: string): Buffer => Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(1_000)]);

  it.each<[string, Buffer, string, string]>([
    ['M4A', fixture('tone-1000.m4a'), 'This is an M4A or MP4 file', 'recording.m4a'],
    ['an old QuickTime file', bytes('\0\0\0\x08wide'), 'This is an M4A or MP4 file', 'recording.m4a'],
    ['ADTS', fixture('tone-1000.aac'), 'This is an AAC file', 'recording.aac'],
    [
      'ADTS behind a tag',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x02ab', 'latin1'), fixture('tone-1000.aac')]),
      'This is an AAC file',
      'recording.aac',
    ],
    ['AMR', bytes('#!AMR\n'), 'This is an AMR file', 'recording.amr'],
    ['AIFF', bytes('FORM\0\0\0\0AIFC'), 'This is an AIFF file', 'recording.aiff'],
    ['CAF', bytes('caff'), 'This is a CAF file', 'recording.caf'],
    ['AU', bytes('.snd'), 'This is an AU file', 'recording.au'],
    ['WMA', bytes('\x30\x26\xb2\x75\x8e\x66\xcf\x11'), 'This is a WMA file', 'recording.wma'],
    ['AVI', bytes('RIFF\0\0\0\0AVI '), 'This is an AVI file', 'recording.avi'],
    ['AC-3', bytes('\x0b\x77'), 'This is an AC-3 file', 'recording.ac3'],
    ["Monkey's Audio", bytes('MAC '), "This is a file of Monkey's Audio", 'recording.ape'],
    ['WavPack', bytes('wvpk'), 'This is a WavPack file', 'recording.wv'],
    [
      'a WebM file of AAC',
      webmFile('A_AAC', Buffer.alloc(2), Buffer.alloc(100), 10),
      'holds AAC instead of Opus or Vorbis',
      'recording.webm',
    ],
    [
      'a WebM file whose coding is a sentence',
      webmFile('A_<b>Call 123</b>', Buffer.alloc(2), Buffer.alloc(100), 10),
      'holds an unknown coding instead',
      'recording.webm',
    ],
    [
      'a WAV file of ADPCM',
      wavFile({ ...PCM16(8_000), code: 17 }, 0.1, tone(1_000)),
      'in another coding than PCM (format 17)',
      'recording.wav',
    ],
  ])('%s is refused by name, with what converts it', async (_, file, name, converts) => {
    const outcome = await convertBytes(file);
    expect(outcome).toMatchObject({
      refused: 'audio_unsupported',
      isUndecoded: true,
      message: expect.stringContaining(`"ffmpeg -i ${converts} -ac 1 recording.wav"`),
    });
    expect('message' in outcome && outcome.message).toContain(name);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><p>ftyp')],
    ['a playlist', Buffer.from('#EXTM3U\n#EXT-X-STREAM-INF:\nhttp://example.com/')],
    ['a ZIP archive', bytes('PK\x03\x04')],
    ['zeros', Buffer.alloc(1_000)],
  ])('%s is no sound that another program would be given', async (_, file) => {
    expect(await convertBytes(file)).toMatchObject({ refused: 'audio_unsupported', isUndecoded: false });
  });
});

describe('bombs', () => {
  const refusals = new Map<
    string,
    { readonly outcome: object; readonly bytes: number; readonly work: number }
  >();
  beforeAll(async () => {
    const bombs = Object.entries(BOMBS).map(([name, make]) => ({ name, bytes: make() }));
    const outcomes: object[] = [];
    const works = await workOf<typeof import('./testing.ts')>(
      new URL('./testing.ts', import.meta.url),
      bombs.map(({ bytes }) => async (module) => {
        outcomes.push(await module.convertBytes(bytes));
      }),
    );
    for (const [index, { name, bytes }] of bombs.entries())
      refusals.set(name, { outcome: outcomes[index] ?? {}, bytes: bytes.length, work: works[index] ?? 0 });
  });

  it.each(Object.keys(BOMBS))('%s is refused before anything is decoded', (name) => {
    const { outcome, bytes = 0, work } = refusals.get(name) ?? {};
    expect(outcome).toMatchObject({
      refused: expect.stringMatching(/^audio_/),
      message: expect.stringMatching(/\.$/),
    });
    // What is too long is seen by the heads of frames: decoded, each byte is several samples. Heads without end are looked at.
    const isLong = JSON.stringify(outcome).includes('audio_too_long');
    expect(work).toBeGreaterThan(0);
    expect(work).toBeLessThan(1_000 + bytes * (isLong ? 1 / 4 : 10));
  });
});

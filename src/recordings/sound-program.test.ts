// Sound files that are not decoded here, by the program of SOUND_COMMAND (T83).
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { toneWav } from '../../test/support/phone/tone-recording.ts';
import { readCommand } from '../config/forms.ts';
import { PromptFiles } from './prompt-files.ts';
import { RecordingStore } from './recording-store.ts';
import { SoundProgram, type SoundProgramOptions } from './sound-program.ts';

const fixture = (name: string): string =>
  new URL(`../../test/support/sounds/${name}`, import.meta.url).pathname;
const M4A = fixture('tone-1000.m4a');
const env = { PATH: process.env['PATH'] };

function ffmpegMissing(): boolean {
  if (spawnSync('ffmpeg', ['-version']).status === 0) return false;
  if (process.env['CI']) throw new Error('ffmpeg is not installed.');
  console.warn('\n!!! ffmpeg is not installed: the documented SOUND_COMMAND IS NOT TRIED.\n');
  return true;
}

/** The one that docs/recordings.md tells operators to use. */
function documentedCommand(): string {
  const page = readFileSync(new URL('../../docs/recordings.md', import.meta.url), 'utf8');
  return /^SOUND_COMMAND="([^"]+)"$/m.exec(page)?.[1] ?? '';
}

describe.skipIf(process.platform === 'win32')('SOUND_COMMAND', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-sound-'));
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const wav = join(folder, 'tone.wav');
  writeFileSync(wav, toneWav(700, 300));
  const stores: RecordingStore[] = [];
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let scripts = 0;
  const script = (text: string): string => {
    const path = join(folder, `script-${scripts++}`);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const open = (command: string, options: SoundProgramOptions = {}): RecordingStore => {
    const read = readCommand(command);
    const store = new RecordingStore({
      files: new PromptFiles({ folder: recordings, shared: null, failed: () => undefined }),
      storage: { listAccounts: async () => [], recordedSounds: async () => [] },
      fetchSafely: async () => ({ ok: false, fault: 'unreachable', message: '' }),
      speech: { speak: async () => 'unavailable' },
      soundProgram: read ? new SoundProgram(read, env, options) : undefined,
      failed: (error) => {
        throw error;
      },
    });
    stores.push(store);
    return store;
  };
  const leftBehind = (): string[] => readdirSync(recordings).filter((name) => name.endsWith('.part'));

  it('makes WAV of an M4A file: it gets the path of the file, or the file itself', async () => {
    const byPath = open(`${script(`grep -q ftyp "$1" && cat ${wav}`)} {input}`);
    expect(await byPath.fromFile('a', M4A)).toMatchObject({
      duration_ms: 300,
      format: expect.stringMatching(/^WAV/),
    });
    const byInput = open(script(`grep -q ftyp && cat ${wav}`));
    expect(await byInput.fromFile('a', M4A)).toMatchObject({ duration_ms: 300 });
    expect(leftBehind()).toEqual([]);
  });

  it('is not asked for what is decoded here, nor for what is no sound: a playlist would have it fetch what it names', async () => {
    const marker = join(folder, 'asked');
    const store = open(`${script(`touch ${marker}; cat ${wav}`)} {input}`);
    const file = join(folder, 'sent');
    expect(await store.fromFile('a', fixture('tone-1000.mp3'))).toMatchObject({ format: 'MP3, 44100 Hz' });
    for (const text of [
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://127.0.0.1/',
      'ffconcat version 1.0\nfile /etc/passwd\n',
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011">',
      'v=0\nc=IN IP4 127.0.0.1\n',
      'PK\x03\x04',
      '',
    ]) {
      writeFileSync(file, text);
      expect(await store.fromFile('a', file)).toMatchObject({ problem: 'audio_unsupported' });
    }
    writeFileSync(file, toneWav(700, 100).fill(0xff, 20, 22));
    expect(existsSync(marker)).toBe(false);
    await store.fromFile('a', file);
    expect(existsSync(marker)).toBe(true);
  });

  it.each<[string, string, SoundProgramOptions, string]>([
    ['fails', 'echo "/srv/secret: no such file" >&2; exit 1', {}, 'could not convert it'],
    ['takes too long', 'exec sleep 600', { timeoutMs: 300 }, 'took too long'],
    ['writes no WAV', 'echo "/srv/secret"', {}, 'made no WAV file'],
    ['writes nothing', 'exit 0', {}, 'made no WAV file'],
    ['writes what it should convert', 'cat "$1"', {}, 'made no WAV file'],
  ])(
    'that %s leaves the refusal as it is, with a reason that names nothing of this machine',
    async (_, text, options, why) => {
      const failure = await open(`${script(text)} {input}`, options).fromFile('a', M4A);
      expect(failure).toMatchObject({
        problem: 'audio_unsupported',
        message: expect.stringContaining('ffmpeg -i recording.m4a'),
      });
      expect(JSON.stringify(failure)).toContain(why);
      expect(JSON.stringify(failure)).not.toContain('secret');
      expect(JSON.stringify(failure)).not.toContain(folder);
      expect(leftBehind()).toEqual([]);
    },
  );

  it('that writes more than the longest recording is ended, and the sound is too long', async () => {
    const store = open(script('exec cat /dev/zero'), { maxBytes: 200_000 });
    expect(await store.fromFile('a', M4A)).toMatchObject({ problem: 'audio_too_long' });
    expect(leftBehind()).toEqual([]);
  });

  it('that is gone since the start is said to be', async () => {
    const failure = await open(`${join(folder, 'gone')} {input}`).fromFile('a', M4A);
    expect(JSON.stringify(failure)).toContain('is not installed');
  });

  it('is named by the refusal where it is not set', async () => {
    const failure = await open('').fromFile('a', M4A);
    expect(failure).toMatchObject({
      problem: 'audio_unsupported',
      message: expect.stringContaining('The operator may set SOUND_COMMAND'),
    });
  });

  it('runs twice at once, and once for an account; the next of an account waits', async () => {
    const log = join(folder, 'log');
    const slow = script(`echo begin >> ${log}; sleep 0.3; echo end >> ${log}; cat ${wav}`);
    const program = new SoundProgram({ program: slow, args: [] }, env);
    const outputs = ['a', 'a', 'a', 'b', 'c'].map((account, at) =>
      program.convert(account, M4A, join(folder, `out-${at}`)),
    );
    expect(new Set(await Promise.all(outputs))).toEqual(new Set(['converted']));
    let running = 0;
    const most = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (running += line === 'begin' ? 1 : -1));
    expect(Math.max(...most)).toBeLessThanOrEqual(2);
    expect(most.at(-1)).toBe(0);
  });

  it.skipIf(ffmpegMissing())(
    'as it is documented, with ffmpeg, converts M4A and AAC, and opens nothing that a file names',
    async () => {
      const command = documentedCommand();
      expect(command).toContain('-protocol_whitelist file,pipe');
      const store = open(command);
      for (const name of ['tone-1000.m4a', 'tone-1000.aac']) {
        const made = await store.fromFile('a', fixture(name));
        expect(made).toMatchObject({ damaged: false, clipped_samples: 0 });
        expect('duration_ms' in made && Math.abs(made.duration_ms - 1_000)).toBeLessThan(70);
      }
      expect(leftBehind()).toEqual([]);
    },
  );
});

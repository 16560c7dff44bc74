import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { toneWav } from '../../test/support/phone/tone-recording.ts';
import { DEFAULT_LIMITS } from '../domain/account-limits.ts';
import { isProblem } from '../kinds/problem.ts';
import type { SoundFacts } from '../kinds/recording.ts';
import { GRACE_MS, PromptFiles } from './prompt-files.ts';
import { MADE, RecordingStore, type RecordingStoreParts } from './recording-store.ts';
import { espeak, type SpeechEngine } from './speech.ts';

const HOUR = 3_600_000;

describe('the recording store', () => {
  const folders: string[] = [];
  const shelves: RecordingStore[] = [];
  afterEach(async () => {
    await Promise.all(shelves.splice(0).map((recordingStore) => recordingStore.close()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  function open(parts: Partial<RecordingStoreParts> = {}) {
    const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-recordings-'));
    folders.push(dataDir);
    const used: string[] = [];
    const account = { id: 'a', name: 'a', createdAtMs: 0, settings: {}, limits: DEFAULT_LIMITS };
    const folder = join(dataDir, 'recordings');
    const recordingStore = new RecordingStore({
      files: new PromptFiles({ folder, shared: null, failed: () => undefined }),
      storage: { listAccounts: async () => [account], recordedSounds: async () => used },
      fetchSafely: async () => ({ ok: false, fault: 'unreachable', message: 'Nobody is there.' }),
      speech: { speak: async () => 'unavailable' },
      failed: (error) => {
        throw error;
      },
      ...parts,
    });
    shelves.push(recordingStore);
    const upload = join(dataDir, 'upload');
    const convert = async (hz: number): Promise<SoundFacts> => {
      writeFileSync(upload, toneWav(hz, 100));
      const facts = await recordingStore.fromFile('a', upload);
      if (isProblem(facts)) throw new Error(facts.message);
      return facts;
    };
    /** As if it had been made so long ago. */
    const age = (sha256: string, ms: number): void => {
      const then = new Date(Date.now() - ms);
      utimesSync(join(folder, `${sha256}.wav`), then, then);
    };
    const has = (sha256: string): boolean => existsSync(join(folder, `${sha256}.wav`));
    return { recordingStore, used, convert, age, has, folder };
  }

  /** The folder is made by what is received first; conversions alone find it there. */
  async function opened(parts: Partial<RecordingStoreParts> = {}) {
    const all = open(parts);
    await all.recordingStore.fromText('a', { text: 'x', voice: 'en', speed: 160 });
    return all;
  }

  it('the same sound is one file, and the file is what it is named', async () => {
    const { convert, folder } = await opened();
    const [one, same, other] = [await convert(500), await convert(500), await convert(600)];
    expect(same).toEqual(one);
    expect(readdirSync(folder).sort()).toEqual([`${one.sha256}.wav`, `${other.sha256}.wav`].sort());
  });

  it('a file goes when nothing has pointed to it for an hour, and not before', async () => {
    const { recordingStore, used, convert, age, has } = await opened();
    const [kept, loose] = [await convert(500), await convert(600)];
    used.push(kept.sha256);
    for (const { sha256 } of [kept, loose]) age(sha256, 30 * HOUR);
    const nowMs = Date.now();
    expect(await recordingStore.sweep(nowMs)).toBe(0);
    expect(await recordingStore.sweep(nowMs + GRACE_MS - 1)).toBe(0);
    expect(await recordingStore.sweep(nowMs + GRACE_MS)).toBe(1);
    expect([has(kept.sha256), has(loose.sha256)]).toEqual([true, false]);
  });

  it('a file that is pointed to again meanwhile has its hour anew', async () => {
    const { recordingStore, used, convert, age, has } = await opened();
    const { sha256 } = await convert(500);
    age(sha256, 30 * HOUR);
    const nowMs = Date.now();
    await recordingStore.sweep(nowMs);
    used.push(sha256);
    await recordingStore.sweep(nowMs + GRACE_MS);
    used.pop();
    expect(await recordingStore.sweep(nowMs + 2 * GRACE_MS)).toBe(0);
    expect(has(sha256)).toBe(true);
  });

  it('a file that is sent again while the sweep runs stays, though no record points to it yet', async () => {
    const { recordingStore, convert, age, has } = await opened();
    const { sha256 } = await convert(500);
    age(sha256, 30 * HOUR);
    const nowMs = Date.now();
    await recordingStore.sweep(nowMs - GRACE_MS);
    const again = convert(500);
    const swept = recordingStore.sweep(nowMs);
    await again;
    expect(await swept).toBe(0);
    expect(has(sha256)).toBe(true);
  });

  it('what a killed process left behind goes, and nothing that is not ours', async () => {
    const { recordingStore, folder } = await opened();
    const old = new Date(Date.now() - 2 * HOUR);
    for (const name of ['left.part', 'young.part', 'notes.txt']) writeFileSync(join(folder, name), 'x');
    for (const name of ['left.part', 'notes.txt']) utimesSync(join(folder, name), old, old);
    expect(await recordingStore.sweep(Date.now())).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'young.part']);
  });

  it('a fetched file is converted and leaves nothing behind; one that is no sound does neither', async () => {
    const answers = [toneWav(700, 100), Buffer.from('<html>')];
    const fetchSafely: RecordingStoreParts['fetchSafely'] = async (url) => ({
      ok: true,
      status: 200,
      headers: {},
      body: answers.shift() ?? Buffer.alloc(0),
      url,
    });
    const { recordingStore, folder } = open({ fetchSafely });
    expect(await recordingStore.fromUrl('a', 'http://x/')).toMatchObject({ duration_ms: 100 });
    expect(await recordingStore.fromUrl('a', 'http://x/')).toMatchObject({ problem: 'audio_unsupported' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('more than a few speeches of an account at once are refused, and another account still has its share', async () => {
    let finish = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const speech: SpeechEngine = { speak: () => waiting.then(() => 'failed' as const) };
    const { recordingStore } = open({ speech });
    const say = (accountId: string) =>
      recordingStore.fromText(accountId, { text: 'x', voice: 'en', speed: 160 });
    const running = Array.from({ length: MADE.perAccount }, () => say('a'));
    await expect(say('a')).rejects.toMatchObject({ reason: 'overloaded' });
    running.push(say('b'));
    finish();
    for (const one of running) expect(await one).toMatchObject({ problem: 'tts_unavailable' });
  });
});

describe.skipIf(process.platform === 'win32')('a speech program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-speech-'));
  const env = { PATH: process.env['PATH'] };
  const speech = { text: '$(touch /tmp/never); `x`', voice: 'en', speed: 160 };

  it('that is not there is unavailable', async () => {
    expect(await espeak('no-such-program', env).speak(speech, join(folder, '1'))).toBe('unavailable');
  });

  it('that never ends is ended', async () => {
    const script = join(folder, 'slow');
    writeFileSync(script, '#!/bin/sh\nexec sleep 600\n', { mode: 0o700 });
    expect(await espeak(script, env, 300).speak(speech, join(folder, '2'))).toBe('failed');
  });

  it('that talks without end is stopped at the size of an upload', async () => {
    const script = join(folder, 'long');
    writeFileSync(script, '#!/bin/sh\nexec cat /dev/zero\n', { mode: 0o700 });
    expect(await espeak(script, env).speak(speech, join(folder, '3'))).toBe('too_long');
  });

  it('gets the text on its standard input, as it is, and never through a shell', async () => {
    const script = join(folder, 'echo');
    writeFileSync(script, '#!/bin/sh\nexec cat\n', { mode: 0o700 });
    expect(await espeak(script, env).speak(speech, join(folder, '4'))).toBe('spoken');
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(join(folder, '4'), 'utf8')).toBe(speech.text);
    rmSync(folder, { recursive: true, force: true });
  });
});

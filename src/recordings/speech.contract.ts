// What every speech engine does, whatever speaks: a sound file at the path, or a word for why there is none, within its time.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SpeechEngine } from './speech.ts';

export interface SpeechBed {
  /** Speaks with a WAV file in which the text can be found. */
  readonly engine: SpeechEngine;
  readonly broken: SpeechEngine;
  /** Would take longer than its limit, which is 300 ms. */
  readonly slow: SpeechEngine;
  /** Is not there at all. */
  readonly absent: SpeechEngine;
  close(): Promise<void>;
}

export function speechContract(name: string, open: () => Promise<SpeechBed>): void {
  describe(`a speech engine: ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-speech-'));
    let files = 0;
    const path = (): string => join(folder, `${files++}.wav`);
    const speech = { text: 'Your order is “ready”; wait\nplease.', voice: 'en', speed: 160 };
    let bed: SpeechBed | undefined;
    const opened = async (): Promise<SpeechBed> => {
      bed ??= await open();
      return bed;
    };
    afterAll(async () => {
      await bed?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('writes a sound file that nobody else can read', async () => {
      const file = path();
      expect(await (await opened()).engine.speak(speech, file)).toBe('spoken');
      const wav = readFileSync(file);
      expect(wav.subarray(0, 4).toString()).toBe('RIFF');
      expect(wav.toString()).toContain(speech.text);
      expect(statSync(file).mode & 0o077).toBe(0);
    });

    it('says that it failed, and does not throw', async () => {
      expect(await (await opened()).broken.speak(speech, path())).toBe('failed');
    });

    it('gives up after its time', async () => {
      // Without a limit it would end later than this test may.
      expect(await (await opened()).slow.speak(speech, path())).toBe('failed');
    });

    it('says that it is not there', async () => {
      expect(await (await opened()).absent.speak(speech, path())).toBe('unavailable');
    });
  });
}

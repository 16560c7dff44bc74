// A third language: built-in prompts that an account makes from its own texts are what its callers hear; the rest is English, and
// Health says so.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Segment } from '../support/phone/hearing.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { PhoneBed } from './support/phone-bed.ts';

const SPOKEN_HZ = 1_860;
const GREETING = 'prompt.de.voicemail-greeting';

describe.skipIf(process.platform === 'win32')('an account whose callers hear German', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-speaks-'));
  let bed: PhoneBed;
  beforeAll(async () => {
    // Says every text as a tone.
    const [program, sound] = [join(folder, 'speak'), join(folder, 'tone.wav')];
    writeFileSync(sound, toneWav(SPOKEN_HZ, 3_000));
    writeFileSync(program, `#!/bin/sh\ncat > /dev/null\ncat '${sound}'\n`, { mode: 0o700 });
    bed = await PhoneBed.open({ env: { TTS_COMMAND: program } });
    const { id } = (await bed.api('POST', '/v1/voicemail_box', { name: 'Box' })).json;
    await bed.api('POST', '/v1/number', { number: '200', destination: `voicemail||${id}` });
    const set = await bed.api('PATCH', '/v1/settings', { language: 'de' });
    expect(set.status, set.text).toBe(200);
  });
  afterAll(async () => {
    await bed?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const prompts = async () => (await bed.api('GET', '/v1/prompts')).json;
  const untranslated = async () =>
    (await bed.api('GET', '/v1/health')).json.data.find(
      ({ code }: { code: string }) => code === 'prompts-untranslated',
    );
  const hearsTheTone = async (): Promise<boolean> => {
    const caller = await bed.reach('200');
    // The beep follows any greeting.
    await caller.hears(1_000, { forMs: 200, withinMs: 30_000 });
    const isTheTone = ({ hz, fromMs, toMs }: Segment): boolean =>
      typeof hz === 'number' && Math.abs(hz - SPOKEN_HZ) < 15 && toMs - fromMs >= 200;
    const heard = caller.heard().some(isTheTone);
    await caller.hangUp();
    return heard;
  };

  it('hear English while nothing is spoken, and Health says how much is missing', async () => {
    const { language, shipped, missing, data } = await prompts();
    expect({ language, shipped }).toEqual({ language: 'de', shipped: false });
    expect(missing).toBe(data.length);
    expect(data).toContainEqual({
      name: 'voicemail-greeting',
      text: 'Please leave your message after the tone.',
      recording_id: GREETING,
      recording_version: null,
      translation: null,
      voice: null,
    });
    expect(await untranslated()).toMatchObject({
      severity: 'warning',
      values: { language: 'de', missing: String(missing) },
    });
    expect(await hearsTheTone()).toBe(false);
  });

  it('hear the prompt that was spoken from a text', async () => {
    const text = 'Bitte sprechen Sie nach dem Ton.';
    const { missing: before } = await prompts();
    const made = await bed.api('POST', '/v1/recording', { id: GREETING, name: 'Ansage', text, voice: 'de' });
    expect(made.status, made.text).toBe(201);
    expect(await hearsTheTone()).toBe(true);
    const { missing, data } = await prompts();
    expect(missing).toBe(before - 1);
    expect(data).toContainEqual(
      expect.objectContaining({
        recording_id: GREETING,
        recording_version: 1,
        translation: text,
        voice: 'de',
      }),
    );
    expect((await untranslated()).values.missing).toBe(String(missing));
  });

  it('hear what is shipped when the account chooses a language that is', async () => {
    await bed.api('PATCH', '/v1/settings', { language: 'hi' });
    expect(await hearsTheTone()).toBe(false);
    expect(await untranslated()).toBeUndefined();
    expect((await bed.api('GET', '/v1/prompts?language=de')).json.missing).toBeGreaterThan(0);
  });

  it('a language that is none is refused', async () => {
    for (const language of ['German', 'd', '../etc', 'de/x', 5])
      expect((await bed.api('PATCH', '/v1/settings', { language })).status).toBe(400);
    expect((await bed.api('GET', '/v1/prompts?language=..%2Fhi')).status).toBe(400);
  });
});

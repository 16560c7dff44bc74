// A third language for the service's own prompts: typed or imported, heard, kept, and used for callers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { toneWav } from '../support/phone/tone-recording.ts';
import { call, type Json } from '../support/service.ts';
import { axe, type Console, describeConsole } from './support/console.ts';
import { button, choose } from './support/forms.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-speaks-'));
const [program, sound] = [join(folder, 'speak'), join(folder, 'tone.wav')];
writeFileSync(sound, toneWav(1_000, 800));
// Says every text as a tone, but for one that it does not understand.
writeFileSync(program, `#!/bin/sh\nif grep -q Kauderwelsch; then exit 1; fi\ncat '${sound}'\n`, {
  mode: 0o700,
});

const GREETING = 'Please leave your message after the tone.';

describeConsole('built-in prompts', { env: { TTS_COMMAND: program } }, (console: Console) => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const ask = async (path: string): Promise<Json> => (await call(console.service.url, 'GET', path)).json;
  const spoken = (page: Page, count: number | string) =>
    page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${count} of \\d+ are spoken`) })
      .waitFor();

  it('are typed in another language, heard before they are kept, and heard by callers then', async () => {
    await console.visit('/prompts', async (page) => {
      await page.getByText('The service has these prompts in this language.').waitFor();
      await choose(page, 'Language', 'German');
      await spoken(page, 0);
      expect(await axe(page)).toEqual([]);
      await page.getByRole('textbox', { name: GREETING }).fill('Bitte sprechen Sie nach dem Ton.');
      await button(page, `Listen: ${GREETING}`).click();
      await page.getByRole('button', { name: /Preview/ }).waitFor();
      // A preview is not kept.
      expect((await ask('/v1/prompts?language=de')).data).not.toContainEqual(
        expect.objectContaining({ recording_version: 1 }),
      );
      await button(page, `Speak and keep: ${GREETING}`).click();
      await spoken(page, 1);
      await button(page, 'Use this language for callers').click();
      await page.getByText('Callers hear this language.').waitFor();
    });
    expect(await ask('/v1/settings')).toMatchObject({ language: 'de' });
    expect((await ask('/v1/prompts')).data).toContainEqual(
      expect.objectContaining({
        name: 'voicemail-greeting',
        recording_version: 1,
        translation: 'Bitte sprechen Sie nach dem Ton.',
        voice: 'de',
      }),
    );
  });

  it('are imported from a file, and what cannot be spoken says so at its row', async () => {
    const csv =
      'name,english,text\nkey-star,star,Stern\nkey-hash,hash,Kauderwelsch\nmenu-greeting,,Willkommen\nno-such,,x\n';
    await console.visit(
      '/prompts?language=de',
      async (page) => {
        await page
          .getByLabel('Import texts')
          .setInputFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
        await page.getByText(/^3 texts were read/).waitFor();
        await button(page, 'Speak and keep 3 texts').click();
        await page.getByText(/^1 prompt could not be spoken/).waitFor();
        await spoken(page, 3);
        const hash = page.getByRole('textbox', { name: 'hash', exact: true });
        expect(await hash.getAttribute('aria-invalid')).toBe('true');
        expect(await hash.inputValue()).toBe('Kauderwelsch');
        await hash.fill('Raute');
        await button(page, 'Speak and keep 1 text').click();
        await spoken(page, 4);
      },
      { failing: [500, 501, 502] },
    );
    const { data } = await ask('/v1/recordings?q=prompt');
    expect(data.every(({ id }: Json) => String(id).startsWith('prompt.de.'))).toBe(true);
  });

  it('that are not spoken yet are on the health page, which leads here; a new menu takes those that are', async () => {
    const { missing } = await ask('/v1/prompts');
    await console.visit('/health', async (page) => {
      const finding = page
        .getByRole('listitem')
        .filter({ hasText: `Callers hear ${missing} built-in prompts in English, not in German.` });
      await finding.getByRole('link', { name: /^Open/ }).click();
      await spoken(page, '\\d+');
      await page.goto(`${console.service.url}/#/menus/new`);
      await page.getByLabel('Name (required)').fill('Vorzimmer');
      await page.getByRole('button', { name: 'Key 1: free' }).click();
      await choose(page, 'Where 1 leads', 'Asha');
      await button(page, 'Save').click();
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    });
    const [menu] = (await ask('/v1/ivrs?q=Vorzimmer')).data;
    expect(menu.recording).toBe('recording||prompt.de.menu-greeting');
  });

  it('are taken back to what is shipped', async () => {
    await console.visit('/prompts?language=de', async (page) => {
      await spoken(page, 4);
      await button(page, `Remove this recording: ${GREETING}`).click();
      await spoken(page, 3);
      // The text is still there, to be spoken again.
      expect(await page.getByRole('textbox', { name: GREETING }).inputValue()).toBe(
        'Bitte sprechen Sie nach dem Ton.',
      );
    });
  });
});

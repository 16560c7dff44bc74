// The phone of the console: calls menus from every page while the map lights the way, listens in, calls back. With the sound of the browser.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { extension } from '../support/pbx.ts';
import { axe } from './support/console.ts';
import { PHONE_HOOKS, SoundingPage } from './support/page-sound.ts';
import { describeTelephones } from './support/telephones.ts';

const { hz, recordings } = tones(20_000, 'prompt', 'sales', 'agent', 'page');

/** Its sound from now on. */
async function sounding(page: Page): Promise<SoundingPage> {
  await page.evaluate(PHONE_HOOKS);
  return new SoundingPage(page);
}

const dock = (page: Page) => page.getByRole('region', { name: 'Browser phone', exact: true });
/** A card names where its keys lead, too. */
const lit = (page: Page, name: string) =>
  page.locator('.map-card-lit').filter({ has: page.locator('.map-card-name', { hasText: name }) });
const says = (page: Page, text: string) =>
  dock(page).getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

const keptIn = (page: Page, storage: 'localStorage' | 'sessionStorage') =>
  page.evaluate(`Object.keys(${storage}).filter((key) => key.startsWith('dialtree.calls '))`);

describeTelephones(
  'the phone of the console',
  {
    env: { WEBRTC_PORT: '0' },
    recordings,
    agents: { '1001': { name: 'Asha' }, '1002': { name: 'Ben' } },
    menus: {
      main: {
        name: 'Main menu',
        recording: 'recording||prompt',
        timeout: 60,
        option: ['1', '2'],
        destination: ['ivr||sales', extension('1001')],
      },
      sales: { name: 'Sales menu', recording: 'recording||sales', timeout: 60 },
    },
    numbers: { '100': 'ivr||main' },
  },
  (telephones) => {
    it('calls a menu from its editor; the map lights the way, and the call stays while pages change', async () => {
      await telephones.visit('/menus/main', async (page) => {
        const sound = await sounding(page);
        await page.getByRole('button', { name: 'Call this menu' }).click();
        await says(page, 'Connected');
        await sound.hears(hz.prompt);
        await dock(page).getByText('% lost').waitFor();
        const heard = dock(page).getByLabel('Other side');
        await expect
          .poll(() => heard.evaluate((meter: { value: number }) => meter.value))
          .toBeGreaterThan(0.1);
        expect(await axe(page)).toEqual([]);
        await dock(page).getByRole('link', { name: 'See it on the map' }).click();
        await lit(page, 'Main menu').waitFor();
        expect(await lit(page, 'Sales menu').count()).toBe(0);
        await dock(page).getByRole('button', { name: '1', exact: true }).click();
        await sound.hears(hz.sales);
        await lit(page, 'Sales menu').waitFor();
        await page.locator('.map-row-lit').first().waitFor();
        // The button of the header makes it small, and ends nothing.
        await page.getByRole('button', { name: 'Browser phone', exact: true }).click();
        await dock(page).getByRole('button', { name: '1', exact: true }).waitFor({ state: 'hidden' });
        await sound.hears(hz.sales);
        await dock(page).getByRole('button', { name: 'Hang up' }).click();
        await says(page, 'The call has ended.');
        await page.locator('.map-card-lit').first().waitFor({ state: 'detached' });
      });
    });

    it('takes its call up when the page is loaded again', async () => {
      await telephones.visit('/menus/sales', async (page) => {
        const sound = await sounding(page);
        await page.addInitScript(PHONE_HOOKS);
        await page.getByRole('button', { name: 'Call this menu' }).click();
        await sound.hears(hz.sales);
        await page.reload();
        await says(page, 'Connected');
        await sound.hears(hz.sales);
        await dock(page).getByRole('button', { name: 'Hang up' }).click();
        await says(page, 'The call has ended.');
        await telephones.bed.idle();
      });
    });

    it('is in the header of every page: chooses what to call, and tests microphone and loudspeaker', async () => {
      await telephones.visit('/agents', async (page) => {
        const sound = await sounding(page);
        await sound.tone(hz.page);
        await page.getByRole('button', { name: 'Browser phone', exact: true }).click();
        await dock(page).getByRole('button', { name: 'Echo test' }).click();
        for (const label of ['You', 'Echo']) {
          const meter = dock(page).getByLabel(label);
          await expect
            .poll(() => meter.evaluate((each: { value: number }) => each.value))
            .toBeGreaterThan(0.1);
        }
        expect(await axe(page)).toEqual([]);
        await dock(page).getByRole('button', { name: 'End the echo test' }).click();
        const what = dock(page).getByRole('combobox', { name: 'What to call' });
        await what.fill('Sales');
        await page.getByRole('option', { name: /Sales menu/ }).click();
        await dock(page).getByRole('button', { name: 'Call', exact: true }).click();
        await sound.hears(hz.sales);
        await dock(page).getByRole('button', { name: 'Close the phone' }).click();
        await telephones.bed.idle();
      });
    });

    it('listens to a conversation in the browser, and is heard by the agent when it whispers', async () => {
      const { bed } = telephones;
      const asha = await bed.agent('1001');
      await telephones.visit('/live', async (page) => {
        const sound = await sounding(page);
        const call = await bed.choose('100', hz.prompt, '2');
        const agent = await (await asha.incoming()).answer();
        await agent.sendTone(hz.agent);
        await page.getByRole('row').getByText('Connected', { exact: true }).waitFor();
        await page.getByRole('button', { name: /^Listen to the call from/ }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('combobox', { name: 'Agent whose phone rings' }).fill('ben');
        await dialog.getByRole('option', { name: /Ben/ }).click();
        await dialog.getByLabel('How').selectOption('whisper');
        await dialog.getByRole('button', { name: 'Listen here' }).click();
        await says(page, 'Connected');
        await sound.hears(hz.agent);
        await sound.tone(hz.page);
        await agent.hears(hz.page);
        await dock(page).getByRole('button', { name: 'Hang up' }).click();
        await call.hangUp();
      });
    });

    it('calls back from the page of a call, as an agent', async () => {
      const { bed } = telephones;
      const asha = await bed.agent('1001');
      const call = await (await asha.call('100')).answered();
      await call.hears(hz.prompt);
      await call.hangUp();
      const { id } = await bed.record('1001');
      await telephones.visit(`/calls/${id}`, async (page) => {
        const sound = await sounding(page);
        await page.evaluate("localStorage.removeItem('dialtree.listen.agent')");
        await page.getByRole('button', { name: 'Call back' }).click();
        await dock(page).getByRole('combobox', { name: 'Call as' }).fill('ben');
        await page.getByRole('option', { name: /Ben/ }).click();
        await dock(page).getByRole('button', { name: 'Go on' }).click();
        const back = await (await asha.incoming()).answer();
        await sound.tone(hz.page);
        await back.hears(hz.page);
        // The desk keeps its calls in the browser's storage, for any tab: this one is not among them.
        expect(await keptIn(page, 'localStorage')).toEqual([]);
        expect(await keptIn(page, 'sessionStorage')).toHaveLength(1);
        await dock(page).getByRole('button', { name: 'Hold' }).click();
        await says(page, 'On hold');
        await back.hangUp();
        await says(page, 'The call has ended.');
      });
    });
  },
);

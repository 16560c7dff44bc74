// Call buttons are made, tried, changed and revoked in the console; what it shows to copy works on a page of another origin.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { axe } from './support/console.ts';
import { PHONE_HOOKS, SoundingPage } from './support/page-sound.ts';
import { describeTelephones } from './support/telephones.ts';

const { hz, recordings } = tones(20_000, 'prompt');

/** A page of another origin, whatever it has by then. */
async function site(): Promise<{ server: Server; origin: string; write(html: string): void }> {
  let page = '';
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    origin,
    write: (html) => {
      page = html;
    },
  };
}

describeTelephones(
  'the page of call buttons',
  {
    env: { WEBRTC_PORT: '0' },
    recordings,
    menus: { main: { name: 'Main menu', recording: 'recording||prompt', timeout: 60 } },
    numbers: { '100': 'ivr||main' },
  },
  (telephones) => {
    const stored = async () => (await telephones.bed.api('GET', '/v1/settings')).json.call_buttons;

    it('makes a button whose example page calls the menu from another origin, until it is revoked', async () => {
      const { server, origin, write } = await site();
      try {
        await telephones.visit(
          '/call-buttons',
          async (page) => {
            await page.getByText('No call buttons yet').waitFor();
            await page.getByRole('button', { name: 'New call button' }).click();
            const form = page.getByRole('dialog');
            await form.getByLabel('Name').fill('Shop');
            await form.getByLabel('Web origins').fill(`${origin}/orders`);
            await form.getByRole('combobox', { name: 'Calls' }).fill('main');
            await page.getByRole('option', { name: /Main menu/ }).click();
            await form.getByRole('button', { name: 'Create' }).click();
            await form.getByText('must be an origin').waitFor();
            expect(await axe(page)).toEqual([]);
            await form.getByLabel('Web origins').fill(`${origin}\n`);
            await form.getByRole('button', { name: 'Create' }).click();

            const script = page.getByRole('dialog', { name: 'Script tag of Shop' });
            await script.getByText('An example page').click();
            expect(await axe(page)).toEqual([]);
            const [button] = await stored();
            expect(button).toEqual({
              key: expect.stringMatching(/^shop-[0-9a-f]{12}$/),
              name: 'Shop',
              to: 'ivr||main',
              origins: [origin],
            });
            const tag = await script.locator('code').first().innerText();
            expect(tag).toContain(`/call-button.js" data-key="`);
            expect(tag).toContain(`.${button.key}"></script>`);
            write(await script.locator('pre').innerText());
            await script.getByRole('button', { name: 'Close' }).last().click();

            const visitor = await page.context().newPage();
            await visitor.addInitScript(PHONE_HOOKS);
            await visitor.goto(origin);
            await visitor.getByRole('button', { name: 'Call' }).click();
            await new SoundingPage(visitor).hears(hz.prompt);

            await page.getByRole('button', { name: 'Revoke Shop' }).click();
            await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
            await page.getByText('No call buttons yet').waitFor();
            expect(await stored()).toEqual([]);
            await visitor.getByRole('status').getByText('The connection was lost.').waitFor();
            await visitor.close();
            // It waits for a page that is gone; a revoked session opens no other.
            const calls = () => telephones.bed.metric('dialtree_calls');
            await expect.poll(calls).toBe(0);

            const { id } = await telephones.bed.record('web');
            await page.goto(`${telephones.bed.pbx.url}/#/calls/${id}`);
            await page.getByText(`.${button.key}`).waitFor();
            await page.getByText(`${origin}/`, { exact: true }).waitFor();
          },
          { failing: [400] },
        );
      } finally {
        server.close();
      }
    });

    it('changes what a button calls and keeps its key; a button that was revoked meanwhile is not made again', async () => {
      const shop = { key: 'shop-key-1', name: 'Shop', to: 'ivr||main', origins: ['https://shop.example'] };
      const other = { ...shop, key: 'other-key', name: 'Other' };
      const set = async (call_buttons: object[]) =>
        expect((await telephones.bed.api('PATCH', '/v1/settings', { call_buttons })).status).toBe(200);
      await set([other, shop]);
      await telephones.visit('/call-buttons', async (page) => {
        await page.getByRole('button', { name: 'Edit Shop' }).click();
        const form = page.getByRole('dialog');
        await form.getByRole('combobox', { name: 'Calls' }).fill('100');
        await page.getByRole('option', { name: '100' }).click();
        // A colleague adds one at the same time.
        const third = { ...shop, key: 'third-key', name: 'Third' };
        await set([third, other, shop]);
        await form.getByRole('button', { name: 'Save' }).click();
        await form.waitFor({ state: 'detached' });
        expect(await stored()).toEqual([third, other, { ...shop, to: '100' }]);

        await page.getByRole('button', { name: 'Edit Other' }).click();
        await set([third]);
        await form.getByRole('button', { name: 'Save' }).click();
        await form.getByText('This button was revoked in the meantime.').waitFor();
        expect(await stored()).toEqual([third]);
      });
    });

    it('is there in Hindi', async () => {
      await telephones.visit(
        '/call-buttons',
        async (page) => {
          await page.getByRole('heading', { name: 'कॉल बटन', level: 1 }).waitFor();
          await page.getByRole('button', { name: 'नया कॉल बटन' }).click();
          await page.getByRole('dialog').getByLabel('वेब ओरिजिन').waitFor();
          expect(await axe(page)).toEqual([]);
        },
        { language: 'hi' },
      );
    });
  },
);

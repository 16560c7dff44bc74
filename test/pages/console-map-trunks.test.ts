// Trunks on the map: where calls come in and where they leave, registered or why not.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { Registrar } from '../support/registrar.ts';
import { axe } from './support/console.ts';
import { button } from './support/forms.ts';
import { describeTelephones } from './support/telephones.ts';

const { recordings } = tones(400, 'prompt', 'invalid', 'retry', 'timeout');

/** All columns are in view, so that all cards are mounted. */
const WIDE = { viewport: { width: 2_000, height: 900 } };

const card = (page: Page, name: string) =>
  page.locator('.map-card-trunk').filter({ has: page.getByText(name, { exact: true }) });

describeTelephones(
  'trunks on the map',
  { recordings, agents: { '1001': { name: 'Asha' } } },
  (telephones) => {
    it('stand where calls come in and where they leave, registered or with the reason why not', async () => {
      const { bed } = telephones;
      const registrar = await Registrar.open();
      try {
        const common = { host: '127.0.0.1', register: true, username: 'u', password: 'p' };
        const carrier = {
          ...common,
          name: 'Carrier',
          port: registrar.port,
          inbound_numbers: ['400'],
          outbound_prefixes: ['+49', '+33'],
        };
        const { id } = (await bed.api('POST', '/v1/trunk', carrier)).json;
        for (const [number, outside] of [
          ['400', '+4930123456'],
          ['401', '+33123456'],
        ]) {
          const made = await bed.api('POST', '/v1/number', { number, destination: `number||${outside}` });
          expect(made.status, made.text).toBe(201);
        }
        // From now on no trunk routes the second one.
        await bed.api('PATCH', `/v1/trunk/${id}`, { outbound_prefixes: ['+49'] });
        await bed.api('POST', '/v1/trunk', {
          ...common,
          name: 'Provider',
          port: 9,
          inbound_numbers: ['998'],
        });
        await telephones.visit(
          '/map',
          async (page) => {
            const [enters, leaves] = [card(page, 'Carrier').first(), card(page, 'Carrier').last()];
            // The map knows it twice, at its two ends, and both are green.
            await expect.poll(() => card(page, 'Carrier').count()).toBe(2);
            await enters.locator('.map-mark-good').getByText('registered', { exact: true }).waitFor();
            await leaves.locator('.map-mark-good').getByText('registered', { exact: true }).waitFor();
            const rows = await page
              .locator('.map-card-trunk, .map-card-outside')
              .locator('.map-row')
              .allInnerTexts();
            expect(rows.map((text) => text.replaceAll(/\s+/g, ' ').trim()).sort()).toEqual([
              'Brings calls to 400',
              'Brings calls to None of your numbers',
              'Leaves by Carrier',
              'Leaves by Not set',
            ]);
            await card(page, 'Provider')
              .getByText(/^not registered: 127\.0\.0\.1 does not answer\.$/)
              .waitFor();
            expect(await axe(page)).toEqual([]);
            await bed.api('PATCH', `/v1/trunk/${id}`, { enabled: false });
            await page.reload();
            await card(page, 'Carrier').getByText('off', { exact: true }).first().waitFor();
            await bed.api('PATCH', `/v1/trunk/${id}`, { enabled: true });
          },
          WIDE,
        );
      } finally {
        registrar.close();
      }
    });

    it('are edited in the panel, and found by their name', async () => {
      await telephones.visit('/map', async (page) => {
        await card(page, 'Provider').waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('provider');
        await page.getByRole('option', { name: /Provider.*Trunk/ }).waitFor();
        await page.keyboard.press('Enter');
        const panel = page.getByRole('complementary', { name: 'Selected: Provider' });
        await panel.getByLabel('Concurrent calls').fill('7');
        await button(page, 'Save').click();
        await page.getByText('Saved.', { exact: true }).waitFor();
        // Calls cannot be tried from a trunk, and it is not copied: its address is its own.
        expect(await panel.getByRole('button', { name: /^(Try|Duplicate)/ }).count()).toBe(0);
      });
      const { data } = (await telephones.bed.api('GET', '/v1/trunks?q=Provider')).json;
      expect(data).toMatchObject([{ max_calls: 7 }]);
    });

    it('are in the list of a narrow screen, too', async () => {
      await telephones.visit(
        '/map',
        async (page) => {
          await page.getByRole('heading', { name: 'Trunks, and the numbers that come by them' }).waitFor();
          await page.getByRole('button', { name: 'Show where Carrier leads' }).click();
          await page.getByText('Brings calls to').waitFor();
          expect(await axe(page)).toEqual([]);
        },
        { viewport: { width: 320, height: 700 } },
      );
    });
  },
);

// Live calls in the console, with real calls: they appear, move, are hung up, sent elsewhere and listened to from the page.
import { expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { extension } from '../support/pbx.ts';
import { axe, describeAccount } from './support/console.ts';
import { describeTelephones } from './support/telephones.ts';

const { hz, recordings } = tones(400, 'prompt', 'invalid', 'retry', 'timeout', 'more');
const NAUGHTY = '<img src=x onerror=alert(1)>';

describeTelephones(
  'live calls',
  {
    recordings,
    agents: { '1001': { name: 'Asha' }, '1002': { name: 'Ben' } },
    menus: {
      main: {
        name: 'Main menu',
        timeout: 60,
        option: ['1', '2'],
        destination: [extension('1001'), 'ivr||sales'],
      },
      sales: { name: 'Sales menu', recording: 'recording||more', timeout: 60 },
    },
    numbers: { '100': 'ivr||main' },
  },
  (telephones) => {
    it('appear while the page is open, move from menu to menu, and are hung up from it', async () => {
      await telephones.visit('/live', async (page) => {
        await page.getByRole('heading', { name: 'No calls in progress' }).waitFor();
        expect(await axe(page)).toEqual([]);
        const { bed } = telephones;
        const call = await bed.reach('100', { phone: { displayName: NAUGHTY } });
        const row = page.getByRole('row').filter({ hasText: NAUGHTY });
        await row.getByText('In a menu').waitFor();
        await row.getByRole('link', { name: 'Main menu' }).waitFor();
        await page
          .getByRole('status')
          .filter({ hasText: `${NAUGHTY} (` })
          .waitFor({ state: 'attached' });
        expect(await axe(page)).toEqual([]);

        await call.hears(hz.prompt, { forMs: 40 });
        await call.pressKeys('2');
        await row.getByRole('link', { name: 'Sales menu' }).waitFor();

        await row.getByRole('button', { name: /^Hang up the call from/ }).click();
        const dialog = page.getByRole('dialog', { name: 'Hang up this call?' });
        await dialog.getByText('ends at once').waitFor();
        expect(await axe(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Hang up' }).click();
        await row.waitFor({ state: 'detached' });
        await page.getByText('The call was hung up.').waitFor();
        expect(await bed.record(call)).toMatchObject({ end_code: 'operator-hung-up' });
      });
    });

    it('are transferred to an agent, then listened to by another one’s phone', async () => {
      const { bed } = telephones;
      const [asha, ben] = await Promise.all([bed.agent('1001'), bed.agent('1002')]);
      await telephones.visit('/live', async (page) => {
        const call = await bed.reach('100');
        await call.hears(hz.prompt, { forMs: 40 });
        await page.getByRole('button', { name: /^Transfer the call from/ }).click();
        const transfer = page.getByRole('dialog');
        await transfer.getByRole('combobox', { name: 'Send to' }).fill('asha');
        await transfer.getByRole('option', { name: /Asha/ }).click();
        expect(await axe(page)).toEqual([]);
        await transfer.getByRole('button', { name: 'Transfer now' }).click();
        const ringing = await asha.incoming();
        ringing.ring();
        await page.getByRole('row').getByText('Ringing', { exact: true }).waitFor();
        await ringing.answer();
        await page.getByRole('row').getByText('Connected', { exact: true }).waitFor();
        await page.getByRole('row').getByRole('link', { name: 'Asha' }).waitFor();

        await page.getByRole('button', { name: /^Listen to the call from/ }).click();
        const listen = page.getByRole('dialog');
        await listen.getByRole('combobox', { name: 'Agent whose phone rings' }).fill('ben');
        await listen.getByRole('option', { name: /Ben/ }).click();
        await listen.getByLabel('How').selectOption('whisper');
        await listen.getByLabel('In this browser').uncheck();
        expect(await axe(page)).toEqual([]);
        await listen.getByRole('button', { name: 'Ring this phone' }).click();
        await (await ben.incoming()).answer();
        await bed.until('a third leg', async () => (await bed.metric('dialtree_legs')) === 3);
        await call.hangUp();
        await page.getByRole('heading', { name: 'No calls in progress' }).waitFor();
      });
      const { json } = await bed.api('GET', '/v1/audit?kind=call');
      expect(json.data.map(({ action }: { action: string }) => action)).toEqual(
        expect.arrayContaining(['transfer', 'listen_whisper']),
      );
    });

    it('show what the service says where a transfer is refused', async () => {
      const { bed } = telephones;
      await telephones.visit(
        '/live',
        async (page) => {
          const call = await bed.reach('100');
          await page.getByRole('button', { name: /^Transfer the call from/ }).click();
          const dialog = page.getByRole('dialog');
          await dialog.getByRole('combobox', { name: 'Send to' }).fill('+4930999999');
          await dialog.getByRole('option', { name: 'Dial +4930999999' }).click();
          await dialog.getByRole('button', { name: 'Transfer now' }).click();
          await dialog.locator('.field-fault, .notice-bad').first().waitFor();
          expect(await dialog.locator('.field-fault, .notice-bad').first().textContent()).not.toBe('');
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
          await call.hangUp();
        },
        { failing: [400, 403, 409, 422] },
      );
    });

    it('in a conference room are muted and removed on the room’s page, and the room is locked', async () => {
      const { bed } = telephones;
      const { id } = (await bed.api('POST', '/v1/room', { name: 'Weekly', announce: 'name' })).json;
      await bed.api('POST', '/v1/number', { number: '300', destination: `room||${id}` });
      await telephones.visit(`/rooms/${id}`, async (page) => {
        expect(await page.getByLabel('Announce callers who join or leave').inputValue()).toBe('name');
        await page.getByText('The room is empty.').waitFor();
        const call = await bed.reach('300', { phone: { displayName: NAUGHTY } });
        const participant = page.getByRole('listitem').filter({ hasText: NAUGHTY });
        // Says its name.
        await participant.getByText('not in yet').waitFor();
        await call.pressKeys('##');
        await participant.getByText('not in yet').waitFor({ state: 'detached' });
        await participant.getByRole('button', { name: 'Mute' }).click();
        await participant.getByText('muted').waitFor();
        await page.getByRole('button', { name: 'Lock' }).click();
        await page.getByText('locked', { exact: true }).waitFor();
        expect(await axe(page)).toEqual([]);
        await participant.getByRole('button', { name: 'Remove' }).click();
        await participant.waitFor({ state: 'detached' });
        await call.ended();
        expect(await bed.record(call)).toMatchObject({ end_code: 'room-removed' });
      });
    });

    it('need no connection while the page is hidden, and are there when it is shown', async () => {
      const seen = (yes: boolean): string =>
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${!yes} });
         document.dispatchEvent(new Event('visibilitychange'))`;
      await telephones.visit('/live', async (page) => {
        await page.getByRole('heading', { name: 'No calls in progress' }).waitFor();
        const ended = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/live_state/events'));
        await page.evaluate(seen(false));
        await ended;
        const call = await telephones.bed.reach('100');
        await page.evaluate(seen(true));
        await page.getByRole('row').getByText('In a menu').waitFor();
        expect(await page.getByText('The connection was lost').count()).toBe(0);
        await call.hangUp();
      });
    });

    it('say that the connection was lost, and go on by themselves', async () => {
      const { bed } = telephones;
      await telephones.visit(
        '/calls',
        async (page) => {
          let broken = true;
          await page.route('**/v1/live_state/events', (route) =>
            broken ? route.fulfill({ status: 503 }) : route.continue(),
          );
          await page.goto(`${bed.pbx.url}/#/live`);
          await page.getByText('The connection was lost; trying again.').waitFor();
          broken = false;
          const call = await bed.reach('100');
          await page.getByRole('row').getByText('In a menu').waitFor();
          await page.getByText('The connection was lost').waitFor({ state: 'detached' });
          await call.hangUp();
        },
        { failing: [503] },
      );
    });
  },
);

describeAccount('live calls of a service without telephones', {}, (console) => {
  it('say why there are none', async () => {
    await console.visit('/live', async (page) => {
      await page.getByText('it was started with SIP=off').waitFor();
    });
  });
});

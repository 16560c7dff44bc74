// What lists show of the moment, with real phones: states, registered phones, queues and trunks, without a reload.
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { eidOf } from '../support/pbx.ts';
import { Registrar } from '../support/registrar.ts';
import { axe } from './support/console.ts';
import { describeTelephones } from './support/telephones.ts';

const { recordings } = tones(400, 'prompt', 'invalid', 'retry', 'timeout');

describeTelephones(
  'what is so now',
  { recordings, agents: { '1001': { name: 'Asha' }, '1002': { name: 'Ben' } } },
  (telephones) => {
    it('agents are green only with a phone, and change while the list is open', async () => {
      const { bed } = telephones;
      await telephones.visit('/agents', async (page) => {
        const asha = page.getByRole('row').filter({ hasText: 'Asha' });
        await asha.getByText('no phone', { exact: true }).waitFor();
        expect(await page.locator('.badge-good').count()).toBe(0);
        const phone = await bed.agent('1001');
        await asha.getByText('free', { exact: true }).waitFor();
        await asha.getByText('1 phone', { exact: true }).waitFor();
        expect(await axe(page)).toEqual([]);
        await bed.api('POST', `/v1/agent/${eidOf('1001')}/pause`, { reason: 'Lunch' });
        await asha.getByText('paused', { exact: true }).waitFor();
        await bed.api('POST', `/v1/agent/${eidOf('1001')}/resume`, {});
        await asha.getByText('free', { exact: true }).waitFor();
        await phone.unregister();
        await asha.getByText(/^none since /).waitFor();
        await asha.getByText('no phone', { exact: true }).waitFor();
      });
    });

    it('the list says who rings, talks, is in wrap-up, off duty and blocked', async () => {
      const { bed } = telephones;
      const agents = [eidOf('1001')];
      const repairs = { name: 'Repairs', agents, queue: true, wrapup_seconds: 8 };
      const { id } = (await bed.api('POST', '/v1/department', repairs)).json;
      await bed.api('POST', '/v1/number', { number: '402', destination: `department||${id}` });
      const never = (await bed.api('POST', '/v1/timegroup', { name: 'Never', timezone: 'UTC' })).json;
      const phone = await bed.agent('1001');
      await telephones.visit('/agents', async (page) => {
        const row = (hasText: string) => page.getByRole('row').filter({ hasText });
        const [asha, ben] = [row('Asha'), row('Ben')];
        const says = (of: Locator, state: string) => of.getByText(state, { exact: true }).waitFor();
        const call = await bed.dial('402');
        const incoming = await phone.incoming();
        await says(asha, 'ringing');
        await incoming.answer();
        await call.answered();
        await says(asha, 'on a call');
        expect(await asha.locator('time').innerText()).toMatch(/^0:\d\d$/);
        await call.hangUp();
        await says(asha, 'wrap-up');
        await says(asha, 'free');
        const change = (body: object) => bed.api('PATCH', `/v1/agent/${eidOf('1002')}`, body);
        await change({ timegroup_id: never.id });
        await says(ben, 'off duty');
        await bed.api('POST', `/v1/agent/${eidOf('1002')}/block`, {});
        await says(ben, 'blocked');
        expect(await ben.locator('.badge-good').count()).toBe(0);
        await bed.api('POST', `/v1/agent/${eidOf('1002')}/unblock`, {});
        await change({ timegroup_id: null });
        await says(ben, 'no phone');
      });
      await bed.api('DELETE', `/v1/department/${id}?force=true`);
      await phone.unregister();
    });

    it('a department says that nobody can answer, then who is free, then who waits and how long', async () => {
      const { bed } = telephones;
      const { id } = (
        await bed.api('POST', '/v1/department', { name: 'Sales', agents: [eidOf('1001')], queue: true })
      ).json;
      await bed.api('POST', '/v1/number', { number: '400', destination: `department||${id}` });
      await telephones.visit('/departments', async (page) => {
        const sales = page.getByRole('row').filter({ hasText: 'Sales' });
        await sales.getByText('nobody can answer').waitFor();
        const phone = await bed.agent('1001');
        await sales.getByText('1 of 1 free').waitFor();
        const first = await bed.dial('400');
        await (await phone.incoming()).answer();
        await first.answered();
        await sales.getByText('all 1 busy').waitFor();
        const second = await bed.reach('400');
        await sales.getByText('1', { exact: true }).last().waitFor();
        await sales.locator('time').waitFor();
        expect(await axe(page)).toEqual([]);
        await second.hangUp();
        await sales.getByText('nobody', { exact: true }).waitFor();
        await first.hangUp();
      });
    });

    it('a number says how many calls are in it, and since when, while the list is open', async () => {
      const { bed } = telephones;
      const { id } = (await bed.api('POST', '/v1/voicemail_box', { name: 'Box' })).json;
      await bed.api('POST', '/v1/number', { number: '401', destination: `voicemail||${id}` });
      await telephones.visit('/numbers', async (page) => {
        const row = page.getByRole('row').filter({ hasText: '401' });
        await row.getByText('none', { exact: true }).waitFor();
        const caller = await (await bed.dial('401')).answered();
        await row.getByText('1 call', { exact: true }).waitFor();
        await row.locator('time').waitFor();
        expect(await axe(page)).toEqual([]);
        await caller.hangUp();
        await row.getByText('none', { exact: true }).waitFor();
      });
    });

    it('a picker has people first, with number and state, whole in a low window, and no ids', async () => {
      const { bed } = telephones;
      const call = await bed.dial('400');
      await telephones.visit(
        '/live',
        async (page) => {
          await page.getByRole('button', { name: /^Transfer the call from/ }).click();
          const dialog = page.getByRole('dialog');
          await dialog.getByRole('combobox', { name: 'Send to' }).click();
          const options = dialog.getByRole('option');
          // Records and states come by two ways of their own.
          await expect
            .poll(() => options.first().innerText())
            .toMatch(/^Asha\s+1001\s+(free|ringing|on a call|no phone)$/);
          expect(await dialog.getByRole('listbox').innerText()).not.toContain(eidOf('1001'));
          // Nothing covers it, and it is within the window.
          const box = await dialog.getByRole('listbox').boundingBox();
          expect(box && box.y >= 0 && box.y + box.height <= 420).toBe(true);
          await options.first().click({ trial: true });
          await page.keyboard.press('End');
          expect(await axe(page)).toEqual([]);
          await page.keyboard.press('Enter');
          expect(await dialog.getByRole('combobox', { name: 'Send to' }).inputValue()).toBe('Asha');
        },
        { viewport: { width: 900, height: 420 } },
      );
      await call.hangUp();
    });

    it('a trunk that the provider has registered is green', async () => {
      const { bed } = telephones;
      const registrar = await Registrar.open();
      try {
        const trunk = { name: 'Carrier', host: '127.0.0.1', port: registrar.port, register: true };
        await bed.api('POST', '/v1/trunk', { ...trunk, username: 'u', password: 'p' });
        await telephones.visit('/trunks', async (page) => {
          const row = page.getByRole('row').filter({ hasText: 'Carrier' });
          await row.locator('.badge-good').getByText('registered', { exact: true }).waitFor();
        });
        expect(registrar.seen.size).toBe(1);
      } finally {
        registrar.close();
      }
    });

    it('a trunk that the provider does not let in is red, with the reason', async () => {
      const { bed } = telephones;
      const trunk = {
        name: 'Provider',
        host: '127.0.0.1',
        port: 9,
        register: true,
        username: 'u',
        password: 'p',
      };
      await bed.api('POST', '/v1/trunk', trunk);
      await telephones.visit('/trunks', async (page) => {
        const row = page.getByRole('row').filter({ hasText: 'Provider' });
        await row.getByText('not registered').waitFor();
        await row.getByText('127.0.0.1 does not answer.').waitFor();
        expect(await row.locator('.badge-good').count()).toBe(0);
        expect(await axe(page)).toEqual([]);
      });
    });
  },
);

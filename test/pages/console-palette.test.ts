// The command palette, the keys, where a record is used, and deleted records that come back.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { Browser } from '../api/support/browser.ts';
import { call, type Json, TOKEN } from '../support/service.ts';
import { axe, describeConsole } from './support/console.ts';
import { heading } from './support/forms.ts';

describeConsole('the command palette', { env: { SIP: 'on', SIP_PORT: '0' } }, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await call(console.service.url, method, path, body === undefined ? {} : { body })).json;
  const open = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search and commands' });
    await field.fill(text);
    return page.getByRole('option');
  };

  it('finds pages, records by name, number and id, and opens them with Enter', async () => {
    await console.visit('/teams', async (page) => {
      await heading(page, 'Teams').waitFor();
      await (await open(page, 'opening hours')).filter({ hasText: 'Call flow' }).waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Opening hours').waitFor();
      await (await open(page, 'asha')).first().filter({ hasText: 'Asha' }).waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Asha').waitFor();
      await (await open(page, '100002')).first().filter({ hasText: 'Ben' }).waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Ben').waitFor();
      await (await open(page, '+49 30 1234')).filter({ hasText: 'Calls from +49 30 1234' }).click();
      await heading(page, 'Calls').waitFor();
      expect(await page.evaluate('location.hash')).toContain('caller=%2B49301234');
    });
  });

  it('finds users by their name and address', async () => {
    const browser = new Browser(() => console.service.url);
    await browser.signIn(TOKEN);
    const [account] = (await browser.ask('GET', '/v1/session')).json.accounts;
    const body = { name: 'Olga Owner', email: 'olga@example.com', password: 'correct horse battery' };
    expect((await browser.ask('POST', '/v1/owner', { account: account.id, body })).status).toBe(201);
    await console.visit('/teams', async (page) => {
      await heading(page, 'Teams').waitFor();
      await (await open(page, 'olga@example')).filter({ hasText: 'Olga Owner' }).waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Users').waitFor();
      await page.getByRole('table').getByText('olga@example.com').waitFor();
    });
  });

  it('does what is asked for, has no fault for axe, and gives the focus back', async () => {
    await console.visit('/agents', async (page) => {
      await page.getByRole('link', { name: 'New agent' }).first().focus();
      await (await open(page, 'pause chen')).filter({ hasText: 'Pause Chen' }).waitFor();
      expect(await axe(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByText('Chen is paused.').waitFor();
      expect((await ask('GET', '/v1/agent/100003/state')).paused).not.toBeNull();
      await (await open(page, 'end the pause chen')).first().click();
      await page.getByText('Chen takes calls again.').waitFor();
      await (await open(page, 'theme: dark')).first().click();
      await expect.poll(() => page.getAttribute('html', 'data-theme')).toBe('dark');
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('New agent');
    });
  });

  it('lists the keys at “?”, and they work: g p, n, /', async () => {
    await console.visit('/calls', async (page) => {
      await heading(page, 'Calls').waitFor();
      await page.keyboard.press('?');
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await keys.getByText('Call flow').waitFor();
      expect(await axe(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      await heading(page, 'Agents').waitFor();
      await page.getByText('Asha').first().waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('ben?');
      expect(await page.getByRole('searchbox').inputValue()).toBe('ben?');
      expect(await keys.count()).toBe(0);
      await page.getByRole('searchbox').fill('');
      await page.getByRole('searchbox').blur();
      await page.keyboard.press('n');
      await heading(page, 'New agent').waitFor();
      await page.keyboard.press('?');
      await keys.getByRole('switch').uncheck();
      await page.keyboard.press('Escape');
      await page.keyboard.press('g');
      await page.keyboard.press('c');
      await heading(page, 'New agent').waitFor();
    });
  });

  it('shows where a record is used, and restores one that was deleted', async () => {
    await ask('POST', '/v1/department', { id: 'billing', name: 'Billing', agents: ['100001'] });
    const { id: number } = await ask('POST', '/v1/number', {
      number: '+49307',
      destination: 'department||billing',
    });
    await console.visit(
      '/departments/billing',
      async (page) => {
        const used = page.getByRole('region', { name: 'Used by' });
        await used.getByRole('link', { name: '+49307' }).waitFor();
        await page.getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('button', { name: 'Delete anyway' }).click();
        await heading(page, 'Departments').waitFor();
        expect((await call(console.service.url, 'GET', '/v1/department/billing')).status).toBe(404);
        await page.goto(`${console.service.url}/#/deleted`);
        await page.getByRole('row', { name: 'Billing' }).waitFor();
        expect(await axe(page)).toEqual([]);
        await page.getByRole('button', { name: 'Restore Billing' }).click();
        await heading(page, 'Billing').waitFor();
        await used.getByRole('link', { name: '+49307' }).waitFor();
        expect((await ask('GET', '/v1/department/billing')).agents).toEqual(['100001']);
      },
      { failing: [404, 409] },
    );
    await ask('DELETE', `/v1/number/${number}`);
  });
});

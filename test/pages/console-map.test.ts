// The flow map, as a person uses it: looked at, searched, walked over by keyboard, painted, and read as a list.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call } from '../support/service.ts';
import { axe, describeConsole } from './support/console.ts';

const PROMPTS = {
  description: '',
  recording: 'recording||welcome',
  timeout: 5,
  incorrect_count: 2,
  invalid_recording: 'recording||invalid',
  timeout_retry_recording: 'recording||still-there',
  timeout_recording: 'recording||connecting',
  timeout_tries: 1,
};

const picture = (page: Page) => page.getByRole('application', { name: 'Call flow map' });
/** A node that is near enough to be read, by its name and its kind. */
const card = (page: Page, name: string, kind: string) =>
  page
    .locator('.map-card')
    .filter({ has: page.getByText(name, { exact: true }) })
    .filter({ has: page.locator('.map-card-name', { hasText: kind }) });
const selected = (page: Page) => decodeURIComponent(new URL(page.url()).hash.split('?')[0] ?? '');

describeConsole('The map', {}, (console_) => {
  it('shows numbers, menus, departments and agents, and why calls go from one to the other', async () => {
    await console_.visit('/map', async (page) => {
      const seen = { 100: 'Number', Sales: 'Department', Asha: 'Agent' };
      for (const [name, kind] of Object.entries(seen)) await card(page, name, kind).first().waitFor();
      const menu = card(page, 'Main menu', 'Menu');
      const lines = await menu.locator('.map-row').allInnerTexts();
      expect(lines.map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
        '1 Sales',
        '2 Support',
        '0 Asha',
        'Wrong key Asha',
        'Silence Asha',
      ]);
      expect(await axe(page)).toEqual([]);
    });
  });

  it('opens what is clicked beside the picture, and its address leads there again', async () => {
    await console_.visit('/map', async (page) => {
      await card(page, 'Support', 'Department').click();
      const panel = page.getByRole('complementary', { name: 'Selected: Support' });
      await panel.getByText('Where calls come from').waitFor();
      expect(selected(page)).toBe('#/map/department||support');
      await page.reload();
      await panel.getByRole('button', { name: 'Main menu' }).click();
      await page.getByRole('complementary', { name: 'Selected: Main menu' }).waitFor();
      expect(selected(page)).toBe('#/map/ivr||main');
      await page.goBack();
      await panel.getByRole('button', { name: 'Close' }).click();
      await panel.waitFor({ state: 'detached' });
      expect(selected(page)).toBe('#/map');
    });
  });

  it('is searched with the slash and walked over with the arrows', async () => {
    await console_.visit('/map', async (page) => {
      await card(page, 'Chen', 'Agent').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('chen');
      await page.getByRole('option', { name: /Chen/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Selected: Chen' }).waitFor();
      expect(selected(page)).toBe('#/map/extension||100003');
      await picture(page).focus();
      // Chen is called by Support, which key 2 of the menu leads to.
      await page.keyboard.press('ArrowLeft');
      await page.getByText(/^Support, Department\. Rings: 2 agents, Else: Asha$/).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByText(/^Main menu, Menu\. Key 1: Sales, /).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      await page.getByText(/^Support, Department\./).waitFor();
      expect(selected(page)).toBe('#/map/extension||100003');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Selected: Support' }).waitFor();
      expect(selected(page)).toBe('#/map/department||support');
    });
  });

  it('shows what is missing, what no number leads to, and what the checks found, with the way to mend it', async () => {
    const body = {
      ...PROMPTS,
      name: 'Forgotten',
      option: ['1'],
      destination: ['ivr||gone'],
      invalid_destination: 'hangup||now',
      timeout_destination: 'hangup||now',
    };
    expect((await call(console_.service.url, 'POST', '/v1/ivr', { body })).status).toBe(201);
    await console_.visit('/map?show=checks', async (page) => {
      await page.getByText('No number leads here').waitFor();
      await card(page, 'ivr||gone', 'Missing').waitFor();
      const menu = card(page, 'Forgotten', 'Menu');
      expect(await menu.locator('.map-mark').innerText()).toBe('2');
      expect(await menu.getByText('does not exist').innerText()).toContain('ivr||gone does not exist');
      const found = page.getByRole('complementary', { name: 'What the checks found' });
      expect(await found.getByRole('listitem').count()).toBe(2);
      expect(await axe(page)).toEqual([]);
      await found.getByRole('button', { name: /^Mend: ivr\|\|gone/ }).click();
      await page.getByRole('complementary', { name: 'Selected: Forgotten' }).waitFor();
      expect(new URL(page.url()).hash).toContain('field=%2Fdestination%2F0');
    });
  });

  it('is a list on a narrow screen, dark or light, and whenever somebody wants it', async () => {
    const look = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const;
    await console_.visit(
      '/map',
      async (page) => {
        await page.getByRole('heading', { name: 'Your numbers, and where they lead' }).waitFor();
        const main = page.getByRole('button', { name: 'Show where Main menu leads' }).first();
        if ((await main.getAttribute('aria-expanded')) === 'false') await main.click();
        await page.getByText('Key 2').waitFor();
        expect(await axe(page)).toEqual([]);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide).toBeLessThanOrEqual(320);
        await page.getByRole('button', { name: 'Show as a picture' }).click();
        await picture(page).waitFor();
        expect(await axe(page)).toEqual([]);
        await page.getByRole('button', { name: 'Show as a list' }).click();
        await page.getByRole('button', { name: /^Asha/ }).first().click();
        await page.getByRole('complementary', { name: 'Selected: Asha' }).waitFor();
        expect(await axe(page)).toEqual([]);
      },
      look,
    );
  });

  it('is painted with what callers did, in numbers and not in colours alone', async () => {
    await console_.visit('/map', async (page) => {
      await page.getByRole('group', { name: 'Paint the map with' }).getByText('Statistics').click();
      const menu = card(page, 'Main menu', 'Menu');
      await menu.getByText('0 · 0%').first().waitFor();
      await page.getByLabel('Measure').selectOption({ label: 'Drop-off' });
      expect(await menu.locator('.map-mark').innerText()).toBe('–');
      expect(new URL(page.url()).hash).toBe('#/map?show=statistics&measure=dropOff');
      expect(await axe(page)).toEqual([]);
    });
  });

  it('shows a menu as it is being written, and asks once before that is lost', async () => {
    await console_.visit('/map/ivr%7C%7Cmain', async (page) => {
      const panel = page.getByRole('complementary', { name: /^Selected: / });
      await panel.getByLabel('Name').fill('Welcome desk');
      await card(page, 'Welcome desk', 'not saved').waitFor();
      await panel.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await panel.waitFor({ state: 'detached' });
      await card(page, 'Main menu', 'Menu').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      const { json } = await call(console_.service.url, 'GET', '/v1/ivr/main');
      expect(json).toMatchObject({ name: 'Main menu' });
    });
  });

  it('lights the way of a call that is tried', async () => {
    await console_.visit('/map?try=ivr%7C%7Cmain', async (page) => {
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      const line = card(page, 'Main menu', 'Menu').locator('.map-row-lit');
      await page.getByRole('button', { name: 'Key 1', exact: true }).click();
      await line.waitFor();
      expect((await line.innerText()).replaceAll(/\s+/g, ' ')).toBe('1 Sales');
      await card(page, 'Sales', 'Department').and(page.locator('.map-card-lit')).waitFor();
    });
  });

  it('shows calls where they are, and moves them', async () => {
    await console_.visit(
      '/map',
      async (page) => {
        // No telephone rings here: what the service would answer is put in its place.
        let node = 'ivr||main';
        const live = () => ({
          id: 'c1',
          call_id: 'x',
          direction: 'inbound',
          caller: '1',
          caller_name: '',
          dialled: '100',
          entry: 'ivr||main',
          started_at: new Date().toISOString(),
          state: 'menu',
          node,
          agent: null,
        });
        await page.route('**/v1/live_calls?*', (route) =>
          route.fulfill({ json: { data: [live()], next_cursor: null } }),
        );
        await page.getByRole('group', { name: 'Paint the map with' }).getByText('Live').click();
        await card(page, 'Main menu', 'Menu').getByText('1 call').waitFor();
        await page.getByText('1 call on the map').waitFor();
        const before = await page.locator('.map-dot').boundingBox();
        node = 'department||sales';
        await card(page, 'Sales', 'Department').getByText('1 call').waitFor();
        const after = await page.locator('.map-dot').boundingBox();
        expect(after?.x ?? 0).toBeGreaterThan(before?.x ?? 0);
        expect(await axe(page)).toEqual([]);
      },
      { failing: [501] },
    );
  });

  it('speaks Hindi', async () => {
    await console_.visit(
      '/map',
      async (page) => {
        await page.getByRole('application', { name: 'कॉल के रास्तों का नक्शा' }).waitFor();
        await card(page, 'Main menu', 'मेन्यू').waitFor();
      },
      { language: 'hi' },
    );
  });
});

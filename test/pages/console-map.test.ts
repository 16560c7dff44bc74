// The flow map, as a person uses it: looked at, searched, walked over by keyboard, painted, and read as a list.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call } from '../support/service.ts';
import { axe, describeAccount, describeConsole } from './support/console.ts';
import { chooseIn } from './support/forms.ts';

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

const SOUND = new URL('../support/sounds/tone-1000.mp3', import.meta.url).pathname;

const picture = (page: Page) => page.getByRole('application', { name: 'Call flow map' });
/** A node that is near enough to be read, by its name and its kind. */
const card = (page: Page, name: string, kind: string) =>
  page
    .locator('.map-card')
    .filter({ has: page.getByText(name, { exact: true }) })
    .filter({ has: page.locator('.map-card-name', { hasText: kind }) });
const selected = (page: Page) => decodeURIComponent(new URL(page.url()).hash.split('?')[0] ?? '');

describeAccount('The map', {}, (console_) => {
  it('shows numbers, menus, departments and agents, and why calls go from one to the other', async () => {
    await console_.visit('/map', async (page) => {
      const seen = { 100: 'Number', Sales: 'Department', Asha: 'Agent' };
      for (const [name, kind] of Object.entries(seen)) await card(page, name, kind).first().waitFor();
      // Chen answers for a department alone: there is a count, which opens.
      expect(await card(page, 'Chen', 'Agent').count()).toBe(0);
      await card(page, 'Support', 'Department').getByRole('button', { name: '2 agents' }).click();
      await card(page, 'Chen', 'Agent').waitFor();
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
      await card(page, 'Support', 'Department').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('chen');
      await page.getByRole('option', { name: /Chen/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Selected: Chen' }).waitFor();
      expect(selected(page)).toBe('#/map/extension||100003');
      await picture(page).focus();
      // Chen is called by Support, which key 2 of the menu leads to.
      await page.keyboard.press('ArrowLeft');
      await page.getByText(/^Support, Department\. Rings: 2 agents, Otherwise: Asha$/).waitFor();
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

  it('shows what is missing, what no number leads to, and what the checks found, with the way to correct it', async () => {
    const made = await call(console_.service.url, 'POST', '/v1/department', {
      body: { id: 'gone', name: 'Former desk', agents: [] },
    });
    expect(made.status).toBe(201);
    expect((await call(console_.service.url, 'DELETE', '/v1/department/gone')).status).toBe(200);
    const body = {
      ...PROMPTS,
      name: 'Forgotten',
      option: ['1'],
      destination: ['department||gone'],
      invalid_destination: 'hangup||now',
      timeout_destination: 'hangup||now',
    };
    expect((await call(console_.service.url, 'POST', '/v1/ivr', { body })).status).toBe(201);
    await console_.visit('/map?show=checks', async (page) => {
      // On the shelf, which is closed at first.
      const shelf = page.getByRole('button', { name: '2 things that no number leads to' });
      await shelf.waitFor();
      expect(await card(page, 'Forgotten', 'Menu').count()).toBe(0);
      await shelf.click();
      await page.getByText('No number leads here').waitFor();
      await card(page, 'Former desk (deleted)', 'Missing').waitFor();
      const menu = card(page, 'Forgotten', 'Menu');
      expect(await menu.locator('.map-mark').innerText()).toBe('2');
      expect(await menu.getByText('does not exist').innerText()).toContain(
        '“Former desk (deleted)” does not exist',
      );
      const found = page.getByRole('complementary', { name: 'Findings' });
      await found.getByRole('listitem').nth(1).waitFor();
      expect(await found.getByRole('listitem').count()).toBe(2);
      expect(await axe(page)).toEqual([]);
      await found.getByRole('button', { name: /^Fix: .*Former desk/ }).click();
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
      await page.getByRole('group', { name: 'Show on the map' }).getByText('Statistics').click();
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
      // Another look at the map, forth and back, is no reason to ask, and the draft stays.
      await page.getByRole('group', { name: 'Show on the map' }).getByText('Checks').click();
      await page.getByRole('button', { name: 'Try a call', exact: true }).click();
      await page.getByText('Uses your unsaved changes.').waitFor();
      await page.goBack();
      await page.goBack();
      await page.waitForURL((url) => !url.hash.includes('?'));
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await panel.getByLabel('Name').inputValue()).toBe('Welcome desk');
      // Another node would take its place: that is asked about.
      await card(page, 'Sales', 'Department').click();
      await page.getByRole('button', { name: 'Stay here' }).click();
      expect(await panel.getByLabel('Name').inputValue()).toBe('Welcome desk');
      expect(selected(page)).toBe('#/map/ivr||main');
      await panel.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await panel.waitFor({ state: 'detached' });
      await card(page, 'Main menu', 'Menu').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      const { json } = await call(console_.service.url, 'GET', '/v1/ivr/main');
      expect(json).toMatchObject({ name: 'Main menu' });
    });
  });

  it('leads the focus into what opens and back, and Escape closes it', async () => {
    await console_.visit('/map', async (page) => {
      const focus = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
      await card(page, 'Sales', 'Department').waitFor();
      await picture(page).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Selected: 100' }).waitFor();
      await expect.poll(focus).toBe('Selected: 100');
      await page.keyboard.press('Escape');
      await expect.poll(focus).toBe('Call flow map');
      const anew = page.getByRole('button', { name: 'New menu' });
      await anew.focus();
      await page.keyboard.press('Enter');
      await expect.poll(focus).toBe('Selected: New menu');
      await page.getByLabel('Name').fill('Half');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Leave without saving' }).press('Enter');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      expect(selected(page)).toBe('#/map');
      const attempt = page.getByRole('button', { name: 'Try a call', exact: true });
      await attempt.press('Enter');
      await expect.poll(focus).toBe('Try a call');
      await page.keyboard.press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.textContent')).toContain('Try a call');
    });
  });

  it('keeps a call as a test of the menu that is open, and the menu can be saved then', async () => {
    await console_.visit('/map/ivr%7C%7Cmain?try=ivr%7C%7Cmain', async (page) => {
      await page.getByLabel('Name (required)').waitFor();
      await page.getByRole('button', { name: 'Instant' }).click();
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await page.getByText('The menu waits for a key').waitFor();
      await page.getByRole('region', { name: 'Phone' }).getByRole('button', { name: 'Key 2' }).click();
      await page.getByRole('button', { name: 'Save as test' }).click();
      await page.getByRole('dialog').getByLabel('Name of the test').fill('2 reaches support');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Save the menu to keep it.').waitFor();
      const tests = async () => (await call(console_.service.url, 'GET', '/v1/ivr/main')).json.tests;
      const before = await tests();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
      expect((await tests()).length).toBe(before.length + 1);
      expect((await tests()).at(-1)).toMatchObject({ name: '2 reaches support', script: '2' });
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
        await page.route('**/v1/live_state/events', (route) => {
          const at = new Date().toISOString();
          const state = { at, telephones: true, calls: [live()], agents: [], trunks: [], queues: [] };
          return route.fulfill({
            contentType: 'text/event-stream',
            body: `event: snapshot\ndata: ${JSON.stringify(state)}\n\n`,
          });
        });
        await page.reload();
        await page.getByRole('group', { name: 'Show on the map' }).getByText('Live').click();
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

describeConsole('The map of an account in which nothing is yet', { env: { DEMO: 'off' } }, (console_) => {
  it('lets a person build a menu that can be called, hear of it, and take steps back after it is saved', async () => {
    await console_.visit('/map', async (page) => {
      const main = page.getByRole('main');
      await main.getByText('Nothing to draw yet').waitFor();
      expect(await page.getByRole('button', { name: 'Try a call', exact: true }).isDisabled()).toBe(true);
      await main.getByRole('button', { name: 'New menu' }).last().click();
      await page.getByLabel('Name (required)').fill('Front desk');
      await card(page, 'Front desk', 'not saved').waitFor();
      await page.getByRole('button', { name: 'New recording: Greeting and choices' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('tab', { name: 'Upload' }).click();
      await dialog.getByLabel('Audio file').setInputFiles(SOUND);
      await dialog.getByRole('button', { name: 'Upload' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
        'New recording: Greeting and choices',
      );
      await page.getByRole('button', { name: 'Key 1: free' }).click();
      await page.getByRole('button', { name: 'New agent' }).click();
      await dialog.getByLabel('Name of the agent').fill('Asha');
      expect(await axe(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Key 1: Asha' }).waitFor();
      await page.getByRole('button', { name: 'Play the greeting in these places, too' }).click();
      for (const name of ['Destination after the last wrong key', 'Destination after the last silence']) {
        await chooseIn(page.getByRole('combobox', { name }), 'hang up');
      }
      await page.getByRole('button', { name: 'Try a call', exact: true }).click();
      await page.getByText('Ready to call Front desk').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
      // It is the same menu that is open and called, now that it has an id.
      const { json } = await call(console_.service.url, 'GET', '/v1/ivrs');
      expect(json.data).toMatchObject([{ name: 'Front desk', option: ['1'] }]);
      await expect.poll(() => selected(page)).toBe(`#/map/ivr||${json.data[0].id}`);
      await page.getByText('Ready to call Front desk').waitFor();
      await card(page, 'Front desk', 'Menu').getByText('1', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: /^Undo/ }).click();
      await page.getByRole('status').getByText('Not saved').waitFor();
      await page.getByRole('button', { name: /^Redo/ }).click();
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await page.getByRole('region', { name: 'Phone' }).getByRole('button', { name: 'Key 1' }).click();
      await card(page, 'Asha', 'Agent').and(page.locator('.map-card-lit')).waitFor();
    });
  });
});

// The map as an editor: lines drawn by hand and by keyboard, every kind edited beside it, copies, deletions, filters.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call } from '../support/service.ts';
import { axe, describeAccount } from './support/console.ts';
import { chooseIn } from './support/forms.ts';

const picture = (page: Page) => page.getByRole('application', { name: 'Call flow map' });
const card = (page: Page, name: string) =>
  page.locator('.map-card').filter({ has: page.locator('.map-card-name span', { hasText: name }) });
const row = (page: Page, name: string, text: string) =>
  card(page, name).locator('.map-row').filter({ hasText: text });
const panel = (page: Page, name: string) => page.getByRole('complementary', { name: `Selected: ${name}` });

describeAccount('The map as an editor', {}, (console_) => {
  const read = async (path: string) => (await call(console_.service.url, 'GET', path)).json;

  it('leads a key elsewhere when a line is drawn from it, and takes that back', async () => {
    const use = async (page: Page): Promise<void> => {
      const from = row(page, 'Main menu', 'Support').getByRole('button', { name: 'Connect “Key 2”' });
      const start = await from.boundingBox();
      const target = await card(page, 'Sales').boundingBox();
      if (!start || !target) throw new Error('not in view');
      await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
      await page.mouse.down();
      await page.mouse.move(target.x + 60, target.y + 20, { steps: 6 });
      await page.locator('.map-drawn-over').waitFor();
      await page.mouse.up();
      // The menu has a test that says where key 2 leads.
      await page.getByRole('dialog').getByRole('button', { name: 'Connect all the same' }).click();
      await expect.poll(async () => (await read('/v1/ivr/main')).destination[1]).toBe('department||sales');
      await row(page, 'Main menu', 'Sales').nth(1).waitFor();
      await page.getByRole('button', { name: 'Undo the last connection' }).click();
      await expect.poll(async () => (await read('/v1/ivr/main')).destination[1]).toBe('department||support');
      await row(page, 'Main menu', 'Support').waitFor();
    };
    await console_.visit('/map', use, { failing: [409] });
  });

  it('adds a key by keyboard alone, to a destination from a list', async () => {
    await console_.visit('/map/ivr%7C%7Cmain', async (page) => {
      await card(page, 'Main menu').waitFor();
      // Open beside the map, a menu is changed there and saved as a whole.
      await panel(page, 'Main menu').getByLabel('Name (required)').waitFor();
      await picture(page).focus();
      await page.keyboard.press('c');
      const dialog = page.getByRole('dialog', { name: 'Connect Main menu' });
      await dialog.getByLabel('Key', { exact: true }).selectOption('9');
      await dialog.getByRole('combobox', { name: 'Lead to' }).fill('Support');
      await dialog.getByRole('option', { name: /^Support/ }).waitFor();
      await page.keyboard.press('Enter');
      expect(await axe(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await row(page, 'Main menu', '9').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(async () => (await read('/v1/ivr/main')).option).toContain('9');
      expect((await read('/v1/ivr/main')).destination.at(-1)).toBe('department||support');
    });
  });

  it('edits every kind beside the map', async () => {
    await console_.visit('/map/department%7C%7Csales', async (page) => {
      const name = panel(page, 'Sales').getByLabel('Name (required)');
      await name.fill('Sales team');
      expect(await axe(page)).toEqual([]);
      await panel(page, 'Sales').getByRole('button', { name: 'Save' }).click();
      await card(page, 'Sales team').waitFor();
      expect(await read('/v1/department/sales')).toMatchObject({ name: 'Sales team' });
      await card(page, 'Asha').first().locator('.map-card-name').click();
      await panel(page, 'Asha').getByLabel('Name (required)').waitFor();
      await chooseIn(page.getByRole('combobox', { name: 'Find on the map' }), '100 number');
      await panel(page, '100').getByRole('combobox', { name: 'Leads to' }).waitFor();
    });
  });

  it('edits opening hours, announcements, voicemail boxes and rooms beside the map', async () => {
    const [sound] = (await read('/v1/recordings')).data;
    const kinds = [
      ['timegroup', '/v1/timegroup', { timezone: 'UTC' }],
      [
        'announcement',
        '/v1/announcement',
        { recording: `recording||${sound.id}`, destination: 'hangup||hangup' },
      ],
      ['voicemail', '/v1/voicemail_box', {}],
      ['room', '/v1/room', {}],
    ] as const;
    for (const [kind, path, more] of kinds) {
      const name = `A ${kind}`;
      const made = await call(console_.service.url, 'POST', path, {
        body: { id: `my-${kind}`, name, ...more },
      });
      expect(made.status, made.text).toBe(201);
      await console_.visit(`/map/${kind}%7C%7Cmy-${kind}`, async (page) => {
        await panel(page, name).getByLabel('Name (required)').first().fill(`${name}, changed`);
        await panel(page, name).getByRole('button', { name: 'Save' }).click();
        await panel(page, `${name}, changed`).waitFor();
        expect((await read(`${path}/my-${kind}`)).name).toBe(`${name}, changed`);
      });
    }
  });

  it('moves to where the small map is pressed', async () => {
    await console_.visit('/map', async (page) => {
      await card(page, 'Main menu').waitFor();
      const view = page.locator('.react-flow__viewport');
      const before = await view.getAttribute('style');
      const box = await page.locator('.map-mini').boundingBox();
      if (!box) throw new Error('there is no small map');
      await page.mouse.click(box.x + 8, box.y + 8);
      await expect.poll(() => view.getAttribute('style')).not.toBe(before);
      const corner = await view.getAttribute('style');
      await page.mouse.click(box.x + box.width - 8, box.y + box.height - 8);
      await expect.poll(() => view.getAttribute('style')).not.toBe(corner);
    });
  });

  it('creates the agent that a department is to ring', async () => {
    const made = await call(console_.service.url, 'POST', '/v1/department', {
      body: { id: 'empty', name: 'Empty desk', agents: [] },
    });
    expect(made.status).toBe(201);
    await console_.visit('/map/department%7C%7Cempty', async (page) => {
      await row(page, 'Empty desk', 'Rings').getByRole('button', { name: 'Connect “Rings”' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Empty desk' });
      await dialog.getByRole('combobox', { name: 'Agent' }).fill('Nia');
      await page.getByRole('option', { name: '+ Agent Nia', exact: true }).click();
      await page.getByRole('dialog', { name: 'New: Agent' }).getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'I have it' }).click();
      await expect.poll(() => dialog.getByRole('combobox', { name: 'Agent' }).inputValue()).toBe('Nia');
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await read('/v1/department/empty')).agents).toHaveLength(1);
    });
  });

  it('copies and deletes by key', async () => {
    await console_.visit('/map', async (page) => {
      await card(page, 'Support').locator('.map-card-name').click();
      await panel(page, 'Support').waitFor();
      await picture(page).focus();
      await page.keyboard.press('d');
      await panel(page, 'Support (copy)').waitFor();
      const copies = async () =>
        (await read('/v1/departments')).data.filter(
          ({ name }: { name: string }) => name === 'Support (copy)',
        );
      expect((await copies())[0].agents).toEqual((await read('/v1/department/support')).agents);
      // No number leads to it yet: it shows what an option that leads nowhere looks like.
      await picture(page).focus();
      await page.keyboard.press('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await panel(page, 'Support (copy)').waitFor({ state: 'detached' });
      await expect.poll(async () => (await copies()).length).toBe(0);
    });
  });

  it('shows an option that nothing was chosen for as unset, with a plus that asks', async () => {
    const made = await call(console_.service.url, 'POST', '/v1/department', {
      body: { id: 'nights', name: 'Nights', agents: [] },
    });
    expect(made.status).toBe(201);
    await console_.visit('/map/department%7C%7Cnights', async (page) => {
      const unset = card(page, 'Nights').locator('.map-row-unset');
      await unset.first().waitFor();
      expect((await unset.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
        'Rings Not set',
        'Otherwise Not set',
      ]);
      await unset.nth(1).getByRole('button', { name: 'Connect “Otherwise”' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Nights' });
      await chooseIn(dialog.getByRole('combobox', { name: 'Lead to' }), 'Asha');
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await row(page, 'Nights', 'Asha').waitFor();
      expect((await read('/v1/department/nights')).failover_destination).toMatch(/^extension\|\|/);
    });
  });

  it('leaves the part of one number or one department, and has all of it in small', async () => {
    const made = await call(console_.service.url, 'POST', '/v1/number', {
      body: { number: '4711', destination: 'department||support' },
    });
    expect(made.status).toBe(201);
    await console_.visit('/map', async (page) => {
      await card(page, 'Main menu').waitFor();
      await chooseIn(page.getByRole('combobox', { name: 'Part of the number' }), '4711');
      await card(page, 'Main menu').waitFor({ state: 'detached' });
      await card(page, 'Support').first().waitFor();
      expect(new URL(page.url()).hash).toContain('number=dialled');
      await page.locator('.map-mini-view').waitFor();
      expect(await axe(page)).toEqual([]);
    });
  });
});

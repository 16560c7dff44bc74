// Building without dead ends, the rest of it: every kind is created in place, sounds too, and every list changes many at once.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { menu } from '../support/payload.ts';
import { call, type Json } from '../support/service.ts';
import { axe, describeAccount } from './support/console.ts';
import { button, choose, chooseIn, heading } from './support/forms.ts';

describeAccount('building everything in place', {}, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await call(console.service.url, method, path, body === undefined ? {} : { body })).json;
  const begin = async (page: Page, kind: string, name: string) => {
    const field = page.getByRole('combobox', { name: 'Leads to' }).last();
    await field.click();
    await field.fill(name);
    await page.getByRole('option', { name: `+ ${kind} ${name}`, exact: true }).click();
    return page.getByRole('dialog', { name: `New: ${kind}` });
  };
  const chosen = (page: Page) => page.getByRole('combobox', { name: 'Leads to' }).last();

  it('creates an agent, a menu, opening hours, an announcement and a room from a picker', async () => {
    const [sound] = (await ask('GET', '/v1/recordings')).data;
    await console.visit('/numbers/new', async (page) => {
      const agent = await begin(page, 'Agent', 'Gita');
      await agent.getByRole('button', { name: 'Create' }).click();
      await page
        .getByRole('dialog', { name: 'SIP password of Gita' })
        .getByRole('button', { name: 'I have it' })
        .click();
      await expect.poll(() => chosen(page).inputValue()).toBe('Gita');

      const nightly = await begin(page, 'Menu', 'Night menu');
      await chooseIn(nightly.getByRole('combobox', { name: 'Where 1 leads' }), 'sales');
      await nightly.getByRole('button', { name: 'Create' }).click();
      await expect.poll(() => chosen(page).inputValue()).toBe('Night menu');

      const hours = await begin(page, 'Opening hours', 'Weekdays');
      await hours.getByRole('button', { name: 'Create' }).click();
      await expect.poll(() => chosen(page).inputValue()).toBe('Weekdays');

      const announcement = await begin(page, 'Announcement', 'Moved');
      await chooseIn(announcement.getByRole('combobox', { name: 'Recording' }), sound.name);
      await chooseIn(announcement.getByRole('combobox', { name: 'Then' }), 'sales');
      await announcement.getByRole('button', { name: 'Create', exact: true }).click();
      await expect.poll(() => chosen(page).inputValue()).toBe('Moved');

      const room = await begin(page, 'Conference room', 'Board');
      await room.getByRole('button', { name: 'Create' }).click();
      await expect.poll(() => chosen(page).inputValue()).toBe('Board');

      await page.getByLabel('Number').first().fill('5010');
      await button(page, 'Create').click();
      await heading(page, '5010').waitFor();
    });
    const [room] = (await ask('GET', '/v1/rooms?q=Board')).data;
    expect((await ask('GET', '/v1/numbers?q=5010')).data).toMatchObject([
      { destination: `room||${room.id}` },
    ]);
    const [made] = (await ask('GET', '/v1/ivrs?q=Night')).data;
    expect(made).toMatchObject({ option: ['1'], destination: ['department||sales'] });
    const [moved] = (await ask('GET', '/v1/announcements?q=Moved')).data;
    expect(moved).toMatchObject({ recording: `recording||${sound.id}`, destination: 'department||sales' });
    expect((await ask('GET', '/v1/timegroups?q=Weekdays')).data).toHaveLength(1);
    expect((await ask('GET', '/v2/agents?q=Gita')).data).toHaveLength(1);
  });

  it('makes a recording from the page of an announcement, and returns with it chosen', async () => {
    await console.visit('/announcements/new', async (page) => {
      await page.getByLabel('Name').first().fill('Snow');
      await page.getByRole('button', { name: 'New recording: Recording' }).click();
      const dialog = page.getByRole('dialog', { name: 'New recording: Recording' });
      await dialog.getByLabel('Name').fill('Closed by snow');
      await dialog.getByRole('tab', { name: 'Upload' }).click();
      expect(await axe(page)).toEqual([]);
      await dialog.getByLabel('Audio file').setInputFiles({
        name: 'snow.wav',
        mimeType: 'audio/wav',
        buffer: silence(),
      });
      await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const field = page.getByRole('combobox', { name: 'Recording' });
      await expect.poll(() => field.inputValue()).toBe('Closed by snow');
      // The form around it was not sent.
      expect((await ask('GET', '/v1/announcements?q=Snow')).data).toEqual([]);
      await choose(page, 'Then', 'sales');
      await button(page, 'Create').click();
      await heading(page, 'Snow').waitFor();
    });
    const [sound] = (await ask('GET', '/v1/recordings?q=snow')).data;
    expect((await ask('GET', '/v1/announcements?q=Snow')).data).toMatchObject([
      { recording: `recording||${sound.id}` },
    ]);
  });

  it('the template of office hours has the holidays of the chosen country', async () => {
    await ask('PATCH', '/v1/settings', { country: 'IN' });
    await console.visit('/start', async (page) => {
      await page.getByRole('button', { name: 'Use it: Office hours and holidays' }).click();
      const dialog = page.getByRole('dialog', { name: 'Office hours and holidays' });
      await dialog.getByText(/closed on \d+ days to come/).waitFor();
      await dialog.getByLabel('Name').first().fill('Office');
      expect(await axe(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await page.waitForURL(/#\/map\/timegroup/);
    });
    const [group] = (await ask('GET', '/v1/timegroups?q=Office')).data;
    const days = group.exceptions.map(({ from, hours }: Json) => `${from} ${hours.length}`);
    expect(days).toContain(`${new Date().getFullYear() + 1}-01-26 0`);
  });

  const pick = async (page: Page, path: string, names: readonly string[]): Promise<void> => {
    await page.goto(`${console.service.url}/#${path}`);
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByText(`${names.length} selected`).waitFor();
  };
  const apply = async (page: Page, action: string, text: string, count: number): Promise<void> => {
    await button(page, action).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(`^${action}`) });
    await chooseIn(dialog.getByRole('combobox'), text);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(`Done for ${count} entr`).last().waitFor();
  };

  it('sets hours, joins and leaves departments, blocks and unblocks many agents', async () => {
    const two = ['Asha', 'Ben'];
    // Another name at a second attempt.
    const shift = `shift ${Date.now()}`;
    const agents = async () =>
      (await ask('GET', '/v2/agents')).data.filter(({ name }: Json) => two.includes(name));
    const { id: hours } = await ask('POST', '/v1/timegroup', { name: shift, timezone: 'UTC' });
    const { id: night } = await ask('POST', '/v1/department', { name: `Night ${shift}`, agents: [] });
    await console.visit('/agents', async (page) => {
      await pick(page, '/agents', two);
      await apply(page, 'Set working hours', shift, 2);
      await expect
        .poll(async () => (await agents()).map(({ timegroup_id: of }: Json) => String(of)))
        .toEqual([hours, hours]);
      await pick(page, '/agents', two);
      await apply(page, 'Add to department', `Night ${shift}`, 2);
      const members = async () => (await ask('GET', `/v1/department/${night}`)).agents;
      await expect.poll(members).toHaveLength(2);
      await pick(page, '/agents', two);
      await apply(page, 'Remove from department', `Night ${shift}`, 2);
      await expect.poll(members).toEqual([]);
      await pick(page, '/agents', two);
      await button(page, 'Block').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
      await expect
        .poll(async () => (await agents()).map(({ custom_status: of }: Json) => of))
        .toEqual([1, 1]);
      await pick(page, '/agents', two);
      await button(page, 'Unblock').click();
      await expect
        .poll(async () => (await agents()).map(({ custom_status: of }: Json) => of))
        .toEqual([0, 0]);
    });
  });

  it('leads many numbers, departments, menus and announcements elsewhere, and adds holidays to opening hours', async () => {
    await ask('PATCH', '/v1/settings', { country: 'IN' });
    await ask('POST', '/v1/number', { number: '6001', destination: 'department||sales' });
    await ask('POST', '/v1/number', { number: '6002', destination: 'department||sales' });
    await ask('POST', '/v1/ivr', menu({ name: 'Plain menu' }));
    const { id: holidays } = await ask('POST', '/v1/timegroup', {
      name: 'Without holidays',
      timezone: 'UTC',
    });
    await console.visit('/numbers', async (page) => {
      await pick(page, '/numbers', ['6001', '6002']);
      await apply(page, 'Set destination', 'Support', 2);
      const numbers = async () => (await ask('GET', '/v1/numbers?q=600')).data;
      await expect
        .poll(async () => (await numbers()).map(({ destination }: Json) => destination))
        .toEqual(['department||support', 'department||support']);
      await pick(page, '/departments', ['Sales', 'Support']);
      await apply(page, 'Set failover destination', 'Asha', 2);
      for (const id of ['sales', 'support'])
        await expect
          .poll(async () => (await ask('GET', `/v1/department/${id}`)).failover_destination)
          .toBe('extension||100001');
      await pick(page, '/menus', ['Plain menu']);
      await apply(page, 'Set where wrong keys and silence lead', 'Support', 1);
      await expect
        .poll(async () => (await ask('GET', '/v1/ivrs?q=Plain')).data[0])
        .toMatchObject({
          invalid_destination: 'department||support',
          timeout_destination: 'department||support',
        });
      await pick(page, '/hours', ['Without holidays']);
      await button(page, 'Add national holidays').click();
      const dialog = page.getByRole('dialog', { name: 'National holidays …' });
      await dialog.getByRole('button', { name: /^Add \d+ holidays/ }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect
        .poll(async () => (await ask('GET', `/v1/timegroup/${holidays}`)).exceptions.length)
        .toBeGreaterThan(0);
    });
    const { exceptions } = await ask('GET', `/v1/timegroup/${holidays}`);
    expect(exceptions.map(({ from }: Json) => from)).toContain(`${new Date().getFullYear() + 1}-01-26`);
  });

  it('keeps the draft of a menu over a reload, and saves it when the page is left', async () => {
    await console.visit('/menus/main', async (page) => {
      const name = page.getByLabel('Name (required)');
      await name.fill('Main menu, written anew');
      await expect.poll(() => page.evaluate('Object.keys(localStorage).join()')).toContain('dialtree.draft.');
      await page.reload();
      await expect.poll(() => name.inputValue()).toBe('Main menu, written anew');
      await page.getByRole('link', { name: 'People' }).click();
      await button(page, 'Save and leave').click();
      await page.waitForURL(/#\/agents$/);
    });
    expect((await ask('GET', '/v1/ivr/main')).name).toBe('Main menu, written anew');
  });
});

/** Half a second of silence: 16-bit PCM, 8 kHz. */
function silence(): Buffer {
  const data = Buffer.alloc(8_000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

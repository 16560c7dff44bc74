// Flows that ask and decide, as a person builds them: each kind by its form, all of them on the map, and tried in the simulator with what
// the company's system and the voice bot are said to do.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { axe, describeAccount } from './support/console.ts';
import { button, choose, chooseIn, heading } from './support/forms.ts';

const phone = (page: Page): Locator => page.getByRole('region', { name: 'Phone' });
const rows = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true });
const addRow = (page: Page, name: string): Promise<void> =>
  rows(page, name).getByRole('button', { name: 'Add a row' }).click();

describeAccount('flow logic', {}, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const reply = await call(console.service.url, method, path, body === undefined ? {} : { body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.json;
  };
  const create = async (page: Page, name: string): Promise<void> => {
    await button(page, 'Create').click();
    await heading(page, name).waitFor();
  };

  it('are built by forms: a voice bot, a switch, a request with choices, and a question for digits', async () => {
    await console.visit('/streams/new', async (page) => {
      await page.getByLabel('Name').first().fill('Receptionist');
      await page.getByLabel('URL').fill('wss://bot.example.com/talk');
      await addRow(page, 'Parameters');
      await rows(page, 'Parameters').getByLabel('Parameter', { exact: true }).fill('order');
      await rows(page, 'Parameters').getByLabel('Value').fill('{order_number}');
      await addRow(page, 'Destinations');
      await choose(page, 'Destination', 'sales');
      await choose(page, 'Then', 'support');
      await choose(page, 'When it fails', 'support');
      expect(await axe(page)).toEqual([]);
      await create(page, 'Receptionist');
    });
    const [bot] = (await ask('GET', '/v1/streams')).data;
    expect(bot).toMatchObject({
      url: 'wss://bot.example.com/talk',
      parameters: { order: '{order_number}' },
      destinations: ['department||sales'],
      failed_destination: 'department||support',
    });

    await console.visit('/switches/new', async (page) => {
      await page.getByLabel('Name').first().fill('By state');
      await addRow(page, 'Rules');
      await rows(page, 'Rules').getByLabel('Variable').fill('order_state');
      await rows(page, 'Rules').getByLabel('Value').fill('lost');
      await choose(page, 'Then', 'Receptionist');
      await choose(page, 'Otherwise', 'sales');
      expect(await axe(page)).toEqual([]);
      await create(page, 'By state');
    });
    const [decides] = (await ask('GET', '/v1/switches')).data;
    expect(decides).toMatchObject({
      rules: [
        { variable: 'order_state', operator: 'equals', value: 'lost', destination: `stream||${bot.id}` },
      ],
      otherwise_destination: 'department||sales',
    });

    await console.visit('/requests/new', async (page) => {
      await page.getByLabel('Name').first().fill('Order status');
      await page.getByLabel('URL').fill('https://shop.example.com/order');
      await addRow(page, 'Save');
      await rows(page, 'Save').getByLabel('Variable').fill('order_state');
      await rows(page, 'Save').getByLabel('Place in the answer').fill('/order/state');
      await addRow(page, 'Choices');
      await rows(page, 'Choices').getByLabel('Choice', { exact: true }).fill('vip');
      await chooseIn(rows(page, 'Choices').getByRole('combobox', { name: 'Then' }), 'support');
      await chooseIn(page.getByRole('combobox', { name: 'Then' }).last(), 'By state');
      await choose(page, 'When it fails', 'support');
      expect(await axe(page)).toEqual([]);
      await create(page, 'Order status');
    });
    const [asks] = (await ask('GET', '/v1/requests')).data;
    expect(asks).toMatchObject({
      save: [{ variable: 'order_state', pointer: '/order/state' }],
      choices: [{ answer: 'vip', destination: 'department||support' }],
      next_destination: `switch||${decides.id}`,
    });

    await console.visit('/collects/new', async (page) => {
      await page.getByLabel('Name').first().fill('Order number');
      await choose(page, 'Question', 'Welcome');
      await page.getByLabel('Digits at most').fill('4');
      await page.getByLabel('Save as').fill('order_number');
      await choose(page, 'Then', 'Order status');
      await choose(page, 'When all attempts failed', 'support');
      expect(await axe(page)).toEqual([]);
      await create(page, 'Order number');
    });
    const [digits] = (await ask('GET', '/v1/collects')).data;
    expect(digits).toMatchObject({ max_digits: 4, next_destination: `request||${asks.id}` });
    await ask('POST', '/v1/number', { number: '600', destination: `collect||${digits.id}` });
  });

  it('stand on the map, with their ways', () =>
    console.visit('/map', async (page) => {
      for (const name of ['Order number', 'Order status', 'By state', 'Receptionist'])
        await page.locator('.map-card').filter({ hasText: name }).first().waitFor();
    }));

  it('are tried in the simulator with what the system answers and what the bot does', () =>
    console.visit('/simulator', async (page) => {
      await page.getByRole('combobox', { name: 'Number or menu to call' }).click();
      await page.getByRole('option', { name: '600' }).click();
      await phone(page).getByText('Ready to call Order number').waitFor();
      await page.getByRole('tab', { name: 'Conditions' }).click();
      await page.getByLabel('Order status: order_state').fill('lost');
      await page.getByLabel('Receptionist', { exact: true }).selectOption('Hands over to Sales');
      expect(await axe(page)).toEqual([]);
      await page.getByRole('tab', { name: 'Steps' }).click();
      await page.getByRole('button', { name: 'Instant' }).click();
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await phone(page).getByText('Waits for digits').waitFor();
      for (const key of '4711')
        await phone(page)
          .getByRole('button', { name: `Key ${key}` })
          .click();
      const way = page.getByLabel('Path so far');
      await way.getByText('Sales').waitFor();
      expect((await way.innerText()).replace(/\s+/g, ' ')).toMatch(
        /^Order number .*Order status .*By state .*Receptionist .*Sales/,
      );

      await page.getByRole('tab', { name: 'Conditions' }).click();
      await page.getByLabel('Order status', { exact: true }).selectOption('Answers “vip”');
      await page.getByRole('tab', { name: 'Steps' }).click();
      await page.getByRole('button', { name: 'Call again' }).click();
      await phone(page).getByText('Waits for digits').waitFor();
      for (const key of '4711')
        await phone(page)
          .getByRole('button', { name: `Key ${key}` })
          .click();
      await way.getByText('Support').waitFor();
    }));

  it('are named in Hindi, too', () =>
    console.visit(
      '/streams',
      async (page) => {
        await heading(page, 'वॉइस बॉट').waitFor();
        await page.getByText('Receptionist').first().waitFor();
        expect(await axe(page)).toEqual([]);
      },
      { language: 'hi' },
    ));
});

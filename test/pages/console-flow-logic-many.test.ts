// What asks, decides, sends and talks, as the other kinds have it: many changed and deleted at once, and created from within a picker.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { axe, describeAccount } from './support/console.ts';
import { button, choose, chooseIn, heading } from './support/forms.ts';

const WAYS = { next_destination: 'department||support', failed_destination: 'department||support' };

interface Kind {
  readonly kind: string;
  readonly path: string;
  readonly page: string;
  readonly body: object;
  /** Bulk actions that ask for a destination, and the members that they set. */
  readonly edits: readonly (readonly [action: string, member: string])[];
  readonly label: string;
  /** Fills the dialog that creates one. */
  readonly fill: (dialog: Locator) => Promise<void>;
  readonly made: object;
}

const NEXT = ['Set where calls go on', 'next_destination'] as const;
const FAILED = ['Set where calls go on failure', 'failed_destination'] as const;
const into = (dialog: Locator, label: string, text: string) =>
  chooseIn(dialog.getByRole('combobox', { name: label }), text);

const KINDS: readonly Kind[] = [
  {
    kind: 'collect',
    path: '/v1/collect',
    page: 'collects',
    body: { recording: 'recording||welcome', max_digits: 4, save_as: 'order', ...WAYS },
    edits: [NEXT, FAILED],
    label: 'Ask for digits',
    async fill(dialog) {
      await into(dialog, 'Question', 'Welcome');
      await dialog.getByLabel('Digits at most').fill('5');
      await dialog.getByLabel('Save as').fill('order');
      await into(dialog, 'Then', 'sales');
      await into(dialog, 'When all attempts failed', 'support');
    },
    made: { max_digits: 5, save_as: 'order', failed_destination: 'department||support' },
  },
  {
    kind: 'request',
    path: '/v1/request',
    page: 'requests',
    body: { url: 'https://shop.example.com/order', ...WAYS },
    edits: [NEXT, FAILED],
    label: 'Ask a system',
    async fill(dialog) {
      await dialog.getByLabel('URL').fill('https://shop.example.com/new');
      await into(dialog, 'Then', 'sales');
      await into(dialog, 'When it fails', 'support');
    },
    made: { url: 'https://shop.example.com/new', next_destination: 'department||sales' },
  },
  {
    kind: 'stream',
    path: '/v1/stream',
    page: 'streams',
    body: { url: 'wss://bot.example.com/talk', ...WAYS },
    edits: [NEXT, FAILED],
    label: 'Voice bot',
    async fill(dialog) {
      await dialog.getByLabel('URL').fill('wss://bot.example.com/new');
      await into(dialog, 'Then', 'sales');
      await into(dialog, 'When it fails', 'support');
    },
    made: { url: 'wss://bot.example.com/new', failed_destination: 'department||support' },
  },
  {
    kind: 'switch',
    path: '/v1/switch',
    page: 'switches',
    body: { rules: [], otherwise_destination: 'department||support' },
    edits: [['Set destination if no rule matches', 'otherwise_destination']],
    label: 'Switch',
    async fill(dialog) {
      await dialog.getByLabel('Variable').fill('order');
      await dialog.getByLabel('Equals').fill('4711');
      await into(dialog, 'Then', 'sales');
      await into(dialog, 'Otherwise', 'support');
    },
    made: {
      rules: [{ variable: 'order', operator: 'equals', value: '4711', destination: 'department||sales' }],
      otherwise_destination: 'department||support',
    },
  },
  {
    kind: 'message',
    path: '/v1/message',
    page: 'messages',
    body: { sms_template: 'address', next_destination: 'department||support' },
    edits: [NEXT],
    label: 'Send a text',
    async fill(dialog) {
      await into(dialog, 'SMS template', 'Address');
      await into(dialog, 'Then', 'sales');
    },
    made: { sms_template: 'address', next_destination: 'department||sales' },
  },
  {
    kind: 'sip_address',
    path: '/v1/sip_address',
    page: 'sip-addresses',
    body: { uri: 'sip:desk@pbx.example.com', failover_destination: 'department||support' },
    edits: [['Set failover destination', 'failover_destination']],
    label: 'SIP address',
    async fill(dialog) {
      await dialog.getByLabel('Address').fill('sips:new@pbx.example.com');
    },
    made: { uri: 'sips:new@pbx.example.com', failover_destination: null },
  },
];

const selectAll = (page: Page) =>
  page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check();

describeAccount('kinds of flow logic', {}, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const reply = await call(console.service.url, method, path, body === undefined ? {} : { body });
    expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300);
    return reply.json;
  };
  const bar = (page: Page): Locator => page.getByRole('region', { name: 'Selected entries' });
  const template = async (): Promise<void> => {
    const { status } = await call(console.service.url, 'GET', '/v1/sms_template/address');
    if (status === 404)
      await ask('POST', '/v1/sms_template', { id: 'address', name: 'Address', text: 'Here.' });
  };

  it.each(KINDS)('$page are changed many at once, and deleted', async ({ path, page: to, body, edits }) => {
    await template();
    const ids: string[] = [];
    for (const name of ['First', 'Second']) ids.push((await ask('POST', path, { name, ...body })).id);
    await console.visit(`/${to}`, async (page) => {
      await page.getByRole('link', { name: 'First' }).waitFor();
      for (const [action] of edits) {
        await selectAll(page);
        await button(page, action).click();
        await choose(page, action, 'sales');
        expect(await axe(page)).toEqual([]);
        await button(page, 'Apply').click();
        await bar(page).waitFor({ state: 'detached' });
        await page.getByText('Done for 2 entries.').first().waitFor();
      }
    });
    const changed = Object.fromEntries(edits.map(([, member]) => [member, 'department||sales']));
    for (const id of ids) expect(await ask('GET', `${path}/${id}`)).toMatchObject({ ...body, ...changed });
    await console.visit(`/${to}`, async (page) => {
      await page.getByRole('link', { name: 'First' }).waitFor();
      await selectAll(page);
      await bar(page).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('link', { name: 'First' }).waitFor({ state: 'detached' });
    });
    for (const id of ids) expect((await call(console.service.url, 'GET', `${path}/${id}`)).status).toBe(404);
  });

  it.each(KINDS.map((each, index) => ({ ...each, number: `${610 + index}` })))(
    'a $kind is created from within the picker of a number',
    async ({ label, fill, number, ...each }) => {
      await template();
      await console.visit('/numbers/new', async (page) => {
        await page.getByLabel('Number').first().fill(number);
        const field = page.getByRole('combobox', { name: 'Leads to' });
        await field.click();
        await field.fill('Brand new');
        await page.getByRole('option', { name: `+ ${label} Brand new`, exact: true }).click();
        const dialog = page.getByRole('dialog', { name: `New: ${label}` });
        expect(await dialog.getByLabel('Name').first().inputValue()).toBe('Brand new');
        await fill(dialog);
        expect(await axe(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Create' }).click();
        await dialog.waitFor({ state: 'detached' });
        expect(await field.inputValue()).toBe('Brand new');
        await button(page, 'Create').click();
        await heading(page, number).waitFor();
      });
      const [stored] = (await ask('GET', `/v1/numbers?q=${number}`)).data;
      const [kind, id] = stored.destination.split('||');
      expect(kind).toBe(each.kind);
      expect(await ask('GET', `${each.path}/${id}`)).toMatchObject({ name: 'Brand new', ...each.made });
    },
  );

  it('what the service refuses is named in the dialog, and nothing is created', async () => {
    await console.visit(
      '/numbers/new',
      async (page) => {
        const field = page.getByRole('combobox', { name: 'Leads to' });
        await field.click();
        await field.fill('Hollow');
        await page.getByRole('option', { name: '+ Voice bot Hollow', exact: true }).click();
        const dialog = page.getByRole('dialog', { name: 'New: Voice bot' });
        await dialog.getByLabel('URL').fill('https://bot.example.com/');
        await into(dialog, 'Then', 'sales');
        await into(dialog, 'When it fails', 'support');
        await dialog.getByRole('button', { name: 'Create' }).click();
        await dialog.locator('[aria-invalid="true"]').first().waitFor();
      },
      { failing: [400] },
    );
    expect((await ask('GET', '/v1/streams?q=Hollow')).data).toEqual([]);
  });
});

// The forms of every kind of record, and the settings: filled, saved, accessible.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { type Tools, tools } from './support/browser.ts';
import { describeAccount } from './support/console.ts';
import { button, choose, faultOf, heading } from './support/forms.ts';

/** As axe() of support/console.ts, without loading axe-core for each look. */
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' | ').slice(0, 300)))`;

describeAccount('the forms of the console', {}, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await call(console.service.url, method, path, body === undefined ? {} : { body })).json;

  it('changes settings, and only those that were touched', async () => {
    await console.visit(
      '/settings',
      async (page) => {
        await page.getByLabel('Ring for').fill('2');
        await button(page, 'Save').click();
        expect(await faultOf(page, 'Ring for')).toContain('from 5 to 300');
        await ask('PATCH', '/v1/settings', { keep_audit_days: 30 });
        await page.getByLabel('Ring for').fill('40');
        await page.getByLabel('Send SMS from menus').check();
        await page.getByLabel('Country').fill('de');
        await page.getByLabel('Area code').fill('030');
        await button(page, 'Save').click();
        await page.getByText('Saved.', { exact: true }).waitFor();
        expect(await ask('GET', '/v1/settings')).toMatchObject({
          ring_seconds: 40,
          sms_templates: true,
          country: 'DE',
          area_code: '030',
          keep_audit_days: 30,
        });
      },
      { failing: [400] },
    );
  });

  it('makes one of every other kind', async () => {
    await console.visit(
      '/teams/new',
      async (page) => {
        const open = async (path: string): Promise<void> => {
          await page.goto(`${console.service.url}/#${path}`);
          await button(page, 'Create').waitFor();
        };
        const create = async (): Promise<void> => {
          await button(page, 'Create').click();
          await button(page, 'Delete').waitFor();
        };
        await page.getByLabel('Name').fill('Night shift');
        await create();
        await open('/numbers/new');
        await page.getByLabel('Number').fill('4711');
        await button(page, 'Create').click();
        expect(await faultOf(page, 'Leads to')).toBe('Choose where the call goes.');
        await choose(page, 'Leads to', 'sales');
        await create();
        await open('/announcements/new');
        await page.getByLabel('Name').fill('Recorded');
        await choose(page, 'Recording', 'welcome');
        await choose(page, 'Then', 'sales');
        await create();
        await open('/voicemail/new');
        await page.getByLabel('Name').fill('Night box');
        await page.getByLabel('E-mail').fill('night@example.com');
        await create();
        await page.getByText('No messages in this box.').waitFor();
        await open('/blocked/new');
        await page.getByRole('textbox', { name: 'Number' }).fill('+49900*');
        await create();
        await open('/sms/new');
        await page.getByRole('textbox', { name: 'Name' }).fill('Address');
        await page.getByRole('textbox', { name: 'Text' }).fill('We are at {Place}');
        await button(page, 'Create').click();
        expect(await faultOf(page, 'Text')).toContain('{Place}, which is no variable');
        await page.getByRole('textbox', { name: 'Text' }).fill('Hello ');
        await button(page, 'Insert {name}').click();
        await page.getByText('Hello Asha Rao').waitFor();
        await create();
        await open('/trunks/new');
        await page.getByLabel('Name (required)').fill('Provider');
        await page.getByLabel('Host (required)').fill('192.0.2.10');
        await button(page, 'Add a prefix').click();
        await page.getByLabel('Begins with').fill('+49');
        await page.getByLabel('Strip').fill('3');
        await page.getByLabel('Prepend').fill('0');
        await page.getByText('is dialled as 0').waitFor();
        await create();
        await open('/caller-ids/new');
        await page.getByLabel('Name').fill('Sales line');
        await choose(page, 'Department', 'sales');
        await page.getByLabel('Number to show').fill('+4930123456');
        await create();
        await open('/webhooks/new');
        await page.getByLabel('Name').fill('Bookkeeping');
        await page.getByLabel('URL').fill('https://example.com/hook');
        await button(page, 'Create').click();
        await page
          .getByRole('dialog', { name: 'Secret of Bookkeeping' })
          .getByText(/^whsec_/)
          .waitFor();
        await button(page, 'I have it').click();
        await page.getByText('Nothing has been sent yet.').waitFor();
      },
      { failing: [400] },
    );
    const made = {
      '/v1/teams?q=Night': { name: 'Night shift' },
      '/v1/numbers?q=4711': { destination: 'department||sales' },
      '/v1/announcements?q=Recorded': { recording: 'recording||welcome', destination: 'department||sales' },
      '/v1/voicemail_boxes?q=Night': { greeting: null, max_seconds: 120, email: 'night@example.com' },
      '/v1/blocked_numbers?q=900': { number: '+49900*', anonymous: false, dialled: null },
      '/v1/sms_templates?q=Address': { text: 'Hello {name}', status: 'active' },
      '/v1/trunks': { host: '192.0.2.10', outbound_prefixes: [{ prefix: '+49', strip: 3, add: '0' }] },
      '/v1/caller_id_rules?q=Sales': { department: 'department||sales', show: '+4930123456' },
      '/v1/webhooks?q=Book': { events: ['*'], status: 'active' },
    };
    for (const [path, expected] of Object.entries(made))
      expect((await ask('GET', path)).data, path).toEqual([expect.objectContaining(expected)]);
  });

  const lists =
    '/agents /teams /departments /hours /recordings /numbers /trunks /sms /announcements /voicemail /blocked /caller-ids /webhooks'.split(
      ' ',
    );
  const looks = [
    { width: 1280, colorScheme: 'light' },
    { width: 320, colorScheme: 'dark' },
  ] as const;

  /** What is wrong with these pages in these looks. */
  async function faultsOf(page: Page, routes: readonly string[], seen: readonly (typeof looks)[number][]) {
    const found: string[] = [];
    await page.evaluate((tools as Tools).axe);
    for (const route of routes) {
      await page.goto(`${console.service.url}/#${route}`);
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Loading …').waitFor({ state: 'detached' });
      for (const { width, colorScheme } of seen) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const faults = (await page.evaluate(RUN)) as string[];
        const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        if (over > 0) faults.push(`${over} pixels too wide`);
        found.push(...faults.map((fault) => `${route} ${width} ${colorScheme}: ${fault}`));
      }
    }
    return found;
  }

  // The lists are checked with all other pages in console-accessibility.test.ts.
  it('has no fault of accessibility in any form', { timeout: 240_000 }, async () => {
    await console.visit('/agents', async (page) => {
      await heading(page, 'Agents').waitFor();
      const forms = [...lists.map((list) => `${list}/new`), '/agents/import'];
      expect(await faultsOf(page, forms, looks)).toEqual([]);
    });
  });
});

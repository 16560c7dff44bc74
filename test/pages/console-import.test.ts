// Agents from a file: what is wrong is seen before anything is sent, corrected on the spot, and imported once.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { axe, type Console, describeConsole } from './support/console.ts';
import { button } from './support/forms.ts';

const choose = (page: Page, text: string) =>
  page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'agents.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

// As Excel in Europe writes it, with a formula in a name and an intercom number that Asha has.
const FILE = [
  '\uFEFFName;Eid;Extension;Mobile number;Team;Shoe size',
  '"Rao; Meera";meera;3001;+49 30 1234-5;Front desk;38',
  ';nobody;3002;;;',
  '=cmd|calc;formula;1001;;;',
  'Omar;meera;3004;12;Nowhere;',
  'Asha;100001;1001;;;',
].join('\r\n');

describeConsole('the import of agents', {}, (console: Console) => {
  const agents = async (): Promise<Json[]> =>
    (await call(console.service.url, 'GET', '/v2/agents?limit=500&sort=intercom')).json.data;

  it('shows every fault at its cell, lets it be corrected, and imports with passwords to take along', async () => {
    const before = await agents();
    await console.visit('/agents/import', async (page) => {
      await choose(page, FILE);
      await page.getByText('3 lines must be fixed or left out.').waitFor();
      await page.getByText('1 exists already and stays unchanged.').waitFor();
      await page.getByText('Unknown columns, ignored: Shoe size.').waitFor();
      for (const fault of [
        'The name is missing.',
        'Another agent has this intercom number.',
        'Line 2 has this agent id already.',
        'A telephone number has 3 to 15 digits.',
        'There is no team with this name.',
      ])
        await page.getByText(fault).waitFor();
      expect(await axe(page)).toEqual([]);
      expect(await button(page, 'Create 1 agent').isDisabled()).toBe(true);
      expect(await agents()).toEqual(before);

      const correct = async (cell: string, text: string): Promise<void> => {
        await page.getByLabel(cell).fill(text);
        await page.getByLabel(cell).press('Enter');
      };
      await correct('Name, line 3', 'Nora');
      await correct('Intercom, line 4', '3003');
      await button(page, 'Leave out line 5').click();
      await button(page, 'Create 3 agents').click();
      await page.getByText('3 agents were created.').waitFor();
      expect(await axe(page)).toEqual([]);

      const download = page.waitForEvent('download');
      await button(page, 'Download the SIP passwords').click();
      const text = readFileSync(await (await download).path(), 'utf8');
      expect(text).toMatch(
        /^\uFEFFname,eid,intercom,sip_password\r\n"Rao; Meera",meera,3001,[A-Za-z0-9]{20}\r\n/,
      );
      expect(text).toMatch(/\r\n'=cmd\|calc,formula,3003,[A-Za-z0-9]{20}\r\n/);
      const made = (await agents()).filter(({ eid }) => ['meera', 'nobody', 'formula'].includes(eid));
      expect(made.map(({ name, intercom, follow_me_number: number }) => [name, intercom, number])).toEqual([
        ['Rao; Meera', '3001', '+493012345'],
        ['Nora', '3002', ''],
        ['=cmd|calc', '3003', ''],
      ]);
      expect(made[0].team_name).toBe('Front desk');
    });
  });

  it('creates no agent twice, and says at its line what the service refuses', async () => {
    await console.visit(
      '/agents/import',
      async (page) => {
        await choose(page, 'name\r\nIda\r\nJo');
        await button(page, 'Create 2 agents').click();
        await page.getByText('2 agents were created.').waitFor();
        const after = await agents();
        await page.getByRole('link', { name: 'To the agents' }).click();
        await button(page, 'Leave without saving').click();
        await page.getByRole('link', { name: 'Import CSV' }).click();
        await choose(page, 'name\r\nIda\r\nJo');
        await page.getByText('An agent with this name exists.').first().waitFor();
        await button(page, 'Create 2 agents').click();
        await page.getByText('Created by an earlier import').first().waitFor();
        expect(await agents()).toEqual(after);
        await page.getByRole('link', { name: 'To the agents' }).click();
        await page.getByRole('link', { name: 'Import CSV' }).click();
        // Somebody takes the number between the look and the sending.
        await choose(page, 'name,intercom\r\nKim,3999\r\nLee,3998');
        await button(page, 'Create 2 agents').waitFor();
        await call(console.service.url, 'POST', '/v1/agent', { body: { name: 'Faster', intercom: '3999' } });
        await button(page, 'Create 2 agents').click();
        await page.getByText('1 was refused; the service says why at its line.').waitFor();
        await page
          .getByRole('row', { name: /Kim/ })
          .getByText('Another agent has the intercom 3999 already.')
          .waitFor();
        await button(page, 'Fix the refused lines').click();
        await page.getByLabel('Intercom, line 2').fill('3997');
        await page.getByLabel('Intercom, line 2').press('Enter');
        await button(page, 'Create 1 agent').click();
        await page.getByText('2 agents were created.').waitFor();
        expect((await agents()).find(({ name }) => name === 'Kim')?.intercom).toBe('3997');
      },
      { failing: [409] },
    );
  });

  it('survives a service that fails in the middle: what was not created is sent again, nobody twice', async () => {
    await console.visit(
      '/agents/import',
      async (page) => {
        const before = (await agents()).length;
        const broken = { status: 500, json: { Message: 'Out of order.' } };
        await choose(page, 'name,eid\r\nMia,mia\r\nNoa,noa\r\nOla,ola');
        await button(page, 'Create 3 agents').waitFor();
        await page.route('**/v1/agent', (route) =>
          route.request().postData()?.includes('mia') ? route.continue() : route.fulfill(broken),
        );
        await page.route('**/v2/agents*', (route) => route.fulfill(broken));
        await button(page, 'Create 3 agents').click();
        await page.getByText('2 were refused; the service says why at their lines.').waitFor();
        await button(page, 'Fix the refused lines').click();
        await page.getByRole('alert').filter({ hasText: 'Out of order.' }).waitFor();
        await page.unroute('**/v1/agent');
        await page.unroute('**/v2/agents*');
        await button(page, 'Try again').click();
        await button(page, 'Create 2 agents').click();
        await page.getByText('3 agents were created.').waitFor();
        expect(await page.getByRole('row').count()).toBe(4);
        expect((await agents()).length).toBe(before + 3);
      },
      { failing: [500] },
    );
  });

  it('refuses files that are none, and says what to do', async () => {
    await console.visit('/agents/import', async (page) => {
      await choose(page, 'PK\u0003\u0004\0\0');
      await page.getByText('This is not a text file.').waitFor();
      await choose(page, 'eid,intercom\r\n1,2');
      await page.getByText('No column is called “name”.').waitFor();
      await choose(page, 'name\r\n"Ida');
      await page.getByText('The quotation mark in line 2 is never closed.').waitFor();
      expect(await axe(page)).toEqual([]);
    });
  });
});

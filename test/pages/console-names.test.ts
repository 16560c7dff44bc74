// Deleted things keep their name, and nobody reads a reference or the API's word for a kind.
import { expect, it } from 'vitest';
import { hi } from '../../console/src/words/hi.ts';
import { menu } from '../support/payload.ts';
import { call, type Json } from '../support/service.ts';
import { describeAccount } from './support/console.ts';

const REFERENCE = /\b(?:extension|ivr|department|timegroup|announcement|voicemail|room|recording)\|\|/;

describeAccount('names', {}, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const { json, status, text } = await call(
      console.service.url,
      method,
      path,
      body === undefined ? {} : { body },
    );
    expect(status, `${method} ${path} ${text}`).toBeLessThan(300);
    return json;
  };
  const spoken = (name: string) => ask('POST', '/v1/recording', { name, text: 'Hello.' });

  it('a deleted recording, trunk, template and webhook keep their name where they were used', async () => {
    const { id: sound } = await spoken('Old greeting');
    const { id: announcement } = await ask('POST', '/v1/announcement', {
      name: 'Uses it',
      recording: `recording||${sound}`,
      destination: 'department||sales',
    });
    await ask('POST', '/v1/voicemail_box', { name: 'Uses it', greeting: `recording||${sound}` });
    const { id: template } = await ask('POST', '/v1/sms_template', { name: 'Old text', text: 'Hi' });
    const { id: ivr } = await ask(
      'POST',
      '/v1/ivr',
      menu({ name: 'Texting', option: ['1'], destination: ['department||sales'], sms_template: [template] }),
    );
    void ivr;
    const { id: department } = await ask('POST', '/v1/department', { name: 'Old desk', agents: [] });
    await ask('POST', '/v1/caller_id_rule', {
      name: 'For the desk',
      department: `department||${department}`,
      show: 'withhold',
    });
    await ask('DELETE', `/v1/recording/${sound}?force=true`);
    await ask('DELETE', `/v1/sms_template/${template}?force=true`);
    await ask('DELETE', `/v1/department/${department}?force=true`);
    const [texting] = (await ask('GET', '/v1/ivrs?q=Texting')).data;
    await console.visit('/announcements', async (page) => {
      const at = (path: string) => page.goto(`${console.service.url}/#${path}`);
      await page.getByRole('table').getByText('Old greeting (deleted)').waitFor();
      await at('/voicemail');
      await page.getByRole('table').getByText('Old greeting (deleted)').waitFor();
      await at(`/announcements/${announcement}`);
      const field = page.getByRole('combobox', { name: 'Recording' });
      await expect.poll(() => field.inputValue()).toBe('Old greeting (deleted)');
      await at('/caller-ids');
      await page.getByRole('table').getByText('Old desk (deleted)').waitFor();
      await at(`/menus/${texting.id}`);
      await page.getByRole('button', { name: /^Key 1/ }).click();
      const sms = page.getByRole('combobox', { name: /SMS/ });
      await expect.poll(() => sms.inputValue()).toBe('Old text (deleted)');
      await at(`/calls?department=${department}`);
      const filter = page.getByRole('combobox', { name: 'Reached department' });
      await expect.poll(() => filter.inputValue()).toBe('Old desk (deleted)');
      await filter.click();
      expect(await page.getByRole('option', { name: 'Sales' }).innerText()).toBe('Sales');
    });
  });

  it('findings of a draft and failing tests name things, in English and in Hindi', async () => {
    const { id: desk } = await ask('POST', '/v1/department', { name: 'Gone desk', agents: ['100001'] });
    const tests = [{ name: '1 reaches Asha', script: '1', expect: { destination: 'extension||100001' } }];
    await ask(
      'POST',
      '/v1/ivr?skip_tests=true',
      menu({ name: 'Wrong', option: ['1'], destination: ['extension||100003'], tests }),
    );
    await ask(
      'POST',
      '/v1/ivr',
      menu({ name: 'Dangling', option: ['1'], destination: [`department||${desk}`] }),
    );
    await ask('DELETE', `/v1/department/${desk}?force=true`);
    await ask(
      'POST',
      '/v1/ivr',
      menu({ name: 'Right', option: ['1'], destination: ['extension||100001'], tests }),
    );
    const [right] = (await ask('GET', '/v1/ivrs?q=Right')).data;
    await ask('PATCH', '/v1/settings', { require_publish: true });
    try {
      // What is red before, such as the test of the other menu, would refuse no publication.
      const drafted = await call(console.service.url, 'PATCH', `/v1/ivr/${right.id}?skip_tests=true`, {
        headers: { 'dialtree-draft': 'true' },
        body: { destination: ['extension||100003'] },
      });
      expect(drafted.status, drafted.text).toBe(200);
      await console.visit(
        '/departments/sales',
        async (page) => {
          await page.getByLabel('Name (required)').fill('Sales desk');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.getByRole('heading', { name: 'Sales desk' }).waitFor();
          await page.evaluate("location.hash = '#/draft'");
          const findings = page.locator('.publish-findings');
          await findings.getByText('expected “Asha”, was “Chen”').first().waitFor();
          await findings.getByText('“Gone desk (deleted)” does not exist').first().waitFor();
          expect(await findings.innerText()).not.toMatch(REFERENCE);
          await page.getByLabel('Why (required)').fill('A better name');
          await page.getByRole('button', { name: 'Publish', exact: true }).click();
          const dialog = page.getByRole('dialog', { name: 'Tests fail with this draft' });
          await dialog.getByText('Right: 1 reaches Asha.').waitFor();
          expect(await dialog.innerText()).not.toContain('Wrong');
          await dialog.getByRole('button', { name: 'Publish all the same' }).click();
          const history = page.getByRole('region', { name: 'Published before' });
          await history.getByText('A better name').waitFor();
          // Who published it.
          const [{ publisher }] = (await ask('GET', '/v1/publications')).data;
          await history.getByText(publisher).first().waitFor();
        },
        { failing: [409] },
      );
      await console.visit(
        '/departments/support',
        async (page) => {
          await page.getByLabel(hi['records.name']).first().fill('सहायता');
          await page.getByRole('button', { name: hi['kit.save'], exact: true }).click();
          await page.getByRole('heading', { name: 'सहायता' }).waitFor();
          await page.evaluate("location.hash = '#/draft'");
          const findings = page.locator('.publish-findings li');
          await findings.first().waitFor();
          for (const text of await findings.allInnerTexts()) {
            expect(text).not.toMatch(REFERENCE);
            expect(text).toMatch(/[\u0900-\u097f]/);
            expect(text).not.toMatch(/does not exist|expected/);
          }
        },
        { language: 'hi' },
      );
    } finally {
      await ask('DELETE', '/v1/draft');
      await ask('PATCH', '/v1/settings', { require_publish: false });
    }
  });
});

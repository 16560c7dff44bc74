// Contacts in the console: made by hand, found by any form of a number, imported from a CSV file.
import { expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { axe, describeAccount } from './support/console.ts';
import { button, faultOf } from './support/forms.ts';

describeAccount('contacts in the console', {}, (console) => {
  const contacts = async (query = ''): Promise<Json[]> =>
    (await call(console.service.url, 'GET', `/v1/contacts${query}`)).json.data;

  it('makes a contact, names the faulty number at its field, and finds it again', async () => {
    await console.visit(
      '/contacts/new',
      async (page) => {
        await page.getByLabel('Name').fill('Mira Lindqvist');
        await page.getByLabel('Company').fill('Lindqvist Marine');
        await page.getByLabel('Numbers').fill('+46 8 123 456 78\nby the door');
        await button(page, 'Create').click();
        expect(await faultOf(page, 'Numbers')).toContain('telephone number');
        await page.getByLabel('Numbers').fill('+46 8 123 456 78\n\n(070) 123-45 67');
        await page.getByLabel('Priority in queues').fill('10');
        await button(page, 'Create').click();
        await button(page, 'Delete').waitFor();
        expect(await contacts('?q=marine')).toMatchObject([
          { name: 'Mira Lindqvist', numbers: ['+46812345678', '0701234567'], priority: 10, email: null },
        ]);
        expect(await axe(page)).toEqual([]);
        await page.goto(`${console.service.url}/#/contacts`);
        await page.getByRole('link', { name: 'Mira Lindqvist' }).waitFor();
      },
      { failing: [400] },
    );
  });

  it('imports a CSV file: says before what would be created, sends it, and leaves out what is there', async () => {
    const file = (text: string) => ({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await console.visit('/contacts/import', async (page) => {
      await page.getByLabel('CSV file').setInputFiles(file('phone\n1\n'));
      expect(await faultOf(page, 'CSV file')).toContain('No column has names');
      const rows = [
        'Mira Lindqvist,Lindqvist Marine,1',
        'Tobias,,+49 40 555',
        'Nobody,,',
        'Ann,Shop,call me',
      ];
      await page.getByLabel('CSV file').setInputFiles(file(`name,company,phone\n${rows.join('\n')}\n`));
      await page.getByText('1 contact can be created. 1 is there already and stays as it is.').waitFor();
      await page.getByText('Line 4: No telephone number.').waitFor();
      await page.getByText('Line 5: Not a telephone number: call me').waitFor();
      expect(await axe(page)).toEqual([]);
      await button(page, 'Create 1 contact').click();
      await page.getByText('1 contact was created.').waitFor();
      expect((await contacts()).map(({ name }) => name).sort()).toEqual(['Mira Lindqvist', 'Tobias']);
      await button(page, 'Import another file').click();
      await page.getByLabel('CSV file').setInputFiles(file(`name,phone\nTobias,+49 40 555\n`));
      await page.getByText('0 contacts can be created. 1 is there already').waitFor();
    });
  });
});

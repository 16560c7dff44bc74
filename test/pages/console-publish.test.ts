// Draft and publish, as a person does it: changes wait, are looked at, published with a reason, and rolled back by one press.
import { expect, it } from 'vitest';
import { call } from '../support/service.ts';
import { axe, describeAccount } from './support/console.ts';

describeAccount('Draft and publish', {}, (console_) => {
  const sales = async () => (await call(console_.service.url, 'GET', '/v1/department/sales')).json;

  it('collects what is changed, shows it in words and on the map, publishes it with a reason, and rolls it back', async () => {
    await console_.visit('/draft', async (page) => {
      await page.getByRole('button', { name: 'Collect changes in a draft' }).click();
      await page.getByText('The draft is empty').waitFor();
      expect(await axe(page)).toEqual([]);
      await page.evaluate("location.hash = '#/map/department%7C%7Csales'");
      const panel = page.getByRole('complementary', { name: 'Selected: Sales' });
      await panel.getByLabel('Name (required)').fill('Sales desk');
      await panel.getByRole('button', { name: 'Save' }).click();
      await page.locator('.map-card-name span', { hasText: 'Sales desk' }).waitFor();
      expect((await sales()).name).toBe('Sales');
      await page.getByRole('link', { name: 'Draft: 1 change' }).click();
      const changes = page.getByRole('region', { name: '1 change' });
      await changes.getByRole('listitem').filter({ hasText: 'Sales → becomes Sales desk' }).first().waitFor();
      await page.getByText('All 2 tests pass.').waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByRole('link', { name: 'See on the map' }).click();
      const card = page.locator('.map-card').filter({ hasText: 'Sales desk' });
      expect(await card.locator('.map-mark').innerText()).toBe('Changed');
      await page.goBack();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Say in a few words why.').waitFor();
      await page.getByLabel('Why (required)').fill('A better name');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const history = page.getByRole('region', { name: 'Published before' });
      await history.getByText('A better name').waitFor();
      expect((await sales()).name).toBe('Sales desk');
      await history.getByRole('button', { name: 'Roll back: A better name' }).click();
      await history.getByText('Rolled back: A better name').waitFor();
      expect((await sales()).name).toBe('Sales');
    });
  });

  it('says what changed in the words of the forms, in English and in Hindi', async () => {
    await call(console_.service.url, 'PATCH', '/v1/settings', { body: { require_publish: true } });
    await call(console_.service.url, 'DELETE', '/v1/draft');
    await console_.visit('/departments/sales', async (page) => {
      await page.getByLabel('Who rings').selectOption('At random');
      await page.getByLabel('Ring for').fill('17');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
      expect((await call(console_.service.url, 'GET', '/v1/draft')).json.data).toHaveLength(1);
      await page.evaluate("location.hash = '#/draft'");
      const members = page.getByRole('list', { name: 'Sales' }).getByRole('listitem');
      await members.first().waitFor();
      const said = (await members.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
      expect(said).toContainEqual(expect.stringMatching(/^Who rings .* → becomes At random$/));
      expect(said.join('\n')).not.toMatch(/[a-z]_[a-z]|ring seconds/);
      expect(await axe(page)).toEqual([]);
    });
    await console_.visit(
      '/draft',
      async (page) => {
        const members = page.getByRole('list', { name: 'Sales' }).getByRole('listitem');
        await members.first().waitFor();
        expect((await members.allInnerTexts()).join(' ')).not.toMatch(/strategy|seconds|random/);
      },
      { language: 'hi' },
    );
    await call(console_.service.url, 'DELETE', '/v1/draft');
  });

  it('names a change that came between, which is discarded, and fits a phone', async () => {
    await call(console_.service.url, 'PATCH', '/v1/settings', { body: { require_publish: true } });
    await console_.visit(
      '/departments/sales',
      async (page) => {
        await page.getByLabel('Name (required)').fill('Sales team');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('heading', { name: 'Sales team' }).waitFor();
        await call(console_.service.url, 'PATCH', '/v1/department/sales', {
          body: { description: 'by API' },
        });
        await page.evaluate("location.hash = '#/draft'");
        await page.getByText('was changed outside of the draft since').waitFor();
        await page.getByLabel('Why (required)').fill('Try');
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await page.getByText(/Nothing was published: the department "Sales team"/).waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
        expect(await axe(page)).toEqual([]);
        await page.getByRole('button', { name: 'Discard the change of Sales team' }).click();
        await page.getByText('The draft is empty').waitFor();
      },
      { viewport: { width: 320, height: 700 }, failing: [409] },
    );
  });
});

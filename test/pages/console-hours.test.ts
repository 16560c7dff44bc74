// The week grid: painted with the mouse, painted by keys, written as exact times; saved and read back by the API.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { axe, describeAccount, tabTo } from './support/console.ts';
import { button } from './support/forms.ts';

const cell = (page: Page, name: string) => page.getByRole('gridcell', { name });
/** High enough for the whole grid: a mouse that drags does not scroll. */
const TALL = { viewport: { width: 1280, height: 1600 } };

async function drag(page: Page, from: string, to: string): Promise<void> {
  await cell(page, from).waitFor();
  const [begin, end] = [await cell(page, from).boundingBox(), await cell(page, to).boundingBox()];
  if (!begin || !end) throw new Error('The cells are not to be seen.');
  await page.mouse.move(begin.x + begin.width / 2, begin.y + begin.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 });
  await page.mouse.up();
}

describeAccount('opening hours', {}, (console) => {
  const groups = async (name: string): Promise<Json> =>
    (await call(console.service.url, 'GET', `/v1/timegroups?q=${name}`)).json.data;
  const save = async (page: Page): Promise<void> => {
    await button(page, 'Create').click();
    await button(page, 'Delete').waitFor();
  };

  it('paints a week with the mouse: open, and closed again over lunch', async () => {
    await console.visit(
      '/hours/new',
      async (page) => {
        await page.getByLabel('Name').fill('Mouse');
        await drag(page, 'Monday 09:00 to 09:30', 'Friday 16:30 to 17:00');
        await page.getByText('Open 40 hours a week.').waitFor();
        await drag(page, 'Friday 12:30 to 13:00', 'Monday 12:00 to 12:30');
        await page.getByText('Open 35 hours a week.').waitFor();
        expect(await page.getByLabel('Wednesday', { exact: true }).inputValue()).toBe(
          '09:00-12:00, 13:00-17:00',
        );
        await save(page);
        const days = ['mon', 'tue', 'wed', 'thu', 'fri'];
        expect((await groups('Mouse'))[0]).toMatchObject({
          timezone: 'Europe/Berlin',
          weekly: [
            { days, from: '09:00', to: '12:00' },
            { days, from: '13:00', to: '17:00' },
          ],
        });
        expect(await axe(page)).toEqual([]);
      },
      TALL,
    );
  });

  it('paints a week by keyboard alone', async () => {
    await console.visit('/hours/new', async (page) => {
      const { keyboard } = page;
      const press = async (key: string, times = 1): Promise<void> => {
        for (let count = 0; count < times; count += 1) await keyboard.press(key);
      };
      await button(page, 'Create').waitFor();
      await tabTo(page, (focused) => focused.includes('Name'));
      await keyboard.type('Keys');
      await tabTo(page, (focused) => focused.includes('Monday 09:00'));
      await press('Shift+ArrowDown');
      await press('Shift+ArrowRight', 3);
      await press('Space');
      await press('ArrowDown', 3);
      await press('End');
      await press('Enter');
      await tabTo(page, (focused) => focused.startsWith('Create') || focused.includes(' Create'));
      await press('Enter');
      await button(page, 'Delete').waitFor();
      expect((await groups('Keys'))[0].weekly).toEqual([
        { days: ['mon', 'tue'], from: '09:00', to: '11:00' },
        { days: ['fri'], from: '23:30', to: '24:00' },
      ]);
    });
  });

  it('keeps exact times, nights and dates, and says whether it would be open', async () => {
    await console.visit(
      '/hours/new',
      async (page) => {
        await page.getByLabel('Name').fill('Exact');
        await page.getByLabel('Friday', { exact: true }).fill('22:10-6');
        await page.getByLabel('Monday', { exact: true }).fill('late');
        await button(page, 'Create').click();
        await page.getByText('Write times such as').first().waitFor();
        expect(await groups('Exact')).toEqual([]);
        await page.getByLabel('Monday', { exact: true }).fill('9-12.30; 13:15-17');
        await page.getByLabel('Sunday', { exact: true }).focus();
        expect(await page.getByLabel('Monday', { exact: true }).inputValue()).toBe(
          '09:00-12:30, 13:15-17:00',
        );
        await cell(page, 'Saturday 05:30 to 06:00: open').waitFor();
        await cell(page, 'Friday 22:00 to 22:30: open for a part').waitFor();

        await button(page, 'Add a date').click();
        await page.getByLabel('Occasion').fill('Christmas');
        await button(page, 'Create').click();
        await page.getByText('Must be a day: YYYY-MM-DD, or MM-DD for every year').waitFor();
        await page.getByLabel('From', { exact: true }).fill('2026-12-24');
        await page.getByLabel('To', { exact: true }).fill('2026-12-26');
        await page.getByLabel('Every year').check();
        await page.getByLabel('Check another time').fill('2026-12-25T23:00');
        await page.getByText('Closed then').waitFor();
        await page.getByText('because of “Christmas”').waitFor();
        await page.getByLabel('Check another time').fill('2026-11-20T23:00');
        await page.getByText('Open then').waitFor();
        await save(page);
        expect((await groups('Exact'))[0]).toMatchObject({
          weekly: [
            { days: ['mon'], from: '09:00', to: '12:30' },
            { days: ['mon'], from: '13:15', to: '17:00' },
            { days: ['fri'], from: '22:10', to: '06:00' },
          ],
          exceptions: [{ name: 'Christmas', from: '12-24', to: '12-26', hours: [] }],
        });
      },
      { failing: [400] },
    );
  });
});

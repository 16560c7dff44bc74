// The console on a phone: lists in two lines a row, whose whole row opens the record, and nothing that scrolls sideways.
import { beforeAll, expect, it } from 'vitest';
import { fillCompany } from './support/company.ts';
import { axe, describeConsole } from './support/console.ts';
import { heading } from './support/forms.ts';
import { fillPast } from './support/past-calls.ts';

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true };

describeConsole('the console on a phone', { env: { SIP: 'on', SIP_PORT: '0' } }, (console) => {
  beforeAll(async () => {
    const company = await fillCompany(console.service);
    await fillPast(console.service, company, { calls: 20 });
  });

  it.each([
    ['calls', '/calls', 'Calls'],
    ['agents', '/agents', 'Agents'],
  ])('shows %s in two lines each', async (_, path, title) => {
    await console.visit(
      path,
      async (page) => {
        await heading(page, title).waitFor();
        const rows = page.locator('tbody tr');
        await rows.first().waitFor();
        const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
        const line = Number(await page.evaluate('parseFloat(getComputedStyle(document.body).lineHeight)'));
        expect(Math.max(...heights)).toBeLessThan(3 * line);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
        expect(await axe(page)).toEqual([]);
        // Anywhere in the row, not on the words alone.
        const box = await rows.first().boundingBox();
        if (!box) throw new Error('the row is not shown');
        await rows.first().click({ position: { x: box.width / 2, y: box.height - 4 } });
        await page.waitForURL(new RegExp(`#${path}/.+`));
      },
      PHONE,
    );
  });
});

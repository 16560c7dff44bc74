// A change on any page that would break a test of a menu: the console names the test and asks.
import { expect, it } from 'vitest';
import { menu } from '../support/payload.ts';
import { call, type Json } from '../support/service.ts';
import { axe, describeAccount } from './support/console.ts';
import { button, choose } from './support/forms.ts';

describeAccount('tests that a change breaks', {}, (console) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const { json, status, text } = await call(console.service.url, method, path, body ? { body } : {});
    expect(status, `${method} ${path} ${text}`).toBeLessThan(300);
    return json;
  };

  it('are named with their menu; going back stores nothing, and saving anyway does', async () => {
    const { id } = await ask('POST', '/v1/announcement', {
      name: 'Summer notice',
      recording: 'recording||welcome',
      destination: 'department||sales',
    });
    const tests = [{ name: '4 is Sales', script: '4', expect: { visited: ['department||sales'] } }];
    const front = menu({ name: 'Front', option: ['4'], destination: [`announcement||${id}`], tests });
    await ask('POST', '/v1/ivr', front);
    const stored = async () => (await ask('GET', `/v1/announcement/${id}`)).destination;
    await console.visit(
      `/announcements/${id}`,
      async (page) => {
        await choose(page, 'Then', 'Asha');
        const dialog = page.getByRole('dialog', { name: 'Not saved: tests of menus would fail' });
        await button(page, 'Save').click();
        await dialog.getByText('“4 is Sales” of Front:').waitFor();
        await dialog.getByText('Summer notice').waitFor();
        expect(await axe(page)).toEqual([]);
        await button(page, 'Back').click();
        await dialog.waitFor({ state: 'hidden' });
        expect(await stored()).toBe('department||sales');
        await button(page, 'Save').click();
        if (process.env['SCREENSHOT']) await page.screenshot({ path: process.env['SCREENSHOT'] });
        await button(page, 'Save anyway').click();
        await expect.poll(stored).toMatch(/^extension\|\|/);
      },
      { failing: [409] },
    );
  });
});

// The way around the console: eight sections, the tabs of each, and the bottom navigation of a phone.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axe, describeConsole } from './support/console.ts';
import { heading } from './support/forms.ts';
import { PAGES } from './support/places.ts';

const PHONE = { width: 320, height: 640 };

describeConsole('the navigation', { env: { SIP: 'on', SIP_PORT: '0' } }, (console) => {
  const sections = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

  it('has at most eight sections, whose tabs lead to every page', async () => {
    await console.visit('/agents', async (page) => {
      const links = sections(page).getByRole('link');
      await links.first().waitFor();
      expect(await links.count()).toBeLessThanOrEqual(8);
      const reached = new Set<string>();
      for (const name of await links.allInnerTexts()) {
        await sections(page).getByRole('link', { name, exact: true }).click();
        const here = sections(page).getByRole('link', { name, exact: true });
        await expect.poll(() => here.getAttribute('aria-current')).toBe('page');
        reached.add(await page.evaluate('location.hash.slice(1)'));
        for (const tab of await page.locator('.shell-tabs a').all())
          reached.add((await tab.getAttribute('href'))?.slice(1) ?? '');
      }
      expect([...reached].sort()).toEqual([...PAGES].sort());
    });
  });

  it('opens a tab with the keyboard, and marks it and its section', async () => {
    await console.visit('/agents', async (page) => {
      const tabs = page.getByRole('navigation', { name: 'People' });
      await tabs.getByRole('link', { name: 'Teams' }).focus();
      await page.keyboard.press('Enter');
      await heading(page, 'Teams').waitFor();
      expect(await tabs.getByRole('link', { name: 'Teams' }).getAttribute('aria-current')).toBe('page');
      const people = sections(page).getByRole('link', { name: 'People' });
      expect(await people.getAttribute('aria-current')).toBe('true');
    });
  });

  it('is at the bottom of a phone, with all pages behind More', async () => {
    await console.visit(
      '/',
      async (page) => {
        const bar = page.locator('.shell-sections');
        const box = await bar.boundingBox();
        expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(PHONE.height);
        const small = await bar
          .locator('a:visible, button:visible')
          .evaluateAll((all) =>
            all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent),
          );
        expect(small).toEqual([]);
        await page.getByRole('button', { name: 'More' }).click();
        const all = page.locator('#all-pages');
        await all.waitFor();
        expect(await all.getByRole('link').count()).toBe(PAGES.length);
        expect(await axe(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await all.waitFor({ state: 'detached' });
        expect(await page.evaluate('document.activeElement.textContent')).toBe('More');
        await page.getByRole('button', { name: 'More' }).click();
        await all.getByRole('link', { name: 'Departments' }).click();
        await heading(page, 'Departments').waitFor();
        expect(await all.count()).toBe(0);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
      },
      { viewport: PHONE, hasTouch: true },
    );
  });
});

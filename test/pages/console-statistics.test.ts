// Statistics in the console: the very numbers of calls that were made, in figures, charts, tables and in the paint of the map.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { describeConsole } from './support/console.ts';
import { expectCleanLooks } from './support/looks.ts';
import { type Fate, seedCalls } from './support/seeded-calls.ts';

const at = (time: string): number => Date.parse(time);
/** Days of Berlin, where the browser of these tests is: the third call is on the 11th there, on the 10th in Greenwich. */
const CALLS: readonly (readonly [time: string, fate: Fate])[] = [
  ['2026-11-10T08:10:00Z', 'answered'],
  ['2026-11-10T08:20:00Z', 'answered'],
  ['2026-11-10T23:30:00Z', 'answered'],
  ['2026-11-11T08:05:00Z', 'rang'],
  ['2026-11-11T09:05:00Z', 'hung-up'],
  ['2026-11-11T09:06:00Z', 'hung-up'],
  ['2026-11-11T09:07:00Z', 'hung-up'],
  ['2026-11-11T15:00:00Z', 'silent'],
];
const RANGE = 'from=2026-11-10&to=2026-11-11';
const PLACE = `/statistics?${RANGE}`;

const figure = (page: Page, name: string): Promise<string> =>
  page
    .locator('.statistics-figure')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('strong')
    .innerText();

async function cellsOf(page: Page, table: string, row: string): Promise<string[]> {
  await page.getByRole('table', { name: table }).waitFor();
  const found = page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: row });
  return (await found.getByRole('cell').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
}

describeConsole('statistics in the console', {}, (console) => {
  beforeAll(() =>
    seedCalls(
      console.service,
      CALLS.map(([time, fate]) => ({ fate, startedAtMs: at(time) })),
    ),
  );

  it('the figures are those of the calls, and of the API', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByRole('heading', { name: 'Calls by day' }).waitFor();
      expect(await figure(page, 'Calls')).toBe('8');
      expect(await figure(page, 'Answered')).toBe('37.5%');
      expect(await figure(page, 'Average talk time')).toBe('1:00');
      expect(await figure(page, 'Missed')).toBe('2');
      expect(await figure(page, 'Abandoned')).toBe('3');
      const outcome = page.locator('[data-outcome=abandoned]');
      expect(await outcome.innerText()).toMatch(/Abandoned\s+3 37\.5%/);
      const { json } = await call(
        console.service.url,
        'GET',
        '/v1/statistics?from=2026-11-10&to=2026-11-12&timezone=Europe/Berlin',
      );
      expect(json.totals).toMatchObject({ calls: 8, answered: 3, missed: 2, abandoned: 3 });
    });
  });

  it('days and hours are the viewer’s, by sight, by arrow key and as a table', async () => {
    await console.visit(PLACE, async (page) => {
      const days = page.getByRole('slider', { name: 'Calls by day' });
      await days.focus();
      expect(await days.getAttribute('aria-valuetext')).toBe('Wed, Nov 11, 2026: 6 calls, 1 answered');
      await page.keyboard.press('ArrowLeft');
      expect(await days.getAttribute('aria-valuetext')).toBe('Tue, Nov 10, 2026: 2 calls, 2 answered');
      expect(await page.locator('.statistics-value').first().innerText()).toBe(
        'Tue, Nov 10, 2026: 2 calls, 2 answered',
      );
      const hours = page.getByRole('slider', { name: 'Calls by hour of the day' });
      await hours.focus();
      await page.keyboard.press('Home');
      expect(await hours.getAttribute('aria-valuetext')).toContain('1 call, 1 answered');
      for (let presses = 0; presses < 10; presses++) await page.keyboard.press('ArrowRight');
      expect(await hours.getAttribute('aria-valuetext')).toBe('10:00 AM: 3 calls, 0 answered');
      await page.getByText('As a table: Calls by day').click();
      const rows = page.getByRole('table', { name: 'Calls by day' }).getByRole('row');
      expect(await rows.allInnerTexts()).toEqual([
        'Day\tCalls\tAnswered',
        'Tue, Nov 10, 2026\t2\t2',
        'Wed, Nov 11, 2026\t6\t1',
      ]);
    });
  });

  it('where callers get lost is shown as text, the worst first, and leads to the painted map', async () => {
    await console.visit(PLACE, async (page) => {
      const lost = page.getByRole('region', { name: 'Where callers get lost' });
      await lost.getByRole('link', { name: 'Main menu' }).first().waitFor();
      const items = (await lost.getByRole('listitem').allInnerTexts()).map((text) =>
        text.replace(/\s+/g, ' '),
      );
      expect(items).toHaveLength(3);
      expect(items[0]).toMatch(/^37\.5% Main menu 3 of 8 hung up while the menu was being read out\./);
      expect(items.slice(1).join(' ')).toContain('1 of 8 pressed nothing until the menu gave up.');
      expect(items.slice(1).join(' ')).toContain(
        '2 of 8 were sent on from here and hung up while phones rang.',
      );
      const map = lost.getByRole('link', { name: 'See it on the map' });
      expect(await map.getAttribute('href')).toContain(`#/map?show=statistics&measure=dropOff&${RANGE}`);
    });
  });

  it('menus, agents and departments stand in tables; an option that was never chosen is named', async () => {
    await console.visit(PLACE, async (page) => {
      expect(await cellsOf(page, 'Menus', 'Main menu')).toEqual([
        'Main menu',
        '8',
        '4',
        '37.5%',
        '0%',
        '33.3%',
        '≤ 1.5 s',
        '1: 3 (37.5%) 2: 1 (12.5%) 0: never',
      ]);
      expect(await cellsOf(page, 'Agents', 'Asha')).toEqual([
        ...['Asha', '4', '3', '1', '3:00', '1:00'],
        // Free, paused and in wrap-up: counted from live calls, of which there were none.
        ...['0:00', '0:00', '0:00'],
      ]);
      expect(await cellsOf(page, 'Departments', 'Support')).toEqual([
        ...['Support', '1', '0', '1', '–'],
        // Call-backs: asked for, with the caller reached, and without.
        ...['0', '0', '0', '–'],
      ]);
    });
  });

  it('the map is painted by one request, with the numbers of the menu', async () => {
    const { json } = await call(
      console.service.url,
      'GET',
      '/v1/statistics/ivrs?from=2026-11-10&to=2026-11-12&timezone=Europe/Berlin',
    );
    expect(json.data.map(({ ivr, visits, options }: Json) => [ivr, visits, options])).toEqual([
      ['main', 8, { '1': 3, '2': 1 }],
    ]);
    await console.visit(PLACE, async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.getByRole('button', { name: '30 days' }).click();
      await page.getByRole('heading', { name: 'Menus' }).waitFor();
      expect(asked.filter((path) => path.startsWith('/v1/ivr/'))).toEqual([]);
    });
  });

  it('the map is painted with the very days, in numbers: menus, keys, departments and agents', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByRole('link', { name: 'on the map' }).click();
      const of = (name: string, kind: string) =>
        page.locator(`.map-card-${kind}`).filter({ has: page.getByText(name, { exact: true }) });
      const menu = of('Main menu', 'menu');
      await menu.locator('.map-mark', { hasText: '37.5%' }).waitFor();
      await page.getByLabel('Measure').selectOption({ label: 'Visits' });
      await menu.locator('.map-mark', { hasText: '8' }).waitFor();
      const rows = await menu.locator('.map-row').allInnerTexts();
      expect(rows.map((row) => row.replaceAll(/\s+/g, ' ')).slice(0, 3)).toEqual([
        '1 Sales 3 · 37.5%',
        '2 Support 1 · 12.5%',
        '0 Asha 0 · 0%',
      ]);
      expect(await of('Support', 'department').locator('.map-mark').innerText()).toBe('1');
      expect(await of('Asha', 'agent').locator('.map-mark').innerText()).toBe('4');
      await page.getByLabel('First day').fill('2026-11-11');
      await menu.locator('.map-mark', { hasText: '6' }).waitFor();
      expect(page.url()).toContain('from=2026-11-11&to=2026-11-11');
      await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last 1 day' });
      await page.waitForURL((url) => !url.hash.includes('from='));
    });
  });

  it('the span is chosen by day; what cannot be is said; days without calls teach', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByLabel('First day').fill('2026-11-11');
      await expect.poll(() => figure(page, 'Calls')).toBe('6');
      expect(page.url()).toContain('from=2026-11-11&to=2026-11-11');
      await page.getByLabel('Last day').fill('2026-11-01');
      await page.getByText('The last day is before the first.').waitFor();
      await page.getByLabel('First day').fill('2026-10-30');
      await page.getByRole('heading', { name: 'No calls in these days' }).waitFor();
      const teach = page.getByRole('link', { name: 'How to make a first call' });
      expect(await teach.getAttribute('href')).toBe('#/start');
    });
  });

  it('axe finds nothing, light and dark, wide and narrow, and nothing is wider than the screen', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByRole('heading', { name: 'Departments' }).waitFor();
      await expectCleanLooks(page);
    });
  });

  it('the same in Hindi', async () => {
    await console.visit(
      PLACE,
      async (page) => {
        await page.getByRole('heading', { name: 'कॉल करने वाले कहाँ अटकते हैं' }).waitFor();
        await page.getByText('8 में से 3 ने मेन्यू सुनते-सुनते ही फ़ोन काट दिया।').waitFor();
      },
      { language: 'hi' },
    );
  });
});

describeConsole('the overview in the console', {}, (console) => {
  beforeAll(() => seedCalls(console.service, [{ fate: 'rang', startedAtMs: Date.now() - 1000 }]));

  it('shows today, the calls of this moment, findings, and what to do next', async () => {
    await console.visit('/', async (page) => {
      await page.getByRole('heading', { name: /Good (morning|afternoon|evening)/ }).waitFor();
      const today = page.getByRole('region', { name: 'Today' });
      await today.getByText('Missed').waitFor();
      await page.getByText('No call at this moment.').waitFor();
      const missed = page.getByRole('link', { name: 'Call back: 1 missed call today' });
      expect(await missed.getAttribute('href')).toContain('#/calls?outcome=missed&from=');
      const { json } = await call(console.service.url, 'GET', '/v1/lint');
      const errors = json.data.filter(({ severity }: Json) => severity === 'error').length;
      const said = json.data.length === 0 ? 'No findings.' : `${json.data.length - errors} warning`;
      await page.getByRole('region', { name: 'Findings in your menus' }).getByText(said).waitFor();
      await expectCleanLooks(page);
    });
  });
});

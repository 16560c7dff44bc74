// Statistics in the console: the very numbers of calls that were made, in figures, charts, tables and in the paint of the map.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { unzip } from '../support/zip.ts';
import { describeAccount } from './support/console.ts';
import { expectCleanLooks } from './support/looks.ts';
import { type Fate, seedCalls, seedTimes } from './support/seeded-calls.ts';

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

/** Words of headings that stand on two lines, in the browser. */
const BROKEN_HEADINGS = `[...document.querySelectorAll('.statistics-section th')].flatMap((cell) => {
  const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
  return [...(text?.textContent ?? '').matchAll(/\\p{L}+/gu)].flatMap(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1 ? [word] : [];
  });
})`;

describeAccount('statistics in the console', {}, (console) => {
  beforeAll(async () => {
    await seedCalls(
      console.service,
      CALLS.map(([time, fate]) => ({ fate, startedAtMs: at(time) })),
    );
    await seedTimes(console.service, at('2026-11-10T09:00:00Z'), '100001', {
      talking: 1_800_000,
      ringing: 300_000,
      wrap_up: 600_000,
      free: 2_700_000,
      paused: 1_200_000,
      unreachable: 36_000_000,
    });
  });

  it('the figures are those of the calls, and of the API', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByRole('heading', { name: 'Calls by day', exact: true }).waitFor();
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
        // Signed in, paused, in wrap-up, occupancy: without the time away.
        ...['1:50:00', '20:00', '10:00', '50%'],
      ]);
      expect(await cellsOf(page, 'Departments', 'Support')).toEqual([
        ...['Support', '1', '0', '0%', '–', '1', '1:08', '0', '–', '–'],
      ]);
      expect(await cellsOf(page, 'Departments', 'Sales')).toEqual([
        ...['Sales', '3', '3', '100%', '0:04', '0', '–', '0', '–', '1:00'],
      ]);
    });
  });

  it('tables stand in the order that their arrow shows, by name at first and by each heading that is pressed', async () => {
    await console.visit(PLACE, async (page) => {
      const table = page.getByRole('table', { name: 'Departments' });
      await table.waitFor();
      const names = async (): Promise<string[]> =>
        (await table.getByRole('row').allInnerTexts()).slice(1).map((row) => row.split(/\s/)[0] ?? '');
      const heading = (name: string) => table.getByRole('columnheader', { name });
      const orderOf = (name: string) => heading(name).getAttribute('aria-sort');
      expect([await orderOf('Department'), await names()]).toEqual(['ascending', ['Sales', 'Support']]);
      await heading('Department').getByRole('button').click();
      expect([await orderOf('Department'), await names()]).toEqual(['descending', ['Support', 'Sales']]);
      await heading('Calls').first().getByRole('button').click();
      const first = await heading('Calls').first().getAttribute('aria-sort');
      expect([first, await names()]).toEqual(['ascending', ['Support', 'Sales']]);
      expect(await orderOf('Department')).not.toBe('descending');
      await heading('Calls').first().getByRole('button').click();
      expect(await names()).toEqual(['Sales', 'Support']);
      const agents = page.getByRole('table', { name: 'Agents' });
      const occupancy = agents.getByRole('columnheader', { name: 'Occupancy' });
      for (const order of ['ascending', 'descending']) {
        await occupancy.getByRole('button').click();
        expect(await occupancy.getAttribute('aria-sort')).toBe(order);
      }
      expect((await agents.getByRole('row').nth(1).innerText()).split(/\s/)[0]).toBe('Asha');
    });
  });

  it('queues have their service level, speed of answer and abandonment, each beside the days before', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByRole('region', { name: 'Queues' }).waitFor();
      expect(await figure(page, 'Service level')).toBe('75%');
      expect(await figure(page, 'Came to a queue')).toBe('4');
      expect(await figure(page, 'Speed of answer')).toBe('0:04');
      expect(await figure(page, 'Hung up in queues')).toBe('25%');
      await page.getByLabel('First day').fill('2026-11-11');
      await page.getByText('▼ before: 100%').first().waitFor();
      expect(await figure(page, 'Service level')).toBe('50%');
    });
  });

  it('every number leads to its calls, and the list has as many rows as the number says', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByRole('heading', { name: 'Calls by day', exact: true }).waitFor();
      const counts = page.locator('.statistics-all a[href^="#/calls"]').filter({ hasText: /^\d+$/ });
      const links = await counts.evaluateAll((all) =>
        all.map((link) => [link.getAttribute('href') ?? '', link.textContent ?? '']),
      );
      const wanted = new Map(links.map(([href = '', text = '']) => [href, Number(text)]));
      // Figures, departments, agents, and hours of two days.
      expect(wanted.size).toBeGreaterThan(15);
      for (const [href, rows] of wanted) {
        const found = page.waitForResponse((response) => response.url().includes('/v1/call/records?'));
        await page.evaluate(`location.hash = ${JSON.stringify(href)}`);
        await found;
        const one = rows === 1 ? '1 call shown' : `${rows} calls shown`;
        await page.getByRole('status').filter({ hasText: one }).waitFor();
        expect([href, await page.getByRole('table', { name: 'Calls' }).getByRole('row').count()]).toEqual([
          href,
          rows + 1,
        ]);
      }
    });
  });

  it('a cell of the heat map leads to the calls of its hour, which says so and can be widened', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByRole('link', { name: 'Wed, Nov 11, 2026, 10:00 AM, Calls: 3' }).click();
      await page.getByRole('status').filter({ hasText: '3 calls shown' }).waitFor();
      await page.getByRole('button', { name: /^Remove: .*Nov 11.*10:00/ }).click();
      await page.getByRole('status').filter({ hasText: '8 calls shown' }).waitFor();
    });
  });

  it('the figures are taken away as a workbook and as CSV, with names', async () => {
    await console.visit(PLACE, async (page) => {
      const saved = async (name: string): Promise<Buffer> => {
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name }).click();
        return readFileSync(await (await download).path());
      };
      const csv = (await saved('Departments (CSV)')).toString('utf8').split('\r\n');
      expect(csv[1]?.split(',').slice(0, 5)).toEqual(['Sales', '3', '3', '3', '100%']);
      expect(csv[2]?.split(',').slice(0, 5)).toEqual(['Support', '1', '0', '0', '0%']);
      const files = unzip(await saved('Download as XLSX'));
      expect(files.get('xl/sharedStrings.xml')).toContain('Asha');
    });
  });

  it('headings of tables wrap between words alone, at every width', async () => {
    await console.visit(PLACE, async (page) => {
      await page.getByRole('heading', { name: 'Departments' }).waitFor();
      for (const width of [660, 800, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const broken = await page.evaluate(BROKEN_HEADINGS);
        expect([width, broken]).toEqual([width, []]);
      }
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

  it('agents, departments and menus that were deleted keep their names', async () => {
    for (const path of ['/v1/agent/100003', '/v1/department/support', '/v1/ivr/main'])
      expect(
        (await call(console.service.url, 'DELETE', `${path}?force=true&skip_tests=true`)).status,
      ).toBeLessThan(300);
    await console.visit(PLACE, async (page) => {
      for (const [table, name] of [
        ['Agents', 'Chen'],
        ['Departments', 'Support'],
        ['Menus', 'Main menu'],
      ] as const) {
        const rows = page.getByRole('table', { name: table });
        await rows.getByRole('cell', { name: `${name} (deleted)`, exact: true }).waitFor();
        expect([table, await rows.getByText(/100003|^main|\bsupport \(/).count()]).toEqual([table, 0]);
      }
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

describeAccount('the overview in the console', {}, (console) => {
  beforeAll(() => seedCalls(console.service, [{ fate: 'rang', startedAtMs: Date.now() - 1000 }]));

  it('shows today, what is not known without telephones, health, and what needs somebody', async () => {
    await console.visit('/', async (page) => {
      await page.getByRole('heading', { name: /Good (morning|afternoon|evening)/ }).waitFor();
      const figure = (name: string) => page.locator('.home-figure').filter({ hasText: name });
      await figure('Calls today').getByText('1', { exact: true }).waitFor();
      await figure('To call back').getByText('1', { exact: true }).waitFor();
      await figure('Calls now').getByText('without telephones').waitFor();
      const missed = page
        .getByRole('region', { name: 'What needs you' })
        .getByRole('link', { name: /^Call back / });
      expect(await missed.getAttribute('href')).toMatch(/^#\/calls\/./);
      const { json } = await call(console.service.url, 'GET', '/v1/health');
      const errors = json.data.filter(({ severity }: Json) => severity === 'error').length;
      const said = errors > 0 ? `${errors} error` : `${json.data.length} warning`;
      await page.getByRole('region', { name: 'Health' }).getByText(said).waitFor();
      await expectCleanLooks(page);
    });
  });
});

// The overview and the wallboard in Chromium: the figures of calls that were made, and of a moment that is given.
import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { storeCallRecording } from '../support/call-recording-rows.ts';
import { axe, describeAccount, stopClock } from './support/console.ts';
import { liveAgent, liveCall, openWithLive, sendLive } from './support/live-stream.ts';
import { seedCalls } from './support/seeded-calls.ts';

const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number): number => Date.now() - minutes * MINUTE_MS;
const since = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const [LOST, REACHED, BLOCKED] = ['+49301111111', '+49302222222', '+49303333333'] as const;

const figure = (page: Page, name: string) => page.locator('.home-figure').filter({ hasText: name });
const shownValue = (page: Page, name: string) => figure(page, name).locator('strong');

/** What the page asks the service for from here on. */
function asked(page: Page): URL[] {
  const urls: URL[] = [];
  page.on('request', (request: Request) => {
    const url = new URL(request.url());
    if (url.pathname.startsWith('/v1/')) urls.push(url);
  });
  return urls;
}

/** Berlin, where the browser of these tests is. */
const berlinDay = (ms: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(ms);

describeAccount('The overview', {}, (console_) => {
  beforeAll(async () => {
    await seedCalls(console_.service, [
      { fate: 'rang', startedAtMs: minutesAgo(50), row: { caller: LOST } },
      { fate: 'rang', startedAtMs: minutesAgo(40), row: { caller: LOST } },
      { fate: 'rang', startedAtMs: minutesAgo(39), row: { caller: REACHED } },
      { fate: 'answered', startedAtMs: minutesAgo(30), row: { caller: REACHED } },
      { fate: 'hung-up', startedAtMs: minutesAgo(29), row: { caller: BLOCKED, endCode: 'caller-blocked' } },
      { fate: 'rang', startedAtMs: minutesAgo(28), row: { caller: null } },
    ]);
    const storage = await openSqlite(console_.service.dataDir);
    try {
      const { account: accountId } = console_.service;
      for (const [index, heardAtMs] of [null, null, Date.now()].entries())
        await storeCallRecording(storage, console_.service.dataDir, {
          accountId,
          id: `message-${index}-${accountId}`,
          startedAtMs: minutesAgo(20 + index),
          heardAtMs,
        });
    } finally {
      await storage.close();
    }
  });

  it('counts who has to be called back, and leads to the very calls', async () => {
    await console_.visit('/', async (page) => {
      await shownValue(page, 'To call back').getByText('1', { exact: true }).waitFor();
      await figure(page, 'To call back').getByText('+ 1 withheld').waitFor();
      expect(await page.getByText('every caller was reached').count()).toBe(0);
      await page.getByRole('link', { name: `Call back ${LOST}` }).waitFor();
      await page.getByRole('link', { name: 'To call back' }).click();
      await page.getByRole('button', { name: 'Remove: Not called back, today and yesterday' }).waitFor();
      const rows = page.getByRole('table', { name: 'Calls' }).getByRole('row');
      await rows.nth(3).waitFor();
      expect(await rows.count()).toBe(4);
      expect(await rows.filter({ hasText: LOST }).count()).toBe(2);
      expect(await rows.filter({ hasText: 'withheld' }).count()).toBe(1);
      expect(await axe(page)).toEqual([]);
      // Without the filter there are all of them.
      await page.getByRole('button', { name: /^Remove: / }).click();
      await rows.filter({ hasText: BLOCKED }).waitFor();
    });
  });

  it('counts new messages and not those that were heard', async () => {
    await console_.visit('/', async (page) => {
      await shownValue(page, 'New voicemail').getByText('2', { exact: true }).waitFor();
      await figure(page, 'New voicemail').getByText('not heard yet').waitFor();
      expect(await page.getByRole('link', { name: 'Hear 2 new messages' }).count()).toBe(1);
    });
  });

  it('compares with the same weekday, hour by hour of the viewer', async () => {
    await console_.visit('/calls', async (page) => {
      const urls = asked(page);
      const today = berlinDay(Date.now());
      const before = new Date(Date.parse(`${today}T00:00:00Z`) - 7 * 24 * 60 * MINUTE_MS);
      await page.evaluate("location.hash = '#/'");
      await figure(page, 'Calls today').locator('svg').waitFor();
      const statistics = urls.filter(({ pathname }) => pathname === '/v1/statistics');
      expect(statistics.map(({ searchParams: query }) => query.get('from')).sort()).toEqual(
        [before.toISOString().slice(0, 10), today].sort(),
      );
      expect(new Set(statistics.map(({ searchParams: query }) => query.get('timezone')))).toEqual(
        new Set(['Europe/Berlin']),
      );
      expect(new Set(statistics.map(({ searchParams: query }) => query.get('by')))).toEqual(
        new Set(['hour']),
      );
      // The weekday before has its 24 hours over the whole width; today ends before the present hour.
      const points = async (selector: string) =>
        (await page.locator(selector).first().getAttribute('points'))?.split(' ') ?? [];
      expect(await points('.sparkline-before')).toHaveLength(24);
      const hour = Number(
        new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit' }).format(Date.now()),
      );
      if (hour > 1) expect(await points('.sparkline polyline:not(.sparkline-before)')).toHaveLength(hour);
    });
  });

  it('is read again while calls end all the time', async () => {
    await console_.visit('/calls', async (page) => {
      await page.clock.install();
      await openWithLive(page, console_.service.url, '/', {});
      await shownValue(page, 'To call back').waitFor();
      await stopClock(page);
      const urls = asked(page);
      const reads = () => urls.filter(({ pathname }) => pathname === '/v1/statistics').length / 2;
      for (let passed = 0; passed < 6_000; passed += 500) {
        await sendLive(page, 'call.ended', { data: {} });
        await page.clock.runFor(500);
      }
      await expect.poll(reads).toBeGreaterThanOrEqual(1);
      expect(reads()).toBeLessThanOrEqual(4);
    });
  });

  it('says that a node does not answer, and that its figures are the least', async () => {
    await console_.visit('/calls', async (page) => {
      await openWithLive(page, console_.service.url, '/', {
        agents: [liveAgent('100001', 'free', since(5)), liveAgent('100002', 'talking', since(5))],
        calls: [liveCall('1', 'sales')],
        queues: [{ department: 'sales', waiting: 3, longest_since: since(65) }],
        unanswered_nodes: ['node-2'],
      });
      await page.getByText('Node node-2 does not answer').waitFor();
      expect(await shownValue(page, 'Waiting now').innerText()).toBe('at least 3');
      expect(await shownValue(page, 'Calls now').innerText()).toBe('at least 1');
      await figure(page, 'Calls now').getByText('not known whether 1 agent is free').waitFor();
      expect(await axe(page)).toEqual([]);
    });
  });
});

describeAccount('The wallboard of a given moment', {}, (console_) => {
  beforeAll(() =>
    seedCalls(console_.service, [
      // All of today, however early it is.
      ...(['answered', 'answered', 'rang-sales'] as const).map((fate) => ({ fate, startedAtMs: Date.now() })),
      { fate: 'rang', startedAtMs: Date.now() },
    ]),
  );
  const cell = (page: Page, department: string, name: string) =>
    page.locator(`[data-department="${department}"] .board-figure`).filter({ hasText: name }).locator('dd');
  const shows = (page: Page, department: string, name: string, text: RegExp) =>
    cell(page, department, name).filter({ hasText: text }).waitFor();
  const moment = () => ({
    agents: [
      liveAgent('100001', 'talking', since(125)),
      liveAgent('100002', 'free', since(5)),
      liveAgent('100003', 'wrap_up', since(3_700)),
    ],
    calls: [
      liveCall('1', 'sales', { waiting_since: since(65), started_at: since(70) }),
      liveCall('2', 'sales', {
        state: 'connected' as const,
        agent: '100001',
        waiting_since: null,
        waited_ms: 9_000,
        answered_at: since(125),
        started_at: since(140),
      }),
    ],
    queues: [{ department: 'sales', waiting: 1, longest_since: since(65) }],
  });

  it('has longest wait, service level, abandoned and answered calls, and the times of agents and calls', async () => {
    await console_.visit('/calls', async (page) => {
      await openWithLive(page, console_.service.url, '/wallboard', moment());
      await shows(page, 'sales', 'Answered today', /^2$/);
      expect(await cell(page, 'sales', 'Longest wait').innerText()).toMatch(/^1:(0[5-9]|[1-3]\d)/);
      expect(await cell(page, 'sales', 'Within 20 s').innerText()).toMatch(/^66\.7%/);
      expect(await cell(page, 'sales', 'Abandoned today').innerText()).toMatch(/^1 \(33\.3%\)/);
      expect(await cell(page, 'support', 'Within 20 s').innerText()).toMatch(/^0%/);
      const group = (state: string) => page.locator(`.board-group.board-state-${state} .board-time`);
      expect(await group('talking').innerText()).toMatch(/^2:(0[5-9]|[1-3]\d)$/);
      expect(await group('wrap_up').innerText()).toMatch(/^1:01:\d\d$/);
      const cells = async (state: string) => {
        const row = page.getByRole('row').filter({ hasText: state });
        return Promise.all(['Wait', 'Talk'].map((name) => row.locator(`[data-label="${name}"]`).innerText()));
      };
      const [wait, noTalk] = await cells('In a queue');
      expect(wait).toMatch(/^1:[0-3]\d$/);
      expect(noTalk).toBe('–');
      const [waited, talk] = await cells('Connected');
      expect(waited).toBe('0:09');
      expect(talk).toMatch(/^2:[0-4]\d$/);
      // Timers go on by themselves.
      const first = await group('talking').innerText();
      await expect.poll(() => group('talking').innerText()).not.toBe(first);
    });
  });

  it('counts by the seconds that were saved, and says so', async () => {
    await console_.visit('/calls', async (page) => {
      await openWithLive(page, console_.service.url, '/wallboard', moment());
      await shows(page, 'sales', 'Within 20 s', /^66\.7%/);
      const change = async (seconds: string) => {
        await page.getByRole('button', { name: 'Thresholds' }).click();
        const dialog = page.getByRole('dialog', { name: 'Thresholds' });
        await dialog.getByLabel('Service level: answered within (s)').selectOption(seconds);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      const urls = asked(page);
      await change('60');
      await cell(page, 'sales', 'Within 60 s').waitFor();
      expect(urls.filter(({ pathname }) => pathname === '/v1/statistics').length).toBeGreaterThanOrEqual(1);
      await change('20');
      await cell(page, 'sales', 'Within 20 s').waitFor();
    });
  });

  it('shows no 0 where the figures could not be read', async () => {
    await console_.visit(
      '/calls',
      async (page) => {
        await page.route('**/v1/statistics?*', (route) => route.fulfill({ status: 503, body: '{}' }));
        await openWithLive(page, console_.service.url, '/wallboard', moment());
        await shows(page, 'sales', 'Waiting', /^1/);
        for (const name of ['Within 20 s', 'Abandoned today', 'Answered today'])
          expect(await cell(page, 'sales', name).innerText()).toBe('–');
      },
      { failing: [503] },
    );
  });

  it('says that a node does not answer, also on the full screen, and calls nobody free', async () => {
    for (const path of ['/wallboard', '/wallboard?full'])
      await console_.visit('/calls', async (page) => {
        await openWithLive(page, console_.service.url, path, { ...moment(), unanswered_nodes: ['node-2'] });
        await page.getByText('Node node-2 does not answer').waitFor();
        expect(await cell(page, 'sales', 'Waiting').innerText()).toMatch(/^at least 1/);
        expect(await cell(page, 'sales', 'Longest wait').innerText()).toMatch(/^at least 1:/);
        expect(await page.locator('.board-state-free').count()).toBe(0);
        await page.locator('.board-group.board-state-unknown').getByText('Ben').waitFor();
        expect(await axe(page)).toEqual([]);
      });
  });

  it('calls nobody free in lists and pickers either while a node does not answer', async () => {
    const partial = { ...moment(), unanswered_nodes: ['node-2'] };
    await console_.visit('/calls', async (page) => {
      await openWithLive(page, console_.service.url, '/agents', partial);
      const row = (name: string) => page.getByRole('row').filter({ hasText: name });
      await row('Ben').getByText('not known', { exact: true }).waitFor();
      await row('Asha').getByText('on a call').waitFor();
      expect(await page.getByText('free', { exact: true }).count()).toBe(0);
      await page.goto(`${console_.service.url}/?live#/departments`);
      await row('Sales').getByText('not known', { exact: true }).waitFor();
      await page.goto(`${console_.service.url}/?live#/numbers/new`);
      const field = page.getByRole('combobox', { name: 'Leads to' });
      await field.click();
      await field.fill('Ben');
      await page.getByRole('option').filter({ hasText: 'Ben' }).getByText('not known').waitFor();
      await sendLive(page, 'change', { unanswered_nodes: [] });
      await page.getByRole('option').filter({ hasText: 'Ben' }).getByText('free').waitFor();
    });
  });

  it('asks for nothing but the figures of the day while 200 calls come, move and end', async () => {
    await console_.visit('/calls', async (page) => {
      await page.clock.install();
      await openWithLive(page, console_.service.url, '/wallboard', moment());
      await shows(page, 'sales', 'Answered today', /^2$/);
      await stopClock(page);
      const urls = asked(page);
      for (let index = 0; index < 200; index += 1) {
        const id = String(1_000 + index);
        await sendLive(page, 'change', { calls: { put: [liveCall(id, 'sales')], gone: [] } });
        await sendLive(page, 'change', { calls: { put: [], gone: [id] } });
        await sendLive(page, 'call.ended', { data: {} });
        await page.clock.runFor(20);
      }
      await page.clock.runFor(4_000);
      // The sign of health in the navigation is read once a minute, calls or not.
      const paths = () => urls.map(({ pathname }) => pathname).filter((path) => path !== '/v1/health');
      await expect.poll(() => [...new Set(paths())]).toEqual(['/v1/statistics']);
      // One in two seconds, however many calls end.
      expect(paths().length).toBeLessThanOrEqual(1 + (200 * 20 + 4_000) / 2_000);
    });
  });

  it('the map shows what agents do and who waits', async () => {
    await console_.visit('/calls', async (page) => {
      await openWithLive(page, console_.service.url, '/map', moment());
      const card = (name: string) =>
        page
          .locator('.map-card')
          .filter({ has: page.locator('.map-card-name', { hasText: new RegExp(`^${name}`) }) });
      await card('Sales').getByText('1 waiting').first().waitFor();
      await card('Asha').getByText('on a call').first().waitFor();
      await sendLive(page, 'change', {
        agents: { put: [liveAgent('100001', 'paused', since(1))], gone: [] },
      });
      await card('Asha').getByText('paused').first().waitFor();
    });
  });
});

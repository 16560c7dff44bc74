// The wallboard with 200 calls and many events: what an event costs, beside a tenth of the calls. bench/console-frames.ts times it.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { call } from '../support/service.ts';
import { describeAccount, stopClock } from './support/console.ts';
import { liveCall, openWithLive } from './support/live-stream.ts';
import { DRAWN, PageCounter, type PageWork } from './support/page-work.ts';

const CALLS = 200;
const STEPS = 60;
const EVENTS_PER_STEP = 5;
const STEP_MS = 50;
/** What the board waits at least before it is drawn again. */
const DRAWN_EVERY_MS = 250;

const talking = (id: string, department: string) =>
  liveCall(id, department, {
    state: 'connected',
    waiting_since: null,
    waited_ms: 4_000,
    answered_at: new Date().toISOString(),
  });

/** 100 events a second of the page's clock; after how many of the steps the board said something else than before. */
async function sendMany(page: Page, calls: number, departments: readonly string[]): Promise<number> {
  const ids = Array.from({ length: calls }, (_, index) => String(1_000 + index));
  const of = (index: number): string => departments[index % departments.length] ?? '';
  const states = [talking, liveCall].map((make) => ids.map((id, index) => make(id, of(index))));
  await page.evaluate(`(() => {
    const [talking, waiting] = ${JSON.stringify(states)};
    const departments = ${JSON.stringify(departments)};
    let turn = 0;
    let before = '';
    window.boardChanged = () => {
      const text = document.querySelector('.board').textContent;
      const changed = text !== before;
      before = text;
      return changed;
    };
    window.sendStep = () => {
      for (const end = turn + ${EVENTS_PER_STEP}; turn < end; turn += 1)
        window.sendLive('change', {
          calls: { put: [(turn % 3 === 0 ? talking : waiting)[turn % ${calls}]], gone: [] },
          queues: { put: [{ department: departments[turn % departments.length], waiting: turn % 20, longest_since: new Date().toISOString() }], gone: [] },
        });
      return (${DRAWN})();
    };
    window.boardChanged();
  })()`);
  let changes = 0;
  for (let step = 0; step < STEPS; step += 1) {
    await page.evaluate('sendStep()');
    await page.clock.runFor(STEP_MS);
    if (await page.evaluate(`(${DRAWN})().then(boardChanged)`)) changes += 1;
  }
  return changes;
}

describeAccount('The wallboard with 200 calls', {}, (console_) => {
  const departments: string[] = [];
  beforeAll(async () => {
    for (let index = 0; index < 10; index += 1) {
      const body = { name: `Department ${index}`, agents: [], queue: true };
      const made = await call(console_.service.url, 'POST', '/v1/department', { body });
      expect(made.status, made.text).toBe(201);
      departments.push(String(made.json.id));
    }
  });

  async function workOf(calls: number): Promise<PageWork & { readonly changes: number }> {
    let [work, changes]: [PageWork | null, number] = [null, 0];
    await console_.visit('/calls', async (page) => {
      const counter = await PageCounter.on(page);
      await page.clock.install();
      const of = (index: number): string => departments[index % departments.length] ?? '';
      await openWithLive(page, console_.service.url, '/wallboard', {
        calls: Array.from({ length: calls }, (_, index) =>
          (index % 2 === 0 ? talking : liveCall)(String(1_000 + index), of(index)),
        ),
        queues: departments.map((department) => ({
          department,
          waiting: 10,
          longest_since: new Date().toISOString(),
        })),
      });
      await page.getByRole('row').nth(calls).waitFor();
      // Code of other pages is fetched in idle moments.
      await page.waitForLoadState('networkidle');
      await stopClock(page);
      // Never by polling: events alone move it. Health is read once a minute, calls or not.
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/v1/') && pathname !== '/v1/health') asked.push(pathname);
      });
      work = await counter.during(async () => {
        changes = await sendMany(page, calls, departments);
      });
      expect(asked).toEqual([]);
    });
    if (!work) throw new Error('Nothing was counted.');
    return { ...(work as PageWork), changes };
  }

  it('is drawn with little work for each event, however many calls there are', async () => {
    const few = await workOf(CALLS / 10);
    const many = await workOf(CALLS);
    console.info(`20 calls: ${JSON.stringify(few)}\n200 calls: ${JSON.stringify(many)}`);
    const events = STEPS * EVENTS_PER_STEP;
    expect(many.blocks).toBeLessThan(5 * few.blocks);
    // Drawn a few times a second, not for each event; and not standing still, which would cost nothing.
    expect(many.changes).toBeGreaterThanOrEqual(4);
    expect(many.changes).toBeLessThanOrEqual((STEPS * STEP_MS) / DRAWN_EVERY_MS + 2);
    // Only what an event is about is drawn anew.
    expect(many.made).toBeLessThan(10 * events);
    expect(many.changed).toBeLessThan(20 * events);
  });
});

// The console at its largest, in frames a second: a map of 2,000 nodes that is panned and zoomed, and a wallboard of 200 calls with 100
// events a second, in Debian's Chromium without a graphics card. What each step costs is counted by test/pages/console-*-work.test.ts.
// `npm run build` first. Run by `npx tsx bench/console-frames.ts [looks=3]`.
import type { Page } from 'playwright-core';
import { TWO_THOUSAND } from '../console/src/pages/map/testing/big-account.ts';
import { fill } from '../test/pages/support/big-account.ts';
import { findTools } from '../test/pages/support/browser-tools.ts';
import { call, startService, TOKEN } from '../test/support/service.ts';
import { browserCpuMs } from './browser-cpu.ts';

const CALLS = 200;
const EVENTS_PER_SECOND = 100;
const MEASURED_MS = 2_000;

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const looks = Number(options.get('looks') ?? 3);

/** How often the wheel turns in one direction before it turns in the other; null: the map is dragged. */
type Gesture = number | null;
const PAN = null;

/**
 * The mouse moves once in each frame, from within the page: a browser that is steered from outside gets a move only every
 * few frames, and those between them, in which nothing is to be drawn, would be counted as fast ones.
 */
async function framesDuring(page: Page, name: string, gesture: Gesture): Promise<void> {
  const beforeMs = browserCpuMs();
  const { times, moved } = (await page.evaluate(`new Promise((resolve) => {
    const view = document.querySelector('.react-flow__viewport');
    const pane = document.querySelector('.react-flow__pane');
    const mouse = (type, x, y, more = {}) => new MouseEvent(type, {
      bubbles: true, cancelable: true, view: window, button: 0, buttons: 1, clientX: x, clientY: y, ...more });
    const pans = ${gesture === PAN};
    const at = (turn) => [760 + 380 * Math.sin(turn * 0.12), 450 + 220 * Math.sin(turn * 0.156)];
    if (pans) pane.dispatchEvent(mouse('mousedown', ...at(0)));
    const times = []; let moved = 0; let turn = 0; let last = null; let before = view.style.transform; let first = null;
    const tick = (now) => {
      if (last !== null) times.push(now - last);
      last = now; first ??= now;
      if (view.style.transform !== before) moved += 1;
      before = view.style.transform;
      if (now - first >= ${MEASURED_MS}) {
        if (pans) window.dispatchEvent(mouse('mouseup', ...at(turn), { buttons: 0 }));
        return resolve({ times, moved });
      }
      turn += 1;
      if (pans) window.dispatchEvent(mouse('mousemove', ...at(turn)));
      else pane.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, view: window,
        clientX: 700, clientY: 420, deltaY: turn % (2 * ${gesture}) < ${gesture} ? -80 : 80 }));
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })`)) as { times: number[]; moved: number };
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const average = (times.length / times.reduce((sum, ms) => sum + ms, 0)) * 1000;
  // Frames come with the screen's beat: every second one is 33.3 or 33.4 ms after the one before.
  const perSecond = Math.round(1000 / (sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY));
  const moving = moved / times.length;
  const usedMs = (browserCpuMs() ?? 0) - (beforeMs ?? 0);
  console.log(
    `${name}: ${times.length} frames, ${average.toFixed(0)} a second on average, median ${at(0.5)} ms (${perSecond} a second), 95 % within ${at(0.95)} ms, the view moved in ${(moving * 100).toFixed(0)} % of them, ${(usedMs / times.length).toFixed(1)} ms of processor for each`,
  );
}

/** The stream of a busy service, made in the page: a snapshot, then changes of calls, agents and queues. */
function busyStream(departments: readonly string[]): string {
  return `(() => {
    const departments = ${JSON.stringify(departments)};
    const now = () => new Date().toISOString();
    const callOf = (index, talks) => ({ id: 'call-' + index, call_id: 'call-' + index, sip_call_id: '', direction: 'inbound',
      caller: '+4930' + (1000 + index), caller_name: 'Caller ' + index, dialled: '100', entry: 'ivr||main', started_at: now(),
      state: talks ? 'connected' : 'queue', node: 'department||' + departments[index % departments.length],
      department: departments[index % departments.length], agent: null, ringing: [],
      waiting_since: talks ? null : now(), waited_ms: talks ? 4000 : null, answered_at: talks ? now() : null,
      consultation: null, consults_for: null, node_id: 'node-1' });
    const queueOf = (department, waiting) => ({ department, waiting, longest_since: now() });
    const text = (event, data) => new TextEncoder().encode('event: ' + event + '\\ndata: ' + JSON.stringify(data) + '\\n\\n');
    window.sentEvents = 0;
    const stream = () => new ReadableStream({ start(controller) {
      controller.enqueue(text('snapshot', { at: now(), telephones: true, agents: [], trunks: [],
        calls: Array.from({ length: ${CALLS} }, (_, index) => callOf(index, index % 2 === 0)),
        queues: departments.map((each) => queueOf(each, 10)) }));
      const beganMs = performance.now();
      setInterval(() => {
        while (window.sentEvents < (performance.now() - beganMs) * ${EVENTS_PER_SECOND / 1000}) {
          const turn = window.sentEvents++;
          controller.enqueue(text('change', {
            calls: { put: [callOf(turn % ${CALLS}, turn % 3 === 0)], gone: [] },
            queues: { put: [queueOf(departments[turn % departments.length], turn % 20)], gone: [] } }));
        }
      }, 10);
    } });
    const ask = window.fetch;
    window.fetch = (input, options) => String(input.url ?? input).includes('/v1/live_state/events')
      ? Promise.resolve(new Response(stream(), { headers: { 'content-type': 'text/event-stream' } }))
      : ask(input, options);
  })()`;
}

async function wallboardFrames(page: Page): Promise<void> {
  const measured = (await page.evaluate(`new Promise((resolve) => {
    const board = document.querySelector('.board');
    const times = []; let changes = 0; let last = null; let first = null; let before = board.textContent; const sent = window.sentEvents;
    const tick = (now) => {
      if (last !== null) times.push(now - last);
      last = now; first ??= now;
      if (times.length % 5 === 0) { const text = board.textContent; if (text !== before) changes += 1; before = text; }
      if (now - first >= ${MEASURED_MS}) return resolve({ times, changes, events: window.sentEvents - sent });
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })`)) as { times: number[]; changes: number; events: number };
  const sorted = [...measured.times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.POSITIVE_INFINITY;
  // On average: a few long frames among many short ones would be seen.
  const perSecond = Math.round((1000 * sorted.length) / sorted.reduce((sum, ms) => sum + ms, 0));
  console.log(
    `The wallboard: ${sorted.length} frames in ${MEASURED_MS} ms, ${perSecond} a second on average, median ${at(0.5).toFixed(1)} ms, 95 % within ${at(0.95).toFixed(1)} ms, ${measured.events} events, ${measured.changes} changes seen`,
  );
}

const tools = await findTools();
if (typeof tools === 'string') throw new Error(tools);
const browser = await tools.launch();
const service = await startService({ env: { DEMO: 'on' } });
const { url } = service;
try {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  await context.request.post(`${url}/v1/session`, { data: { token: TOKEN } });
  await fill({ url, token: TOKEN }, TWO_THOUSAND);
  const map = await context.newPage();
  await map.goto(`${url}/#/map?agents=all&shelf=open`);
  await map.getByRole('application', { name: 'Call flow map' }).waitFor();
  console.log(`The map: ${await map.locator('.map-picture').getAttribute('data-nodes')} nodes`);
  for (let look = 0; look < looks; look += 1) {
    await framesDuring(map, 'All of it, panned', PAN);
    await framesDuring(map, 'From afar to near and back, zoomed', 30);
  }
  // To where cards can be read, on what a search finds.
  const field = map.getByRole('combobox', { name: 'Find on the map' });
  await field.fill('Menu 450');
  await map.getByRole('option').filter({ hasText: 'Menu 450' }).first().click();
  await map.locator('.map-card-selected').waitFor();
  for (let look = 0; look < looks; look += 1) {
    await framesDuring(map, 'Near, panned', PAN);
    await framesDuring(map, 'Near, zoomed', 6);
  }
  await map.close();
  const departments: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    const body = { name: `Department ${index}`, agents: [], queue: true };
    departments.push(String((await call(url, 'POST', '/v1/department', { body })).json.id));
  }
  const board = await context.newPage();
  await board.addInitScript(busyStream(departments));
  await board.goto(`${url}/?busy#/wallboard`);
  await board.getByRole('row').nth(CALLS).waitFor();
  for (let look = 0; look < looks; look += 1) await wallboardFrames(board);
} finally {
  await browser.close();
  await service.remove();
}

// What a page may cost at its first visit: code, styles, requests, elements, and how much it jumps about. Sizes are held;
// times are printed, since they are the machine's as much as ours.
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inParallel } from '../api/support/wire.ts';
import { call, TOKEN } from '../support/service.ts';
import { describeConsole, signIn, watch } from './support/console.ts';
import { countRequests, PAGES, settle } from './support/places.ts';

const KIB = 1024;
const MOST = {
  script: 250 * KIB,
  style: 40 * KIB,
  requests: 40,
  elements: 1500,
  shift: 0.1,
  again: 20 * KIB,
};

interface Cost {
  readonly script: number;
  readonly style: number;
  /** All that is not data. */
  readonly assets: number;
  readonly requests: number;
}

interface Measured extends Cost {
  readonly path: string;
  readonly elements: number;
  readonly shift: number;
  readonly longest: number;
  readonly faults: readonly string[];
  /** The same page again, with what the browser kept. */
  readonly again: Cost;
}

describeConsole('what the pages cost', { env: { SIP: 'on', SIP_PORT: '0' } }, (console) => {
  /** A browser that was never here. */
  async function measure(
    path: string,
    stranger = false,
    prepare: (context: BrowserContext) => Promise<unknown> = async () => undefined,
  ): Promise<Measured> {
    const context = await console.browser.newContext({
      locale: 'en-GB',
      viewport: { width: 1280, height: 800 },
    });
    try {
      if (!stranger) await signIn(context, console.service, TOKEN);
      await prepare(context);
      const page = await context.newPage();
      const faults = watch(page, console.service, []);
      countRequests(page);
      const counter = await Counter.on(context, page);
      await page.goto(`${console.service.url}/#${path}`);
      await rest(page);
      const first = counter.take();
      const shown = (await page.evaluate(SHOWN)) as Pick<Measured, 'elements' | 'shift' | 'longest'>;
      await page.reload();
      await rest(page);
      const second = counter.take();
      await page.reload();
      await rest(page);
      const third = counter.take();
      // What came after we had looked away belongs to the first visit.
      const script = first.script + second.script;
      return { path, ...first, script, ...shown, again: third, faults: await faults() };
    } finally {
      await context.close();
    }
  }

  // Some forty pages, three times each.
  it('stays within its budget on every page, and a second visit fetches next to nothing', {
    timeout: 400_000,
  }, async () => {
    const all = [await measure('/sign-in', true)];
    await inParallel(2, PAGES, async (path) => {
      all.push(await measure(path));
    });
    process.stdout.write(tableOf(all));
    const over: string[] = [];
    for (const one of all) {
      for (const name of ['script', 'style', 'requests', 'elements', 'shift'] as const)
        if (!(one[name] < MOST[name] || (name === 'requests' && one[name] === MOST[name])))
          over.push(`${one.path}: ${name} ${one[name]}`);
      if (one.again.assets > MOST.again) over.push(`${one.path}: again ${one.again.assets}`);
      if (one.again.script > 0) over.push(`${one.path}: fetches code again`);
      // Strangers are among them: all that a page needs comes from the service.
      over.push(...one.faults.map((fault) => `${one.path}: ${fault}`));
    }
    expect(over).toEqual([]);
    // The measure itself works: there is code, and it is counted.
    for (const one of all) expect(one.script, one.path).toBeGreaterThan(50 * KIB);
  });

  it('stays within it at the desk, with the phone that is loaded there', async () => {
    const body = { name: 'Asha Verma' };
    const { json: agent } = await call(console.service.url, 'POST', '/v1/agent', { body });
    const one = await measure('/desk', false, (context) =>
      context.addInitScript(`localStorage.setItem('dialtree.desk.agent', '${agent.eid}')`),
    );
    process.stdout.write(tableOf([one]));
    expect(one.faults).toEqual([]);
    // The phone is there: its SIP stack alone is a sixth of what a page may cost.
    expect(one.script).toBeGreaterThan(130 * KIB);
    for (const name of ['script', 'style', 'requests', 'elements', 'shift'] as const)
      expect(one[name], name).toBeLessThan(MOST[name]);
    expect(one.again.script).toBe(0);
  });

  it('lets browsers keep every file whose name has a hash, for good', async () => {
    const index = await (await fetch(`${console.service.url}/`)).text();
    const assets = [...index.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) {
      const { status, headers } = await fetch(console.service.url + path);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toContain('immutable');
      // A typeface is compressed by itself.
      if (!path.endsWith('.woff2')) expect(headers.get('content-encoding')).toMatch(/^(?:br|gzip)$/);
    }
  });
});

/** Settled, and still so a moment later: a page may ask for its own code first, and for its data then. */
async function rest(page: Page): Promise<void> {
  await settle(page);
  await page.waitForTimeout(300);
  await settle(page);
}

/** Bytes on the wire, compressed and with their headers, as Chromium counts them. */
class Counter {
  readonly #kinds = new Map<string, { type: string; url: string; cached: boolean }>();
  #cost = { script: 0, style: 0, assets: 0, requests: 0 };

  static async on(context: BrowserContext, page: Page): Promise<Counter> {
    const counter = new Counter();
    const session = await context.newCDPSession(page);
    counter.#listen(session);
    await session.send('Network.enable');
    return counter;
  }

  #listen(session: CDPSession): void {
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      // What comes from memory was told already, by the event below.
      const known = this.#kinds.get(requestId)?.cached === true;
      const cached = known || response.fromDiskCache === true || response.fromPrefetchCache === true;
      this.#kinds.set(requestId, { type, url: response.url, cached });
    });
    session.on('Network.requestServedFromCache', ({ requestId }) => {
      this.#kinds.set(requestId, { type: 'Cached', url: '', cached: true });
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = this.#kinds.get(requestId);
      if (!kind || kind.cached) return;
      this.#cost.requests += 1;
      if (kind.type === 'Script') this.#cost.script += encodedDataLength;
      if (kind.type === 'Stylesheet') this.#cost.style += encodedDataLength;
      if (!new URL(kind.url).pathname.startsWith('/v1/')) this.#cost.assets += encodedDataLength;
    });
  }

  /** What it was since it was last taken. */
  take(): Cost {
    const cost = this.#cost;
    this.#cost = { script: 0, style: 0, assets: 0, requests: 0 };
    this.#kinds.clear();
    return cost;
  }
}

const SHOWN = `new Promise((done) => {
  let [shift, longest] = [0, 0];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration);
  }).observe({ type: 'longtask', buffered: true });
  setTimeout(() => done({ elements: document.querySelectorAll('*').length, shift, longest }), 50);
})`;

function tableOf(all: readonly Measured[]): string {
  const kib = (bytes: number): string => (bytes / KIB).toFixed(1);
  const rows = all.map(
    (one) =>
      `| ${one.path} | ${kib(one.script)} | ${kib(one.style)} | ${one.requests} | ${one.elements} | ${one.shift.toFixed(3)} | ${Math.round(one.longest)} | ${kib(one.again.assets)} |`,
  );
  return `\n| page | JavaScript KiB | CSS KiB | requests | elements | layout shift | longest task ms | second visit KiB |\n|---|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

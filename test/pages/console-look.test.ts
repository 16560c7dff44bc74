// The craft of the console on full pages: typefaces, what wraps, quiet links and buttons, motion, the width of forms, headings of
// tables. With 60 agents, 12 menus and 8 calls.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, TOKEN } from '../support/service.ts';
import { inPage } from './support/browser-tools.ts';
import { describeConsole, signIn } from './support/console.ts';
import { AT_ONCE, FULL_ENV, type FullCompany, fillAll } from './support/full-company.ts';
import { countRequests, goTo, settle } from './support/places.ts';

const FILL_MS = 240_000;
const WIDTHS = [1440, 1024, 768, 320] as const;
const TABLES = [
  '/agents',
  '/calls',
  '/numbers',
  '/menus',
  '/departments',
  '/statistics',
  '/audit',
  '/live',
].concat(['/report', '/wallboard', '/users']);
const LISTS = [...TABLES, '/teams', '/trunks', '/webhooks', '/users', '/voicemail', '/hours', '/recordings'];

/** Pages with a form of three fields or more. */
const FORMS = [
  ...['agents', 'departments', 'hours', 'numbers', 'announcements', 'voicemail', 'rooms', 'trunks']
    .concat(['webhooks', 'sms', 'blocked', 'caller-ids', 'contacts'])
    .map((kind) => `/${kind}/new`),
  '/settings',
  '/notifications',
];
/** The share of the page's column, at 1440 pixels. */
const LEAST_SHARE = 0.6;

/** For a page to evaluate: on how many lines the text of an element stands. */
const LINES = `const linesOf = (element) => {
  const tops = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    // For screen readers only.
    if (text.parentElement.closest('.unseen')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const { top, bottom, width } of range.getClientRects()) {
      const middle = (top + bottom) / 2;
      if (width > 0 && !tops.some((other) => Math.abs(other - middle) < 8)) tops.push(middle);
    }
  }
  return tops.length;
};
const isCut = (element) => !element.querySelector('.unseen') && element.scrollWidth > element.clientWidth + 1;
const nameOf = (element) => element.textContent.trim().slice(0, 60);`;

const BROKEN_HEADINGS = `(() => { ${LINES}
  const shown = [...document.querySelectorAll('main thead th')].filter((th) => !th.closest('.unseen') && th.getClientRects().length > 0 && th.offsetWidth > 2);
  // Tables of a dozen figures have headings of two lines, which end between words.
  const wordsOf = (th) => {
    const walker = document.createTreeWalker(th, NodeFilter.SHOW_TEXT);
    const ranges = [];
    while (walker.nextNode())
      for (const { index, 0: word } of walker.currentNode.data.matchAll(/[^\\s-]+-?/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        ranges.push(range);
      }
    return ranges;
  };
  const isBroken = (th) =>
    th.closest('.statistics-section')
      ? wordsOf(th).some((range) => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
      : linesOf(th) > 1;
  return shown.filter((th) => isBroken(th) || isCut(th)).map(nameOf);
})()`;

const WRAPPED_ON_OVERVIEW = `(() => { ${LINES}
  const once = [...document.querySelectorAll('main h1, main h2, .home-figure dt, .home-figure strong')];
  const notes = innerWidth >= 1024 ? [...document.querySelectorAll('.home-figure small')] : [];
  return [...once, ...notes].filter((each) => linesOf(each) > 1 || isCut(each)).map(nameOf);
})()`;

const EMPTY_ON_OVERVIEW = `(() => {
  const faults = [];
  const figures = [...document.querySelectorAll('.home-figure')];
  if (figures.length < 5) faults.push('only ' + figures.length + ' figures');
  for (const figure of figures)
    for (const part of ['dt', 'strong', 'small'])
      if (!/[\\p{L}\\p{N}]/u.test(figure.querySelector(part)?.textContent ?? '')) faults.push(part + ' of ' + figure.textContent);
  for (const card of document.querySelectorAll('.home-card'))
    if (card.textContent.trim().length < 5) faults.push('an empty card');
  for (const line of document.querySelectorAll('.sparkline'))
    if (!line.querySelector('polyline')) faults.push('an empty sparkline');
  if (document.querySelectorAll('.home-needs li').length === 0) faults.push('nothing needs anybody');
  // Each row of cards reaches the end of the column.
  const end = document.querySelector('.home-figures').getBoundingClientRect().right;
  const rows = new Map();
  for (const figure of figures) {
    const { top, right } = figure.getBoundingClientRect();
    rows.set(Math.round(top), Math.max(right, rows.get(Math.round(top)) ?? 0));
  }
  for (const right of rows.values()) if (end - right > 2) faults.push('a row of cards ends ' + (end - right) + ' px early');
  return faults;
})()`;

/** How a link looks beside the text of its cell. */
const LOUD_LINKS = `[...document.querySelectorAll('main td a:not(.button)')]
  .filter((link) => link.getClientRects().length > 0 && !link.matches(':hover, :focus-visible'))
  .filter((link) => {
    const [own, cell] = [getComputedStyle(link), getComputedStyle(link.closest('td'))];
    return own.textDecorationLine !== 'none' || own.color !== cell.color;
  }).map((link) => link.textContent)`;

const LOUD_DANGER = `[...document.querySelectorAll('main .button-danger')]
  .filter((button) => {
    const { backgroundColor, borderTopColor } = getComputedStyle(button);
    return backgroundColor !== 'rgba(0, 0, 0, 0)' || borderTopColor !== 'rgba(0, 0, 0, 0)';
  }).map((button) => button.textContent)`;

const MOVING = `document.getAnimations()
  .filter(({ playState }) => playState === 'running')
  .map((animation) => ({
    name: animation.animationName ?? animation.transitionProperty ?? '',
    ms: animation.effect.getComputedTiming().duration,
    endless: animation.effect.getComputedTiming().iterations === Infinity,
  }))`;

/** Forms and the groups of their fields, by the share of the column that they take. */
const NARROW_FORMS = `(() => {
  const inner = (element) => {
    const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element);
    return element.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
  };
  const column = inner(document.querySelector('main .page'));
  return [...document.querySelectorAll('main form')]
    .map((form) => ({ form, fields: [...form.querySelectorAll('.field')].filter((field) => field.offsetWidth > 0) }))
    .filter(({ fields }) => fields.length >= 3)
    .map(({ form, fields }) => {
      const boxes = fields.map((field) => field.getBoundingClientRect());
      const taken = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
      return { ofPage: taken / column, ofParent: form.offsetWidth / inner(form.parentElement) };
    });
})()`;

interface Share {
  readonly ofPage: number;
  readonly ofParent: number;
}

interface Motion {
  readonly name: string;
  readonly ms: number;
  readonly endless: boolean;
}

describeConsole('the look of full pages', { env: { ...FULL_ENV } }, (console_) => {
  let full: FullCompany | undefined;
  beforeAll(async () => {
    full = await fillAll(console_.service, { calls: 120, pace: AT_ONCE });
  }, FILL_MS);
  afterAll(() => full?.close());

  async function open(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
    const context = await console_.browser.newContext({
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 1440, height: 900 },
      ...options,
    });
    try {
      await signIn(context, console_.service, TOKEN);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      countRequests(page);
      await page.goto(`${console_.service.url}/#/`);
      await settle(page);
      await use(page);
    } finally {
      await context.close();
    }
  }

  /** The fonts that the browser draws an element's letters with. */
  async function drawnWith(page: Page, selector: string): Promise<readonly string[]> {
    const session = await page.context().newCDPSession(page);
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    await session.detach();
    return fonts.map(({ familyName, isCustomFont }) => `${isCustomFont ? 'shipped' : 'local'} ${familyName}`);
  }

  const loadedFonts = (page: Page): Promise<string[]> =>
    page.evaluate(`document.fonts.ready.then(() => [...new Set([...document.fonts]
      .filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))].sort())`);

  it('the pages are as full as they are said to be', async () => {
    const read = async (path: string) => (await call(console_.service.url, 'GET', path)).json.data.length;
    expect(await read('/v2/agents?limit=500')).toBe(60);
    expect(await read('/v1/ivrs?limit=500')).toBe(12);
    expect(await read('/v1/live_calls')).toBe(8);
  });

  it.each([
    ['en-GB', 'Inter', 'Inter Variable', 'Waiting now: handgloves'],
    ['hi-IN', 'Noto Sans Devanagari', 'Noto Sans Devanagari Variable', 'प्रतीक्षा'],
  ] as const)('%s is drawn in %s, as it is shipped', async (locale, drawn, family, sample) => {
    await open({ locale }, async (page) => {
      await expect.poll(() => loadedFonts(page)).toContain(family);
      for (const selector of ['h1', '.home-figure dt a', '.home-card h2', '.shell-nav a span']) {
        const fonts = await drawnWith(page, selector);
        expect(fonts.length, selector).toBeGreaterThan(0);
        expect(
          fonts.filter((font) => !font.startsWith('shipped')),
          selector,
        ).toEqual([]);
        expect(
          fonts.some((font) => font.includes(drawn)),
          `${selector}: ${fonts}`,
        ).toBe(true);
      }
      // Letters have the widths of the shipped face, not of what this machine has.
      const widths = (await page.evaluate(`(() => {
        const measure = (family) => {
          const span = document.createElement('span');
          Object.assign(span.style, { position: 'absolute', whiteSpace: 'nowrap', fontFamily: family, fontSize: '40px' });
          span.textContent = ${JSON.stringify(sample)};
          document.body.append(span);
          const { width } = span.getBoundingClientRect();
          span.remove();
          return width;
        };
        return [getComputedStyle(document.body).fontFamily, ${JSON.stringify(`"${family}"`)}, 'monospace'].map(measure);
      })()`)) as number[];
      expect(widths[0]).toBeCloseTo(widths[1] ?? 0, 0);
      expect(Math.abs((widths[0] ?? 0) - (widths[2] ?? 0))).toBeGreaterThan(5);
    });
  });

  it.each(['en-GB', 'hi-IN'])(
    'nothing on the overview wraps or is empty, wide and narrow (%s)',
    async (locale) => {
      await open({ locale }, async (page) => {
        await page.locator('.home-figure').nth(4).waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate(WRAPPED_ON_OVERVIEW), `wraps at ${width}`).toEqual([]);
          await expect
            .poll(() => page.evaluate(EMPTY_ON_OVERVIEW), { message: `empty at ${width}` })
            .toEqual([]);
        }
      });
    },
  );

  it('headings of tables never break, in English and in Hindi', async () => {
    const found: string[] = [];
    for (const locale of ['en-GB', 'hi-IN'])
      await open({ locale }, async (page) => {
        for (const path of TABLES) {
          await goTo(page, path);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            const broken = (await page.evaluate(BROKEN_HEADINGS)) as string[];
            found.push(...broken.map((name) => `${locale} ${path} ${width}: ${name}`));
          }
          const count = (await page.evaluate(`document.querySelectorAll('main thead th').length`)) as number;
          if (count === 0) found.push(`${path} has no headings`);
        }
      });
    expect(found).toEqual([]);
  });

  it('links in tables are quiet until the pointer or the keyboard is on them', async () => {
    await open({}, async (page) => {
      const found: string[] = [];
      for (const path of LISTS) {
        await goTo(page, path);
        const loud = (await page.evaluate(LOUD_LINKS)) as string[];
        found.push(...loud.map((text) => `${path}: ${text}`));
      }
      expect(found).toEqual([]);
      await goTo(page, '/agents');
      const link = page.locator('main td a:not(.button)').first();
      const lineOf = (): Promise<string> =>
        link.evaluate(inPage<string>('(element) => getComputedStyle(element).textDecorationLine'));
      expect(await lineOf()).toBe('none');
      await link.hover();
      await expect.poll(lineOf).toBe('underline');
      await page.mouse.move(0, 0);
      await expect.poll(lineOf).toBe('none');
      await link.focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      await expect.poll(lineOf).toBe('underline');
    });
  });

  it('what destroys is quiet on a page, and loud where it is the answer to a question', async () => {
    const { company } = full ?? {};
    await open({}, async (page) => {
      const details = [`/agents/${company?.agents[0]?.eid}`, `/departments/${company?.departments.bookings}`];
      for (const path of [...details, `/hours/${company?.hours}`, '/deleted', '/agents']) {
        await goTo(page, path);
        expect(await page.evaluate(LOUD_DANGER), path).toEqual([]);
      }
      await goTo(page, details[0] ?? '');
      await page.locator('main .button-danger').first().click();
      const answer = page.getByRole('dialog').locator('.button-danger');
      await answer.waitFor();
      const [background, bad] = (await answer.evaluate(
        inPage<string[]>(`(button) => {
        const probe = Object.assign(document.createElement('i'), { style: 'background: var(--bad)' });
        button.append(probe);
        const colours = [button, probe].map((each) => getComputedStyle(each).backgroundColor);
        probe.remove();
        return colours;
      }`),
      )) as [string, string];
      expect(background).toBe(bad);
      expect(background).not.toBe('rgba(0, 0, 0, 0)');
    });
  });

  const moving = (page: Page): Promise<Motion[]> => page.evaluate(MOVING) as Promise<Motion[]>;

  /** What moves while a dialog, a picker's list and the page of live calls open: seen from the first frame on. */
  async function movements(page: Page): Promise<readonly Motion[]> {
    const seen: Motion[] = [];
    const during = async (act: () => Promise<unknown>): Promise<void> => {
      // Slowed down a hundred times: what takes a moment cannot be missed.
      const session = await page.context().newCDPSession(page);
      await session.send('Animation.enable');
      await session.send('Animation.setPlaybackRate', { playbackRate: 0.01 });
      await act();
      seen.push(...(await moving(page)));
      await session.send('Animation.setPlaybackRate', { playbackRate: 1 });
      await session.detach();
    };
    await goTo(page, '/live');
    await page.locator('.live-pulse').waitFor();
    seen.push(...(await moving(page)));
    await during(() =>
      page
        .getByRole('button', { name: /^Transfer the call from/ })
        .first()
        .click(),
    );
    await during(() => page.getByRole('dialog').getByRole('combobox', { name: 'Send to' }).click());
    return seen;
  }

  it('motion shows where a thing came from, and is short', async () => {
    await open({ reducedMotion: 'no-preference' }, async (page) => {
      const seen = await movements(page);
      const names = new Set(seen.map(({ name }) => name));
      expect([...names]).toEqual(expect.arrayContaining(['live-pulse', 'rise', 'unfold']));
      for (const { name, ms, endless } of seen) if (!endless) expect(ms, name).toBeLessThanOrEqual(700);
    });
  });

  it('nothing moves for who wants no motion', async () => {
    await open({ reducedMotion: 'reduce' }, async (page) => {
      const seen = await movements(page);
      expect(seen.filter(({ ms, endless }) => endless || ms > 1)).toEqual([]);
    });
  });

  it(`forms take ${LEAST_SHARE * 100} % of the page’s column or more, and all of what they are in`, async () => {
    await open({}, async (page) => {
      const found: string[] = [];
      for (const path of FORMS) {
        await goTo(page, path);
        const shares = (await page.evaluate(NARROW_FORMS)) as Share[];
        if (shares.length === 0) found.push(`${path} has no form of three fields`);
        for (const { ofPage, ofParent } of shares)
          if (ofPage < LEAST_SHARE || ofParent < 0.95)
            found.push(`${path}: ${Math.round(ofPage * 100)} %, ${Math.round(ofParent * 100)} % of its box`);
      }
      expect(found).toEqual([]);
    });
  });
});

// What every page of the console owes everybody: light and dark, wide and narrow, by keyboard, read aloud, in Hindi, from right to
// left. One browser page walks through all of them for each width; what is found is reported all at once.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Plural } from '../../console/src/words/catalogue.ts';
import { en } from '../../console/src/words/en.ts';
import { hi } from '../../console/src/words/hi.ts';
import { TOKEN } from '../support/service.ts';
import { fillCompany } from './support/company.ts';
import { axe, axeOf, describeConsole, signIn, watch } from './support/console.ts';
import { fillPast } from './support/past-calls.ts';
import { countRequests, detailsOf, goTo, PAGES, settle } from './support/places.ts';

const NARROW = { width: 320, height: 700 };
/** The same on every page: looked at on the first. */
const FRAME = ['.shell-bar', '.shell-nav'];
const WIDE = { width: 1280, height: 800 };
/** Every page of the console, several times at once. */
const WALK_MS = 300_000;

describeConsole('the manners of every page', { env: { SIP: 'on', SIP_PORT: '0' } }, (console) => {
  let places: readonly string[] = [];
  beforeAll(async () => {
    const company = await fillCompany(console.service);
    const calls = await fillPast(console.service, company, { calls: 60 });
    places = [...PAGES, ...detailsOf(company, calls.at(-1) ?? '')];
  });

  /** Visits every page in one look; what `look` finds wrong, with the page it is on. */
  async function walk(
    options: BrowserContextOptions,
    look: (page: Page, path: string) => Promise<readonly string[]>,
  ): Promise<string[]> {
    const context = await console.browser.newContext({
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...options,
    });
    try {
      await signIn(context, console.service, TOKEN);
      const page = await context.newPage();
      countRequests(page);
      const faults = watch(page, console.service, []);
      await page.goto(`${console.service.url}/#/`);
      const found: string[] = [];
      for (const path of places) {
        await goTo(page, path).catch((error: Error) =>
          found.push(`${path}: ${error.message.split('\n')[0]}`),
        );
        for (const fault of await look(page, path)) found.push(`${path}: ${fault}`);
      }
      return [...found, ...(await faults())];
    } finally {
      await context.close();
    }
  }

  const overflow = async (page: Page, when: string): Promise<string[]> => {
    const wide = (await page.evaluate(OVERFLOW)) as string[];
    return wide.map((what) => `${when}: wider than the window: ${what}`);
  };

  it('has pages, and no two of one path', () => {
    expect(PAGES.length).toBeGreaterThan(20);
    expect(new Set(PAGES).size).toBe(PAGES.length);
  });

  it.concurrent('1280 pixels wide: axe-core finds nothing, in light and in dark; the keyboard reaches all', {
    timeout: WALK_MS,
  }, async () => {
    const found = await walk({ viewport: WIDE, colorScheme: 'light' }, async (page, path) => [
      ...((await page.evaluate(OUTLINE)) as string[]),
      ...(await axeOf(page, { without: path === '/' ? [] : FRAME })),
      ...(await keyboard(page)),
      ...(await inDark(page)),
    ]);
    expect(found).toEqual([]);
  });

  it.concurrent('320 pixels wide: axe-core finds nothing, and nothing scrolls sideways', {
    timeout: WALK_MS,
  }, async () => {
    const found = await walk(
      { viewport: NARROW, colorScheme: 'light', hasTouch: true },
      async (page, path) => [
        ...((await page.evaluate(OUTLINE)) as string[]),
        ...(await overflow(page, '320')),
        ...(await axeOf(page, { without: path === '/' ? [] : FRAME })),
      ],
    );
    expect(found).toEqual([]);
  });

  it.concurrent('in Hindi no English is left, and from right to left nothing overflows', {
    timeout: WALK_MS,
  }, async () => {
    const told = new Set<string>();
    const said = new Set<string>();
    const found = await walk({ viewport: WIDE, locale: 'hi-IN' }, async (page, path) => {
      if (path === '/')
        page.on('response', async (response) => {
          if (response.url().includes('/v1/')) {
            collect(await response.json().catch(() => null), told, said);
          }
        });
      if (path === '/') {
        await page.reload();
        await settle(page);
      }
      const faults = (await page.getAttribute('html', 'lang')) === 'hi' ? [] : ['the language is not said'];
      const seen = (await page.evaluate(TEXTS)) as string[];
      for (const text of seen) if (!told.has(text) && isEnglish(text)) faults.push(`English: ${text}`);
      for (const text of seen) {
        if (said.has(text) && !DEVANAGARI.test(text)) faults.push(`English of the service: ${text}`);
        if (REFERENCE.test(text)) faults.push(`a reference: ${text}`);
      }
      for (const text of seen) for (const key of keysIn(text)) faults.push(`a key: ${key}`);
      await page.evaluate(`document.documentElement.dir = 'rtl'`);
      faults.push(...(await overflow(page, 'right to left, 1280')));
      await page.setViewportSize(NARROW);
      faults.push(...(await overflow(page, 'right to left, 320')));
      await page.setViewportSize(WIDE);
      await page.evaluate(`document.documentElement.dir = 'ltr'`);
      return faults;
    });
    expect(found).toEqual([]);
  });

  it.concurrent('the sign-in page has the same manners', async () => {
    for (const viewport of [WIDE, NARROW])
      await console.visit(
        '/',
        async (page) => {
          await page.getByRole('heading', { level: 1 }).waitFor();
          expect(await page.evaluate(OUTLINE)).toEqual([]);
          expect(await axe(page)).toEqual([]);
          expect(await inDark(page)).toEqual([]);
          expect(await overflow(page, 'sign-in')).toEqual([]);
        },
        { viewport, stranger: true },
      );
  });
});

/** Only colours change: only they are looked at again. */
async function inDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const found = await axeOf(page, { rules: ['color-contrast'], without: FRAME });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return found.map((fault) => `dark: ${fault}`);
}

/** From the top: the first Tab is at the skip link, and Enter leads past everything to the page. Whatever has the focus shows it. */
async function keyboard(page: Page): Promise<string[]> {
  await page.evaluate(
    `document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')`,
  );
  await page.keyboard.press('Tab');
  const skip = (await page.evaluate(`document.activeElement?.className`)) as string;
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const faults = (await page.evaluate(FOCUS)) as string[];
  return [...(skip === 'skip' ? [] : [`the first Tab is at .${skip}`]), ...faults];
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** `told`: what the account's people wrote. `said`: sentences of the service itself, which the console translates. */
function collect(value: unknown, told: Set<string>, said: Set<string>): void {
  if (typeof value === 'string') told.add(plain(value));
  if (value === null || typeof value !== 'object') return;
  const isSaid = 'code' in value || 'Code' in value;
  for (const [member, one] of Object.entries(value)) {
    const isSentence =
      (isSaid && ['message', 'Message', 'text'].includes(member)) || member === 'differences';
    if (!isSentence) collect(one, told, said);
    else for (const text of [one].flat()) if (typeof text === 'string') said.add(plain(text));
  }
}

/** Names stand for records, never references. */
const REFERENCE = /\b(?:extension|ivr|department|timegroup|announcement|voicemail|room|recording)\|\|/;

type Entry = string | Plural;
const entries = Object.entries(en) as [string, Entry][];
const textsOf = (entry: Entry): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry));
const hindi = new Set(Object.values(hi as Readonly<Record<string, Entry>>).flatMap(textsOf));
const lettersOf = (text: string): number => text.replace(/\{\w+\}/g, '').replace(/[^A-Za-z]/g, '').length;

/** What only English says; “CSV” and “SIP” are both. */
const ENGLISH = entries
  .flatMap(([, entry]) => textsOf(entry))
  .filter((text) => !hindi.has(text) && lettersOf(text) >= 3);
const PLAIN = new Set(ENGLISH.filter((text) => !text.includes('{')));
const PATTERNS = ENGLISH.filter((text) => text.includes('{') && lettersOf(text) >= 4).map(
  (text) =>
    new RegExp(
      `^${text
        .split(/\{\w+\}/)
        .map((part) => part.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&'))
        .join('.+')}$`,
      's',
    ),
);
/** What is Hindi already may have a name within that looks like anything. */
const DEVANAGARI = /[\u0900-\u097f]/;
const isEnglish = (text: string): boolean =>
  PLAIN.has(text) || (!DEVANAGARI.test(text) && PATTERNS.some((pattern) => pattern.test(text)));

const KEYS = new Set(entries.map(([key]) => key));
const keysIn = (text: string): string[] =>
  text.split(/[\s,;:()“”]+/).filter((word) => word.includes('.') && KEYS.has(word));

const OUTLINE = `(() => {
  const faults = [];
  const shown = [...document.querySelectorAll('h1')].filter((one) => one.checkVisibility());
  if (shown.length !== 1) faults.push('has ' + shown.length + ' headings of level 1');
  if (!/^\\S.* · Dialtree$/.test(document.title) || document.title.startsWith('…')) faults.push('is called ' + document.title);
  if (document.documentElement.lang !== 'en') faults.push('has the language ' + document.documentElement.lang);
  return faults;
})()`;

const OVERFLOW = `(() => {
  const { scrollWidth, dir } = document.documentElement;
  if (scrollWidth <= innerWidth) return [];
  const beyond = [...document.body.querySelectorAll('*')].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (dir === 'rtl' ? left < -1 : right > innerWidth + 1);
  });
  const name = (one) => one.tagName.toLowerCase() + '.' + (one.getAttribute('class') ?? '').replaceAll(' ', '.');
  return [scrollWidth + ' pixels: ' + beyond.slice(0, 6).map(name).join(' ')];
})()`;

/** Texts that are seen or read aloud, each once. */
const TEXTS = `(() => {
  const texts = new Set([document.title.replace(/ · Dialtree$/, '')]);
  const add = (text) => text && texts.add(text.replace(/\\s+/g, ' ').trim());
  for (const one of document.querySelectorAll('body *')) {
    if (!one.checkVisibility()) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-description', 'aria-roledescription']) add(one.getAttribute(name));
    for (const child of one.childNodes) if (child.nodeType === 3) add(child.data);
  }
  texts.delete('');
  return [...texts];
})()`;

const FOCUS = `(() => {
  const main = document.querySelector('main');
  const can = [...main.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((one) => !one.disabled && one.checkVisibility() && one.getAttribute('tabindex') !== '-1');
  if (can.length === 0) return [];
  const faults = [];
  if (!main.contains(document.activeElement)) faults.push('the skip link does not lead to the content');
  const shows = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  for (const one of can.slice(0, 60)) {
    one.focus({ preventScroll: true });
    if (document.activeElement !== one) continue;
    if (!shows(one) && !(one.parentElement && shows(one.parentElement)))
      faults.push('no focus is seen on ' + one.outerHTML.slice(0, 120));
  }
  document.activeElement?.blur();
  return faults;
})()`;

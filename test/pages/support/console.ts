// The console in a real browser, signed in to a real service, and held to the rules of every page: no fault, no request to
// strangers, nothing that the content security policy had to stop.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  type Service,
  type ServiceOptions,
  sharedDemonstration,
  startService,
  TOKEN,
} from '../../support/service.ts';
import type { OwnAccount } from '../../support/shared.ts';
import { closePages, missing, sharedBrowser, type Tools, tools } from './browser.ts';

export interface Look extends BrowserContextOptions {
  /** Requests may fail here, with these statuses. */
  readonly failing?: readonly number[];
  readonly language?: 'en' | 'hi';
  /** Not signed in. */
  readonly stranger?: boolean;
}

/** An account, and where it is signed in to. */
export type Signed = Pick<OwnAccount, 'url' | 'token'>;

export interface Console<On extends Signed = Service & OwnAccount> {
  readonly service: On;
  readonly browser: Browser;
  /** Opens a page of the console, such as '/agents', and gives it to `use`. */
  visit(path: string, use: (page: Page) => Promise<void>, look?: Look): Promise<void>;
}

export interface ConsoleOptions extends ServiceOptions {
  readonly flags?: readonly string[];
}

export type AccountConsole = Console<OwnAccount>;

/** A suite with one browser and a service of its own; skipped, loudly, where there is no browser. */
export function describeConsole(
  name: string,
  { flags, env = {}, ...rest }: ConsoleOptions,
  body: (console: Console) => void,
): void {
  const start = async () => ({
    ...(await startService({ ...rest, env: { DEMO: 'on', ...env } })),
    account: 'default',
    token: TOKEN,
  });
  describeOn(name, flags, start, body);
}

/** A suite with an account of its own on a service that files share: it is not the operator's, and no telephone rings. */
export function describeAccount(
  name: string,
  { flags }: Pick<ConsoleOptions, 'flags'>,
  body: (console: AccountConsole) => void,
): void {
  describeOn(name, flags, sharedDemonstration, body);
}

function describeOn<On extends Signed & Pick<Service, 'remove'>>(
  name: string,
  flags: readonly string[] = [],
  start: () => Promise<On>,
  body: (console: Console<On>) => void,
): void {
  describe.skipIf(missing !== null)(name, () => {
    let opened: { browser: Browser; service: On } | undefined;
    beforeAll(async () => {
      const [browser, service] = await Promise.all([sharedBrowser(flags), start()]);
      opened = { browser, service };
    });
    afterAll(async () => {
      await closePages(opened?.browser);
      await opened?.service.remove();
    });
    const get = () => {
      if (!opened) throw new Error('the console is used before it is there');
      return opened;
    };
    body({
      get service() {
        return get().service;
      },
      get browser() {
        return get().browser;
      },
      visit: (path, use, look) => visit(get().browser, get().service, path, use, look),
    });
  });
}

/** Opens one page in a context of its own, and holds it to the rules. */
export async function visit(
  browser: Browser,
  service: Pick<Signed, 'url'> & Partial<Signed>,
  path: string,
  use: (page: Page) => Promise<void>,
  { failing = [], language = 'en', stranger = false, ...look }: Look = {},
): Promise<void> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: language === 'hi' ? 'hi-IN' : 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 800 },
    ...look,
  });
  try {
    const { token = TOKEN } = service;
    if (!stranger) await signIn(context, service, token);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const faults = watch(page, { ...service, token }, failing);
    await page.goto(`${service.url}/#${path}`);
    await use(page);
    expect(page.url()).not.toContain(token);
    expect(await faults()).toEqual([]);
  } finally {
    await context.close();
  }
}

/** As the sign-in page does it, without the page. */
export async function signIn(
  context: BrowserContext,
  service: Pick<Signed, 'url'>,
  token: string,
): Promise<void> {
  const answer = await context.request.post(`${service.url}/v1/session`, { data: { token } });
  expect(answer.status()).toBe(201);
}

/** Collects what must never happen on a page; the function gives it. */
export function watch(page: Page, service: Signed, failing: readonly number[]): () => Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    // Chromium itself logs a request that fails, also where a test wants it to.
    const wanted = failing.some((status) => message.text().includes(`status of ${status}`));
    if (message.type() === 'error' && !wanted) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const own = protocol === 'data:' || protocol === 'blob:' || origin === service.url;
    if (!own) faults.push(`stranger: ${request.url()}`);
    if (request.url().includes(service.token)) faults.push('the token is in an address');
  });
  page.on('response', (response) => {
    const status = response.status();
    if (status >= 400 && !failing.includes(status)) faults.push(`${status}: ${response.url()}`);
  });
  const listening = Promise.all([
    page.exposeFunction('reportViolation', (what: string) => faults.push(`policy: ${what}`)),
    page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      window.reportViolation(event.effectiveDirective + ' ' + event.blockedURI))`),
  ]);
  return async () => {
    await listening;
    return faults;
  };
}

/** A second from now, after `page.clock.install()`: from there on only `page.clock.runFor()` lets time pass in the page. */
export async function stopClock(page: Page): Promise<void> {
  const now = Number(await page.evaluate('Date.now()'));
  // Fixed, so that the second is not over before the page is told to pause after it: it refuses to go back.
  await page.clock.setFixedTime(now);
  await page.clock.pauseAt(now + 1_000);
  // It stands, and no longer by itself: `runFor()` moves the date, too.
  await page.clock.setSystemTime(now + 1_000);
}

/** What axe-core finds wrong on the page as it is now, in words; empty: nothing. */
export const axe = (page: Page): Promise<string[]> => axeOf(page);

interface AxeOptions {
  /** Some of its rules alone. */
  readonly rules?: readonly string[];
  /** Selectors of what is not looked at. */
  readonly without?: readonly string[];
}

export async function axeOf(page: Page, { rules = [], without = [] }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate((tools as Tools).axe);
  const only = rules.length === 0 ? '' : `runOnly: ${JSON.stringify(rules)},`;
  const found =
    await page.evaluate(`axe.run({ exclude: ${JSON.stringify(without.map((one) => [one]))} }, { ${only} resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => id + ': ' + help + ' ' + nodes.map((node) => node.html).join(' | ').slice(0, 400)))`);
  return found as string[];
}

/** Presses Tab until what is meant has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, matches: (focused: string) => boolean, most = 150): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate(`(() => {
      const element = document.activeElement;
      const labels = [...(element?.labels ?? [])].map((label) => label.textContent).join(' ');
      return (element?.getAttribute('aria-label') ?? '') + ' ' + labels + ' ' + (element?.textContent ?? '').slice(0, 80);
    })()`)) as string;
    if (matches(focused)) return;
    seen.push(focused.trim());
  }
  throw new Error(`The Tab key does not reach it; it reached: ${seen.join(' · ')}`);
}

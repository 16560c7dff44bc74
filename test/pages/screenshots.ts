// npm run screenshots [folder]: every page of the console as a picture, wide and narrow, light and dark, in English and Hindi, with
// a page to look through them. On a service of its own, with a company of 60 agents, 12 menus and 8 calls at once.
// npm run screenshots -- --only=agents,calls --looks=narrow: those pages (by the picture's name) in the looks whose name has that.
// npm run screenshots -- --readme: those that README.md and docs/console.md show, into docs/images.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { runProcess, type Service, startService, TOKEN } from '../support/service.ts';
import { findTools } from './support/browser-tools.ts';
import type { Company } from './support/company.ts';
import { FULL_ENV, type FullCompany, fillAll } from './support/full-company.ts';
import { countRequests, goTo, PAGES, settle } from './support/places.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [folder = 'screenshots'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const flag = (name: string): readonly string[] =>
  process.argv
    .find((word) => word.startsWith(`--${name}=`))
    ?.split('=')[1]
    ?.split(',') ?? [];
const forReadme = process.argv.includes('--readme');
const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Shot {
  readonly name: string;
  readonly path: string;
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

interface Look {
  readonly name: string;
  readonly options: BrowserContextOptions;
}

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 320, height: 700 };
const look = (name: string, options: BrowserContextOptions): Look => ({ name, options });
const LOOKS: readonly Look[] = ['wide', 'narrow']
  .flatMap((width) =>
    ['light', 'dark'].flatMap((light) => ['english', 'hindi'].map((words) => [width, light, words])),
  )
  .map(([width, light, words]) =>
    look(`${width}-${light}-${words}`, {
      viewport: width === 'wide' ? WIDE : NARROW,
      colorScheme: light === 'light' ? 'light' : 'dark',
      hasTouch: width === 'narrow',
      locale: words === 'hindi' ? 'hi-IN' : 'en-GB',
    }),
  )
  .filter(({ name }) => flag('looks').length === 0 || flag('looks').some((word) => name.includes(word)));
const EMPTY = look('wide-empty', { viewport: WIDE, colorScheme: 'light' });
/** For the README: twice as sharp would be four times as large. */
const README = look('readme', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
const EMPTY_PAGES = [
  '/',
  '/start',
  '/map',
  '/menus',
  '/agents',
  '/calls',
  '/statistics',
  '/live',
  '/recordings',
];

const nameOf = (path: string): string => path.slice(1).replaceAll('/', '-') || 'overview';
const pageShot = (path: string): Shot => ({ name: nameOf(path), path });

function detailShots(company: Company, call: string): readonly Shot[] {
  const menu = encodeURIComponent(`ivr||${company.menus.welcome}`);
  return [
    { name: 'map-editor', path: `/map/${menu}` },
    { name: 'map-statistics', path: '/map?show=statistics&days=30' },
    { name: 'map-outline', path: '/map?view=outline' },
    { name: 'map-checks', path: '/map?show=checks' },
    { name: 'map-live', path: '/map?show=live' },
    { name: 'map-simulator', path: `/map?try=${menu}`, act: inCall },
    { name: 'menu', path: `/menus/${company.menus.welcome}` },
    { name: 'simulator-call', path: `/simulator?entry=${menu}`, act: inCall },
    { name: 'call', path: `/calls/${call}` },
    { name: 'agent', path: `/agents/${company.agents[0]?.eid}` },
    { name: 'agent-new', path: '/agents/new' },
    { name: 'agents-import', path: '/agents/import', act: choseFile },
    { name: 'department', path: `/departments/${company.departments.bookings}` },
    { name: 'hours-week', path: `/hours/${company.hours}` },
    { name: 'recording', path: `/recordings/${company.recording}` },
    { name: 'voicemail-box', path: `/voicemail/${company.box}` },
    { name: 'viewer', path: '/teams', act: async (page) => page.locator('.viewer-button').click() },
    { name: 'no-such-page', path: '/no-such-page' },
  ];
}

/** A call that has gone some way: a wrong key, then one that leads on. */
async function inCall(page: Page): Promise<void> {
  // In both languages.
  await page.getByRole('button', { name: /^(Call|कॉल करें)$/ }).click();
  const phone = page.getByRole('region', { name: /^(Phone|फ़ोन)$/ });
  await page
    .getByText(/^(Plays the menu|मेन्यू बजता है)/)
    .first()
    .waitFor();
  await phone.getByRole('button', { name: /^(Key|कुंजी) 1/ }).click();
}

async function choseFile(page: Page): Promise<void> {
  const text =
    'name,intercom,team\nNia Okafor,2201,Travel advisers\nLeo Brandt,2101,Travel advisers\n,2203,\nIda Maier,22 04,Nobody\n';
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'new-colleagues.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByText('Nia Okafor').first().waitFor();
}

interface Stage {
  readonly browser: Browser;
  readonly service: Service;
  readonly into: string;
  readonly taken: string[];
  readonly failed: string[];
}

/** One tab walks through the pages in one look; the rest goes on after one that could not be shown. */
async function take(
  stage: Stage,
  { name, options }: Look,
  shots: readonly Shot[],
  token: string | null,
): Promise<void> {
  const { browser, service, into, taken } = stage;
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  try {
    if (token) await context.request.post(`${service.url}/v1/session`, { data: { token } });
    const page = await context.newPage();
    page.setDefaultTimeout(8_000);
    countRequests(page);
    await page.goto(`${service.url}/#/`);
    for (const [index, shot] of shots.entries()) {
      try {
        await goTo(page, shot.path);
        await shot.act?.(page);
        await settle(page);
      } catch (error) {
        stage.failed.push(`${name} ${shot.name}: ${(error as Error).message.split('\n')[0]}`);
      }
      const file = `${shot.name}-${name}.png`;
      await page.screenshot({ path: join(into, file) });
      taken.push(file);
      say(`${name} ${index + 1}/${shots.length} ${shot.path}`);
      // A form that was touched asks before one leaves it.
      if (shot.act) await page.goto('about:blank').then(() => page.goto(`${service.url}/#/`));
    }
  } finally {
    await context.close();
  }
}

const README_SHOTS = [
  'overview',
  'health',
  'wallboard',
  'live',
  'map-statistics',
  'map-editor',
  'map-simulator',
  'agents',
  'hours-week',
  'calls',
  'call',
  'statistics',
];
const MOST_BYTES = 150 * 1024;

/** As WebP, as good as fits: the browser itself encodes it. */
async function takeReadme({ browser, service, failed }: Stage, shots: readonly Shot[]): Promise<void> {
  const into = join(root, 'docs/images');
  mkdirSync(into, { recursive: true });
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...README.options,
  });
  await context.request.post(`${service.url}/v1/session`, { data: { token: TOKEN } });
  for (const shot of shots.filter(({ name }) => README_SHOTS.includes(name))) {
    const page = await context.newPage();
    countRequests(page);
    await page.goto(`${service.url}/#${shot.path}`);
    await settle(page);
    await shot.act?.(page).catch((error: Error) => failed.push(`${shot.name}: ${error.message}`));
    await settle(page);
    const session = await context.newCDPSession(page);
    for (let quality = 90; quality >= 30; quality -= 10) {
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length > MOST_BYTES) continue;
      writeFileSync(join(into, `${shot.name}.webp`), bytes);
      say(`docs/images/${shot.name}.webp: ${Math.round(bytes.length / 1024)} KiB`);
      break;
    }
    await page.close();
  }
  await context.close();
}

function writeIndex({ into, taken }: Stage): void {
  const figures = taken
    .toSorted()
    .map(
      (file) =>
        `<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${file}</figcaption></figure>`,
    );
  writeFileSync(
    join(into, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>The console</title>
<style>body{font:14px sans-serif;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr))}figure{margin:0}img{max-width:100%;border:1px solid #999}</style>
${figures.join('\n')}
`,
  );
}

function complain({ failed }: Stage): void {
  if (failed.length > 0) throw new Error(`${failed.length} pages could not be shown:\n${failed.join('\n')}`);
}

async function emptyToken({ dataDir }: Service): Promise<string> {
  const { code, out, err } = await runProcess(['account', 'create', 'New office'], { dataDir });
  if (code !== 0) throw new Error(err);
  return out.trim();
}

async function main(): Promise<void> {
  const tools = await findTools();
  if (typeof tools === 'string') throw new Error(`No pictures can be taken: ${tools}.`);
  execFileSync(process.execPath, [join(root, 'bin/build.js')], { stdio: 'inherit' });
  const into = resolve(folder);
  if (!forReadme) {
    rmSync(into, { recursive: true, force: true });
    mkdirSync(into, { recursive: true });
  }
  const service = await startService({ env: { DEMO: 'on', ...FULL_ENV } });
  let browser: Browser | undefined;
  let full: FullCompany | undefined;
  try {
    say('Filling the service …');
    full = await fillAll(service);
    browser = await tools.launch();
    const stage: Stage = { browser, service, into, taken: [], failed: [] };
    const details = detailShots(full.company, full.past);
    if (forReadme) {
      await takeReadme(stage, [...PAGES.map(pageShot), ...details]);
      return complain(stage);
    }
    const only = flag('only');
    const isWanted = ({ name }: Shot): boolean => only.length === 0 || only.includes(name);
    const shots = [...PAGES.map(pageShot), ...details].filter(isWanted);
    const tasks: (() => Promise<void>)[] = LOOKS.map((one) => () => take(stage, one, shots, TOKEN));
    if (only.length === 0)
      tasks.push(
        ...LOOKS.map((one) => () => take(stage, one, [{ name: 'sign-in', path: '/sign-in' }], null)),
        async () => take(stage, EMPTY, EMPTY_PAGES.map(pageShot), await emptyToken(service)),
      );
    // Two at a time: a browser that waits leaves the other one the processor.
    const next = async (): Promise<void> => {
      for (let task = tasks.shift(); task; task = tasks.shift()) await task();
    };
    await Promise.all([next(), next()]);
    writeIndex(stage);
    say(`${stage.taken.length} pictures; look through them at ${join(into, 'index.html')}`);
    complain(stage);
  } finally {
    full?.close();
    await browser?.close();
    await service.remove();
  }
}

main().catch((error: Error) => {
  say(error.message);
  process.exitCode = 1;
});

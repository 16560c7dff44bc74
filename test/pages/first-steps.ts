// README's first steps, as a newcomer takes them in a fresh clone: npm start in a terminal, the link that it prints, the first menu, "call". It
// fails where the menu is not heard within a minute of the start. Run by .ci/new-user, in the clone: npx tsx test/pages/first-steps.ts
import { type ChildProcess, spawn } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { findTools } from './support/browser-tools.ts';
import { AUDIBLE_DB, AUDIO_FLAGS, HEARING_HOOKS, SoundingPage } from './support/page-sound.ts';

const LIMIT_MS = 60_000;
/** Speech has pauses: it is heard in so many looks. */
const HEARD_LOOKS = 5;
const LOOK_MS = 50;

let startedMs = 0;
let lastMs = 0;

function step(what: string): void {
  const nowMs = performance.now();
  console.log(`${((nowMs - lastMs) / 1_000).toFixed(1)} s: ${what}`);
  lastMs = nowMs;
}

async function until<T>(what: string, look: () => T | null | Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() - startedMs > LIMIT_MS) throw new Error(`a minute after the start: not ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** In a terminal: elsewhere no link is printed, since it signs in. On ports that are free here. */
function npmStart(said: string[]): ChildProcess {
  const env = { ...process.env, PORT: '0', SIP_PORT: '0', WEBRTC_PORT: '0' };
  const child = spawn('script', ['-qefc', 'npm start', '/dev/null'], { env, detached: true });
  child.stdout.on('data', (bytes) => said.push(String(bytes)));
  child.stderr.on('data', (bytes) => said.push(String(bytes)));
  return child;
}

/** The first page asks who one is. */
async function becomeOwner(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Asha');
  await page.getByLabel('E-mail address').fill('asha@example.com');
  await page.getByLabel('New password').fill('four words of a newcomer');
  await page.getByRole('button', { name: 'Become the owner' }).click();
}

async function callFirstMenu(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation').first();
  await navigation.getByRole('link', { name: 'Call flow' }).click();
  await page.getByRole('link', { name: 'Menus', exact: true }).click();
  await page
    .locator('tbody')
    .getByRole('button', { name: /^Call / })
    .first()
    .click();
}

async function hearsSpeech(page: SoundingPage): Promise<void> {
  let heard = 0;
  await until('heard', async () => {
    if ((await page.heard()).db > AUDIBLE_DB) heard += 1;
    return heard >= HEARD_LOOKS || null;
  });
}

async function firstSteps(browser: Browser, said: readonly string[]): Promise<void> {
  const [, link = ''] = await until('a link', () => /Console: (http\S+)/.exec(said.join('')));
  step('npm start prints the link');
  const page = await browser.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(HEARING_HOOKS);
  await page.goto(link);
  await becomeOwner(page);
  await page.getByRole('link', { name: 'Call flow' }).first().waitFor();
  step('the console is open, and has an owner');
  await callFirstMenu(page);
  step('the first menu is called');
  await hearsSpeech(new SoundingPage(page));
  step('it is heard');
}

const tools = await findTools();
if (typeof tools === 'string') throw new Error(tools);
// A newcomer's browser is open already.
const browser = await tools.launch(AUDIO_FLAGS);
const said: string[] = [];
startedMs = performance.now();
lastMs = startedMs;
const service = npmStart(said);
try {
  await firstSteps(browser, said);
  const tookMs = performance.now() - startedMs;
  console.log(`first steps: the menu is heard ${(tookMs / 1_000).toFixed(1)} s after npm start`);
  if (tookMs > LIMIT_MS) throw new Error('that is more than a minute');
} catch (error) {
  console.error(said.join(''));
  throw error;
} finally {
  await browser.close();
  if (service.pid !== undefined) process.kill(-service.pid, 'SIGTERM');
}

// The call button of docs/call-button.md, whole: examples/call-button on another origin, in Chromium, under the policy that the document
// gives. It calls a menu, and what it hears is measured.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKey } from '../../src/domain/phone-session.ts';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { ACCOUNT } from '../support/pbx.ts';
import { closePages, missing, sharedBrowser, type Tools, tools } from './support/browser.ts';
import { AUDIO_FLAGS, PHONE_HOOKS, SoundingPage } from './support/page-sound.ts';

const { hz, recordings } = tones(20_000, 'prompt', 'second');
const KEY = publicKey(ACCOUNT, 'website-sales');
const EXAMPLE = fileURLToPath(new URL('../../examples/call-button/', import.meta.url));
const MAX_BYTES = 60 * 1024;

let bed: PhoneBed;
let browser: Browser;
let sites: Server[] = [];

/** A web server of its own, so another origin; with the policy that docs/call-button.md names. */
async function site(): Promise<string> {
  const service = bed.pbx.url;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${service}`,
    `connect-src ${service} ${service.replace('http', 'ws')}`,
  ].join('; ');
  const page = readFileSync(`${EXAMPLE}index.html`, 'utf8')
    .replace('http://localhost:3000/', `${service}/`)
    .replace('default.website-sales', KEY);
  const server = createServer(({ url }, response) => {
    response.setHeader('content-security-policy', policy);
    if (url === '/style.css')
      response.setHeader('content-type', 'text/css').end(readFileSync(`${EXAMPLE}style.css`));
    else response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  sites.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Visit {
  readonly page: Page;
  readonly sound: SoundingPage;
  readonly faults: readonly string[];
}

async function visit(origin: string, act: (visit: Visit) => Promise<void>): Promise<void> {
  const page = await browser.newPage({ locale: 'en-GB' });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) faults.push(message.text());
  });
  await page.addInitScript(PHONE_HOOKS);
  await page.goto(`${origin}/orders?id=7#part`);
  try {
    await act({ page, sound: new SoundingPage(page), faults });
  } finally {
    await page.close();
  }
}

const call = (page: Page) => page.getByRole('button', { name: 'Call our shop' });
const hangUp = (page: Page) => page.getByRole('button', { name: 'Hang up' });
const says = (page: Page, text: string) =>
  page.getByRole('status').getByText(text).waitFor({ timeout: 30_000 });

let origin: string;

beforeAll(async () => {
  if (typeof tools === 'string') return;
  const menu = { option: ['1'], timeout: 60 };
  bed = await PhoneBed.open({
    env: { WEBRTC_PORT: '0' },
    recordings,
    menus: {
      main: { ...menu, recording: 'recording||prompt', destination: ['ivr||second'] },
      second: { ...menu, recording: 'recording||second', destination: ['ivr||main'] },
    },
  });
  browser = await sharedBrowser(AUDIO_FLAGS);
  origin = await site();
  const { json: settings } = await bed.api('GET', '/v1/settings');
  const button = { key: 'website-sales', name: 'Sales', to: 'ivr||main', origins: [origin] };
  const written = await bed.api('PUT', '/v1/settings', { ...settings, call_buttons: [button] });
  expect(written.status, JSON.stringify(written.json)).toBe(200);
});

afterAll(async () => {
  await closePages(browser);
  for (const server of sites) server.close();
  sites = [];
  await bed?.close();
});

describe.skipIf(missing !== null)('the script of call buttons', () => {
  it('has less than 60 KiB when it is compressed, and is kept by browsers', async () => {
    const script = (coding: string) =>
      fetch(`${bed.pbx.url}/call-button.js`, { headers: { 'accept-encoding': coding } });
    const brotli = await script('br');
    expect(brotli.headers.get('content-encoding')).toBe('br');
    expect(Number(brotli.headers.get('content-length'))).toBeLessThan(MAX_BYTES);
    expect(brotli.headers.get('cache-control')).toBe('public, max-age=3600, stale-while-revalidate=86400');
    expect(brotli.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const plain = Buffer.from(await (await script('identity')).arrayBuffer());
    const zipped = gzipSync(plain);
    expect(gunzipSync(zipped).equals(plain)).toBe(true);
    expect(zipped.length).toBeLessThan(MAX_BYTES);
    process.stdout.write(
      `call-button.js: ${plain.length} bytes, gzip ${zipped.length}, brotli ${brotli.headers.get('content-length')}\n`,
    );
  });
});

describe.skipIf(missing !== null)('the call button', () => {
  it('calls a menu from a page of another origin, which hears it, presses keys and hangs up', async () => {
    await visit(origin, async (visitor) => {
      const { page, sound } = visitor;
      await page.getByLabel('Your name').fill('Asha');
      await call(page).click();
      await says(page, 'Connected');
      await sound.hears(hz.prompt);
      await page.getByRole('button', { name: 'Keypad' }).click();
      await page.getByRole('button', { name: '1', exact: true }).click();
      await sound.hears(hz.second);
      await hangUp(page).click();
      await says(page, 'The call has ended.');
      const record = await bed.until('the record', async () => {
        const one = await bed.record('web');
        return one.caller_name === 'Asha' ? one : null;
      });
      expect(record).toMatchObject({
        entry: 'ivr||main',
        web: { button: KEY, page: `${origin}/orders` },
      });
      expect(visitor.faults).toEqual([]);
    });
  });

  it('works by keyboard alone, keeps the focus, and has no fault for axe', async () => {
    const { axe } = tools as Tools;
    await visit(origin, async (visitor) => {
      const { page, sound } = visitor;
      const focused = (): Promise<string> =>
        page.evaluate("document.activeElement?.shadowRoot?.activeElement?.textContent ?? ''");
      const violations = async (): Promise<unknown> => {
        await page.evaluate(axe);
        return page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))');
      };
      expect(await violations()).toEqual([]);
      await call(page).focus();
      await page.keyboard.press('Enter');
      await says(page, 'Connected');
      expect(await focused()).toBe('Hang up');
      await sound.hears(hz.prompt);
      await page.keyboard.press('1');
      await sound.hears(hz.second);
      await page.getByRole('button', { name: 'Keypad' }).press('Enter');
      expect(await focused()).toBe('1');
      expect(await violations()).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await focused()).toBe('Keypad');
      await hangUp(page).press('Enter');
      await says(page, 'The call has ended.');
      expect(await focused()).toBe('Call our shop');
    });
  });

  it('goes on after its network has changed', async () => {
    await visit(origin, async (visitor) => {
      const { page, sound } = visitor;
      await call(page).click();
      await sound.hears(hz.prompt);
      // Once for the call, and once more for the ICE restart.
      const transport = (member: string): Promise<number> =>
        page.evaluate(`connections[0].getStats().then((all) =>
          [...all.values()].find(({ type }) => type === 'transport').${member})`);
      const paths = (): Promise<number> => transport('selectedCandidatePairChanges');
      const packets = (): Promise<number> => transport('packetsReceived');
      const before = await paths();
      await page.evaluate('sockets[0].close()');
      await expect.poll(() => page.evaluate('sockets.length')).toBe(2);
      await page.getByRole('button', { name: 'Keypad' }).click();
      // The key arrives by the connection that the ICE restart makes.
      await expect.poll(paths).toBeGreaterThan(before);
      // Sound comes by it once its handshake is over; a key before that would be lost.
      const came = await packets();
      await expect.poll(packets).toBeGreaterThan(came + 50);
      await page.getByRole('button', { name: '1', exact: true }).click();
      await sound.hears(hz.second);
      await hangUp(page).click();
      await says(page, 'The call has ended.');
    });
  });

  it('says so when the far side hangs up, and may call again', async () => {
    await visit(origin, async (visitor) => {
      const { page, sound } = visitor;
      await call(page).click();
      await sound.hears(hz.prompt);
      const { json } = await bed.api('GET', '/v1/live_calls');
      const [live] = json.data;
      expect((await bed.api('POST', '/v1/call/hangup', { call_id: live.id })).status).toBe(200);
      await says(page, 'The call has ended.');
      await call(page).click();
      await says(page, 'Connected');
      await sound.hears(hz.prompt);
      // A page that is closed in a call is waited for, by the next test, too.
      await hangUp(page).click();
      await says(page, 'The call has ended.');
    });
  });

  it('ends its call when the page is left', async () => {
    const isQuiet = async () => (await bed.metric('dialtree_calls')) === 0;
    // Calls of browsers that were closed before end some seconds later.
    await bed.until('no call of another test', isQuiet, 20_000);
    await visit(origin, async (visitor) => {
      const { page, sound } = visitor;
      await call(page).click();
      await sound.hears(hz.prompt);
      await page.goto('about:blank');
      await bed.until('the end of the call', isQuiet, 5_000);
    });
  });

  it('says that calls are not possible from a page of an origin that it is not for', async () => {
    await visit(await site(), async (visitor) => {
      await call(visitor.page).click();
      await says(visitor.page, 'Calls from this page are not possible now.');
      expect(await call(visitor.page).isVisible()).toBe(true);
    });
  });

  it('takes its colours from the page', async () => {
    await visit(origin, async (visitor) => {
      await call(visitor.page).waitFor();
      const colour = await visitor.page.evaluate(
        "getComputedStyle(document.querySelector('dialtree-call-button').shadowRoot.querySelector('.call')).backgroundColor",
      );
      expect(colour).toBe('rgb(91, 42, 134)');
    });
  });
});

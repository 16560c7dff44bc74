// Texts of strangers on the pages of the console (T19): the big list of naughty strings and script payloads as names, descriptions,
// SIP headers and file names. They are shown as they are, and nothing of them ever runs. And other sites, which can neither act
// with the cookie nor frame the console (T20).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { naughtyStrings } from '../api/support/corpora.ts';
import { inParallel } from '../api/support/wire.ts';
import { corpusMissing } from '../support/corpora.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call, TOKEN } from '../support/service.ts';
import { describeConsole, signIn, watch } from './support/console.ts';
import { fillHostile, formOf, HOSTILE_TOKEN, LISTS, mayBeName } from './support/hostile-account.ts';
import { sipOf } from './support/live-phones.ts';
import { PAYLOADS } from './support/payloads.ts';
import { countRequests, goTo } from './support/places.ts';

const missing = corpusMissing('api');
const naughty = missing ? [] : naughtyStrings();
const strings = [...new Set([...naughty, ...PAYLOADS])];
const names = strings.filter(mayBeName);

/** How many of the strings a name may be. */
const ENOUGH = missing ? PAYLOADS.length - 5 : 480;

describeConsole('texts of strangers', { env: { SIP: 'on', SIP_PORT: '0' } }, (console) => {
  const phones: Phone[] = [];

  beforeAll(async () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
    if (!missing) expect(naughty.length).toBe(515);
    await fillHostile(console.service, strings);
  });
  afterAll(() => {
    for (const phone of phones) phone.close();
  });

  /** Opens pages one after the other in one tab; nothing may run, ask a stranger, or need the policy to stop it. */
  async function visitAll(
    token: string,
    paths: readonly string[],
    look: (page: Page, path: string) => Promise<void>,
  ): Promise<void> {
    const context = await console.browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    try {
      await signIn(context, console.service, token);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const faults = watch(page, console.service, []);
      countRequests(page);
      await page.goto(`${console.service.url}/#/`);
      for (const path of paths) {
        await goTo(page, path);
        await look(page, path);
        expect(await page.evaluate('window.__ran'), path).toBeUndefined();
      }
      expect(await faults()).toEqual([]);
    } finally {
      await context.close();
    }
  }

  /** Whatever a page has shown so far, until nothing is missing. */
  async function eventually(
    page: Page,
    path: string,
    missingIn: (shown: ReadonlySet<string>) => readonly string[],
  ): Promise<void> {
    const shown = new Set<string>();
    const look = async (): Promise<readonly string[]> => {
      for (const text of (await page.evaluate(GATHER)) as string[]) shown.add(text);
      return missingIn(shown);
    };
    await expect.poll(look, { timeout: 20_000, message: path }).toEqual([]);
  }

  it('are shown as they are in every list, hundreds of them, and none runs', async () => {
    expect(names.length).toBeGreaterThan(ENOUGH);
    const half = Object.keys(LISTS).length / 2;
    const look = (page: Page, path: string): Promise<void> =>
      eventually(page, path, (shown) => names.filter((text) => !shown.has(text)));
    await Promise.all([
      visitAll(HOSTILE_TOKEN, Object.keys(LISTS).slice(0, half), look),
      visitAll(HOSTILE_TOKEN, Object.keys(LISTS).slice(half), look),
    ]);
  });

  it('are shown as they are in forms', async () => {
    const texts = new Map<string, string>();
    for (const path of ['/menus', '/agents', '/departments', '/sms', '/webhooks', '/teams'])
      for (const text of PAYLOADS.slice(0, 40).filter((_, index) => index % 13 === 0))
        texts.set(formOf(path, names.indexOf(text)), text);
    expect(texts.size).toBe(24);
    await visitAll(HOSTILE_TOKEN, [...texts.keys()], async (page, path) => {
      const values = () =>
        page.evaluate(`[...document.querySelectorAll('main input, main textarea')].map((one) => one.value)`);
      await expect.poll(values, { message: path, timeout: 15_000 }).toContain(texts.get(path));
    });
  });

  it('are shown as they are on the map and in its outline', async () => {
    await visitAll(HOSTILE_TOKEN, ['/map', '/map?view=outline', '/'], async (page, path) => {
      const shown = new Set((await page.evaluate(GATHER)) as string[]);
      // Spaces around a name are left out there.
      const trimmed = new Set([...shown].map((text) => text.trim()));
      if (path.includes('outline')) expect(names.filter((text) => !trimmed.has(text.trim()))).toEqual([]);
    });
  });

  it('are shown as they are as names of uploaded files', async () => {
    const uploaded = PAYLOADS.slice(0, 12);
    await inParallel(4, uploaded, async (text) => {
      const body = recordingForm({ name: text, description: text }, undefined, `${text}.wav`);
      expect((await call(console.service.url, 'POST', '/v1/recording', { body })).status).toBe(201);
    });
    await visitAll(TOKEN, ['/recordings'], async (page) => {
      const shown = new Set((await page.evaluate(GATHER)) as string[]);
      expect(uploaded.filter((text) => !shown.has(text))).toEqual([]);
    });
  });

  it('are shown as they are in call records, and in the trail and the messages of one call', async () => {
    const texts = strings.filter((text) => text.isWellFormed() && !text.includes('\0') && text.trim() !== '');
    await visitAll(HOSTILE_TOKEN, ['/calls', '/calls/hostile-all'], async (page, path) => {
      // A reference in a trail is shown as the name of what it means.
      const expected = path === '/calls' ? PAYLOADS : texts.filter((text) => !text.includes('||'));
      await eventually(page, path, (shown) => {
        const all = [...shown].join('\n');
        return expected.filter((text) => !all.includes(text));
      });
    });
  });

  it('are shown as they are when real phones send them in SIP headers, live and afterwards', async () => {
    const sample = PAYLOADS.filter((text) => /^[\x20-\x7e]+$/.test(text) && !/["\\]/.test(text)).slice(0, 5);
    const server = sipOf(console.service);
    const calls: PhoneCall[] = [];
    for (const [index, text] of sample.entries()) {
      const phone = await Phone.open({ user: `5550${index}`, displayName: text, server });
      phones.push(phone);
      const word = text.replace(/[^\w<>:"/()[\]?{}.!%*+`'~-]/g, '');
      calls.push(await phone.call('100', { headers: [['User-Agent', text]], callId: `${word}${index}` }));
    }
    await Promise.all(calls.map((one) => one.answered()));
    const textOf = async (page: Page): Promise<string> =>
      ((await page.evaluate(GATHER)) as string[]).join('\n');
    await visitAll(TOKEN, ['/live', '/map?show=live', '/'], async (page, path) => {
      if (path === '/live') for (const text of sample) expect(await textOf(page)).toContain(text);
    });
    await Promise.all(calls.map((one) => one.hangUp()));
    const found = async (): Promise<{ id: string; caller: string }[]> =>
      (await call(console.service.url, 'GET', '/v1/call/records?direction=inbound&limit=5')).json.data;
    await expect
      .poll(async () => (await found()).filter(({ caller }) => caller?.startsWith('5550')).length)
      .toBe(5);
    const paths = (await found()).map(({ id }) => `/calls/${id}`);
    const seen: string[] = [];
    await visitAll(TOKEN, paths, async (page) => {
      seen.push(await textOf(page));
    });
    for (const text of sample) expect(seen.join('\n')).toContain(text);
  });

  it('are shown as they are in the preview of an import, with a file name of that kind', async () => {
    // An apostrophe in front is what spreadsheets put there; the import takes it away.
    const some = names.filter((text) => !text.startsWith("'")).slice(0, 200);
    const lines = some.map((name) => `"${name.replaceAll('"', '""')}"`);
    await visitAll(TOKEN, ['/agents/import'], async (page) => {
      await page.locator('input[type=file]').setInputFiles({
        name: '<img src=x onerror=window.__ran=1>.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`name\n${lines.join('\n')}\n`),
      });
      await page
        .getByText(PAYLOADS[0] ?? '')
        .or(page.getByRole('table'))
        .first()
        .waitFor();
      const shown = new Set((await page.evaluate(GATHER)) as string[]);
      expect(some.filter((text) => !shown.has(text) && !shown.has(text.trim()))).toEqual([]);
    });
  });

  describe('other sites', () => {
    let evil: Server;
    beforeAll(async () => {
      evil = createServer((_, response) => {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>evil</title><body></body>');
      });
      await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => new Promise((resolve) => evil.close(resolve)));

    it.each(['127.0.0.1', 'localhost'])(
      'at %s can neither write with the cookie, nor read, nor frame',
      async (host) => {
        const { url } = console.service;
        const context = await console.browser.newContext();
        try {
          await signIn(context, console.service, TOKEN);
          const [cookie] = await context.cookies();
          expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
          const before = (await call(url, 'GET', '/v1/audit?limit=5')).text;
          const page = await context.newPage();
          const statuses: number[] = [];
          page.on('response', (response) => {
            if (response.url().startsWith(url)) statuses.push(response.status());
          });
          await page.goto(`http://${host}:${(evil.address() as AddressInfo).port}/`);
          const got = await page.evaluate(attack(url));
          expect(got).toEqual(['opaque', 'opaque', 'refused', 'refused', 'refused', 'framed nothing']);
          await page.evaluate(form(url));
          await expect.poll(() => statuses.length).toBeGreaterThan(2);
          expect(statuses.filter((status) => status < 400 && status !== 200)).toEqual([]);
          expect((await call(url, 'GET', '/v1/audit?limit=5')).text).toBe(before);
          expect((await call(url, 'GET', '/v1/teams?limit=500')).text).not.toContain('made by evil');
        } finally {
          await context.close();
        }
      },
    );
  });
});

/** What a page of another origin can try; each either fails or tells nothing. */
const attack = (url: string): string => `(async () => {
  const body = JSON.stringify({ name: 'made by evil' });
  const blind = (path, init) => fetch('${url}' + path, { mode: 'no-cors', credentials: 'include', ...init })
    .then((answer) => answer.type, () => 'refused');
  const open = (path, init) => fetch('${url}' + path, { credentials: 'include', ...init })
    .then((answer) => 'status ' + answer.status, () => 'refused');
  const frame = document.createElement('iframe');
  frame.src = '${url}/';
  document.body.append(frame);
  const framed = new Promise((done) => { frame.onload = () => done(); setTimeout(done, 3000); });
  const tried = [
    await blind('/v1/team', { method: 'POST', body, headers: { 'content-type': 'text/plain' } }),
    await blind('/v1/session', { method: 'POST', body: '{"token":"x"}', headers: { 'content-type': 'text/plain' } }),
    await open('/v1/team', { method: 'POST', body, headers: { 'content-type': 'application/json', 'dialtree-account': 'default' } }),
    await open('/v1/teams', {}),
    await open('/v1/session', { method: 'DELETE' }),
  ];
  await framed;
  let inside = 'framed nothing';
  try { if (frame.contentDocument) inside = 'can read it'; } catch { /* another origin, as it must be */ }
  if (frame.contentWindow.length > 0) inside = 'has frames';
  return [...tried, inside];
})()`;

/** A form needs no script and no permission. */
const form = (url: string): string => `(() => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'POST', action: '${url}/v1/team', enctype: 'text/plain' });
  const field = document.createElement('input');
  field.name = '{"name":"made by evil","x":"';
  field.value = '"}';
  form.append(field);
  document.body.append(form);
  form.submit();
})()`;

/** Every text of the page and of those that its list goes on with, and what stands in its fields. */
const GATHER = `(async () => {
  const main = document.querySelector('main');
  const seen = new Set();
  const take = () => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) seen.add(node.data);
    for (const field of main.querySelectorAll('input, textarea')) seen.add(field.value);
  };
  const more = () => [...main.querySelectorAll('button')].find((one) => !one.disabled &&
    /^(Next page|Show older calls|Show more|Show \\d+ more|\\d+ more)/i.test(one.getAttribute('aria-label') ?? one.textContent));
  const moment = () => new Promise((done) => setTimeout(done, 10));
  take();
  for (let pages = 0; pages < 100; pages += 1) {
    const next = more();
    if (!next) break;
    const before = main.textContent;
    next.click();
    // A list that asks the service for more has no such button meanwhile, or one that is busy.
    for (let waits = 0; waits < 300 && main.textContent === before; waits += 1) await moment();
    for (let waits = 0; waits < 300 && main.querySelector('[aria-busy="true"], button:disabled.busy'); waits += 1) await moment();
    take();
  }
  return [...seen];
})()`;

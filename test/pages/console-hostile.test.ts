// Texts of strangers on the pages of the console (T19): the big list of naughty strings and script payloads as names, descriptions,
// SIP headers and file names. They are shown as they are, and nothing of them ever runs. And other sites, which can neither act
// with the cookie nor frame the console (T20).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { corporaMissing, naughtyStrings } from '../api/support/corpora.ts';
import { Client, inParallel } from '../api/support/wire.ts';
import { callRow, menu } from '../support/payload.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call, TOKEN } from '../support/service.ts';
import { describeConsole, signIn } from './support/console.ts';
import { sipOf } from './support/live-phones.ts';
import { PAYLOADS } from './support/payloads.ts';
import { countRequests, goTo, settle } from './support/places.ts';

const missing = corporaMissing();
const naughty = missing ? [] : naughtyStrings();
/** What no text of ours may hold: the API refuses it (test/api/corpus.test.ts shows why each). */
const strings = [...new Set([...naughty, ...PAYLOADS])];

/** How many of the strings a name may be. */
const ENOUGH = missing ? PAYLOADS.length - 5 : 480;

describeConsole('texts of strangers', { env: { SIP: 'on', SIP_PORT: '0' } }, (console) => {
  /** The accepted ones by list, with the addresses of their records. */
  const made = new Map<string, Map<string, string>>();
  const calls: PhoneCall[] = [];
  const phones: Phone[] = [];

  beforeAll(async () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
    if (!missing) expect(naughty.length).toBe(515);
    await Promise.all([makeRecords(), makeCalls()]);
  });
  afterAll(() => {
    for (const phone of phones) phone.close();
  });

  async function makeRecords(): Promise<void> {
    const client = new Client(console.service.url, 16);
    const bodies: Readonly<Record<string, (text: string) => readonly [string, object]>> = {
      '/menus': (text) => ['/v1/ivr', menu({ name: text, description: text })],
      '/agents': (text) => ['/v1/agent', { name: text }],
      '/teams': (text) => ['/v1/team', { name: text }],
      '/departments': (text) => ['/v1/department', { name: text, description: text }],
      '/announcements': (text) => [
        '/v1/announcement',
        { name: text, recording: 'recording||welcome', destination: 'hangup||now' },
      ],
      '/sms': (text) => ['/v1/sms_template', { name: text, text }],
      '/webhooks': (text) => [
        '/v1/webhook',
        {
          name: text,
          url: `https://hooks.example.com/?q=${encodeURIComponent(text.toWellFormed())}`,
          status: 'paused',
        },
      ],
      '/voicemail': (text) => ['/v1/voicemail_box', { name: text }],
      '/hours': (text) => ['/v1/timegroup', { name: text, timezone: 'UTC' }],
      '/caller-ids': (text) => ['/v1/caller_id_rule', { name: text, show: 'caller' }],
    };
    for (const [path, bodyOf] of Object.entries(bodies)) {
      const kept = new Map<string, string>();
      await inParallel(16, strings, async (text) => {
        const [address, body] = bodyOf(text);
        const reply = await client.send('POST', address, JSON.stringify(body));
        if (reply.status === 201) kept.set(text, reply.headers.get('location') ?? '');
        else expect(reply.status, reply.text).toBe(400);
      });
      made.set(path, kept);
    }
    client.close();
    const uploaded = new Map<string, string>();
    for (const text of PAYLOADS) {
      const form = recordingForm({ name: text, description: text }, undefined, `${text}.wav`);
      const { status, json } = await call(console.service.url, 'POST', '/v1/recording', { body: form });
      if (status === 201) uploaded.set(text, json.id);
    }
    made.set('/recordings', uploaded);
  }

  /** Past calls whose callers and phones were called like that: one per text, and one with all of them in its trail. */
  async function makeCalls(): Promise<void> {
    const storage = await openSqlite(console.service.dataDir);
    const [account] = await storage.listAccounts();
    const accountId = account?.id ?? '';
    const startedAtMs = Date.now() - 3_600_000;
    const said = (text: string) => JSON.stringify({ caller_name: text, call_id: text, trail: [] });
    const one = (text: string, index: number) =>
      callRow({
        accountId,
        id: `hostile-${index}`,
        caller: null,
        dialled: '100',
        json: said(text),
        startedAtMs: startedAtMs - index,
      });
    const texts = strings.filter((text) => text.isWellFormed() && !text.includes('\0'));
    const trail = texts.map((text, index) => ({
      atMs: index,
      node: null,
      code: 'playing',
      text,
      recording: text,
    }));
    const leg = {
      role: 'caller',
      number: PAYLOADS[0],
      ended_by: 'peer',
      outcome: 'ended',
      status: 0,
      cause: 16,
      reason: PAYLOADS[1],
    };
    const sound = { packets_sent: 1, packets_received: 1, packets_lost: 0, jitter_ms: 0, one_way: false };
    const ladder = PAYLOADS.slice(0, 60).map((text, index) => ({
      at_ms: index,
      leg: 0,
      direction: 'in',
      what: text,
      transport: 'udp',
      user_agent: text,
    }));
    const whole = callRow({
      accountId,
      id: 'hostile-all',
      caller: PAYLOADS[0] ?? '',
      dialled: PAYLOADS[2] ?? '',
      endedAtMs: startedAtMs + 60_000,
      startedAtMs,
      json: JSON.stringify({
        caller_name: PAYLOADS[3],
        call_id: PAYLOADS[4],
        trail,
        legs: [{ ...leg, ...sound }],
        keys: [],
        ladder,
        ladder_left_out: 0,
        events: [],
      }),
    });
    await storage.saveCalls({ calls: [...texts.map(one), whole] });
    await storage.close();
  }

  /** Opens the pages one after the other in one tab, and tells what must never have happened. */
  async function visitAll(
    paths: readonly string[],
    look: (page: Page, path: string) => Promise<void>,
  ): Promise<void> {
    await console.visit('/', async (page) => {
      countRequests(page);
      await settle(page);
      for (const path of paths) {
        await goTo(page, path);
        await look(page, path);
        expect(await page.evaluate('window.__ran'), path).toBeUndefined();
      }
    });
  }

  it('are shown as they are in every list, hundreds of them, and none runs', async () => {
    const lists = [...made.keys()];
    await visitAll(lists, async (page, path) => {
      const expected = [...(made.get(path)?.keys() ?? [])];
      if (path !== '/recordings') expect(expected.length, path).toBeGreaterThan(ENOUGH);
      const shown = new Set((await page.evaluate(GATHER)) as string[]);
      expect(
        expected.filter((text) => !shown.has(text)),
        path,
      ).toEqual([]);
    });
  });

  it('are shown as they are in forms', async () => {
    const places: [string, string][] = [];
    for (const path of ['/menus', '/agents', '/departments', '/sms', '/webhooks', '/recordings']) {
      const records = [...(made.get(path) ?? [])].filter(([text]) => PAYLOADS.includes(text));
      for (const [text, address] of records.slice(0, 4))
        places.push([`${path}/${address.split('/').at(-1)}`, text]);
    }
    expect(places.length).toBe(24);
    const texts = new Map(places);
    await visitAll([...texts.keys()], async (page, path) => {
      const shown = (await page.evaluate(GATHER)) as string[];
      expect(shown, path).toContain(texts.get(path));
      const values = (await page.evaluate(
        `[...document.querySelectorAll('main input, main textarea')].map((one) => one.value)`,
      )) as string[];
      expect(values, path).toContain(texts.get(path));
    });
  });

  it('are shown as they are on the map and in its outline', async () => {
    await visitAll(['/map', '/map?view=outline', '/'], async (page, path) => {
      const shown = new Set((await page.evaluate(GATHER)) as string[]);
      if (!path.includes('outline')) return;
      const expected = [...(made.get('/menus')?.keys() ?? [])];
      expect(expected.filter((text) => !shown.has(text))).toEqual([]);
    });
  });

  it('are shown as they are in call records, and in the trail and the messages of one call', async () => {
    const texts = strings.filter((text) => text.isWellFormed() && !text.includes('\0') && text.trim() !== '');
    await visitAll(['/calls', '/calls/hostile-all'], async (page, path) => {
      const shown = ((await page.evaluate(GATHER)) as string[]).join('\n');
      const expected = path === '/calls' ? PAYLOADS : texts;
      expect(
        expected.filter((text) => !shown.includes(text)),
        path,
      ).toEqual([]);
    });
  });

  it('are shown as they are when real phones send them in SIP headers, live and afterwards', async () => {
    const sample = PAYLOADS.filter((text) => /^[\x20-\x7e]+$/.test(text) && !/["\\]/.test(text)).slice(0, 5);
    const server = sipOf(console.service);
    for (const [index, text] of sample.entries()) {
      const phone = await Phone.open({ user: `5550${index}`, displayName: text, server });
      phones.push(phone);
      const word = text.replace(/[^\w<>:"/()[\]?{}.!%*+`'~-]/g, '');
      calls.push(await phone.call('100', { headers: [['User-Agent', text]], callId: `${word}${index}` }));
    }
    await Promise.all(calls.map((one) => one.answered()));
    const names = async (page: Page): Promise<string> =>
      ((await page.evaluate(GATHER)) as string[]).join('\n');
    await visitAll(['/live', '/map?show=live', '/'], async (page, path) => {
      if (path === '/live') for (const text of sample) expect(await names(page)).toContain(text);
    });
    await Promise.all(calls.map((one) => one.hangUp()));
    const found = async (): Promise<{ id: string; caller: string }[]> =>
      (await call(console.service.url, 'GET', '/v1/call/records?direction=inbound&limit=5')).json.data;
    await expect
      .poll(async () => (await found()).filter(({ caller }) => caller?.startsWith('5550')).length)
      .toBe(5);
    const paths = (await found()).map(({ id }) => `/calls/${id}`);
    const seen: string[] = [];
    await visitAll(paths, async (page) => {
      seen.push(await names(page));
    });
    for (const text of sample) expect(seen.join('\n')).toContain(text);
  });

  it('are shown as they are in the preview of an import, with a file name of that kind', async () => {
    const names = (made.get('/agents') ? [...(made.get('/agents') ?? new Map()).keys()] : []).slice(
      0,
      200,
    ) as string[];
    const lines = names.map((name) => `"${name.replaceAll('"', '""')}"`);
    await visitAll(['/agents/import'], async (page) => {
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
      expect(names.filter((text) => !shown.has(text) && !shown.has(text.trim()))).toEqual([]);
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
  take();
  for (let pages = 0; pages < 100; pages += 1) {
    const next = more();
    if (!next) break;
    const before = main.textContent;
    next.click();
    for (let waits = 0; waits < 100 && (main.textContent === before || next.disabled && next.isConnected && !more()); waits += 1) {
      await new Promise((done) => setTimeout(done, 10));
      if (main.textContent !== before && !more()) break;
    }
    take();
  }
  return [...seen];
})()`;

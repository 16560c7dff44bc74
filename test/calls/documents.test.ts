// Every command of the documentation is run: the `sh` blocks of each page, line by line as they stand, against a first start with its
// demonstration. A command that fails, or that the API refuses, fails the page.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CSV_FILES, DUMP, FLOW } from '../support/foreign-files.ts';
import { sipAddress } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneOptions } from '../support/phone/phone-options.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { fencesOf, type PageRun, readPage, root, runPage } from './support/shell-page.ts';

function curlMissing(): boolean {
  if (spawnSync('curl', ['--version']).status === 0) return false;
  if (process.env['CI']) throw new Error('curl is not installed.');
  console.warn('\n!!! curl is not installed: the commands of docs/ ARE NOT TRIED.\n');
  return true;
}

const TRUNK = {
  name: 'provider',
  host: 'sip.example.com',
  outbound_prefixes: ['+49'],
  agents_may_call: true,
};
const BEEP_HZ = 1_000;
/** `expect.poll` is for one test at a time. */
const LATE = { timeout: 10_000 };
const welcome = readFileSync(join(root, 'examples/recordings/welcome.wav'));
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const withCommands = pages.filter((page) =>
  fencesOf(readPage(page)).some(({ language }) => language === 'sh'),
);

/** What a page takes for granted. */
type Prepare = (service: Service, token: string) => Promise<Partial<PageRun>>;

// "sh root" is run by .ci/new-user (docs/systemd.md), in a folder that stands for the root, and by test/nodes/kamailio-page.test.ts.
it('commands stand in sh blocks, which are run here, or in console blocks, whose output is compared too', () => {
  const others = pages.flatMap((page) =>
    fencesOf(readPage(page))
      .filter(({ language }) => !['sh', 'console', 'sh root'].includes(language))
      .filter(({ text }) => /^(?:curl|npx|node bin|sudo|dialtree|npm) /m.test(text))
      .map(({ text }) => `${page}: ${text.split('\n')[0]}`),
  );
  // The list of commands: test/readme.test.ts compares it with the program's own.
  expect(others.filter((line) => !line.includes('node bin/dialtree.js serve'))).toEqual([]);
});

describe.skipIf(curlMissing())('the commands of', () => {
  let elsewhere: Server;
  let elsewhereUrl: string;
  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      request.resume();
      if (request.url === '/welcome.mp3') response.setHeader('content-type', 'audio/wav').end(welcome);
      else response.setHeader('content-type', 'application/json').end('{"id":"1"}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  });
  afterAll(() => elsewhere?.close());

  const ask = async (service: Service, token: string, path: string, body?: object): Promise<Json> =>
    (await call(service.url, body ? 'POST' : 'GET', path, { token, ...(body ? { body } : {}) })).json;

  const phones = new Map<Service, Phone[]>();
  async function phone(service: Service, options: Partial<PhoneOptions> = {}): Promise<Phone> {
    const opened = await Phone.open({ server: sipAddress(service), ...options });
    phones.set(service, [...(phones.get(service) ?? []), opened]);
    return opened;
  }

  /** The phone of an agent of the demonstration, which answers. */
  async function agent(service: Service, token: string, eid: string, intercom: string): Promise<void> {
    const { sip_password: password } = await ask(service, token, `/v1/agent/${eid}/sip_password`, {});
    const opened = await phone(service, { user: intercom, password });
    // A new password counts within a second.
    await vi.waitFor(async () => expect(await opened.register()).toBe(200), LATE);
    // The document's own commands show whether it talked. That none rang, or that a command or the test's end was first, is no fault.
    void opened
      .incoming()
      .then((ringing) => ringing.answer())
      .catch(() => {});
  }

  async function changeAgent(service: Service, token: string, eid: string, change: object): Promise<void> {
    const { name, intercom } = await ask(service, token, `/v1/agent/${eid}`);
    const body = { name, intercom, ...change };
    const { status, text } = await call(service.url, 'PUT', `/v1/agent/${eid}`, { token, body });
    expect(status, text).toBe(200);
  }

  /** Two callers talk to an agent each, another one is in the menu. */
  const liveCalls: Prepare = async (service, token) => {
    await agent(service, token, '100001', '1001');
    await agent(service, token, '100002', '1002');
    await changeAgent(service, token, '100003', { product_clicktocall: 1 });
    await agent(service, token, '100003', '1003');
    await ask(service, token, '/v1/trunk', TRUNK);
    const talking = await (await (await phone(service)).call('100')).answered();
    await talking.pressKeys('0');
    const live = async (state: string): Promise<string | undefined> =>
      (await ask(service, token, `/v1/live_calls?state=${state}`)).data[0]?.id;
    await vi.waitFor(async () => expect(await live('connected')).toBeDefined(), LATE);
    const given = { CALL: (await live('connected')) ?? '' };
    await (await (await phone(service)).call('100')).answered();
    const { eid } = await ask(service, token, '/v1/agent', { name: 'Kim', intercom: '1004' });
    await agent(service, token, eid, '1004');
    const { eid: colleague } = await ask(service, token, '/v1/agent', { name: 'Lee', intercom: '1005' });
    await agent(service, token, colleague, '1005');
    await ask(service, token, '/v1/number', { number: '209', destination: `extension||${eid}` });
    await (await (await phone(service)).call('209')).answered();
    const third = async (): Promise<string | undefined> =>
      (await ask(service, token, '/v1/live_calls?state=connected')).data.find(
        (each: Json) => each.agent === eid,
      )?.id;
    await vi.waitFor(async () => expect(await third()).toBeDefined(), LATE);
    return { given: { ...given, OTHER_CALL: (await live('menu')) ?? '', THIRD_CALL: (await third()) ?? '' } };
  };

  /** A caller in a room without a PIN. */
  const inRoom: Prepare = async (service, token) => {
    const { id: room } = await ask(service, token, '/v1/room', { name: 'Open' });
    await ask(service, token, '/v1/number', { number: '301', destination: `room||${room}` });
    await (await (await phone(service)).call('301')).answered();
    const caller = async (): Promise<string | undefined> =>
      (await ask(service, token, `/v1/room/${room}/participants`)).participants[0]?.call_id;
    await vi.waitFor(async () => expect(await caller()).toBeDefined(), LATE);
    return { given: { ROOM: room, CALL: (await caller()) ?? '' } };
  };

  /** A message in a box, and a recorded call. */
  const recordedSound: Prepare = async (service, token) => {
    const { id: box } = await ask(service, token, '/v1/voicemail_box', { name: 'Office' });
    await ask(service, token, '/v1/number', { number: '200', destination: `voicemail||${box}` });
    await ask(service, token, '/v1/number', { number: '201', destination: 'extension||100001' });
    await changeAgent(service, token, '100001', { record_calls: true });
    await agent(service, token, '100001', '1001');
    const calls = [
      await (await (await phone(service)).call('200')).answered(),
      await (await (await phone(service)).call('201')).answered(),
    ];
    await calls[0]?.hears(BEEP_HZ, { forMs: 60, withinMs: 30_000 });
    for (const each of calls) await each.sendTone(1_780);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    for (const each of calls) await each.hangUp();
    const first = async (path: string): Promise<string | undefined> =>
      (await ask(service, token, path)).data[0]?.id;
    await vi.waitFor(async () => expect(await first('/v1/voicemails')).toBeDefined(), LATE);
    await vi.waitFor(async () => expect(await first('/v1/call/recordings')).toBeDefined(), LATE);
    const [message, recording] = [await first('/v1/voicemails'), await first('/v1/call/recordings')];
    return { given: { BOX: box, MESSAGE: message ?? '', RECORDING: recording ?? '' } };
  };

  /** What FreePBX exported: a line for each extension, with more columns than are needed. */
  const fromFreepbx: Prepare = async () => ({
    files: {
      'extensions.csv':
        'extension,name,description,tech,secret\r\n2001,"Kim, Reception",,pjsip,x\r\n2002,"Lee ""L"" Park",,pjsip,y\r\n',
      'custom/greeting.wav': welcome,
      'custom/after hours.wav': welcome,
    },
  });

  const PREPARE: Readonly<Record<string, Prepare>> = {
    'docs/live-calls.md': liveCalls,
    'docs/rooms.md': inRoom,
    'docs/voicemail.md': recordedSound,
    'docs/tokens.md': async (service, token) => ({
      given: { ID: (await ask(service, token, '/v1/token', { name: 'old' })).id },
    }),
    'docs/sms.md': async (service, token) => ({
      given: { ID: (await ask(service, token, '/v1/sms', { to: '+4915112345678', text: 'Hello' })).id },
    }),
    'docs/command-line.md': async ({ url }, token) => ({
      instead: { 'https://phones.example.com': url, 'dialtree_…': token },
    }),
    'docs/flow-logic.md': async (service, token) => {
      await ask(service, token, '/v1/trunk', TRUNK);
      return {};
    },
    'docs/freepbx.md': fromFreepbx,
    'docs/importing.md': async () => ({
      files: {
        'flow.json': JSON.stringify(FLOW),
        'backup.sql.gz': gzipSync(DUMP),
        ...Object.fromEntries(
          Object.entries(CSV_FILES).map(([name, text]) => [`folder-of-csv-files/${name}`, text]),
        ),
      },
    }),
    'docs/recordings.md': async () => ({
      files: { 'welcome.wav': welcome },
      instead: { 'https://example.com': elsewhereUrl },
    }),
  };

  // Two at once, since each waits for half of the time; and behind the calls of other files, which keep real time.
  const turns: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = (turns.shift() ?? Promise.resolve()).then(work);
    turns.push(done.catch(() => undefined));
    return done;
  }

  it.concurrent.each(withCommands)('%s', { timeout: 240_000 }, (page) => inTurn(() => run(page)));

  async function run(page: string): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-page-'));
    const service = await startService({
      under: ['nice', '-n', '5'],
      env: {
        ACCESS_TOKEN: '',
        DEMO: 'on',
        SIP: 'on',
        SIP_PORT: '0',
        OUTBOUND_ALLOW: '127.0.0.1/32',
        SMS_URL: `${elsewhereUrl.replace('http://', 'http://:secret@')}/sms`,
        SMS_SENDER: '+4930123456',
      },
    });
    try {
      const token = readFileSync(join(service.dataDir, 'access-token'), 'utf8').trim();
      const prepared = (await PREPARE[page]?.(service, token)) ?? {};
      const { code, out } = await runPage(readPage(page), folder, {
        service,
        sipPort: sipAddress(service).port,
        ...prepared,
      });
      expect(code, out).toBe(0);
    } finally {
      for (const each of phones.get(service) ?? []) each.close();
      await service.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  }
});

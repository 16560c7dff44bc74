// PINs of conference rooms: who may not see them learns them neither from a draft nor from simulated calls.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { menu } from '../support/payload.ts';
import { call, type Service, startService } from '../support/service.ts';
import type { Browser } from './support/browser.ts';
import { invited, makeOwner } from './support/people.ts';

const PINS = { pin: '471982', host_pin: '835501' };
const NEW_PIN = '660417';

let service: Service;
let owner: Browser;
let viewer: Browser;
beforeAll(async () => {
  service = await startService();
  owner = await makeOwner(service);
  viewer = await invited(service, owner, 'viewer');
  const made = await call(service.url, 'POST', '/v1/room', { body: { id: 'board', name: 'Board', ...PINS } });
  expect(made.status, made.text).toBe(201);
});
afterAll(() => service?.remove());

const ask = (browser: Browser, method: string, path: string, body?: object) =>
  browser.ask(method, path, { account: 'default', ...(body ? { body } : {}) });

test('a draft shows that a PIN is changed, but to a viewer neither the one before nor the one after', async () => {
  await ask(owner, 'PATCH', '/v1/settings', { require_publish: true });
  try {
    expect((await ask(owner, 'PATCH', '/v1/room/board', { pin: NEW_PIN })).status).toBe(200);
    const seen = await ask(viewer, 'GET', '/v1/draft');
    expect(seen.status).toBe(200);
    for (const pin of [PINS.pin, PINS.host_pin, NEW_PIN]) expect(seen.text).not.toContain(pin);
    expect(seen.json.data).toMatchObject([{ id: 'board', before: { pin: '••••' }, after: { pin: '••••' } }]);
    const { data } = (await ask(owner, 'GET', '/v1/draft')).json;
    expect(data).toMatchObject([{ before: { pin: PINS.pin }, after: { pin: NEW_PIN } }]);
    for (const path of [
      '/v1/audit',
      '/v1/deleted_records',
      '/v1/publications',
      '/v1/rooms',
      '/v1/room/board',
    ]) {
      const { text } = await ask(viewer, 'GET', path);
      for (const pin of [PINS.pin, PINS.host_pin, NEW_PIN]) expect(text, path).not.toContain(pin);
    }
  } finally {
    await ask(owner, 'DELETE', '/v1/draft');
    await ask(owner, 'PATCH', '/v1/settings', { require_publish: false });
  }
});

test('a call that a viewer simulates enters a room by no PIN, right or wrong', async () => {
  const ivr = menu({ option: ['1'], destination: ['room||board'] });
  const script = `1,${PINS.pin}#`;
  const codes = async (browser: Browser): Promise<string[]> => {
    const { json, text } = await ask(browser, 'POST', '/v1/simulate', { ivr, script });
    expect(json?.steps, text).toBeDefined();
    return json.steps.map(({ code }: { code?: string }) => code ?? '');
  };
  expect(await codes(owner)).not.toContain('room-pin-wrong');
  expect(await codes(viewer)).toContain('room-pin-wrong');
});

test('the tests of a menu show a viewer that they type a PIN, but not which, and no trace of it', async () => {
  const tests = [
    { name: 'enters', script: `1,${PINS.pin}#`, expect: { visited: ['room||board'] } },
    {
      name: 'hosts',
      script: [
        { do: 'press', keys: '1' },
        { do: 'press', keys: PINS.host_pin.slice(0, 2) },
        { do: 'wait', ms: 500 },
        { do: 'press', keys: `${PINS.host_pin.slice(2)}#` },
      ],
      expect: { visited: ['room||board'] },
    },
    { name: 'presses', script: '2', expect: { outcome: 'hung-up' } },
  ];
  const destination = ['room||board', 'hangup||hangup'];
  const body = { id: 'secret', ...menu({ option: ['1', '2'], destination }), tests };
  const made = await ask(owner, 'POST', '/v1/ivr', body);
  expect(made.status, made.text).toBe(201);
  // The one before is a former version.
  await ask(owner, 'PATCH', '/v1/ivr/secret', { description: 'changed' });
  const parts = [PINS.pin, PINS.host_pin, PINS.host_pin.slice(2)];
  for (const path of ['/v1/ivr/secret', '/v1/ivrs', '/v1/ivr/secret/versions']) {
    const seen = await ask(viewer, 'GET', path);
    expect(seen.status, path).toBe(200);
    for (const pin of parts) expect(seen.text, path).not.toContain(pin);
    expect((await ask(owner, 'GET', path)).text, path).toContain(PINS.pin);
  }
  const { json } = await ask(viewer, 'GET', '/v1/ivr/secret');
  expect(json.tests.map(({ script }: { script: unknown }) => script)).toEqual([
    '1,••••',
    [
      { do: 'press', keys: '1' },
      { do: 'press', keys: '••••' },
      { do: 'wait', ms: 500 },
      { do: 'press', keys: '••••' },
    ],
    '2',
  ]);
  for (const [trace, isTraced] of [
    [0, false],
    [1, false],
    [2, true],
  ] as const) {
    const run = await ask(viewer, 'POST', `/v1/ivr/secret/test?trace=${trace}`);
    expect(run.status, run.text).toBe(200);
    for (const pin of Object.values(PINS)) expect(run.text).not.toContain(pin);
    // By the real PIN: what a viewer learns is true.
    expect(run.json.data.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, true, true]);
    expect('trace' in run.json.data[trace]).toBe(isTraced);
    expect('trace' in (await ask(owner, 'POST', `/v1/ivr/secret/test?trace=${trace}`)).json.data[trace]).toBe(
      true,
    );
  }
});

test('a draft shows a viewer neither a PIN in the tests of a menu, nor one that only the draft has', async () => {
  const of = (pin: string) => [{ name: 'enters', script: `1,${pin}#`, expect: { visited: ['room||board'] } }];
  const ivr = {
    id: 'drafted',
    ...menu({ option: ['1'], destination: ['room||board'] }),
    tests: of(PINS.pin),
  };
  expect((await ask(owner, 'POST', '/v1/ivr', ivr)).status).toBe(201);
  await ask(owner, 'PATCH', '/v1/settings', { require_publish: true });
  try {
    expect((await ask(owner, 'PATCH', '/v1/room/board', { pin: NEW_PIN })).status).toBe(200);
    const changed = await ask(owner, 'PATCH', '/v1/ivr/drafted', { tests: of(NEW_PIN) });
    expect(changed.status, changed.text).toBe(200);
    for (const path of ['/v1/draft', '/v1/ivr/drafted', '/v1/ivrs']) {
      const { status, text } = await ask(viewer, 'GET', path);
      expect(status, path).toBe(200);
      for (const pin of [PINS.pin, NEW_PIN]) expect(text, path).not.toContain(pin);
    }
    expect((await ask(owner, 'GET', '/v1/draft')).text).toContain(NEW_PIN);
  } finally {
    await ask(owner, 'DELETE', '/v1/draft');
    await ask(owner, 'PATCH', '/v1/settings', { require_publish: false });
  }
});

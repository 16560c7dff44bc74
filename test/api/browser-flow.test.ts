// The console compiles the account's records in the browser. Whatever is called there must be the call that the service makes
// of it: the same trace, step by step, for the same scenario.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AccountRecords,
  browserFlow,
  entryRef,
  UNSAVED_ID,
} from '../../console/src/pages/simulator/browser-flow.ts';
import { reachOf } from '../../console/src/pages/simulator/reach.ts';
import { simulate } from '../../src/flow/simulate.ts';
import { readScenario } from '../../src/flow/simulation/scenario.ts';
import { traceJson } from '../../src/flow/simulation/trace.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, runDialtree, type Service, startService } from '../support/service.ts';

const LISTS = {
  ivr: '/v1/ivrs',
  agent: '/v2/agents',
  department: '/v1/departments',
  timegroup: '/v1/timegroups',
  announcement: '/v1/announcements',
  voicemail: '/v1/voicemail_boxes',
  recording: '/v1/recordings',
  sms_template: '/v1/sms_templates',
  room: '/v1/rooms',
  collect: '/v1/collects',
  request: '/v1/requests',
  stream: '/v1/streams',
  switch: '/v1/switches',
  sip_address: '/v1/sip_addresses',
  message: '/v1/messages',
} as const;

let service: Service;
const send = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await call(service.url, method, path, body ? { body } : {});
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json;
};

async function account(): Promise<AccountRecords> {
  const lists = await Promise.all(
    Object.entries(LISTS).map(async ([name, path]) => [name, (await send('GET', `${path}?limit=500`)).data]),
  );
  return { ...Object.fromEntries(lists), settings: await send('GET', '/v1/settings') };
}

beforeAll(async () => {
  service = await startService({ env: { DEMO: 'on' } });
  const imported = await runDialtree(['import', 'examples/office.json'], { dataDir: service.dataDir });
  expect(imported.code, imported.err).toBe(0);
  await send('PATCH', '/v1/settings', { sms_templates: true, ring_seconds: 17 });
  await fill();
});
afterAll(() => service?.remove());

/** One of everything that a call can come to. */
async function fill(): Promise<void> {
  const { id: box } = await send('POST', '/v1/voicemail_box', { name: 'Nights', max_seconds: 90 });
  const { id: sms } = await send('POST', '/v1/sms_template', { name: 'Hello', text: 'Hello {caller}' });
  const { id: week } = await send('POST', '/v1/timegroup', {
    name: 'Week',
    timezone: 'Asia/Kolkata',
    weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' }],
    exceptions: [{ name: 'Diwali', from: '2026-11-08', to: '2026-11-08', hours: [] }],
    open_destination: 'department||sales',
    closed_destination: `voicemail||${box}`,
  });
  const { id: notice } = await send('POST', '/v1/announcement', {
    name: 'Notice',
    recording: 'connecting',
    destination: `timegroup||${week}`,
  });
  const { id: line } = await send('POST', '/v1/department', {
    name: 'Line',
    agents: ['100001', '100002'],
    strategy: 'round_robin',
    queue: true,
    announce_position: 15,
    max_wait_seconds: 120,
    exit_key: '*',
    failover_destination: `voicemail||${box}`,
  });
  await send('PUT', '/v1/agent/100002', {
    name: 'Ben',
    intercom: '1002',
    timegroup_id: week,
    failover_destination: `announcement||${notice}`,
  });
  const { id: text } = await send('POST', '/v1/message', {
    name: 'Text',
    sms_template: sms,
    next_destination: 'hangup||now',
  });
  const { id: by } = await send('POST', '/v1/switch', {
    name: 'By state',
    rules: [{ variable: 'state', operator: 'equals', value: 'shipped', destination: `message||${text}` }],
    otherwise_destination: 'department||sales',
  });
  await send('POST', '/v1/request', {
    id: 'order',
    name: 'Order',
    url: 'https://shop.example.com/order',
    save: [{ variable: 'state', pointer: '/state' }],
    next_destination: `switch||${by}`,
    failed_destination: 'hangup||busy',
  });
  await send('POST', '/v1/stream', {
    id: 'bot',
    name: 'Bot',
    url: 'wss://bot.example.com/talk',
    destinations: ['department||sales'],
    next_destination: 'hangup||now',
    failed_destination: 'hangup||busy',
  });
  const { id: digits } = await send('POST', '/v1/collect', {
    name: 'Digits',
    recording: 'connecting',
    max_digits: 4,
    confirm: true,
    save_as: 'order',
    next_destination: 'request||order',
    failed_destination: `voicemail||${box}`,
  });
  await send(
    'POST',
    '/v1/ivr',
    menu({
      name: 'Everything',
      option: ['1', '2', '3', '33', '4', '5', '6'],
      destination: [
        `announcement||${notice}`,
        `department||${line}`,
        `voicemail||${box}`,
        'extension||100002',
        'ivr||none',
        `collect||${digits}`,
        'stream||bot',
      ],
      sms_template: [sms, null, 'none'],
    }),
  );
}

const SCENARIOS: readonly object[] = [
  {},
  { script: '1' },
  { script: '2' },
  { script: '5,1234,1', requests: { 'request||order': { answer: { state: 'shipped' }, after_ms: 900 } } },
  { script: '6', streams: { 'stream||bot': { transfer: 'department||sales', variables: { topic: 'x' } } } },
  { script: '6', streams: { 'stream||bot': { failure: 'broken', after_ms: 900 } } },
  { script: '5,12#,2,34#,1', requests: { 'request||order': { status: 500 } } },
  { script: '3,wait 9s,hangup', at: '2026-11-08T06:00:00Z' },
  { script: '33', at: '2026-11-10T20:00:00Z' },
  { script: '4', caller: null },
  { script: '1', at: '2026-11-08T06:00:00Z', caller: '+911234567890' },
  { script: '1', at: '2026-11-10T06:00:00Z', agents: { 'extension||100001': 'busy' } },
  {
    script: '2,wait 40s,*',
    agents: { 'extension||100001': 'busy 90s', 'extension||100002': 'unreachable' },
  },
  { script: '9,wait,2', agents: { 'extension||100003': 'blocked', 'extension||100002': 'no-answer' } },
  { script: '21', seed: 7, idle_since: { 'extension||100001': 5 } },
];

/** Both would begin now, each at a moment of its own. */
const AT = '2026-01-05T10:00:00Z';

function inBrowser(records: AccountRecords, entry: string, scenario: object): Json {
  const reading = readScenario(scenario);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  const trace = simulate(browserFlow(records), { ...reading.scenario, entry, maxEvents: 2_000 });
  return JSON.parse(JSON.stringify(traceJson(trace)));
}

test('every menu of the demonstration, the office and one with everything is the same call here and there', async () => {
  const records = await account();
  expect(records.ivr.map(({ name }) => name).toSorted()).toEqual([
    'After sales',
    'Everything',
    'Main menu',
    'Office',
  ]);
  const codes = new Set<string>();
  for (const { id } of records.ivr) {
    for (const given of SCENARIOS) {
      const scenario = { at: AT, ...given };
      const there = await send('POST', `/v1/ivr/${id}/simulate`, scenario);
      expect(inBrowser(records, `ivr||${id}`, scenario)).toEqual(there);
      for (const { code } of there.steps) codes.add(code);
    }
  }
  // The scenarios do come to everything that there is.
  expect([...codes]).toEqual(
    expect.arrayContaining([
      'queue-joined',
      'queue-left',
      'hours-open',
      'hours-closed',
      'voicemail-saved',
      'sms-queued',
      'sms-skipped',
      'agent-blocked',
      'agent-outside-hours',
      'destination-missing',
      'failover',
      'no-answer',
    ]),
  );
});

test('a menu that is not stored stands in its place, as POST /v1/simulate has it', async () => {
  const records = await account();
  const stored = records.ivr.find(({ name }) => name === 'Main menu');
  if (!stored) throw new Error('the demonstration is missing');
  const { id, version: _v, created_at: _c, updated_at: _u, ...ivr } = stored;
  const changed = { ...ivr, option: ['5'], destination: ['extension||100003'] };
  const there = await send('POST', '/v1/simulate', { ivr: changed, script: '5', at: AT });
  const anew = simulate(browserFlow(records, { id: null, ivr: changed }), {
    entry: `ivr||${UNSAVED_ID}`,
    script: [{ do: 'press', keys: '5' }],
    epochMs: Date.parse(AT),
  });
  expect(JSON.parse(JSON.stringify(traceJson(anew)))).toEqual(there);
  const inPlace = simulate(browserFlow(records, { id, ivr: changed }), {
    entry: `ivr||${id}`,
    script: [{ do: 'press', keys: '5' }],
  });
  expect(inPlace.outcome).toMatchObject({ destination: 'extension||100003' });
});

test('a dialled number leads where its record says, with or without the plus', async () => {
  const numbers = (await send('GET', '/v1/numbers')).data;
  expect(entryRef('100', numbers)).toBe(numbers[0].destination);
  expect(entryRef('+100', numbers)).toBe(numbers[0].destination);
  expect(entryRef(`number||${numbers[0].id}`, numbers)).toBe(numbers[0].destination);
  expect(entryRef('ivr||main', numbers)).toBe('ivr||main');
  expect(entryRef('4711', numbers)).toBe('number||4711');
  expect(reachOf(browserFlow(await account()), 'ivr||main').phones.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Asha', 'Ben', 'Chen']),
  );
});
